import { invalid } from "../options.js";
import { type Amount, positive, Rational } from "./rational.js";

/** The largest numerator and denominator of a scale. */
const NUMERATOR = 2n ** 96n;
const DENOMINATOR = 2n ** 64n - 1n;

type Pair = readonly [numerator: bigint, denominator: bigint];

/**
 * The least scale at or above an amount that a sampler can take: exactly the amount where its lowest terms are within
 * the limits. This is what is drawn by and charged; `crates/privacy/src/sampler/scale.rs` decides, and says why the
 * walk down the tree of fractions finds it.
 */
export function scaleAtLeast(amount: Amount): Rational {
  const x = positive(amount, "the scale");
  if (x.compare(Rational.of(NUMERATOR)) > 0) {
    throw invalid("the scale of the noise must be above 0 and at most 2^96: ask for another budget");
  }
  if (x.numerator <= NUMERATOR && x.denominator <= DENOMINATOR) return x;
  let below: Pair = [0n, 1n];
  let above: Pair = [1n, 0n];
  for (;;) {
    const reach = above[0] * x.denominator - x.numerator * above[1];
    const steps = reach === 0n ? undefined : (gap(x, below) - 1n) / reach;
    const moved = advance(below, above, steps);
    const stuck = moved[0] === below[0] && moved[1] === below[1];
    below = moved;
    const next = advance(above, below, (above[0] * x.denominator - x.numerator * above[1]) / gap(x, below));
    if (stuck && next[0] === above[0] && next[1] === above[1]) return Rational.ratio(...above);
    above = next;
  }
}

const gap = (x: Rational, below: Pair) => x.numerator * below[1] - below[0] * x.denominator;

/** `from + k·towards` for the greatest k that is at most `steps` and stays within the limits. */
function advance(from: Pair, towards: Pair, steps: bigint | undefined): Pair {
  const most = steps === undefined ? [] : [steps];
  if (towards[0] > 0n) most.push((NUMERATOR - from[0]) / towards[0]);
  if (towards[1] > 0n) most.push((DENOMINATOR - from[1]) / towards[1]);
  const k = most.reduce((least, one) => (one < least ? one : least));
  return [from[0] + k * towards[0], from[1] + k * towards[1]];
}
