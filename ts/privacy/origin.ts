import { MarginaliaError } from "../errors.js";
import { invalid } from "../options.js";
import type { FullDialect } from "../tables/dialect.js";
import { samePlace } from "../tables/provenance.js";
import type { Source } from "../tables/source.js";
import type { TextOptions } from "../tables/text.js";
import type { Opened } from "./text.js";

/** Where private rows come from, or a function that opens it anew each time. */
export type SealedSource = Source | (() => Source | Promise<Source>);

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

  /** Whether it is read from there. A function that opens a source is not asked. */
  is(source: unknown): boolean {
    return samePlace(this.#source, source);
  }

  /** Opens the source and looks at what names its columns; no row is read. What reading takes is loaded now. */
  async open(dialect: FullDialect, signal: AbortSignal | undefined): Promise<Opened> {
    const given = this.#source;
    if (this.#read && typeof given !== "function" && onlyOnce(given)) throw consumed();
    this.#read = true;
    const { openText } = await import("./text.js");
    const source = typeof given === "function" ? await given() : given;
    const { encoding, lineEnd } = dialect;
    return openText(source, { format: this.#format, encoding, lineEnd, columns: this.#columns }, signal);
  }
}

/** Whether reading a source uses it up. */
function onlyOnce(source: Source): boolean {
  if (typeof source !== "object") return false;
  if (typeof Response !== "undefined" && source instanceof Response) return true;
  if (typeof ReadableStream !== "undefined" && source instanceof ReadableStream) return true;
  return Symbol.asyncIterator in source || (Symbol.iterator in source && "next" in source);
}

function consumed(): MarginaliaError {
  return new MarginaliaError(
    "SOURCE_CONSUMED",
    "the private source can be read only once, and it was read before: seal a path, URL, Blob, bytes or rows, or a " +
      "function that opens the source anew",
  );
}
