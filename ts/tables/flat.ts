/**
 * A table of a flatbuffer, as Arrow writes its metadata: a list of where its fields stand, and the fields. What leads
 * out of the bytes throws a `RangeError`.
 */
export class FlatTable {
  readonly view: DataView;
  readonly #at: number;

  constructor(view: DataView, at: number) {
    this.view = view;
    this.#at = at;
  }

  /** The table that a buffer holds. */
  static root(bytes: Uint8Array): FlatTable {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return new FlatTable(view, view.getUint32(0, true));
  }

  /** Where a field stands; nothing where it has its default. */
  place(field: number): number | undefined {
    const places = this.#at - this.view.getInt32(this.#at, true);
    const entry = 4 + 2 * field;
    if (entry >= this.view.getUint16(places, true)) return undefined;
    const offset = this.view.getUint16(places + entry, true);
    return offset === 0 ? undefined : this.#at + offset;
  }

  byte(field: number): number {
    const at = this.place(field);
    return at === undefined ? 0 : this.view.getUint8(at);
  }

  long(field: number): number {
    const at = this.place(field);
    return at === undefined ? 0 : long(this.view, at);
  }

  /** A number that stands for itself alone. */
  id(field: number): bigint {
    const at = this.place(field);
    return at === undefined ? 0n : this.view.getBigInt64(at, true);
  }

  table(field: number): FlatTable | undefined {
    const at = this.place(field);
    return at === undefined ? undefined : new FlatTable(this.view, this.#follow(at));
  }

  /** Where the entries of a vector begin, and how many there are. */
  vector(field: number): [at: number, length: number] {
    const at = this.place(field);
    if (at === undefined) return [0, 0];
    const start = this.#follow(at);
    return [start + 4, this.view.getUint32(start, true)];
  }

  tables(field: number): FlatTable[] {
    const [at, length] = this.vector(field);
    if (at + 4 * length > this.view.byteLength) throw new RangeError("a vector leads out of its buffer");
    return Array.from({ length }, (_, i) => new FlatTable(this.view, this.#follow(at + 4 * i)));
  }

  text(field: number): string {
    const [at, length] = this.vector(field);
    const { buffer, byteOffset } = this.view;
    if (at + length > this.view.byteLength) throw new RangeError("a text leads out of its buffer");
    return new TextDecoder().decode(new Uint8Array(buffer, byteOffset + at, length));
  }

  #follow(at: number): number {
    return at + this.view.getUint32(at, true);
  }
}

/** A number of 64 bits, which stands for bytes and so is whole and not negative. */
export function long(view: DataView, at: number): number {
  const value = Number(view.getBigInt64(at, true));
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError("a length that nothing can have");
  return value;
}
