import { expect } from "vitest";
import { distance, divergence, type Marginal } from "./brute.js";

/** Distributions between `q` and others, nearer and nearer to it. */
export function* between(q: ArrayLike<number>, others: readonly (readonly number[])[]): Generator<number[]> {
  for (const one of others) {
    const parts = Array.from(q, (_, row) => (one[row] as number) + 1e-9);
    const sum = parts.reduce((total, part) => total + part, 0);
    for (const share of [1, 0.1, 1e-3])
      yield Array.from(q, (weight, row) => (1 - share) * weight + (share * (parts[row] as number)) / sum);
  }
}

export interface Certified {
  loss: number;
  lossGap: number;
  relativeEntropy: number;
  entropyGap: number;
}

/** Neither loss nor entropy of any of these distributions is below what a certificate of two stages says. */
export function expectBounded(
  { loss, lossGap, relativeEntropy, entropyGap }: Certified,
  q: ArrayLike<number>,
  p: readonly number[],
  asked: readonly { marginal: Marginal; y: readonly number[] }[],
  others: readonly (readonly number[])[],
): void {
  for (const other of between(q, others)) {
    const found = distance(other, asked);
    expect(found).toBeGreaterThan(loss - lossGap - 1e-9);
    if (found <= loss) expect(divergence(other, p)).toBeGreaterThan(relativeEntropy - entropyGap - 1e-9);
  }
}
