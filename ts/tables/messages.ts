import { FlatTable, long } from "./flat.js";
import { pulled } from "./peers.js";
import type { Part } from "./source.js";
import { bytesOf } from "./stages.js";

/** What a message of Arrow holds, by its number. */
export const SCHEMA = 1;
export const DICTIONARY = 2;
export const BATCH = 3;

/** One message: a schema, a dictionary or a batch of rows. */
export interface Message {
  kind: number;
  header: FlatTable;
  /** All of it, in a buffer of its own, so that numbers in it stand where typed arrays want them. */
  bytes: Uint8Array;
}

/** Bytes that are taken one stretch after another. */
export interface Tape {
  /** Fills a buffer with the next bytes; says how many there were, which are fewer at the end. */
  fill(buffer: Uint8Array): Promise<number>;
}

/** Pieces of any size as a tape. Only the pieces that a stretch lies in are pulled. */
export class PieceTape implements Tape {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #piece = new Uint8Array();
  #ended = false;

  constructor(pieces: AsyncIterator<Uint8Array>) {
    this.#pieces = pieces;
  }

  async fill(buffer: Uint8Array): Promise<number> {
    let filled = 0;
    while (filled < buffer.length && !this.#ended) {
      if (this.#piece.length === 0) {
        const next = await pulled(this.#pieces.next());
        this.#ended = next.done === true;
        if (!next.done) this.#piece = next.value as Uint8Array<ArrayBuffer>;
      }
      const part = this.#piece.subarray(0, buffer.length - filled);
      buffer.set(part, filled);
      filled += part.length;
      this.#piece = this.#piece.subarray(part.length);
    }
    return filled;
  }

  /** Takes bytes back that were read last. */
  back(bytes: Uint8Array): void {
    const both = new Uint8Array(bytes.length + this.#piece.length);
    both.set(bytes);
    both.set(this.#piece, bytes.length);
    this.#piece = both;
  }
}

const MARK = 0xffff_ffff;

/** No buffer is made for more: what is no message may seem to be a very long one. */
const MOST_METADATA = 1 << 26;

/**
 * The next message of a stream; nothing at its end, which a length of zero marks, or the end of the bytes. Messages
 * begin with a mark and the length of their metadata; older ones with the length alone.
 */
export async function nextMessage(tape: Tape): Promise<Message | undefined> {
  const prefix = new Uint8Array(8);
  if ((await tape.fill(prefix.subarray(0, 4))) === 0) return undefined;
  const start = startOf(prefix);
  if (start === 8) await tape.fill(prefix.subarray(4));
  const length = word(prefix, start - 4);
  if (length === 0) return undefined;
  if (length > MOST_METADATA) throw new RangeError("metadata that are longer than any");
  const metadata = new Uint8Array(length);
  await wholly(tape, metadata);
  const bytes = new Uint8Array(start + length + described(metadata).body);
  bytes.set(prefix.subarray(0, start));
  bytes.set(metadata, start);
  await wholly(tape, bytes.subarray(start + length));
  return messageOf(bytes);
}

/** The message that a stretch of a file holds. */
export function messageOf(bytes: Uint8Array): Message {
  const start = startOf(bytes);
  const end = start + word(bytes, start - 4);
  const { kind, header, body } = described(bytes.subarray(start, end));
  if (bytes.length < end + body) throw cutShort();
  return { kind, header, bytes };
}

/** What the metadata of a message says: what it holds, and how long its body is. */
function described(metadata: Uint8Array): { kind: number; header: FlatTable; body: number } {
  const message = FlatTable.root(metadata);
  const header = message.table(2);
  if (!header) throw new RangeError("a message without a header");
  return { kind: message.byte(1), header, body: message.long(3) };
}

async function wholly(tape: Tape, buffer: Uint8Array): Promise<void> {
  if ((await tape.fill(buffer)) < buffer.length) throw cutShort();
}

const cutShort = () => new RangeError("a message is cut short");
const startOf = (bytes: Uint8Array) => (word(bytes, 0) === MARK ? 8 : 4);

function word(bytes: Uint8Array, at: number): number {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(at, true);
}

/** The names of the columns, by a message that holds a schema. */
export const namesOf = (schema: Message): string[] => fieldsOf(schema).map((field) => field.text(0));

/** What a schema says of each column. */
export function fieldsOf(schema: Message): FlatTable[] {
  if (schema.kind !== SCHEMA) throw new RangeError("the first message is no schema");
  return schema.header.tables(1);
}

/** The dictionaries that the columns of a schema, and what they hold, refer to. */
export function dictionariesOf(schema: Message): bigint[] {
  const ids = (field: FlatTable): bigint[] => {
    const own = field.table(4);
    return [...(own ? [own.id(0)] : []), ...field.tables(5).flatMap(ids)];
  };
  return schema.header.tables(1).flatMap(ids);
}

/** Where the messages of a file stand, as its last bytes say: dictionaries, which may stand anywhere, and batches. */
export async function placesOf(
  part: Part,
  total: number,
): Promise<{ dictionaries: Place[]; batches: Place[] }> {
  const tail = await bytesOf(part, Math.max(0, total - TAIL), total);
  const length = word(tail, 0);
  if (length > total - TAIL) throw cutShort();
  const footer = FlatTable.root(await bytesOf(part, total - TAIL - length, total - TAIL));
  return { dictionaries: places(footer, 2), batches: places(footer, 3) };
}

/** After the footer stand its length and the magic. */
const TAIL = 10;

type Place = [from: number, to: number];

/** A place is an offset, the length of the metadata, and that of the body, in 24 bytes. */
function places(footer: FlatTable, field: number): Place[] {
  const [at, length] = footer.vector(field);
  const { view } = footer;
  if (at + 24 * length > view.byteLength) throw cutShort();
  return Array.from({ length }, (_, i) => {
    const from = long(view, at + 24 * i);
    return [from, from + view.getInt32(at + 24 * i + 8, true) + long(view, at + 24 * i + 16)];
  });
}
