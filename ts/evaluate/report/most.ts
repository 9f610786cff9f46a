/** The most categories that a chart shows one by one. */
export const MOST = 12;

/** The first of a sorted list, and one that stands for all others where there are more. */
export function most<T>(sorted: readonly T[], others: (rest: readonly T[]) => T): T[] {
  if (sorted.length <= MOST) return [...sorted];
  return [...sorted.slice(0, MOST - 1), others(sorted.slice(MOST - 1))];
}

export const sum = (values: readonly number[]): number => values.reduce((so, value) => so + value, 0);

export const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : sum(values) / values.length;

/** Half the sum of the differences of shares: 0 for equal tables, 1 for tables without a value in common. */
export const variation = (a: readonly number[], b: readonly number[]): number =>
  sum(a.map((share, i) => Math.abs(share - (b[i] ?? 0)))) / 2;

/** A copy, largest first; what is equal keeps its order. */
export const largest = <T>(list: readonly T[], value: (one: T) => number): T[] =>
  [...list].sort((a, b) => value(b) - value(a));
