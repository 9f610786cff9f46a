import { aborted } from "../engine/failure.js";
import { MarginaliaError } from "../errors.js";
import { invalid, isObject } from "../options.js";
import type { Part } from "./source.js";

/** Pieces travel to the engine in buffers of this size: large enough to be few, small enough to be quick. */
const BUFFER = 1 << 20;

/** The same items, until the signal fires: then an error at once, even while the source keeps one waiting. */
export async function* abortable<T>(
  items: AsyncIterable<T>,
  signal: AbortSignal | undefined,
): AsyncGenerator<T> {
  if (!signal) return yield* items;
  const iterator = items[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await unlessAborted(iterator.next(), signal);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    leave(iterator);
  }
}

/** What a promise gives, unless the signal fires before. */
export async function unlessAborted<T>(
  promise: T | PromiseLike<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (!signal) return promise;
  let stop = () => {};
  const fired = new Promise<never>((_, reject) => {
    stop = () => reject(aborted(signal));
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
  });
  try {
    return await Promise.race([promise, fired]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** Ends a source early. Nobody waits for it: one that hangs would never answer. */
export function leave(iterator: Iterator<unknown> | AsyncIterator<unknown>): void {
  const left = async () => iterator.return?.();
  void left().catch(() => undefined);
}

/** The same items; told when they are left before the first is asked for, when no code of a generator runs. */
export function tidied<T>(items: AsyncGenerator<T>, unbegun: () => unknown): AsyncIterableIterator<T> {
  let begun = false;
  return {
    next: () => {
      begun = true;
      return items.next();
    },
    return: async (value?: unknown) => {
      if (!begun) await unbegun();
      begun = true;
      return items.return(value as T);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** Looks at the first `count` bytes (fewer at the end of the source) without taking them away. */
export async function peek(
  pieces: AsyncIterable<Uint8Array>,
  count: number,
  signal?: AbortSignal,
): Promise<[head: Uint8Array, all: AsyncIterable<Uint8Array>]> {
  const iterator = pieces[Symbol.asyncIterator]();
  const seen: Uint8Array[] = [];
  let length = 0;
  let ended = false;
  while (length < count && !ended) {
    const next = await unlessAborted(iterator.next(), signal).catch((error: unknown) => {
      leave(iterator);
      throw error;
    });
    if (next.done) ended = true;
    else {
      seen.push(next.value);
      length += next.value.length;
    }
  }
  async function* all() {
    try {
      yield* seen.splice(0);
      for (
        let next = ended ? undefined : await iterator.next();
        next && !next.done;
        next = await iterator.next()
      ) {
        yield next.value;
      }
    } finally {
      if (!ended) await iterator.return?.();
    }
  }
  const head = new Uint8Array(await new Blob(seen as BlobPart[]).arrayBuffer());
  return [head.subarray(0, count), tidied(all(), () => iterator.return?.())];
}

/** Some bytes of a source that can be read from any place. */
export async function bytesOf(part: Part, from: number, to: number): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await part(from, to));
}

/** Buffers to be filled again: what lies about in a thread until it collects its garbage may be as large as the file. */
export type Spare = Uint8Array<ArrayBuffer>[];

/** The same bytes in buffers of their own that may be handed over to another thread, and come back. */
export async function* owned(
  pieces: AsyncIterable<Uint8Array>,
  spare: Spare = [],
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const next = () => spare.pop() ?? new Uint8Array(BUFFER);
  let buffer = next();
  let filled = 0;
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; ) {
      const part = piece.subarray(at, at + BUFFER - filled);
      buffer.set(part, filled);
      filled += part.length;
      at += part.length;
      if (filled === BUFFER) {
        yield buffer;
        buffer = next();
        filled = 0;
      }
    }
  }
  if (filled > 0) yield buffer.subarray(0, filled);
}

/** The same pieces, telling how many bytes have passed. */
export async function* counted(
  pieces: AsyncIterable<Uint8Array>,
  tell: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.length;
    tell(bytes);
    yield piece;
  }
}

/** Rows as lines of JSON, telling how many have passed. Numbers that JSON lacks become null, as an absent value does. */
export async function* lines(
  rows: AsyncIterable<object>,
  tell?: (rows: number) => void,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let text = "";
  let count = 0;
  for await (const row of rows) {
    count += 1;
    if (!isObject(row)) throw invalid("each row must be an object whose keys are the columns");
    text += `${json(row, count)}\n`;
    if (text.length > BUFFER / 4) {
      yield encoder.encode(text);
      tell?.(count);
      text = "";
    }
  }
  yield encoder.encode(text);
  tell?.(count);
}

function json(row: object, place: number): string {
  try {
    return JSON.stringify(row, Object.values(row).some(isBig) ? bigAsText : undefined);
  } catch (cause) {
    const what = "cannot be written as JSON: values must be texts, numbers, booleans, dates or null";
    throw new MarginaliaError("JSON_INVALID", `row ${place} ${what}`, { cause });
  }
}

const isBig = (value: unknown): value is bigint => typeof value === "bigint";
const bigAsText = (_: string, value: unknown) => (isBig(value) ? `${value}` : value);
