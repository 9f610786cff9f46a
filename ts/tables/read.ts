import { aborted } from "../engine/failure.js";
import { call, type Handle, type NumberColumn, open } from "../engine/index.js";
import { known } from "../options.js";
import type { Schema } from "./schema.js";
import { type Columns, find, type Source } from "./source.js";
import { abortable, owned } from "./stages.js";
import { Table } from "./table.js";
import { hasLists, nameOf, text } from "./text.js";

/** How far a long call has come. */
export interface Progress {
  done: number;
  /** Absent where nobody knows. */
  total?: number;
}

/** What every long call can be given. */
export interface CallSettings {
  /** Told from time to time: reading tells after each piece of the source, counting about ten times a second. */
  onProgress?: (progress: Progress) => void;
  /** Ends the call within a tenth of a second. */
  signal?: AbortSignal;
}

/** How a table is read; everything has a default. */
export interface ReadOptions<S extends Schema = Schema> extends CallSettings {
  /** How rows are written. Parquet and Arrow files are recognised by their first bytes; else CSV, unless the name ends in `.ndjson` or `.jsonl`. */
  format?: "csv" | "ndjson" | "parquet" | "arrow";
  /** The character between fields; `,` unless given. */
  delimiter?: string;
  /** Whether numbers are written as `1,5`. */
  decimalComma?: boolean;
  /** How characters are written; `utf-8` unless given. */
  encoding?: "utf-8" | "latin-1" | "utf-16" | "utf-16le" | "utf-16be";
  /** A column of numbers, none negative, that says how many rows each row stands for. */
  weight?: string;
  /** Attributes whose raw numbers are kept beside the codes. For public tables. */
  keepRaw?: readonly (keyof S["attributes"] & string)[];
  /** Columns of the file that the schema does not declare and that are passed over, or `true` for all. */
  ignore?: readonly string[] | true;
}

/** The options, whatever the schema. */
type Settings = Omit<ReadOptions, "keepRaw"> & { keepRaw?: readonly string[] };

const OPTIONS = [
  "format",
  "delimiter",
  "decimalComma",
  "encoding",
  "weight",
  "keepRaw",
  "ignore",
  "onProgress",
  "signal",
];

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
  const { signal } = options;
  if (signal?.aborted) throw aborted(signal);
  const found = await find(source, signal);
  if ("columns" in found && !hasLists(found.columns)) return readColumns(found.columns, schema, options);
  const { pieces, format } = await text(found, nameOf(source), options);
  const ready = async (): Promise<Handle> => {
    const args = { schema: schema.normal(), options: wire(schema, options, format) };
    return (await open("reader.open", args, on(signal)))[0];
  };
  return feed(ready, abortable(owned(pieces), signal), schema, signal);
}

/**
 * Pushes pieces into a reader, one while the next is on its way, and takes the table out of it. The reader is made
 * when the first piece is there, so that the source is left in order where the options are refused.
 */
async function feed<S extends Schema>(
  ready: () => Promise<Handle>,
  pieces: AsyncIterable<Uint8Array<ArrayBuffer>>,
  schema: S,
  signal: AbortSignal | undefined,
): Promise<Table<S>> {
  let reader: Handle | undefined;
  try {
    let before: Promise<unknown> = Promise.resolve();
    for await (const bytes of pieces) {
      reader ??= await ready();
      await before;
      before = call("reader.push", { bytes }, { on: reader, transfer: [bytes.buffer], ...on(signal) });
      before.catch(() => undefined);
    }
    await before;
    reader ??= await ready();
    const [handle, { rows, weighted }] = await open("reader.finish", undefined, {
      on: reader,
      ...on(signal),
    });
    return new Table(schema, handle, rows, weighted);
  } finally {
    reader?.dispose();
  }
}

/** Typed arrays go as they are. */
async function readColumns<S extends Schema>(
  columns: Columns,
  schema: S,
  options: ReadOptions<S>,
): Promise<Table<S>> {
  const args = {
    schema: schema.normal(),
    options: wire(schema, options, "ndjson"),
    columns: Object.entries(columns) as [string, NumberColumn][],
  };
  const [handle, { rows, weighted }] = await open("table.columns", args, {
    ...on(options.signal),
    ...progress(options),
  });
  return new Table(schema, handle, rows, weighted);
}

/** The options as the engine reads them, with every default filled in. */
function wire(schema: Schema, options: Settings, format: "csv" | "ndjson"): string {
  const {
    delimiter = ",",
    decimalComma = false,
    encoding = "utf-8",
    weight = null,
    keepRaw = [],
    ignore = [],
  } = options;
  const keep = keepRaw.map((name) => schema.index(name));
  return JSON.stringify({ format, delimiter, decimalComma, encoding, weight, keepRaw: keep, ignore });
}

const on = (signal: AbortSignal | undefined) => (signal ? { signal } : {});
const progress = ({ onProgress }: CallSettings) => (onProgress ? { onProgress } : {});
