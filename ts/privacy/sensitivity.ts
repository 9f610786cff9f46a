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
    }
  /** A product of matrices, one for each attribute of a clique; `groups`: in every group of a partition. */
  | { readonly type: "product"; readonly factors: readonly FactorEntries[]; readonly groups?: boolean };

/** The matrix of a factor, row after row, a column a code; each code for itself unless given. */
export interface FactorEntries {
  readonly columns: number;
  readonly values?: readonly number[];
}

/**
 * The sensitivity of a query, for plans. The rules, and why they hold, stand in
 * `crates/privacy/src/sensitivity/mod.rs`, which decides; a test compares the two and both with brute force.
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
    case "product":
      return ofProduct(query.factors, replaced, query.groups ?? false);
  }
}

/** Products of entries of a factor that are worked out, and pairs of columns that are compared: `sensitivity/product.rs`. */
const MOST_PRODUCTS = 2 ** 24;
const MOST_PAIRS = 2 ** 16;

function ofProduct(factors: readonly FactorEntries[], replaced: boolean, groups: boolean): Sensitivity {
  const single = factors
    .map(({ columns, values }) => (values ? columnsOf(columns, values).map(norms).reduce(larger) : UNIT))
    .reduce((all, one) => ({ l1: all.l1 * one.l1, l2Squared: all.l2Squared * one.l2Squared }), UNIT);
  if (!replaced) return single;
  const some = (is: (entry: number) => boolean) => factors.some(({ values = [] }) => values.some(is));
  const signed = some((entry) => entry < 0);
  const apart = signed || groups ? undefined : farthest(factors);
  return larger(single, {
    l1: apart !== undefined && !some((entry) => entry > 1) ? apart : 2n * single.l1,
    l2Squared: apart ?? (signed ? 4n : 2n) * single.l2Squared,
  });
}

const UNIT: Sensitivity = { l1: 1n, l2Squared: 1n };

/** ‖a‖², ‖b‖² and ⟨a, b⟩ of a pair of columns. */
type Pair = readonly [bigint, bigint, bigint];

/** The largest squared distance of two columns of a product without negative entries, unless that is too much work. */
function farthest(factors: readonly FactorEntries[]): bigint | undefined {
  let all: Pair[] = [[1n, 1n, 1n]];
  for (const factor of factors) {
    const own = front(factor);
    if (!own || all.length * own.length > MOST_PAIRS) return undefined;
    all = all.flatMap(([a, b, inner]) => own.map((one): Pair => [a * one[0], b * one[1], inner * one[2]]));
  }
  return all.map(([a, b, inner]) => a + b - 2n * inner).reduce((most, one) => (one > most ? one : most));
}

/** The pairs of columns of a factor of which no other has norms as large and an inner product as small. */
function front({ columns, values }: FactorEntries): Pair[] | undefined {
  if (!values) return [[1n, 1n, columns === 1 ? 1n : 0n]];
  if (columns * values.length > MOST_PRODUCTS) return undefined;
  const all = columnsOf(columns, values);
  const inner = (a: readonly bigint[], b: readonly bigint[]) =>
    a.reduce((sum, entry, at) => sum + entry * (b[at] ?? 0n), 0n);
  const squares = all.map((column) => inner(column, column));
  const pairs = all.flatMap((a, i) =>
    all.map((b, j): Pair => [squares[i] as bigint, squares[j] as bigint, inner(a, b)]),
  );
  const order = (x: bigint, y: bigint) => (x < y ? -1 : x > y ? 1 : 0);
  pairs.sort((x, y) => order(y[0], x[0]) || order(y[1], x[1]) || order(x[2], y[2]));
  const kept: Pair[] = [];
  for (const pair of pairs) {
    // Those before have a first norm as large.
    if (!kept.some((other) => other[1] >= pair[1] && other[2] <= pair[2])) kept.push(pair);
  }
  return kept;
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
