import { invalid, isObject, known } from "./options.js";

/**
 * What was asked of the codes of an attribute, or of the cells of a clique: each; the sums of the first 1, 2, …; sums of runs, from the
 * first to the last; or any combinations with whole numbers, a row for each. Cells are counted row-major, the last attribute fastest.
 */
export type CellQuery =
  | { readonly type: "identity" }
  | { readonly type: "prefix" }
  | { readonly type: "ranges"; readonly ranges: readonly (readonly [first: number, last: number])[] }
  | { readonly type: "matrix"; readonly rows: readonly (readonly number[])[] };

/**
 * What was asked of the cells of a clique; as a product, of each of its attributes, in their order: all combinations of their queries,
 * the last attribute's fastest. Such a question is never expanded over the cells, so that these may be many.
 */
export type CliqueQuery = CellQuery | { readonly type: "product"; readonly factors: readonly CellQuery[] };

/** The number of answers to a query on a clique whose attributes have so many codes; refuses one that does not fit it. */
export function answersOf(query: CliqueQuery, shape: readonly number[]): number {
  const cells = product(shape);
  if (!isObject(query)) throw wrong(QUERY);
  const { type, ...rest } = query;
  const only = (...names: string[]) => known(rest, names, `a query of type ${type}`, "MEASUREMENT_INVALID");
  switch (type) {
    case "identity":
    case "prefix":
      only();
      return cells;
    case "ranges": {
      only("ranges");
      const isRange = (range: unknown) => isRun(range, cells);
      if (!isFull(query.ranges) || !query.ranges.every(isRange)) throw wrong(RANGES);
      return query.ranges.length;
    }
    case "matrix": {
      only("rows");
      const isRow = (row: unknown) => Array.isArray(row) && row.length === cells && isList(row, isSmall);
      if (!isFull(query.rows) || !query.rows.every(isRow)) throw wrong(MATRIX);
      return query.rows.length;
    }
    case "product": {
      only("factors");
      const factors: readonly CliqueQuery[] = query.factors;
      const fits = Array.isArray(factors) && factors.length === shape.length;
      if (!fits || factors.some((factor) => factor?.type === "product")) throw wrong(FACTORS);
      const answers = product(factors.map((factor, i) => answersOf(factor, [shape[i] as number])));
      if (answers > MOST_CELLS || product(query.factors.map(largest)) > MOST_ENTRY) throw wrong(LARGE);
      return answers;
    }
    default:
      throw wrong(QUERY);
  }
}

/** As many cells, and answers, as an array can have. */
export const MOST_CELLS = 2 ** 32 - 1;
const MOST_ENTRY = 2 ** 31 - 1;

const QUERY = "has a `query` of type identity, prefix, ranges, matrix or product";
const RANGES = "has `ranges` in its query: pairs of a first and a last cell of the clique, one at least";
const MATRIX =
  "has `rows` in its query: one at least, each with a whole number of 32 bits for each cell of the clique";
const FACTORS = "has `factors` in its query: for each attribute of the clique one that is no product";
const LARGE =
  "has less than 2^32 answers to a product, and products of its numbers of 32 bits: ask for fewer or smaller ones";

/** The largest size of a number in a query. */
function largest(query: CellQuery): number {
  if (query.type !== "matrix") return 1;
  return query.rows.reduce(
    (most, row) => row.reduce((most, entry) => Math.max(most, Math.abs(entry)), most),
    0,
  );
}

/** A query as the engine reads it. */
export function wireQuery(query: CliqueQuery, shape: readonly number[]): object {
  if (query.type === "ranges") return { type: "ranges", ends: query.ranges.flat() };
  if (query.type === "matrix") return { type: "matrix", values: query.rows.flat() };
  if (query.type !== "product") return query;
  const factors = query.factors.map((factor, i) => ({ ...wireQuery(factor, []), cells: shape[i] }));
  return { type: "product", factors };
}

export const product = (sizes: readonly number[]): number => sizes.reduce((all, size) => all * size, 1);

export const isFull = (list: unknown): list is readonly unknown[] => Array.isArray(list) && list.length > 0;
const isSmall = (value: unknown): boolean => Number.isInteger(value) && ((value as number) | 0) === value;

function isRun(range: unknown, cells: number): boolean {
  if (!Array.isArray(range) || range.length !== 2 || !isList(range, Number.isSafeInteger)) return false;
  const [first, last] = range as [number, number];
  return 0 <= first && first <= last && last < cells;
}

/** By index, because `every` passes over holes. */
export function isList(list: ArrayLike<unknown>, is: (item: unknown) => boolean): boolean {
  for (let i = 0; i < list.length; i++) if (!is(list[i])) return false;
  return true;
}

export function wrong(rule: string) {
  return invalid(`a measurement ${rule}`, "MEASUREMENT_INVALID");
}
