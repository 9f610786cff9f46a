import { known } from "../options.js";
import { DIALECT, type Dialect } from "./dialect.js";
import { comesFrom } from "./provenance.js";
import { made, type Schema } from "./schema.js";
import type { Source } from "./source.js";
import type { Table } from "./table.js";

/** How far a long call has come. */
export interface Progress {
  done: number;
  /** Absent where nobody knows. */
  total?: number;
}

/** What every long call can be given. */
export interface CallSettings {
  /** Told from time to time: reading tells after each piece of the source, in bytes or rows; counting ten times a second. */
  onProgress?: (progress: Progress) => void;
  /** Ends the call within a tenth of a second. */
  signal?: AbortSignal;
}

/** How a table is read; everything has a default. */
export interface ReadOptions<S extends Schema = Schema> extends CallSettings, Dialect {
  /** A column of numbers, none negative, that says how many rows each row stands for. */
  weight?: string;
  /** Attributes whose raw numbers are kept beside the codes. For public tables. */
  keepRaw?: readonly (keyof S["attributes"] & string)[];
  /** Columns of the file that the schema does not declare and that are passed over, or `true` for all. */
  ignore?: readonly string[] | true;
}

/** The options, whatever the schema. */
export type Settings = Omit<ReadOptions, "keepRaw"> & { keepRaw?: readonly string[] };

const OPTIONS = [...DIALECT, "weight", "keepRaw", "ignore", "onProgress", "signal"];

/**
 * Reads a table under a declared schema into codes. gzip is recognised by its first bytes.
 *
 * ```ts
 * const survey = await readTable("survey-2018.csv", people);
 * ```
 */
export async function readTable<S extends Schema>(
  source: Source,
  schema: S,
  options: ReadOptions<S> = {},
): Promise<Table<S>> {
  known(options, OPTIONS, "readTable");
  made(schema);
  // A Node stream may fail before anybody reads it: without a listener that would end the process.
  const { once } = Object(source) as { once?: unknown };
  if (typeof once === "function") once.call(source, "error", () => {});
  const { read } = await import("./reading.js");
  return comesFrom(await read(source, schema, options), source);
}
