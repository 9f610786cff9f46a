import { down, expMinusUp, ln1p, lnReciprocalUp, SLACK, up } from "./directed.js";
import { type Amount, double, invalid, Rational } from "./rational.js";

/** Amounts that can be converted. */
const SMALLEST = 1e-12;
const LARGEST = 1e5;
/** The smallest δ that is told or taken: 10⁻³⁰⁰, of which the double is a hair more. */
const SMALLEST_DELTA = 1e-300;

/** Steps of the grid of orders per power of two, its powers, and how far from the optimum it is searched. */
const STEPS = 2 ** 19;
const LOWEST = -40;
const POWERS = 110;
const WINDOW = 4;

/**
 * Between ρ-zCDP and (ε, δ), by the optimised conversion of Canonne, Kamath and Steinke (2020). Every result is on
 * the safe side, within 1e-9 of the best that the conversion gives, monotone in what is given, and the same double on
 * every platform. The derivation and the reasons stand in `crates/privacy/src/convert.rs`.
 */
export const convert = {
  /** The least ε that ρ-zCDP is known to imply with this δ, rounded up. */
  epsilon({ rho, delta }: { rho: Amount; delta: Amount }): number {
    const r = doubled(rho, true, "ρ");
    const log = logDelta(delta);
    const start = last((a) => a * a * r + ln1p(a) < log);
    const at = (a: number) => up(up(up(1 + a) * r) + up(up(log - kDown(a)) / a));
    return up(Math.max(Math.min(...near(start).map(at)), 0));
  },

  /** The largest ρ of which (ε, δ) is known to follow, rounded down. */
  rho({ epsilon, delta }: { epsilon: Amount; delta: Amount }): number {
    const e = doubled(epsilon, false, "ε");
    const log = logDelta(delta);
    const start = last((a) => a * a * (e + ln1p(1 / a)) < (1 + 2 * a) * (log - ln1p(a)));
    const at = (a: number) => down(Math.max(down(e - up(up(log - kDown(a)) / a)), 0) / up(1 + a));
    return Math.max(down(Math.max(0, ...near(start).map(at))), 0);
  },

  /** The least δ that ρ-zCDP is known to imply with this ε, which may be 0; rounded up, never below 1e-300. */
  delta({ rho, epsilon }: { rho: Amount; epsilon: Amount }): number {
    const r = doubled(rho, true, "ρ");
    const e = Rational.of(epsilon).sign === 0 ? 0 : doubled(epsilon, false, "ε");
    const start = last((a) => (1 + 2 * a) * r < e + ln1p(1 / a));
    const at = (a: number) => up(up(a * up(up(up(1 + a) * r) - e)) - kDown(a));
    const log = Math.min(...near(start).map(at));
    if (log >= 0) return 1;
    const bound = log < -690 ? 0 : up(expMinusUp(-log));
    return Math.min(Math.max(bound, SMALLEST_DELTA), 1);
  },
};

/** An amount rounded to a double on the side given. */
export function doubled(value: Amount, upward: boolean, name: string): number {
  const exact = Rational.of(value);
  // Rounded to the other side, the bounds themselves would lie outside.
  if (double(exact, true) >= SMALLEST && double(exact, false) <= LARGEST) return double(exact, upward);
  throw invalid(`${name} must lie between 1e-12 and 1e5 to be converted`);
}

function logDelta(delta: Amount): number {
  const exact = Rational.of(delta);
  const within = exact.compare(Rational.of(SMALLEST_DELTA)) >= 0 && exact.compare(Rational.of("1/2")) <= 0;
  if (within) return lnReciprocalUp(double(exact, false));
  throw invalid("δ must lie between 1e-300 and 1/2: it bounds the chance that the promise of ε fails");
}

function kDown(a: number): number {
  return (ln1p(a) + a * ln1p(1 / a)) * (1 - SLACK);
}

function grid(index: number): number {
  let a = (STEPS + (index % STEPS)) / STEPS;
  for (let power = Math.floor(index / STEPS); power > 0; power--) a *= 2;
  for (let power = LOWEST; power < 0; power++) a *= 0.5;
  return a;
}

/** The last index of the grid at which a condition that holds below some point holds. */
function last(holds: (a: number) => boolean): number {
  let low = 0;
  let high = POWERS * STEPS;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (holds(grid(middle))) low = middle;
    else high = middle;
  }
  return low;
}

function near(index: number): number[] {
  const found: number[] = [];
  for (let i = index - WINDOW; i <= index + WINDOW; i++)
    if (i >= 0 && i < POWERS * STEPS) found.push(grid(i));
  return found;
}
