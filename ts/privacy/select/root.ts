import type { Rational } from "../rational.js";

/** Digits that a root has at least: what is lost of a budget is below 2⁻⁶⁰ of it. */
const DIGITS = 64;

/** The square root of a positive amount where it is a fraction, else a little less. */
export function rootBelow(of: Rational, ratio: typeof Rational.ratio): Rational {
  const square = of.numerator * of.denominator;
  const shift = BigInt(Math.max(0, DIGITS - Math.floor(square.toString(2).length / 2)));
  const root = wholeRoot(square << (2n * shift));
  return ratio(root, of.denominator << shift);
}

/** The largest whole number whose square is at most n, by Newton's method from above. */
function wholeRoot(n: bigint): bigint {
  let root = 1n << BigInt(Math.ceil(n.toString(2).length / 2));
  for (;;) {
    const next = (root + n / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}
