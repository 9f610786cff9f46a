import { aborted } from "../engine/failure.js";
import type { NumberColumn } from "../engine/index.js";
import { MarginaliaError } from "../errors.js";
import { invalid } from "../options.js";
import { leave, tidied, unlessAborted } from "./stages.js";

/** Columns by name: numbers as typed arrays, anything else as lists of values. */
export type Columns = Readonly<Record<string, NumberColumn | readonly unknown[]>>;

/** Rows as objects, one after another. */
export type Rows = Iterable<object> | AsyncIterable<object>;

/** Bytes or text in pieces of any size, such as a Node stream. */
export type Pieces = Iterable<Uint8Array | string> | AsyncIterable<Uint8Array | string>;

/**
 * Where a table can come from: a path (in Node, Deno and Bun) or URL, a Blob or File, a web stream or
 * Response, any iterable of bytes or text, the bytes themselves, rows as objects, or columns.
 */
export type Source =
  | string
  | URL
  | Blob
  | Response
  | ReadableStream<Uint8Array>
  | Uint8Array
  | ArrayBuffer
  | Pieces
  | Rows
  | Columns;

/** Reads the bytes from one place to another. */
export type Part = (from: number, to: number) => Promise<ArrayBuffer>;

/** A source as pieces of bytes, with their number where it is known. */
export interface Bytes {
  pieces: AsyncIterable<Uint8Array>;
  total: number | undefined;
  /** Where bytes can be had without those before. */
  part?: Part;
  /** The same of a server, which may answer that it does not do so. */
  ranges?: (from: number, to: number) => Promise<ArrayBuffer | undefined>;
}

/** What a source turned out to be. `gaveNothing`: it may have been meant to give bytes, or else rows. */
export type Found =
  | { bytes: Bytes; gaveNothing?: boolean }
  | { rows: AsyncIterable<object>; total: number | undefined }
  | { columns: Columns };

/** Finds out what a source is. Nothing but the first piece of an iterable is read for it. */
export async function find(source: Source, signal: AbortSignal | undefined): Promise<Found> {
  if (typeof source === "string" || source instanceof URL) return { bytes: await locate(source, signal) };
  if (source instanceof Uint8Array) return { bytes: whole(source) };
  if (source instanceof ArrayBuffer) return { bytes: whole(new Uint8Array(source)) };
  if (typeof Blob !== "undefined" && source instanceof Blob) {
    const part = (from: number, to: number) => source.slice(from, to).arrayBuffer();
    return { bytes: { pieces: pieces(source.stream(), signal), total: source.size, part } };
  }
  if (typeof Response !== "undefined" && source instanceof Response) return { bytes: body(source, signal) };
  if (typeof ReadableStream !== "undefined" && source instanceof ReadableStream) {
    return sort(pieces(source, signal), signal);
  }
  if (typeof source === "object" && source !== null) {
    if (Symbol.asyncIterator in source || Symbol.iterator in source) {
      return sort(source as Pieces | Rows, signal);
    }
    return { columns: source as Columns };
  }
  throw invalid("the source is neither a path, URL, bytes, stream, rows nor columns");
}

async function locate(place: string | URL, signal: AbortSignal | undefined): Promise<Bytes> {
  const { openFile } = await import("./files.js");
  const file = await openFile(place);
  if (file) return file;
  try {
    const bytes = body(await fetch(place, signal ? { signal } : {}), signal);
    const ranges = async (from: number, to: number) => {
      const { range } = await import("./ranges.js");
      return range(place, from, to, signal);
    };
    return { ...bytes, ranges };
  } catch (cause) {
    if (cause instanceof MarginaliaError) throw cause;
    if (signal?.aborted) throw aborted(signal);
    throw new MarginaliaError("SOURCE_FAILED", "the URL could not be fetched", { cause });
  }
}

function body(response: Response, signal: AbortSignal | undefined): Bytes {
  if (!response.ok || !response.body) {
    throw new MarginaliaError("SOURCE_FAILED", `the server answered ${response.status} instead of a file`);
  }
  // A body that was decoded on the way has another length than the header tells.
  const length = response.headers.get("content-encoding") ? null : response.headers.get("content-length");
  return { pieces: pieces(response.body, signal), total: length === null ? undefined : Number(length) };
}

function whole(bytes: Uint8Array): Bytes {
  const piece = 1 << 20;
  async function* parts() {
    for (let at = 0; at < bytes.length; at += piece) yield bytes.subarray(at, at + piece);
  }
  // A `slice` of Node's `Buffer` would be no copy, in a buffer of its own.
  const part = async (from: number, to: number) => new Uint8Array(bytes.subarray(from, to)).buffer;
  return { pieces: parts(), total: bytes.length, part };
}

/** Ends a source of which nothing was read. */
export function abandon(source: Source): void {
  const left = async () => {
    if (source instanceof Response) await source.body?.cancel();
    else if (source instanceof ReadableStream) await source.cancel();
    else if (Symbol.asyncIterator in Object(source)) (source as { destroy?(): void }).destroy?.();
  };
  void left().catch(() => undefined);
}

/**
 * A web stream as an iterable, also where streams are not iterable by themselves. The signal cancels it at once,
 * because a generator that waits for its source cannot be told to end.
 */
function pieces<T>(stream: ReadableStream<T>, signal: AbortSignal | undefined): AsyncIterable<T> {
  return tidied(read(stream, signal), () => stream.cancel());
}

async function* read<T>(stream: ReadableStream<T>, signal: AbortSignal | undefined): AsyncGenerator<T> {
  const reader = stream.getReader();
  const cancel = () => reader.cancel().catch(() => undefined);
  signal?.addEventListener("abort", cancel, { once: true });
  let ended = false;
  try {
    if (signal?.aborted) await cancel();
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
    if (signal?.aborted) throw aborted(signal);
    ended = true;
  } finally {
    signal?.removeEventListener("abort", cancel);
    if (!ended) await cancel();
    reader.releaseLock();
  }
}

/** Tells pieces of a file from rows by the first item. */
async function sort(
  source: Pieces | Rows | AsyncIterable<unknown>,
  signal: AbortSignal | undefined,
): Promise<Found> {
  const iterator =
    Symbol.asyncIterator in source
      ? source[Symbol.asyncIterator]()
      : (source as Iterable<unknown>)[Symbol.iterator]();
  const first = await unlessAborted(iterator.next(), signal).catch((error: unknown) => {
    leave(iterator);
    throw error;
  });
  async function* all(): AsyncGenerator<unknown> {
    try {
      for (let next = first; !next.done; next = await iterator.next()) yield next.value;
    } finally {
      await iterator.return?.();
    }
  }
  const items = tidied(all(), () => iterator.return?.());
  const gaveNothing = first.done === true && !Array.isArray(source);
  if (gaveNothing || typeof first.value === "string" || first.value instanceof Uint8Array) {
    const { readableObjectMode } = source as { readableObjectMode?: boolean };
    const pieces = tidied(encode(items), () => items.return?.());
    return {
      bytes: { pieces, total: undefined },
      gaveNothing: gaveNothing && readableObjectMode !== false,
    };
  }
  return { rows: items as AsyncIterable<object>, total: Array.isArray(source) ? source.length : undefined };
}

async function* encode(items: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const item of items) {
    if (typeof item === "string") yield encoder.encode(item);
    else if (item instanceof Uint8Array) yield item;
    else throw invalid("the source mixes text or bytes with something else");
  }
}
