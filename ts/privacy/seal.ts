import { made, type Schema } from "../tables/schema.js";
import type { Budget } from "./budget.js";
import type { LedgerPlace, Store } from "./ledger/index.js";
import type { SealedSource } from "./origin.js";
import type { Sealed } from "./sealed.js";
import type { Relation, Unit } from "./unit.js";

/** How a private table is sealed. */
export interface SealOptions {
  /** The name of the data: what the account is known by. The same people under another name have another budget. */
  dataset: string;
  /** Whom the promise protects. */
  unit: Unit;
  /** What makes two tables neighbours; `"add-remove"` unless given: how many units there are stays private. */
  relation?: Relation;
  /** What may be spent in all, by this program and all others. */
  budget: Budget;
  /**
   * Where the account is kept: the path of a file, with that of a counter if there is one, or a store. Unless given, in
   * memory: then it lasts as long as the program, and the next program has the whole budget again.
   */
  ledger?: LedgerPlace | Store;
  /** The code that an earlier refusal of the ledger gave for exactly this situation. */
  recover?: string;
  /** What becomes of a line that is no row: it does not count, or it counts as one without any value. */
  badRows?: "drop" | "null";
  /** How rows are written; recognised as in `readTable` unless given. */
  format?: "csv" | "ndjson" | "parquet" | "arrow";
  /** The character between fields; `,` unless given. */
  delimiter?: string;
  /** Whether numbers are written as `1,5`. */
  decimalComma?: boolean;
  /** How characters are written; `utf-8` unless given. */
  encoding?: "utf-8" | "latin-1" | "utf-16" | "utf-16le" | "utf-16be";
  /** How many rows are expected, for plans: a public guess, never a count. */
  expectedRows?: number;
}

/**
 * Seals a private table: opens its account, or continues it, and reads nothing. Rows are read when the first
 * measurement was paid for, and only noisy answers ever leave.
 *
 * ```ts
 * await using data = await seal("survey-2019.csv", people, {
 *   dataset: "survey-2019", unit: "row", budget: pure(1), ledger: "account.json",
 * });
 * const [ages] = await data.measure([{ clique: ["age"], spend: 0.1 }]);
 * ```
 *
 * Every attribute of the schema must say what becomes of any other value. Columns that it does not declare are passed
 * over.
 */
export async function seal<S extends Schema>(
  source: SealedSource,
  schema: S,
  options: SealOptions,
): Promise<Sealed<S>> {
  made(schema);
  return (await import("./sealing.js")).sealing(source, schema, options);
}
