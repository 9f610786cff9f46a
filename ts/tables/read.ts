import { aborted } from "../engine/failure.js";
import { call, type Handle, type NumberColumn, open } from "../engine/index.js";
import { MarginaliaError } from "../errors.js";
import { invalid, known } from "../options.js";
import type { Schema } from "./schema.js";
import { type Bytes, type Columns, type Found, find, type Source } from "./source.js";
import { abortable, counted, gunzip, lines, owned, peek } from "./stages.js";
import { Table } from "./table.js";

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

/** The text of a source: decompressed, and rows as lines of JSON. */
async function text(
  found: Found,
  name: string,
  options: Settings,
): Promise<{ pieces: AsyncIterable<Uint8Array>; format: "csv" | "ndjson" }> {
  if ("rows" in found) return { pieces: lines(found.rows), format: "ndjson" };
  if ("columns" in found) return { pieces: lines(zip(found.columns)), format: "ndjson" };
  const [head, all] = await peek(told(found.bytes, options), 6, options.signal);
  const zipped = head[0] === 0x1f && head[1] === 0x8b;
  const magic = String.fromCharCode(...head);
  if (options.format === "parquet" || magic.startsWith("PAR1"))
    return { pieces: lines((await import("./peers.js")).parquetRows(all)), format: "ndjson" };
  if (options.format === "arrow" || magic === "ARROW1")
    return { pieces: lines((await import("./peers.js")).arrowRows(all)), format: "ndjson" };
  const format = options.format ?? (/\.(ndjson|jsonl)(\.gz)?$/i.test(name) ? "ndjson" : "csv");
  return { pieces: zipped ? gunzip(all) : all, format };
}

function told({ pieces, total }: Bytes, { onProgress }: Settings): AsyncIterable<Uint8Array> {
  if (!onProgress) return pieces;
  return counted(pieces, (done) => onProgress(total === undefined ? { done } : { done, total }));
}

/** Whether some column is no typed array; refuses what are no columns. */
function hasLists(columns: Columns): boolean {
  const lists = Object.values(columns);
  if (!lists.every((list) => Array.isArray(list) || isNumbers(list))) {
    throw invalid("each column must be a typed array or a list of values");
  }
  if (lists.some((list) => list.length !== lists[0]?.length)) {
    throw new MarginaliaError("ROW_RAGGED", "the columns differ in length");
  }
  return lists.some((list) => Array.isArray(list));
}

/** Typed arrays, which a `DataView` is not. */
const isNumbers = (list: unknown) => ArrayBuffer.isView(list) && !(list instanceof DataView);

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

/** Lists of values go row by row. */
async function* zip(columns: Columns): AsyncGenerator<object> {
  const lists = Object.entries(columns);
  const length = lists[0]?.[1].length ?? 0;
  for (let row = 0; row < length; row++)
    yield Object.fromEntries(lists.map(([name, list]) => [name, list[row]]));
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

function nameOf(source: Source): string {
  if (typeof source === "string") return source;
  if (source instanceof URL) return source.pathname;
  return typeof File !== "undefined" && source instanceof File ? source.name : "";
}

const on = (signal: AbortSignal | undefined) => (signal ? { signal } : {});
const progress = ({ onProgress }: CallSettings) => (onProgress ? { onProgress } : {});
