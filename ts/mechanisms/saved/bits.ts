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
