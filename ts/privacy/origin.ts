import { MarginaliaError } from "../errors.js";
import { invalid } from "../options.js";
import type { FullDialect } from "../tables/dialect.js";
import { placeIn } from "../tables/provenance.js";
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
  /** What public tables were read from that it must not be. */
  readonly #apart: Source[] = [];
  #read = false;
  /** Where the last source lay that a function opened; the source itself goes when it was read. */
  #opened: string | URL | undefined;

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

  /** Where rows come from; of a function, what it opened last. */
  get source(): unknown {
    return this.#opened ?? this.#source;
  }

  /**
   * Refuses what a public table was read from where it is this source, or holds the same bytes
   * (`docs/adr/0031-same-source.md`). What a function opens is looked at when it is opened, before anything is paid.
   */
  async keepApart(source: Source): Promise<void> {
    if (typeof this.#source === "function") this.#apart.push(source);
    else await refuseSame(this.#source, [source]);
  }

  /** Opens the source and looks at what names its columns; no row is read. What reading takes is loaded now. */
  async open(dialect: FullDialect, signal: AbortSignal | undefined): Promise<Opened> {
    const supplied = this.#source;
    if (this.#read && typeof supplied !== "function" && onlyOnce(supplied)) throw consumed();
    this.#read = true;
    const { openText } = await import("./text.js");
    const source = typeof supplied === "function" ? await supplied() : supplied;
    this.#opened = placeIn(source);
    await refuseSame(source, this.#apart);
    const { encoding, lineEnd } = dialect;
    return openText(source, { format: this.#format, encoding, lineEnd, columns: this.#columns }, signal);
  }
}

async function refuseSame(hidden: Source, apart: readonly Source[]): Promise<void> {
  if (apart.length === 0) return;
  const { sameSource } = await import("../tables/same.js");
  for (const source of apart) {
    if (!(await sameSource(hidden, source))) continue;
    throw invalid(
      "the prior was read from what the private table is read from, or from a copy of it, and nothing would be protected: " +
        "give a public table, or `allowSameSource: true` where this is an experiment with data that are public",
    );
  }
}

/** Whether reading a source uses it up. */
export function onlyOnce(source: Source): boolean {
  if (typeof source !== "object") return false;
  if (typeof Response !== "undefined" && source instanceof Response) return true;
  if (typeof ReadableStream !== "undefined" && source instanceof ReadableStream) return true;
  return Symbol.asyncIterator in source || (Symbol.iterator in source && "next" in source);
}

export function consumed(): MarginaliaError {
  return new MarginaliaError(
    "SOURCE_CONSUMED",
    "the private source can be read only once, and it was read before: seal a path, URL, Blob, bytes or rows, or a " +
      "function that opens the source anew",
  );
}
