/** One array after another. */
export function joined(arrays: readonly Float64Array[]): Float64Array<ArrayBuffer> {
  const all = new Float64Array(arrays.reduce((sum, one) => sum + one.length, 0));
  let at = 0;
  for (const one of arrays) {
    all.set(one, at);
    at += one.length;
  }
  return all;
}
