import { MarginaliaError } from "../errors.js";
import { sentence } from "../print.js";
import { describeReading, type ReadAs } from "./readAs.js";

/**
 * Whom the promise protects: one row; all rows that share a value of a column (`7` and `7.0` are one), of which reading keeps at most
 * `maxRows` at random; or at most `maxRows` rows, as whoever made the table declares.
 */
export type Unit =
  | "row"
  | { readonly column: string; readonly maxRows: number }
  | { readonly maxRows: number };

/**
 * What makes two tables neighbours: one has all rows of one unit more, and the number of units is private; or the
 * rows of one unit are others, and the number of units `n` is public.
 */
export type Relation = "add-remove" | { readonly replace: { readonly n: number } };

/** Unit and relation: all that sensitivities depend on, beside the queries. */
export interface Neighbours {
  readonly unit: Unit;
  readonly relation: Relation;
}

/** The unit, if it is one. */
export function checkedUnit(unit: unknown): Unit {
  if (unit === "row") return unit;
  const { column, maxRows, ...rest } = fieldsOf(unit);
  const rows = typeof maxRows === "number" && Number.isInteger(maxRows) && maxRows >= 1 && maxRows < 2 ** 32;
  const named = column === undefined || (typeof column === "string" && column !== "");
  if (!rows || !named || Object.keys(rest).length > 0) {
    throw refused('`unit` is "row", { column, maxRows } or { maxRows }, with a whole number of rows from 1');
  }
  return Object.freeze(column === undefined ? { maxRows } : { column: column as string, maxRows });
}

/** The relation, if it is one. */
export function checkedRelation(relation: unknown): Relation {
  if (relation === "add-remove") return relation;
  const { replace, ...rest } = fieldsOf(relation);
  const { n, ...more } = fieldsOf(replace);
  const whole = typeof n === "number" && Number.isSafeInteger(n) && n >= 1;
  if (!whole || Object.keys(rest).length > 0 || Object.keys(more).length > 0) {
    throw refused('`relation` is "add-remove", or { replace: { n } } with the public number of units');
  }
  return Object.freeze({ replace: Object.freeze({ n }) });
}

/** The most rows that a unit has. */
export function rowsOf(unit: Unit): number {
  return unit === "row" ? 1 : unit.maxRows;
}

/** A unit in words, to follow "of". */
export function describeUnit(unit: Unit): string {
  if (unit === "row") return "one row";
  const rows = unit.maxRows === 1 ? "1 row" : `${unit.maxRows} rows`;
  if ("column" in unit) return `all rows with one ${unit.column}, of which at most ${rows} are kept`;
  return `one unit of at most ${rows}, as declared`;
}

/** Unit and relation in words, for plans and ledgers. */
export function describeNeighbours({ unit, relation }: Neighbours): string {
  const whom = describeUnit(unit);
  return relation === "add-remove"
    ? `the presence of ${whom} (add/remove: how many units there are stays private)`
    : `what is said in ${whom} (replace: the number of units, ${relation.replace.n}, is public)`;
}

/** Whom a plan protects, and what one row of them is: two lines. */
export function describeProtected({ readAs, unit, relation }: Neighbours & { readAs: ReadAs }): string[] {
  const reading = sentence(describeReading(readAs, unit));
  return [`Protected: ${describeNeighbours({ unit, relation })}.`, `${reading}.`];
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function refused(message: string): MarginaliaError {
  return new MarginaliaError("OPTION_INVALID", message);
}
