import { find, type Source } from "../tables/source.js";
import { abortable, leave, owned } from "../tables/stages.js";
import { hasLists, nameOf, type TextOptions, text, type Written } from "../tables/text.js";

/** Private rows on their way, and how they are written. */
export interface Opened {
  format: Written;
  pieces: AsyncIterable<Uint8Array<ArrayBuffer>>;
}

/** Lines are put together up to this length. */
const BUFFER = 1 << 18;

/** Finds out what a source is, and takes its text. Only `wanted` columns are read; others are passed over. */
export async function textOf(
  source: Source,
  chosen: TextOptions["format"],
  wanted: (name: string) => boolean,
  signal: AbortSignal | undefined,
): Promise<Opened> {
  const found = await find(source, signal);
  if ("columns" in found) hasLists(found.columns);
  const given = { ...(chosen ? { format: chosen } : {}), ...(signal ? { signal } : {}) };
  const { pieces, format } = await text(found, nameOf(source), { ...given, ignore: true }, wanted, rowLines);
  return { format, pieces: abortable(owned(pieces), signal) };
}

/**
 * Private rows as lines of JSON. None of them fails: what is no object, or cannot be written, becomes a line that is
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

/** A text whose first line was taken apart. */
export interface Headed {
  format: Written;
  /** The first line, with its end: it names the columns. Nothing where it is longer than one piece. */
  head: Uint8Array<ArrayBuffer>;
  /** Whether there is no text at all. */
  empty: boolean;
  rest(): AsyncIterable<Uint8Array<ArrayBuffer>>;
  /** Ends the source, of which nothing more is wanted. */
  leave(): void;
}

/** Takes the first line of a text apart. */
export async function firstLine({ format, pieces }: Opened): Promise<Headed> {
  const iterator = pieces[Symbol.asyncIterator]();
  const first = await iterator.next();
  const bytes = first.done ? new Uint8Array(0) : first.value;
  const cut = bytes.indexOf(LINE_FEED) + 1;
  async function* rest() {
    if (cut < bytes.length) yield bytes.slice(cut);
    if (!first.done) yield* { [Symbol.asyncIterator]: () => iterator };
  }
  return {
    format,
    head: bytes.slice(0, cut),
    empty: first.done === true,
    rest,
    leave: () => leave(iterator),
  };
}

const LINE_FEED = 10;
