import { invalid } from "./rational.js";
import { type Neighbours, rowsOf } from "./unit.js";

/** How much one unit can change exact answers: the sum of the changes, and of their squares. */
export interface Sensitivity {
  readonly l1: bigint;
  readonly l2Squared: bigint;
}

/** What is asked of the exact counts. */
export type Query =
  /** `count` full marginals, on any cliques, in groups or not. */
  | { readonly type: "marginals"; readonly count: number }
  /** The number of rows, or of those that fulfil a condition; `groups`: in every group of a partition. */
  | { readonly type: "count"; readonly groups?: boolean }
  /** A matrix on a clique, row after row, a column a cell; `groups`: in every group of a partition. */
  | {
      readonly type: "linear";
      readonly columns: number;
      readonly values: readonly number[];
      readonly groups?: boolean;
    };

/**
 * The sensitivity of a query, for plans. The rules, and why they hold, stand in
 * `crates/privacy/src/sensitivity.rs`, which decides; a test compares the two and both with brute force.
 */
export function sensitivity(neighbours: Neighbours, query: Query): Sensitivity {
  const replaced = neighbours.relation !== "add-remove";
  const most = ofRow(query, replaced);
  const rows = BigInt(rowsOf(neighbours.unit));
  return { l1: rows * most.l1, l2Squared: rows * rows * most.l2Squared };
}

/** Edges of bins as candidates: the share of values below as a fraction, and whether they lean. */
export interface ScoredEdges {
  readonly quantile: readonly [bigint, bigint];
  readonly lean: "lower" | "upper" | undefined;
}

/**
 * How much one unit can change the score of any candidate of a selection, in records. Of a cell: by its rows, under either
 * relation. Of a clique: by what its counts change in L1, times its factor, of which `factor` is the largest. Of an edge, for the
 * quantile a/b: by what a row below it, above it or in no bin counts (`crates/privacy/src/select/quantile.rs`).
 */
export function scoreSensitivity(
  neighbours: Neighbours,
  candidates: "cells" | "cliques" | ScoredEdges,
  factor = 1,
): bigint {
  if (candidates === "cells") return BigInt(rowsOf(neighbours.unit));
  if (candidates !== "cliques") {
    const { quantile, lean } = candidates;
    const [a, b] = quantile;
    const values = [b - a, -a, 0n].map(Number);
    const { l1 } = sensitivity(neighbours, { type: "linear", columns: 3, values });
    return lean === undefined ? l1 : l1 + (b * sensitivity(neighbours, { type: "count" }).l1 + 9n) / 10n;
  }
  return sensitivity(neighbours, { type: "marginals", count: 1 }).l1 * whole(factor, 0);
}

/** For units of one row. */
function ofRow(query: Query, replaced: boolean): Sensitivity {
  switch (query.type) {
    case "marginals": {
      const all = whole(query.count, 0) * (replaced ? 2n : 1n);
      return { l1: all, l2Squared: all };
    }
    case "count": {
      const all = replaced && query.groups ? 2n : 1n;
      return { l1: all, l2Squared: all };
    }
    case "linear": {
      const columns = columnsOf(query.columns, query.values);
      const single = columns.map(norms).reduce(larger);
      if (!replaced) return single;
      const across = { l1: 2n * single.l1, l2Squared: 2n * single.l2Squared };
      return differences(columns).reduce(larger, query.groups ? across : single);
    }
  }
}

function columnsOf(count: number, values: readonly number[]): bigint[][] {
  if (!Number.isInteger(count) || count < 1 || values.length === 0 || values.length % count !== 0) {
    throw invalid("the matrix of a query has as many columns as its clique has cells, and a row at least");
  }
  const columns: bigint[][] = Array.from({ length: count }, () => []);
  values.forEach((value, at) => {
    columns[at % count]?.push(whole(value));
  });
  return columns;
}

function* pairs<T>(list: readonly T[]): Generator<[T, T]> {
  for (const [i, one] of list.entries()) for (const other of list.slice(0, i)) yield [one, other];
}

function differences(columns: readonly bigint[][]): Sensitivity[] {
  return Array.from(pairs(columns), ([a, b]) => norms(a.map((value, at) => value - (b[at] ?? 0n))));
}

function norms(values: readonly bigint[]): Sensitivity {
  const l1 = values.reduce((sum, value) => sum + (value < 0n ? -value : value), 0n);
  return { l1, l2Squared: values.reduce((sum, value) => sum + value * value, 0n) };
}

/** The larger of each norm; the two may come from different columns. */
function larger(a: Sensitivity, b: Sensitivity): Sensitivity {
  return { l1: a.l1 > b.l1 ? a.l1 : b.l1, l2Squared: a.l2Squared > b.l2Squared ? a.l2Squared : b.l2Squared };
}

function whole(value: number, least = Number.MIN_SAFE_INTEGER): bigint {
  if (Number.isSafeInteger(value) && value >= least) return BigInt(value);
  throw invalid("queries are counted in, and made of, whole numbers up to 2^53");
}
