/**
 * Floating point with a side: every function says on which side of the true value its result lies. Only
 * `+ − × ÷` of IEEE doubles, the same steps as `crates/privacy/src/directed.rs`, so that both compute the same
 * bits; the argument for each bound is told there. `Math.log` and `Math.exp` differ between engines.
 */

/** ln 2 rounded up to 39 bits. */
const LN2_UP = 381_061_692_393 / 549_755_813_888;
/** The smallest normal double. */
const TINY = 2.2250738585072014e-308;
/** 2⁻⁴⁶ bounds the relative error of `ln1p`. */
export const SLACK = 1 / 70_368_744_177_664;

/** Above the true result that was rounded to `x`; monotone. */
export function up(x: number): number {
  return x + (Math.abs(x) * Number.EPSILON + TINY);
}

/** The mirror of {@link up}. */
export function down(x: number): number {
  return x - (Math.abs(x) * Number.EPSILON + TINY);
}

function logRatio(s: number): number {
  const square = s * s;
  let sum = 0;
  for (let odd = 35; odd > 0; odd -= 2) sum = sum * square + 1 / odd;
  return 2 * s * sum;
}

/** ln(1 + x) for x ≥ 0, within a relative error of {@link SLACK}. */
export function ln1p(x: number): number {
  if (x <= 1) return logRatio(x / (2 + x));
  let rest = 1 + x;
  let halvings = 0;
  while (rest >= 2) {
    rest *= 0.5;
    halvings += 1;
  }
  return halvings * Math.LN2 + logRatio((rest - 1) / (rest + 1));
}

/** An upper bound of ln(1/x) for 0 < x ≤ 1, falling in x without exception. */
export function lnReciprocalUp(x: number): number {
  let mantissa = x;
  let doublings = 0;
  while (mantissa <= 0.5) {
    mantissa *= 2;
    doublings += 1;
  }
  const part = up(logRatio(up(2 / (1 + mantissa)) - 1) * (1 + SLACK));
  return up(doublings * LN2_UP + Math.min(part, LN2_UP));
}

/** An upper bound of e^−y for 0 ≤ y ≤ 700, falling in y without exception. */
export function expMinusUp(y: number): number {
  let halvings = Math.floor(y / LN2_UP);
  if (halvings * LN2_UP > y) halvings -= 1;
  const rest = y - halvings * LN2_UP;
  let sum = 1;
  for (let term = 18; term > 0; term--) sum = 1 + (sum * rest) / term;
  let result = Math.min(Math.max(up(1 / (sum * (1 - SLACK))), 0.5), 1);
  for (; halvings > 0; halvings--) result *= 0.5;
  return result;
}
