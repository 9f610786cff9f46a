/** Chances of independent trials, by adding their terms up: exact but for rounding, for every number of trials. */

const logs = [0];

function logFactorial(n: number): number {
  for (let i = logs.length; i <= n; i++) logs.push((logs[i - 1] as number) + Math.log(i));
  return logs[n] as number;
}

/** P(Binomial(n, p) ≥ k). */
export function atLeast(k: number, n: number, p: number): number {
  if (k <= 0 || p >= 1) return 1;
  if (k > n || p <= 0) return 0;
  if (k < n * p) return 1 - atLeast(n - k + 1, n, 1 - p);
  const choose = logFactorial(n) - logFactorial(k) - logFactorial(n - k);
  let term = Math.exp(choose + k * Math.log(p) + (n - k) * Math.log1p(-p));
  let sum = 0;
  for (let i = k; i <= n && term > sum * 1e-17; i++) {
    sum += term;
    term *= ((n - i) / (i + 1)) * (p / (1 - p));
  }
  return sum;
}

/** How likely a count is that is at least as far out on its side, doubled: at most α in a part α of all tests. */
export const chanceOf = (k: number, n: number, p: number): number =>
  Math.min(1, 2 * Math.min(atLeast(k, n, p), atLeast(n - k, n, 1 - p)));

/** The largest p for which k or more of n have a probability of at most α: the lower bound of Clopper and Pearson. */
export function least(k: number, n: number, alpha: number): number {
  let [low, high] = [0, k / n];
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (atLeast(k, n, middle) <= alpha) low = middle;
    else high = middle;
  }
  return low;
}

/** How often an event happened with each of two neighbouring tables, of so many tries each. */
export interface Happened {
  readonly often: readonly [number, number];
  readonly tries: number;
}

/**
 * A lower bound of ε at this δ. (ε, δ) means p ≤ e^ε·q + δ for an event and its complement, in both directions; with p at
 * least p⁻ and q at most q⁺, ε ≥ ln((p⁻ − δ)/q⁺). All eight bounds that are taken hold at once but for a chance of α.
 */
export function epsilonOf({ often: [one, other], tries }: Happened, delta: number, alpha: number): number {
  const pairs = [
    [one, other],
    [other, one],
    [tries - one, tries - other],
    [tries - other, tries - one],
  ] as const;
  const bound = ([much, little]: readonly [number, number]) => {
    const most = 1 - least(tries - little, tries, alpha / 8);
    return Math.log(Math.max(0, least(much, tries, alpha / 8) - delta) / most);
  };
  return Math.max(0, ...pairs.map(bound));
}
