import { double, Rational } from "../../privacy/rational.js";

/** How often what is said of noise holds: in 19 of 20 cases. */
export const CONFIDENCE = 0.95;
/** Of what is left, the part of the number of records, and the deviations that a normal one is within but for it. */
const OF_RECORDS = 0.2;
const DEVIATIONS = 2.576;

/** What is known of the noise of some answers before they are there. */
export interface Noisy {
  readonly law: "laplace" | "gaussian";
  /** b or σ², as a fraction. */
  readonly scale: string;
  readonly variance: number;
  readonly answers: number;
}

/**
 * By how many records the noise can move a largest difference, in 19 of 20 cases: the largest noise of any cell, by a union bound over the
 * tails of the laws, and the error of the number of records, where that is not `known`. The best mixture error of any table moves by no
 * more, since it moves by no more than every answer does.
 */
export function reach(noises: readonly Noisy[], known: boolean): number {
  const rest = 1 - CONFIDENCE;
  const beyond = (records: number) =>
    noises.reduce((sum, noise) => sum + noise.answers * tail(noise, records), 0);
  const wanted = known ? rest : rest * (1 - OF_RECORDS);
  let [low, high] = [0, 1];
  while (beyond(high) > wanted) high *= 2;
  for (let i = 0; i < 50; i++) {
    const middle = (low + high) / 2;
    if (beyond(middle) > wanted) low = middle;
    else high = middle;
  }
  const precision = noises.reduce((sum, { answers, variance }) => sum + 1 / (answers * variance), 0);
  return high + (known ? 0 : DEVIATIONS / Math.sqrt(precision));
}

/** P(|noise| > records) at the most. The discrete laws have no more beyond than the continuous ones are bounded by. */
function tail({ law, scale }: Noisy, records: number): number {
  const width = double(Rational.of(scale), true);
  return Math.min(1, 2 * Math.exp(law === "laplace" ? -records / width : -(records ** 2) / (2 * width)));
}

/**
 * How many rows a public sample needs so that its best mixture error is within α in 19 of 20 cases, whatever is asked and whoever is in the
 * private table: Proposition A.9 of Liu and others (2021), `m ≥ (32/α²·e^D₂ + 8/(3α)·e^D∞)·ln((4|Q| + 4)/β)` for Rényi divergences D of the
 * private population from the public one, both 0 where they are the same.
 */
export function rowsNeeded(error: number, cells: number, { d2 = 0, dMax = 0 } = {}): number {
  const each = (32 / error ** 2) * Math.exp(d2) + (8 / (3 * error)) * Math.exp(dMax);
  return Math.ceil(each * Math.log((4 * cells + 4) / (1 - CONFIDENCE)));
}
