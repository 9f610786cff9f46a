import { aborted } from "../engine/failure.js";
import { call, type Handle, open } from "../engine/index.js";
import { MarginaliaError } from "../errors.js";
import { invalid, known } from "../options.js";
import { key } from "../seed.js";
import { createFile, type NodeWritable } from "./files.js";
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

const OPTIONS = [
  "within",
  "seed",
  "delimiter",
  "decimalComma",
  "derived",
  "weight",
  "gzip",
  "onProgress",
  "signal",
];

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
  known(options, OPTIONS, "csv");
  const { rows, schema } = table;
  if (options.weight !== undefined && schema.names.includes(options.weight)) {
    throw invalid("`weight` is the name of an attribute");
  }
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

/** The rows of a table as text, which cannot be gzip. */
export async function toText(table: Written, options: WriteOptions): Promise<string> {
  known(
    options,
    OPTIONS.filter((name) => name !== "gzip"),
    "toCsv",
  );
  return new Response(csv(table, options)).text();
}

/** Writes a table to a path, a Node stream or a web stream, no faster than it takes it. */
export async function writeTo(table: Written, target: WriteTarget, options: WriteOptions): Promise<void> {
  if (typeof WritableStream !== "undefined" && target instanceof WritableStream) {
    const stream = csv(table, options);
    return stream.pipeTo(target).catch(async (error: unknown) => {
      if (!stream.locked) await stream.cancel(error).catch(() => undefined);
      throw refused(error);
    });
  }
  if (typeof target === "string" || target instanceof URL) {
    const gzip = options.gzip ?? /\.gz$/i.test(String(target));
    return toFile(csv(table, { ...options, gzip }).getReader(), target);
  }
  if (typeof target === "object" && target !== null && "write" in target) {
    const reader = csv(table, options).getReader();
    return drain(reader, reader.read(), target);
  }
  throw invalid("the target is neither a path nor a stream");
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/** Opens the file when there is something to write: it is not emptied for a table that cannot be written. */
async function toFile(reader: Reader, place: string | URL): Promise<void> {
  const first = reader.read();
  let file: NodeWritable;
  try {
    await first;
    file = await createFile(place);
  } catch (error) {
    await reader.cancel(error).catch(() => undefined);
    throw error;
  }
  return drain(reader, first, file);
}

/** Writes to a Node stream and ends it; waits where it is full. */
async function drain(reader: Reader, first: ReturnType<Reader["read"]>, target: NodeWritable): Promise<void> {
  const failed = failure(target);
  try {
    for (let next = await first; !next.done; next = await reader.read()) {
      const full = !target.write(next.value);
      if (full) await Promise.race([new Promise<void>((resolve) => target.once("drain", resolve)), failed]);
    }
    await Promise.race([ended(target), failed]);
  } catch (error) {
    await reader.cancel(error).catch(() => undefined);
    if (!isStandard(target)) target.destroy?.();
    throw refused(error);
  }
}

/** Rejects when the target fails or is closed, as a response is whose reader has gone; otherwise never settles. */
function failure(target: NodeWritable): Promise<never> {
  const closed = new Error("it was closed too early");
  const failed = new Promise<never>((_, reject) => {
    if (target.destroyed) reject(closed);
    target.once("error", reject);
    target.once("close", () => reject(closed));
  });
  failed.catch(() => undefined);
  return failed;
}

/** Ends a stream and waits until all is written; those of the process stay open for others. */
function ended(target: NodeWritable): Promise<void> {
  return new Promise((resolve) => {
    if (isStandard(target)) target.write(new Uint8Array(), resolve);
    else target.end(resolve);
  });
}

const isStandard = ({ fd }: NodeWritable): boolean => fd === 1 || fd === 2;

function refused(error: unknown): MarginaliaError {
  if (error instanceof MarginaliaError) return error;
  return new MarginaliaError("SOURCE_FAILED", "the target refused what was written to it", { cause: error });
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
