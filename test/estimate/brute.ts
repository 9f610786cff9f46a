/** Estimators in plain JavaScript, by the book and slow: for tiny domains. */

/** The cell of each row, and how many cells there are, for a clique. */
export interface Marginal {
  of: number[];
  cells: number;
}

/** The cells of a clique over rows, by the sizes of its attributes. */
export function marginalOf(
  rows: readonly (readonly number[])[],
  sizes: readonly number[],
  clique: readonly number[],
): Marginal {
  const of = rows.map((row) =>
    clique.reduce((cell, a) => cell * (sizes[a] as number) + (row[a] as number), 0),
  );
  return { of, cells: clique.reduce((product, a) => product * (sizes[a] as number), 1) };
}

export function sums(marginal: Marginal, weights: ArrayLike<number>): number[] {
  const cells = new Array<number>(marginal.cells).fill(0);
  marginal.of.forEach((cell, row) => {
    cells[cell] = (cells[cell] as number) + (weights[row] as number);
  });
  return cells;
}

/** What is minimised: Σ λ/2 (Mq − y)² over supported cells, plus KL(q‖p). */
export function objective(
  q: ArrayLike<number>,
  p: readonly number[],
  asked: readonly { marginal: Marginal; y: readonly number[]; lambda: number }[],
): number {
  let value = 0;
  for (const { marginal, y, lambda } of asked) {
    const supported = new Set(marginal.of);
    sums(marginal, q).forEach((m, cell) => {
      if (supported.has(cell)) value += (lambda / 2) * (m - (y[cell] as number)) ** 2;
    });
  }
  p.forEach((weight, row) => {
    const share = q[row] as number;
    if (share > 0) value += share * Math.log(share / weight);
  });
  return value;
}

/** By mirror descent with halved steps: slow, and without anything in common with the package's solver. */
export function minimise(
  p: readonly number[],
  asked: readonly { marginal: Marginal; y: readonly number[]; lambda: number }[],
): number[] {
  const all = p.reduce((sum, weight) => sum + weight, 0);
  const prior = p.map((weight) => weight / all);
  let q = prior;
  let value = objective(q, prior, asked);
  let rate = 1;
  for (let i = 0; i < 50_000 && rate > 1e-14; i++) {
    const gradient = q.map((share, row) => Math.log(share / (prior[row] as number)));
    for (const { marginal, y, lambda } of asked) {
      const m = sums(marginal, q);
      marginal.of.forEach((cell, row) => {
        gradient[row] = (gradient[row] as number) + lambda * ((m[cell] as number) - (y[cell] as number));
      });
    }
    const raised = q.map(
      (share, row) => Math.max(share, 1e-300) * Math.exp(-rate * (gradient[row] as number)),
    );
    const sum = raised.reduce((total, weight) => total + weight, 0);
    const next = raised.map((weight) => weight / sum);
    const reached = objective(next, prior, asked);
    if (reached < value) {
      [q, value, rate] = [next, reached, rate * 1.3];
    } else {
      rate /= 2;
    }
  }
  return q;
}

/** The L1 distance of supported cells from their answers. */
export function distance(
  q: ArrayLike<number>,
  asked: readonly { marginal: Marginal; y: readonly number[] }[],
): number {
  let value = 0;
  for (const { marginal, y } of asked) {
    const supported = new Set(marginal.of);
    sums(marginal, q).forEach((m, cell) => {
      if (supported.has(cell)) value += Math.abs(m - (y[cell] as number));
    });
  }
  return value;
}

/** KL(q‖p). */
export function divergence(q: ArrayLike<number>, p: readonly number[]): number {
  return p.reduce((sum, weight, row) => {
    const share = q[row] as number;
    return share > 0 ? sum + share * Math.log(share / weight) : sum;
  }, 0);
}
