import { MarginaliaError } from "../errors.js";
import { invalid } from "../options.js";
import { type NodeWritable, replaceFile } from "./files.js";
import { refuseOver } from "./inputs.js";
import type { WriteOptions, WriteTarget } from "./write.js";

/** Makes the stream of bytes that is to be written. */
type Write = (options: WriteOptions) => ReadableStream<Uint8Array>;

/** Writes a table to a path, a Node stream or a web stream, no faster than it takes it. */
export async function writeTo(write: Write, target: WriteTarget, options: WriteOptions): Promise<void> {
  await refuseOver(target);
  if (typeof WritableStream !== "undefined" && target instanceof WritableStream) {
    const stream = write(options);
    return stream.pipeTo(target).catch(async (error: unknown) => {
      if (!stream.locked) await stream.cancel(error).catch(() => undefined);
      throw refused(error);
    });
  }
  if (typeof target === "string" || target instanceof URL) {
    const gzip = options.gzip ?? /\.gz$/i.test(String(target));
    return toFile(write({ ...options, gzip }).getReader(), target);
  }
  if (typeof target === "object" && target !== null && "write" in target) {
    const reader = write(options).getReader();
    return drain(reader, reader.read(), target);
  }
  throw invalid("the target is neither a path nor a stream");
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/** Begins the file when there is something to write. */
async function toFile(reader: Reader, place: string | URL): Promise<void> {
  try {
    const first = await reader.read();
    await replaceFile(place, rest(first, reader));
  } catch (error) {
    await reader.cancel(error).catch(() => undefined);
    throw error;
  }
}

async function* rest(first: Awaited<ReturnType<Reader["read"]>>, reader: Reader): AsyncGenerator<Uint8Array> {
  for (let next = first; !next.done; next = await reader.read()) yield next.value;
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
