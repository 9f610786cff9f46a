/** What a struct of Thrift's compact protocol holds, by the numbers of its fields. */
export type Struct = ReadonlyMap<number, unknown>;

/** The kinds of values that end a struct or need a look of their own. */
const [STOP, TRUE, FALSE, BYTE, DOUBLE, BINARY, LIST, SET, MAP, STRUCT] = [0, 1, 2, 3, 7, 8, 9, 10, 11, 12];

/** Reads values one after another. What leads out of the bytes throws a `RangeError`. */
export class Thrift {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** The fields of a struct one after another: what follows one that is enough is not looked at. */
  *fields(): Generator<[field: number, value: unknown]> {
    let field = 0;
    for (let head = this.#byte(); head % 16 !== STOP; head = this.#byte()) {
      field = head >> 4 === 0 ? this.#number() : field + (head >> 4);
      const kind = head % 16;
      yield [field, kind === TRUE || kind === FALSE ? kind === TRUE : this.#value(kind)];
    }
  }

  #value(kind: number): unknown {
    switch (kind) {
      case TRUE:
      case FALSE:
      case BYTE:
        return this.#byte();
      case DOUBLE:
        return this.#take(8);
      case BINARY:
        return this.#take(this.#varint());
      case LIST:
      case SET:
        return this.#list();
      case MAP:
        return this.#map();
      case STRUCT:
        return new Map(this.fields());
      default:
        return this.#number();
    }
  }

  #list(): unknown[] {
    const head = this.#byte();
    const length = head >> 4 === 15 ? this.#varint() : head >> 4;
    const list: unknown[] = [];
    for (let i = 0; i < length; i++) list.push(this.#value(head % 16));
    return list;
  }

  #map(): unknown[] {
    const length = this.#varint();
    const kinds = length === 0 ? 0 : this.#byte();
    const list: unknown[] = [];
    for (let i = 0; i < length; i++) list.push([this.#value(kinds >> 4), this.#value(kinds % 16)]);
    return list;
  }

  #number(): number {
    const folded = this.#varint();
    return folded % 2 === 0 ? folded / 2 : -(folded + 1) / 2;
  }

  /** Seven bits a byte, the lowest first. Beyond 2⁵³ it is rounded: only lengths and small numbers are asked for. */
  #varint(): number {
    let value = 0;
    for (let unit = 1; ; unit *= 128) {
      const byte = this.#byte();
      value += (byte % 128) * unit;
      if (byte < 128) return value;
    }
  }

  #byte(): number {
    return this.#take(1)[0] as number;
  }

  #take(length: number): Uint8Array {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new RangeError("a value leads out of the bytes");
    const bytes = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return bytes;
  }
}
