/** The bits that tell so many codes apart. */
export const bitsFor = (codes: number): number => (codes <= 1 ? 0 : 32 - Math.clz32(codes - 1));

/** The most bits of a code: what is held between two bytes is then below 2³¹. */
export const MOST_BITS = 24;

/** The bytes that so many codes take. */
export const packedBytes = (count: number, bits: number): number => Math.ceil((count * bits) / 8);

/** Codes one after another, each in so many bits, from the low bits of a byte to the high ones. */
export function pack(codes: ArrayLike<number>, bits: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(packedBytes(codes.length, bits));
  let [held, width, at] = [0, 0, 0];
  for (let i = 0; i < codes.length; i++) {
    held |= (codes[i] as number) << width;
    for (width += bits; width >= 8; width -= 8) {
      bytes[at++] = held & 0xff;
      held >>>= 8;
    }
  }
  if (width > 0) bytes[at] = held;
  return bytes;
}

/** The codes again, in a list that has their number. */
export function unpack<T extends Uint16Array | Uint32Array>(bytes: Uint8Array, bits: number, codes: T): T {
  const mask = 2 ** bits - 1;
  let [held, width, at] = [0, 0, 0];
  for (let i = 0; i < codes.length; i++) {
    for (; width < bits; width += 8) held |= (bytes[at++] as number) << width;
    codes[i] = held & mask;
    held >>>= bits;
    width -= bits;
  }
  return codes;
}
