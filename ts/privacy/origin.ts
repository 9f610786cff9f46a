import { MarginaliaError } from "../errors.js";
import { invalid } from "../options.js";
import { find, type Source } from "../tables/source.js";
import { abortable, leave, owned } from "../tables/stages.js";
import { hasLists, nameOf, type TextOptions, text, type Written } from "../tables/text.js";

/** Where private rows come from, or a function that opens it anew each time. */
export type SealedSource = Source | (() => Source | Promise<Source>);

/** Private rows on their way, and how they are written. */
export interface Opened {
  format: Written;
  pieces: AsyncIterable<Uint8Array<ArrayBuffer>>;
}

/** Lines are put together up to this length. */
const BUFFER = 1 << 18;

/** A private source: not touched before it is opened, and, where it cannot be read twice, opened once. */
export class Origin {
  readonly #source: SealedSource;
  readonly #format: TextOptions["format"];
  readonly #columns: ReadonlySet<string>;
  #read = false;

  /** `columns` are the ones that are read; others are passed over. */
  constructor(source: SealedSource, format: TextOptions["format"], columns: readonly string[]) {
    if (
      typeof source !== "function" &&
      typeof source !== "string" &&
      (typeof source !== "object" || !source)
    ) {
      throw invalid("the source is neither a path, URL, bytes, stream, rows nor columns");
    }
    this.#source = source;
    this.#format = format;
    this.#columns = new Set(columns);
  }

  /** Finds out what the source is, and takes its text. */
  async open(signal: AbortSignal | undefined): Promise<Opened> {
    const given = this.#source;
    if (this.#read && typeof given !== "function" && onlyOnce(given)) throw consumed();
    this.#read = true;
    const source = typeof given === "function" ? await given() : given;
    const found = await find(source, signal);
    if ("columns" in found) hasLists(found.columns);
    const chosen = { ...(this.#format ? { format: this.#format } : {}), ...(signal ? { signal } : {}) };
    const wanted = (name: string) => this.#columns.has(name);
    const options = { ...chosen, ignore: true } as const;
    const { pieces, format } = await text(found, nameOf(source), options, wanted, rowLines);
    return { format, pieces: abortable(owned(pieces), signal) };
  }
}

/** Whether reading a source uses it up. */
function onlyOnce(source: Source): boolean {
  if (typeof source !== "object") return false;
  if (typeof Response !== "undefined" && source instanceof Response) return true;
  if (typeof ReadableStream !== "undefined" && source instanceof ReadableStream) return true;
  return Symbol.asyncIterator in source || (Symbol.iterator in source && "next" in source);
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
  /** The first line, with its end: it names the columns. Nothing where it is longer than one piece. */
  head: Uint8Array<ArrayBuffer>;
  /** Whether there is no text at all. */
  empty: boolean;
  rest(): AsyncIterable<Uint8Array<ArrayBuffer>>;
  /** Ends the source, of which nothing more is wanted. */
  leave(): void;
}

/** Takes the first line of a text apart. */
export async function firstLine(pieces: AsyncIterable<Uint8Array<ArrayBuffer>>): Promise<Headed> {
  const iterator = pieces[Symbol.asyncIterator]();
  const first = await iterator.next();
  const bytes = first.done ? new Uint8Array(0) : first.value;
  const cut = bytes.indexOf(LINE_FEED) + 1;
  async function* rest() {
    if (cut < bytes.length) yield bytes.slice(cut);
    if (!first.done) yield* { [Symbol.asyncIterator]: () => iterator };
  }
  return { head: bytes.slice(0, cut), empty: first.done === true, rest, leave: () => leave(iterator) };
}

const LINE_FEED = 10;

function consumed(): MarginaliaError {
  return new MarginaliaError(
    "SOURCE_CONSUMED",
    "the private source can be read only once, and it was read before: seal a path, URL, Blob, bytes or rows, or a " +
      "function that opens the source anew",
  );
}
