/** What is public of a round. */
export interface Terms {
  /** Of the noise in each answer. */
  readonly variance: number;
  /** Records in all, as far as is known. */
  readonly total: number;
  /** How many records the prior is worth. */
  readonly worth: number;
}

/**
 * The L1 error that is expected to be left of one candidate once it is measured, in records. AIM subtracts the expected L1
 * norm of the noise; here an answer is weighed against a prior, so that less is left: where a cell of c records out of n
 * is off by a variance of s = c·(1 − c/n)·(1 + n/W), as a prior of W records of the same population leaves it, an answer of
 * variance v leaves s·v/(s + v). Never more than AIM's for normal noise, and as much where the prior is worth nothing.
 */
export function expectedError(counts: Float64Array, { variance, total, worth }: Terms): number {
  let sum = 0;
  for (const count of counts) {
    // No row can meet what is asked of a cell without any.
    if (count <= 0) continue;
    const spread = count * Math.max(0, 1 - count / total) * (1 + total / worth);
    sum += Math.sqrt((spread * variance) / (spread + variance));
  }
  return Math.sqrt(2 / Math.PI) * sum;
}
