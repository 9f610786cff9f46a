import { MarginaliaError } from "../errors.js";
import { invalid } from "../options.js";
import { kindOf, MAGIC_BYTES } from "./front.js";
import type { CallSettings } from "./read.js";
import type { Bytes, Columns, Found, Source } from "./source.js";
import { counted, lines, peek } from "./stages.js";

/** What decides how the text of a source is taken. */
export interface TextOptions extends CallSettings {
  format?: "csv" | "ndjson" | "parquet" | "arrow";
  ignore?: readonly string[] | true;
}

/** Rows as lines of JSON; tells how many there were so far. */
export type ToLines = (
  rows: AsyncIterable<object>,
  metered?: (rows: number) => void,
) => AsyncIterable<Uint8Array>;

/** How a text is written; `rows` are lines of JSON that never were a text. */
export type Written = "csv" | "ndjson" | "rows";

/** The text of a source: decompressed, and rows as lines of JSON. */
export async function text(
  found: Found,
  name: string,
  options: TextOptions,
  wanted: (name: string) => boolean,
  toLines: ToLines = lines,
): Promise<{ pieces: AsyncIterable<Uint8Array>; format: Written }> {
  if ("rows" in found) return asLines(toLines, found.rows, options, found.total);
  if ("columns" in found) {
    return asLines(toLines, zip(found.columns), options, Object.values(found.columns)[0]?.length);
  }
  const [head, all] = await peek(metered(found.bytes, options), MAGIC_BYTES, options.signal);
  const kind = kindOf(head);
  const { signal, ignore = [] } = options;
  const skip = (name: string) => !wanted(name) && (ignore === true || ignore.includes(name));
  if (options.format === "parquet" || kind === "parquet") {
    const { parquetRows } = await import("./parquet.js");
    return asLines(toLines, parquetRows(all, found.bytes, { signal, skip }), {}, undefined);
  }
  if (options.format === "arrow" || kind === "arrow") {
    const { arrowRows } = await import("./arrow.js");
    return asLines(toLines, arrowRows(all, found.bytes, { signal, skip }), {}, undefined);
  }
  const format = options.format ?? (namesLines(name) ? "ndjson" : "csv");
  return { pieces: kind === "gzip" ? (await import("./gunzip.js")).gunzip(all) : all, format };
}

function asLines(
  toLines: ToLines,
  rows: AsyncIterable<object>,
  { onProgress }: TextOptions,
  total: number | undefined,
) {
  const tell = (done: number) => onProgress?.(total === undefined ? { done } : { done, total });
  return { pieces: toLines(rows, tell), format: "rows" as const };
}

function metered({ pieces, total }: Bytes, { onProgress }: TextOptions): AsyncIterable<Uint8Array> {
  if (!onProgress) return pieces;
  return counted(pieces, (done) => onProgress(total === undefined ? { done } : { done, total }));
}

/** Refuses what are no columns. */
export function checkColumns(columns: Columns): void {
  if (Object.values(columns).every((list) => Array.isArray(list) || isNumbers(list))) return;
  throw invalid("each column must be a typed array or a list of values");
}

/** Whether some column is no typed array; refuses what are no columns, or differ in length. */
export function hasLists(columns: Columns): boolean {
  checkColumns(columns);
  const lists = Object.values(columns);
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

/** Whether a name says that each line is an object in JSON. */
export const namesLines = (name: string): boolean => /\.(ndjson|jsonl)(\.gz)?$/i.test(name);

/** What a source is called, where that says how it is written. */
export function nameOf(source: Source): string {
  if (typeof source === "string") return source;
  if (source instanceof URL) return source.pathname;
  return typeof File !== "undefined" && source instanceof File ? source.name : "";
}
