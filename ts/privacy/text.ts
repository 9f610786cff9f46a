import { MarginaliaError } from "../errors.js";
import type { FullDialect } from "../tables/dialect.js";
import { Front, kindOfFront } from "../tables/front.js";
import type { PeerSettings } from "../tables/peers.js";
import { type Bytes, type Columns, find, type Source } from "../tables/source.js";
import { abortable, leave, owned, type Spare } from "../tables/stages.js";
import { checkColumns, nameOf, namesLines, type TextOptions, type Written } from "../tables/text.js";
import { firstLine } from "./first-line.js";

/** How a private source is written. */
export interface How extends Pick<FullDialect, "encoding" | "lineEnd"> {
  format: TextOptions["format"];
  /** The columns that are read; others are passed over. */
  columns: ReadonlySet<string>;
}

/** A private source that was opened: what names its columns was read, and no row. */
export interface Opened {
  format: Written;
  /** The first line of CSV, with its end; no bytes where there is none. Other rows have no line that names columns. */
  head?: Uint8Array<ArrayBuffer>;
  /** The text, or what comes after the head. To be asked for once. */
  rest(spare: Spare): AsyncIterable<Uint8Array<ArrayBuffer>>;
  /** Ends the source, of which nothing more is wanted. */
  leave(): void;
}

/**
 * Finds out what a source is, and looks at what names its columns: the first line of CSV, the schema of Parquet and
 * Arrow, the keys of columns. Refuses a source that lacks some. Rows and lines of JSON have nothing that could be looked
 * at; of an iterable, the first item is asked for, to tell bytes from rows.
 */
export async function openText(source: Source, how: How, signal: AbortSignal | undefined): Promise<Opened> {
  const found = await find(source, signal);
  if ("columns" in found) {
    checkColumns(found.columns);
    required(Object.keys(found.columns), how);
    return lined(() => zipped(found.columns), signal);
  }
  if ("rows" in found)
    return lined(
      () => found.rows,
      signal,
      () => leave(found.rows[Symbol.asyncIterator]()),
    );
  // Whether there is a row must not show: no rows are rows as well.
  if (found.gaveNothing && !how.format) return lined(() => zipped({}), signal);
  const front = new Front(found.bytes, signal);
  try {
    return await fromBytes(
      front,
      found.bytes,
      namesLines(nameOf(source)) ? { ...how, format: "ndjson" } : how,
      signal,
    );
  } catch (error) {
    front.leave();
    throw error;
  }
}

async function fromBytes(
  front: Front,
  bytes: Bytes,
  how: How,
  signal: AbortSignal | undefined,
): Promise<Opened> {
  const { format } = how;
  const left = () => front.leave();
  if (format === "ndjson") {
    return { format, rest: (spare) => pushed(unzipped(front), spare, signal), leave: left };
  }
  const kind = await kindOfFront(front);
  const settings: PeerSettings = { signal, skip: (name) => !how.columns.has(name) };
  if (format === "parquet" || kind === "parquet") {
    const { parquetNames, parquetRows } = await import("../tables/parquet.js");
    required(await parquetNames(bytes), how);
    return lined(() => parquetRows(front.all(), bytes, settings), signal, left);
  }
  if (format === "arrow" || kind === "arrow") {
    const { arrowNames, arrowRows } = await import("../tables/arrow.js");
    required(await arrowNames(front), how);
    return lined(() => arrowRows(front.all(), bytes, settings), signal, left);
  }
  const isZipped = kind === "gzip";
  const { line, length } = await firstLine(front, how, isZipped);
  const rest = (spare: Spare) =>
    pushed(after(length, isZipped ? unzipped(front) : front.all()), spare, signal);
  return { format: "csv", head: line, rest, leave: left };
}

const pushed = (pieces: AsyncIterable<Uint8Array>, spare: Spare, signal: AbortSignal | undefined) =>
  abortable(owned(pieces, spare), signal);

function lined(
  rows: () => AsyncIterable<unknown>,
  signal: AbortSignal | undefined,
  left: () => void = () => {},
): Opened {
  return { format: "rows", rest: (spare) => pushed(rowLines(rows()), spare, signal), leave: left };
}

/** Refuses a source that lacks a column, or has it twice. */
function required(names: readonly string[], { columns }: How): void {
  const missing = [...columns].filter((name) => !names.includes(name));
  if (missing.length > 0) {
    const list = missing
      .slice(0, 10)
      .map((name) => JSON.stringify(name))
      .join(", ");
    const message = `the source lacks columns of the schema: ${list}: add them, or take them out of the schema`;
    throw new MarginaliaError("COLUMN_MISSING", message);
  }
  const twice = [...columns].find((name) => names.indexOf(name) !== names.lastIndexOf(name));
  if (twice === undefined) return;
  const message = `two columns are named ${JSON.stringify(twice)}: rename or remove one`;
  throw new MarginaliaError("COLUMN_DUPLICATE", message);
}

/** The text of a file that may be compressed, which its first bytes tell. */
async function* unzipped(front: Front): AsyncGenerator<Uint8Array> {
  if ((await kindOfFront(front)) !== "gzip") return yield* front.all();
  const { gunzip } = await import("../tables/gunzip.js");
  yield* gunzip(front.all());
}

/** The pieces without the first bytes. */
async function* after(count: number, pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let left = count;
  for await (const piece of pieces) {
    if (left < piece.length) yield piece.subarray(left);
    left = Math.max(0, left - piece.length);
  }
}

/** Lists of values row by row. Where some are shorter, what they lack is no row, which `badRows` decides about. */
async function* zipped(columns: Columns): AsyncGenerator<unknown> {
  const lists = Object.entries(columns);
  const lengths = lists.map(([, list]) => list.length);
  const [shortest, longest] = [Math.min(...lengths), Math.max(0, ...lengths)];
  for (let row = 0; row < longest; row++)
    yield row < shortest ? Object.fromEntries(lists.map(([name, list]) => [name, list[row]])) : undefined;
}

/** Lines are put together up to this length. */
const BUFFER = 1 << 18;

/**
 * Private rows as lines of JSON: one line each, whatever they hold, because JSON escapes line ends. None of them fails: what is no object, or cannot be written, becomes a line that is
 * no row, so that `badRows` says what becomes of it.
 */
async function* rowLines(rows: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let lines = "";
  for await (const row of rows) {
    lines += `${line(row)}\n`;
    if (lines.length > BUFFER) {
      yield encoder.encode(lines);
      lines = "";
    }
  }
  yield encoder.encode(lines);
}

const NO_ROW = "null";

function line(row: unknown): string {
  if (typeof row !== "object" || row === null || Array.isArray(row)) return NO_ROW;
  try {
    return JSON.stringify(row, (_, value) => (typeof value === "bigint" ? `${value}` : value)) ?? NO_ROW;
  } catch {
    return NO_ROW;
  }
}
