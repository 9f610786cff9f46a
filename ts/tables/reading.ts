import { aborted } from "../engine/failure.js";
import { call, type Handle, open } from "../engine/index.js";
import { MarginaliaError } from "../errors.js";
import { invalid } from "../options.js";
import type { CallSettings, ReadOptions, Settings } from "./read.js";
import type { Schema } from "./schema.js";
import { abandon, type Bytes, type Columns, type Found, find, type Source } from "./source.js";
import { abortable, counted, lines, owned, peek } from "./stages.js";
import { Table } from "./table.js";

/** Reads a table; `readTable` has looked at the names of the options. */
export async function read<S extends Schema>(
  source: Source,
  schema: S,
  options: ReadOptions<S>,
): Promise<Table<S>> {
  const { signal } = options;
  if (signal?.aborted) throw aborted(signal);
  await check(source, schema, options);
  const found = await find(source, signal);
  if ("columns" in found && !hasLists(found.columns)) {
    const { readColumns } = await import("./columns.js");
    return readColumns(found.columns, schema, wire(schema, options, "rows"), options);
  }
  const wanted = (name: string) => name === options.weight || Object.hasOwn(schema.attributes, name);
  const { pieces, format } = await text(found, nameOf(source), options, wanted);
  const ready = async (): Promise<Handle> => {
    const args = { schema: schema.normal(), options: wire(schema, options, format) };
    return (await open("reader.open", args, on(signal)))[0];
  };
  return feed(ready, abortable(owned(pieces), signal), schema, signal);
}

/** Refuses options at once, before the source is waited for, and then leaves the source in order. */
async function check(source: Source, schema: Schema, options: Settings): Promise<void> {
  try {
    const { format = "csv" } = options;
    const written = format === "parquet" || format === "arrow" ? "rows" : format;
    const args = { schema: schema.normal(), options: wire(schema, options, written) };
    await call("reader.check", args, on(options.signal));
  } catch (error) {
    abandon(source);
    throw error;
  }
}

/**
 * Pushes pieces into a reader, one while the next is on its way, and takes the table out of it. The reader is made
 * when the first piece is there, so that the source is left in order where there is no memory for it.
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

type Written = "csv" | "ndjson" | "rows";

/** The text of a source: decompressed, and rows as lines of JSON. */
async function text(
  found: Found,
  name: string,
  options: Settings,
  wanted: (name: string) => boolean,
): Promise<{ pieces: AsyncIterable<Uint8Array>; format: Written }> {
  if ("rows" in found) return asLines(found.rows, options, found.total);
  if ("columns" in found) {
    return asLines(zip(found.columns), options, Object.values(found.columns)[0]?.length);
  }
  const [head, all] = await peek(told(found.bytes, options), 6, options.signal);
  const zipped = head[0] === 0x1f && head[1] === 0x8b;
  const magic = String.fromCharCode(...head);
  if (options.format === "parquet" || magic.startsWith("PAR1")) {
    const { parquetRows } = await import("./peers.js");
    const { signal, ignore = [] } = options;
    const skip = (name: string) => !wanted(name) && (ignore === true || ignore.includes(name));
    return asLines(parquetRows(all, found.bytes, { signal, skip }), {}, undefined);
  }
  if (options.format === "arrow" || magic === "ARROW1")
    return asLines((await import("./peers.js")).arrowRows(all), {}, undefined);
  const format = options.format ?? (/\.(ndjson|jsonl)(\.gz)?$/i.test(name) ? "ndjson" : "csv");
  return { pieces: zipped ? (await import("./gunzip.js")).gunzip(all) : all, format };
}

function asLines(rows: AsyncIterable<object>, { onProgress }: CallSettings, total: number | undefined) {
  const tell = (done: number) => onProgress?.(total === undefined ? { done } : { done, total });
  return { pieces: lines(rows, tell), format: "rows" as const };
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

/** Lists of values go row by row. */
async function* zip(columns: Columns): AsyncGenerator<object> {
  const lists = Object.entries(columns);
  const length = lists[0]?.[1].length ?? 0;
  for (let row = 0; row < length; row++)
    yield Object.fromEntries(lists.map(([name, list]) => [name, list[row]]));
}

/** The options as the engine reads them, with every default filled in. */
function wire(schema: Schema, options: Settings, format: Written): string {
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
