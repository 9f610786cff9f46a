import { aborted } from "../engine/failure.js";
import { call, type Handle, open } from "../engine/index.js";
import { key } from "../seed.js";
import type { NodeWritable } from "./files.js";
import type { CallSettings } from "./read.js";
import type { Schema } from "./schema.js";

/** How a table is written; everything has a default. */
export interface WriteOptions extends CallSettings {
  /** Where in a bin a value lies: drawn uniformly, or in the middle. Raw numbers that were kept come first. */
  within?: "uniform" | "midpoint";
  /** The seed of the draws. The same seed gives the same bytes, on every runtime. */
  seed?: string | number;
  /** The character between fields; `,` unless given. */
  delimiter?: string;
  /** Whether numbers are written as `1,5`. */
  decimalComma?: boolean;
  /** Whether derived attributes are written too. */
  derived?: boolean;
  /** The header of a column with the weights of the rows; none is written without one. */
  weight?: string;
  /** Whether the bytes are compressed; by the name, where the target is a path that ends in `.gz`. */
  gzip?: boolean;
}

/** Where a table can be written to. */
export type WriteTarget = string | URL | WritableStream<Uint8Array> | NodeWritable;

/** What is written: a table in the engine. */
export interface Written {
  handle: Handle;
  schema: Schema;
  rows: number;
}

/** About as many bytes are made at once: a few milliseconds of work. */
const BLOCK_BYTES = 1 << 20;

/** How many rows make a block, by what a row takes at most. */
function blockRows({ schema }: Written): number {
  const bytes = schema.names.reduce((sum, name) => sum + 1 + longest(schema.labels(name)), 0);
  return Math.min(1 << 14, Math.ceil(BLOCK_BYTES / bytes));
}

/** The most characters that a code is written with; the name of a bin holds both its ends. */
function longest(labels: readonly (string | null)[]): number {
  return labels.reduce((most, label) => Math.max(most, label?.length ?? 0), 0);
}

/** The rows of a table as a stream of CSV bytes: a block is made when the reader asks for one. */
export function csv(table: Written, options: WriteOptions): ReadableStream<Uint8Array> {
  const { rows } = table;
  const most = blockRows(table);
  const { signal } = options;
  const settings = signal ? { signal } : {};
  let writer: Handle | undefined;
  let over = false;
  const leave = () => {
    over = true;
    writer?.dispose();
  };
  const next = async (): Promise<{ bytes: Uint8Array; done: number }> => {
    if (signal?.aborted) throw aborted(signal);
    if (writer) return call("writer.block", { rows: most }, { on: writer, ...settings });
    const args = { options: wire(options) };
    const [handle, bytes] = await open("writer.open", args, { on: table.handle, ...settings });
    writer = handle;
    return { bytes, done: -1 };
  };
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    try {
      const { bytes, done } = await next();
      if (done >= 0) options.onProgress?.({ done, total: rows });
      // It may have been left while the engine worked, and then nobody else frees what came.
      if (over) return leave();
      if (bytes.length > 0) controller.enqueue(bytes);
      if (done < rows) return;
      leave();
      controller.close();
    } catch (error) {
      leave();
      throw error;
    }
  };
  const stream = new ReadableStream<Uint8Array>({ pull, cancel: leave }, { highWaterMark: 1 });
  return options.gzip ? zip(stream) : stream;
}

function zip(stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  return stream.pipeThrough(
    new CompressionStream("gzip") as unknown as TransformStream<Uint8Array, Uint8Array>,
  );
}

/** The options as the engine reads them, with every default filled in. */
function wire(options: WriteOptions): string {
  const {
    within = "uniform",
    seed = "marginalia",
    delimiter = ",",
    decimalComma = false,
    derived = false,
    weight = null,
  } = options;
  return JSON.stringify({ within, seed: `${key(seed, "csv")}`, delimiter, decimalComma, derived, weight });
}
