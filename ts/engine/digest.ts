/** Public numbers that come block by block, known by 32 bytes: SHA-256 of what came before and the bytes of the block. */
export async function chained(before: Uint8Array, block: Float64Array): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(before.length + block.byteLength);
  bytes.set(before);
  bytes.set(new Uint8Array(block.buffer, block.byteOffset, block.byteLength), before.length);
  return new Uint8Array(await globalThis.crypto.subtle.digest("SHA-256", bytes));
}

/** Whether all numbers are within ±most; NaN is not. */
export function within(numbers: ArrayLike<number>, most: number): boolean {
  for (let i = 0; i < numbers.length; i++) if (!(Math.abs(numbers[i] as number) <= most)) return false;
  return true;
}
