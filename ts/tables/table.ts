import { call, type Handle, open } from "../engine/index.js";
import { invalid, known } from "../options.js";
import { Answers, type CopySettings, copying } from "./answers.js";
import type { CallSettings } from "./read.js";
import type { NameOf, Schema } from "./schema.js";
import type { Workload } from "./workload.js";
import type { WriteOptions, WriteTarget } from "./write.js";

/** What writing can be told; text, unlike bytes, is never compressed. */
const WRITE_OPTIONS = [
  "gzip",
  "within",
  "seed",
  "delimiter",
  "decimalComma",
  "derived",
  "weight",
  "onProgress",
  "signal",
];

/**
 * Rows as columns of codes, held by the engine. Dispose of it when it is no longer needed (`using`, or
 * `dispose()`); a finalizer does so sooner or later.
 */
export class Table<S extends Schema = Schema> implements Disposable {
  readonly schema: S;
  /** Number of rows. */
  readonly rows: number;
  /** Whether rows have weights. */
  readonly weighted: boolean;
  /** @internal How many rows it counts, where its weights are such counts; a survey's weights are not. */
  readonly records: number | undefined;
  readonly #handle: Handle;

  /** @internal */
  constructor(schema: S, handle: Handle, rows: number, weighted: boolean, records?: number) {
    this.schema = schema;
    this.rows = rows;
    this.weighted = weighted;
    this.records = weighted ? records : rows;
    this.#handle = handle;
  }

  /** @internal */
  get handle(): Handle {
    return this.#handle;
  }

  /**
   * Counts the rows in every cell of a workload, exactly, or adds up their weights. The answers stay in the engine until they are asked
   * for.
   */
  async count(workload: Workload<S>, options: CallSettings = {}): Promise<Answers<S>> {
    known(options, ["signal", "onProgress"], "count");
    if (workload.schema !== this.schema && workload.schema.normal() !== this.schema.normal()) {
      const message = "the workload is over another schema: make it from the schema of the table";
      throw invalid(message);
    }
    const args = { flat: workload.flat, starts: workload.starts };
    const [handle] = await open("table.count", args, { on: this.#handle, ...options });
    return new Answers(workload, handle);
  }

  /** The answers to a workload as one array for each clique. */
  async answer(workload: Workload<S>, options: CallSettings = {}): Promise<Float64Array<ArrayBuffer>[]> {
    using answers = await this.count(workload, options);
    return await answers.all();
  }

  /** The cells of one clique: row-major, the last attribute fastest. */
  async marginal(
    clique: readonly NameOf<S>[],
    options: CallSettings = {},
  ): Promise<Float64Array<ArrayBuffer>> {
    const { workload } = await import("./workload.js");
    const [cells] = await this.answer(workload(this.schema, [clique]), options);
    return cells as Float64Array<ArrayBuffer>;
  }

  /** The distinct rows, in the order in which they first occur, weighted by how many rows each stands for. */
  async distinct(options: CallSettings = {}): Promise<Table<S>> {
    known(options, ["signal", "onProgress"], "distinct");
    const [handle, { rows }] = await open("table.distinct", undefined, { on: this.#handle, ...options });
    return new Table(this.schema, handle, rows, true, this.records);
  }

  /** A copy of the codes of one attribute: what each stands for is in `schema.labels(attribute)`. */
  async codes(attribute: NameOf<S>, options: CopySettings = {}): Promise<Uint8Array | Uint16Array> {
    const args = { attribute: this.schema.index(attribute) };
    return call("table.codes", args, copying(this.#handle, options));
  }

  /** A copy of the weights of the rows, where they have some. */
  async weights(options: CopySettings = {}): Promise<Float64Array | undefined> {
    return call("table.weights", undefined, copying(this.#handle, options));
  }

  /** The table as CSV bytes, made as they are read. A value within a bin is drawn from the seed. */
  csv(options: WriteOptions = {}): ReadableStream<Uint8Array> {
    known(options, WRITE_OPTIONS, "csv");
    const { weight } = options;
    if (weight !== undefined && this.schema.names.includes(weight))
      throw invalid("`weight` is the name of an attribute");
    return later(async () => (await import("./write.js")).csv(this.#written, options));
  }

  /** The table as CSV text. */
  async toCsv(options: Omit<WriteOptions, "gzip"> = {}): Promise<string> {
    known(options, WRITE_OPTIONS.slice(1), "toCsv");
    return new Response(this.csv(options)).text();
  }

  /**
   * Writes the table as CSV: to a path (in Node, Deno and Bun), a Node stream or a web stream. A file appears under its
   * path when all of it is on the disk; after an error there is what was there before. What a stream took before an
   * error stays there.
   */
  async writeCsv(target: WriteTarget, options: WriteOptions = {}): Promise<void> {
    // A stream may fail while the module loads: without a listener that would end the process.
    if (typeof target === "object" && target !== null && "once" in target) target.once("error", () => {});
    const { writeTo } = await import("./target.js");
    return writeTo((how) => this.csv(how), target, options);
  }

  get #written() {
    return { handle: this.#handle, schema: this.schema, rows: this.rows };
  }

  /** Frees the memory behind it. */
  dispose(): void {
    this.#handle.dispose();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }
}

/** A stream that is made when somebody reads: until then, what writes it need not be loaded. */
function later(make: () => Promise<ReadableStream<Uint8Array>>): ReadableStream<Uint8Array> {
  let reader: Promise<ReadableStreamDefaultReader<Uint8Array>> | undefined;
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    reader ??= make().then((stream) => stream.getReader());
    const { done, value } = await (await reader).read();
    if (done) controller.close();
    else controller.enqueue(value);
  };
  const cancel = async (reason: unknown) => (await reader?.catch(() => undefined))?.cancel(reason);
  return new ReadableStream<Uint8Array>({ pull, cancel }, { highWaterMark: 0 });
}
