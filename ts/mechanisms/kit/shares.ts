import { Rational } from "../../privacy/rational.js";
import type { Workload } from "../../tables/workload.js";

/** How many cells each clique has. */
export const cellsOf = (list: Workload): number[] =>
  Array.from({ length: list.length }, (_, i) => list.size(i));

/** The whole numbers that shares of the budget are in proportion to: cells to a power, in thousandths. */
export function parts(cells: readonly number[], exponent: number): bigint[] {
  return cells.map((count) => BigInt(Math.max(1, Math.round(exponent === 0 ? 1 : 1000 * count ** exponent))));
}

/** What each gets of an amount: exact fractions whose sum is the amount. */
export function divided(amount: Rational, among: readonly bigint[]): Rational[] {
  const sum = among.reduce((so, part) => so + part, 0n);
  return among.map((part) => amount.times(Rational.ratio(part, sum)));
}

/** What each clique gets of an amount, by its cells to a power. */
export const sharesOf = (amount: Rational, list: Workload, exponent: number): Rational[] =>
  divided(amount, parts(cellsOf(list), exponent));
