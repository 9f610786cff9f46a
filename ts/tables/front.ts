import type { Bytes } from "./source.js";
import { bytesOf, leave, tidied, unlessAborted } from "./stages.js";

/** What is looked at first where a source can be read from any place; then as much again, and so on. */
const WINDOW = 1 << 12;

/** The beginning of a source: looked at no further than is asked for, and not taken away. */
export class Front {
  readonly #bytes: Bytes;
  readonly #signal: AbortSignal | undefined;
  #iterator: AsyncIterator<Uint8Array> | undefined;
  #buffer = new Uint8Array(WINDOW);
  #length = 0;
  #ended = false;

  constructor(bytes: Bytes, signal: AbortSignal | undefined) {
    this.#bytes = bytes;
    this.#signal = signal;
  }

  /** What was looked at so far; good until more is. */
  get seen(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }

  /** Looks further, by one piece of the source or one window; false at its end. */
  async more(): Promise<boolean> {
    if (this.#ended) return false;
    const piece = await unlessAborted(this.#next(), this.#signal);
    this.#ended = piece === undefined;
    if (piece) this.#keep(piece);
    return piece !== undefined;
  }

  /** Looks until so many bytes are seen; false where there are fewer. */
  async reaches(count: number): Promise<boolean> {
    while (this.#length < count) if (!(await this.more())) return false;
    return true;
  }

  /** All of the source, from its first byte. To be asked for once. */
  all(): AsyncIterable<Uint8Array> {
    return tidied(this.#all(), () => this.leave());
  }

  async *#all(): AsyncGenerator<Uint8Array> {
    const iterator = this.#iterator;
    if (!iterator) return yield* this.#bytes.pieces;
    try {
      if (this.#length > 0) yield this.seen;
      if (this.#ended) return;
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
    } finally {
      leave(iterator);
    }
  }

  /** Ends the source, of which nothing more is wanted. */
  leave(): void {
    leave(this.#iterator ?? this.#bytes.pieces[Symbol.asyncIterator]());
  }

  async #next(): Promise<Uint8Array | undefined> {
    const { part, total, pieces } = this.#bytes;
    if (part && total !== undefined) {
      const [from, to] = [this.#length, Math.min(total, Math.max(WINDOW, 2 * this.#length))];
      return from < to ? bytesOf(part, from, to) : undefined;
    }
    this.#iterator ??= pieces[Symbol.asyncIterator]();
    const next = await this.#iterator.next();
    return next.done ? undefined : next.value;
  }

  #keep(piece: Uint8Array): void {
    const length = this.#length + piece.length;
    if (length > this.#buffer.length) {
      const longer = new Uint8Array(Math.max(length, 2 * this.#buffer.length));
      longer.set(this.seen);
      this.#buffer = longer;
    }
    this.#buffer.set(piece, this.#length);
    this.#length = length;
  }
}

/** What the first bytes of a file say about the rest. */
const MAGICS = [
  ["gzip", [0x1f, 0x8b]],
  ["parquet", [0x50, 0x41, 0x52, 0x31]],
  ["arrow", [0x41, 0x52, 0x52, 0x4f, 0x57, 0x31]],
  // A stream of Arrow messages begins with the mark of a message, which no text does.
  ["arrow", [0xff, 0xff, 0xff, 0xff]],
] as const;

/** How many bytes tell what a file is. */
export const MAGIC_BYTES = 6;

/** What a file is by its first bytes; nothing where it may be text. */
export function kindOf(head: Uint8Array): "gzip" | "parquet" | "arrow" | undefined {
  return MAGICS.find(([, magic]) => magic.every((byte, i) => head[i] === byte))?.[0];
}

/** The same of a front, of which no byte is looked at that cannot matter. */
export async function kindOfFront(front: Front): Promise<ReturnType<typeof kindOf>> {
  const open = ([, magic]: (typeof MAGICS)[number]) =>
    front.seen.length < magic.length && front.seen.every((byte, i) => magic[i] === byte);
  while (MAGICS.some(open)) if (!(await front.more())) break;
  return kindOf(front.seen);
}
