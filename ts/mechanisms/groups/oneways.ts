import type { Law } from "./prior.js";

/** What is known of one attribute in the groups of a level, from public data. */
export interface OneWay<N> {
  readonly name: N;
  /** For each group its public counts. */
  readonly counts: readonly (readonly number[])[];
}

/** A level, as far as a choice depends on it. */
export interface Expectation {
  /** Records that are expected in each group. */
  readonly records: readonly number[];
  /** How many records the prior of each group is worth. */
  readonly worth: readonly number[];
  /** What is spent on all that is chosen. */
  readonly budget: number;
  readonly law: Law;
  /** What one unit changes in one marginal. */
  readonly sensitivity: { readonly l1: number; readonly l2Squared: number };
}

/**
 * The attributes whose one-way marginals are worth measuring in each group: with k of them each has 1/k of the budget,
 * and the k that are expected to take most off the error are taken, for the best k. A cell of share m in a group of n
 * records differs from a prior worth W by a variance of s = n m (1 − m)(1 + n/W); an answer of variance v leaves s v/(s + v).
 */
export function worthMeasuring<N>(attributes: readonly OneWay<N>[], level: Expectation): N[] {
  let best: { gain: number; names: N[] } = { gain: -1, names: [] };
  for (let k = 1; k <= attributes.length; k++) {
    const variance = varianceOf(level, k);
    const gains = attributes.map((one) => ({ name: one.name, gain: gainOf(one, level, variance) }));
    gains.sort((a, b) => b.gain - a.gain);
    const taken = gains.slice(0, k);
    const gain = taken.reduce((sum, one) => sum + one.gain, 0);
    if (gain > best.gain) best = { gain, names: taken.map(({ name }) => name) };
  }
  return best.names;
}

function varianceOf({ law, budget, sensitivity }: Expectation, k: number): number {
  return law === "laplace"
    ? 2 * ((k * sensitivity.l1) / budget) ** 2
    : (k * sensitivity.l2Squared) / (2 * budget);
}

/** By how much an answer lowers the expected distance of a marginal, in records of all groups. */
function gainOf<N>({ counts }: OneWay<N>, { records, worth }: Expectation, variance: number): number {
  let gain = 0;
  for (const [group, cells] of counts.entries()) {
    const all = cells.reduce((sum, count) => sum + count, 0);
    const [n, w] = [records[group] as number, worth[group] as number];
    if (all <= 0 || n <= 0) continue;
    for (const count of cells) {
      const m = count / all;
      const s = n * m * (1 - m) * (1 + n / w);
      gain += Math.sqrt(s) - Math.sqrt((s * variance) / (s + variance));
    }
  }
  return gain;
}
