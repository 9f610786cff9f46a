import { aborted } from "../engine/failure.js";
import { call, type Handle, open } from "../engine/index.js";
import { MarginaliaError } from "../errors.js";
import { known } from "../options.js";
import { key } from "../seed.js";
import { createFile, type NodeWritable } from "./files.js";
import type { CallSettings } from "./read.js";

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

/** The rows of a table as a stream of CSV bytes: a block is made when the reader asks for one. */
export function csv(table: Handle, rows: number, options: WriteOptions): ReadableStream<Uint8Array> {
  known(options, OPTIONS, "csv");
  const { signal } = options;
  const settings = signal ? { signal } : {};
  let writer: Handle | undefined;
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (signal?.aborted) throw aborted(signal);
        if (!writer) {
          const [handle, header] = await open(
            "writer.open",
            { options: wire(options) },
            { on: table, ...settings },
          );
          writer = handle;
          controller.enqueue(header);
          return;
        }
        const { bytes, done } = await call("writer.block", undefined, { on: writer, ...settings });
        options.onProgress?.({ done, total: rows });
        if (bytes.length > 0) controller.enqueue(bytes);
        if (done === rows) {
          writer.dispose();
          controller.close();
        }
      },
      cancel: () => writer?.dispose(),
    },
    { highWaterMark: 1 },
  );
  return options.gzip ? zip(stream) : stream;
}

function zip(stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  return stream.pipeThrough(
    new CompressionStream("gzip") as unknown as TransformStream<Uint8Array, Uint8Array>,
  );
}

/** A stream of bytes as text. */
export function toText(stream: ReadableStream<Uint8Array>): Promise<string> {
  return new Response(stream).text();
}

/** Writes a stream to a path, a Node stream or a web stream, no faster than it takes it. */
export async function writeTo(
  target: WriteTarget,
  stream: ReadableStream<Uint8Array>,
  options: WriteOptions,
): Promise<void> {
  if (typeof WritableStream !== "undefined" && target instanceof WritableStream) return stream.pipeTo(target);
  if (typeof target === "string" || target instanceof URL) {
    const zipped = options.gzip === undefined && /\.gz$/i.test(String(target));
    return drain(zipped ? zip(stream) : stream, await createFile(target));
  }
  if (typeof target === "object" && target !== null && "write" in target) return drain(stream, target);
  throw new MarginaliaError("OPTION_INVALID", "the target is neither a path nor a stream");
}

/** Writes to a Node stream and ends it; waits where it is full. */
async function drain(stream: ReadableStream<Uint8Array>, target: NodeWritable): Promise<void> {
  const reader = stream.getReader();
  const failed = new Promise<never>((_, reject) => target.once("error", reject));
  failed.catch(() => undefined);
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      if (!target.write(next.value))
        await Promise.race([new Promise((resolve) => target.once("drain", resolve)), failed]);
    }
    await Promise.race([new Promise<void>((resolve) => target.end(resolve)), failed]);
  } catch (error) {
    await reader.cancel(error).catch(() => undefined);
    (target as { destroy?: (error?: unknown) => void }).destroy?.();
    if (error instanceof MarginaliaError) throw error;
    throw new MarginaliaError("SOURCE_FAILED", "the target refused what was written to it", { cause: error });
  }
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
