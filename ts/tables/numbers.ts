/** The bits that tell so many codes apart. */
export const bitsFor = (codes: number): number => (codes <= 1 ? 0 : 32 - Math.clz32(codes - 1));

/** The bits of a code within a byte: 1, 2, 4 or 8 of them, because deflate sees bytes, and finds no code that lies across. */
const within = (bits: number): number => (bits <= 2 ? bits : bits <= 4 ? 4 : 8);

/** The bytes that so many codes take. */
export const packedBytes = (count: number, bits: number): number =>
  bits > 8 ? count + packedBytes(count, bits - 8) : Math.ceil((count * within(bits)) / 8);

/**
 * Codes one after another, from the low bits of a byte to the high ones; of codes with more than 8 bits first the low bytes
 * of all, and then the rest in the same way.
 */
export function pack(codes: ArrayLike<number>, bits: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(packedBytes(codes.length, bits));
  let [at, shift, left] = [0, 0, bits];
  for (; left > 8; left -= 8, shift += 8) {
    for (let i = 0; i < codes.length; i++) bytes[at + i] = (codes[i] as number) >>> shift;
    at += codes.length;
  }
  const width = within(left);
  const each = width === 0 ? 0 : 8 / width;
  for (let i = 0; i < codes.length && each > 0; i++) {
    const place = at + Math.floor(i / each);
    bytes[place] = (bytes[place] as number) | (((codes[i] as number) >>> shift) << ((i % each) * width));
  }
  return bytes;
}

/** The codes again, in a list that has their number. */
export function unpack<T extends Uint16Array | Uint32Array>(bytes: Uint8Array, bits: number, codes: T): T {
  let [at, shift, left] = [0, 0, bits];
  const add = (i: number, part: number) => {
    codes[i] = (codes[i] as number) | (part << shift);
  };
  for (; left > 8; left -= 8, shift += 8) {
    for (let i = 0; i < codes.length; i++) add(i, bytes[at + i] as number);
    at += codes.length;
  }
  const width = within(left);
  const each = width === 0 ? 0 : 8 / width;
  const mask = 2 ** width - 1;
  for (let i = 0; i < codes.length && each > 0; i++)
    add(i, ((bytes[at + Math.floor(i / each)] as number) >>> ((i % each) * width)) & mask);
  return codes;
}

/**
 * How a list of numbers is written: each as a double; or, where few are different, these once, in the order in which they
 * first occur, and then for each number which of them it is, in as few bits as tell them apart.
 */
export interface NumbersHead {
  readonly count: number;
  readonly distinct?: number;
}

/** The bytes that a list takes. */
export function numbersBytes({ count, distinct }: NumbersHead): number {
  if (distinct === undefined) return 8 * count;
  return 8 * distinct + packedBytes(count, bitsFor(distinct));
}

/** Writes a list to the same bits. */
export function writeNumbers(list: ArrayLike<number>): { head: NumbersHead; bytes: Uint8Array<ArrayBuffer> } {
  const count = list.length;
  const places = new Uint32Array(count);
  const values: number[] = [];
  const known = new Map<number | string, number>();
  for (let i = 0; i < count; i++) {
    const value = list[i] as number;
    // A map takes −0 for 0.
    const key = Object.is(value, -0) ? "-0" : value;
    let place = known.get(key);
    if (place === undefined) {
      place = values.push(value) - 1;
      known.set(key, place);
      // Already as large as the numbers themselves.
      if (2 * values.length > count) return { head: { count }, bytes: doubles(list) };
    }
    places[i] = place;
  }
  const head = { count, distinct: values.length };
  if (numbersBytes(head) >= 8 * count) return { head: { count }, bytes: doubles(list) };
  const bytes = new Uint8Array(numbersBytes(head));
  bytes.set(doubles(values));
  bytes.set(pack(places, bitsFor(values.length)), 8 * values.length);
  return { head, bytes };
}

/** Reads a list from as many bytes as it takes; nothing where a number is none of those that are there. */
export function readNumbers(bytes: Uint8Array, head: NumbersHead): Float64Array<ArrayBuffer> | undefined {
  const { count, distinct } = head;
  if (distinct === undefined) return fromDoubles(bytes, count);
  const values = fromDoubles(bytes, distinct);
  const places = unpack(bytes.subarray(8 * distinct), bitsFor(distinct), new Uint32Array(count));
  const list = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const place = places[i] as number;
    if (place >= distinct) return undefined;
    list[i] = values[place] as number;
  }
  return list;
}

/** Little-endian doubles. */
export function doubles(list: ArrayLike<number>): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(8 * list.length);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < list.length; i++) view.setFloat64(8 * i, list[i] as number, true);
  return bytes;
}

/** The first so many little-endian doubles. */
export function fromDoubles(bytes: Uint8Array, count: number): Float64Array<ArrayBuffer> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const list = new Float64Array(count);
  for (let i = 0; i < count; i++) list[i] = view.getFloat64(8 * i, true);
  return list;
}
