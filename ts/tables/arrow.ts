import { MarginaliaError } from "../errors.js";
import type { FlatTable } from "./flat.js";
import { type Front, kindOf } from "./front.js";
import {
  BATCH,
  DICTIONARY,
  dictionariesOf,
  fieldsOf,
  type Message,
  messageOf,
  namesOf,
  nextMessage,
  PieceTape,
  placesOf,
  SCHEMA,
  type Tape,
} from "./messages.js";
import { broken, kept, type PeerSettings, peer, pulled } from "./peers.js";
import type { Bytes } from "./source.js";
import { bytesOf, leave } from "./stages.js";

/** The part of `@uwdata/flechette` that is used. */
interface Flechette {
  tableFromIPC(messages: Uint8Array[], options?: object): Decoded;
}
interface Decoded extends Iterable<object> {
  select(names: readonly string[]): Decoded;
}

const flechette = () => peer<Flechette>("@uwdata/flechette");

/** A file begins with a magic of eight bytes, and goes on as a stream does. */
const FILE_MAGIC = 8;

/**
 * The rows of an Arrow IPC stream or file, one batch after another, by the optional peer `@uwdata/flechette`. One batch
 * is in memory at a time, or as many as the dictionaries are long. In a file that can be read from any place,
 * dictionaries may stand anywhere; else they come before the batches that use them.
 */
export async function* arrowRows(
  pieces: AsyncIterable<Uint8Array>,
  bytes: Bytes,
  { skip }: PeerSettings,
): AsyncGenerator<object> {
  const { tableFromIPC } = await flechette();
  const iterator = pieces[Symbol.asyncIterator]();
  try {
    let decoder: Decoder | undefined;
    for await (const message of messages(iterator, bytes)) {
      if (!decoder) decoder = new Decoder(message, skip, tableFromIPC);
      else yield* decoder.take(message);
    }
    if (decoder) yield* decoder.rows();
  } catch (cause) {
    throw broken("Arrow", cause);
  } finally {
    leave(iterator);
  }
}

/** The schema, then whatever comes. */
async function* messages(
  iterator: AsyncIterator<Uint8Array>,
  { part, total }: Bytes,
): AsyncGenerator<Message> {
  const tape = new PieceTape(iterator);
  const buffer = new Uint8Array(FILE_MAGIC);
  const magic = buffer.subarray(0, await tape.fill(buffer));
  if (isFile(magic) && part && total !== undefined) {
    yield await required(tape);
    const { dictionaries, batches } = await placesOf(part, total);
    for (const [from, to] of [...dictionaries, ...batches]) yield messageOf(await bytesOf(part, from, to));
    return;
  }
  if (!isFile(magic)) tape.back(magic);
  yield await required(tape);
  for (let next = await nextMessage(tape); next; next = await nextMessage(tape)) yield next;
}

/** A stream begins with a message. */
const isFile = (head: Uint8Array) => head[0] !== 0xff && kindOf(head) === "arrow";

async function required(tape: Tape): Promise<Message> {
  const message = await nextMessage(tape);
  if (message) return message;
  throw new RangeError("there is no schema");
}

/** Messages that are waiting until they are worth decoding, with the schema and the dictionaries that they need. */
class Decoder {
  readonly #decode: Flechette["tableFromIPC"];
  readonly #schema: Message;
  readonly #names: readonly string[];
  readonly #needed: readonly bigint[];
  #dictionaries: { id: bigint; bytes: Uint8Array }[] = [];
  #batches: Uint8Array[] = [];

  constructor(schema: Message, skip: (name: string) => boolean, decode: Flechette["tableFromIPC"]) {
    this.#decode = decode;
    this.#schema = schema;
    this.#names = kept(namesOf(schema), skip);
    this.#needed = dictionariesOf(schema);
  }

  /** Takes a message, and gives the rows of those that waited if there is enough of them. */
  *take({ kind, header, bytes }: Message): Generator<object> {
    if (kind === DICTIONARY) {
      yield* this.rows();
      const [id, isDelta] = [header.id(0), header.byte(2) !== 0];
      if (!isDelta) this.#dictionaries = this.#dictionaries.filter((other) => other.id !== id);
      this.#dictionaries.push({ id, bytes });
    } else if (kind === BATCH) {
      this.#batches.push(bytes);
      // Dictionaries are decoded each time: that should not take longer than decoding the rows.
      if (length(this.#batches) >= length(this.#dictionaries.map((one) => one.bytes))) yield* this.rows();
    } else if (kind !== SCHEMA) throw new RangeError("a message that holds no rows");
  }

  /** The rows of all batches that waited. */
  *rows(): Generator<object> {
    const batches = this.#batches;
    this.#batches = [];
    if (batches.length === 0) return;
    if (this.#needed.some((id) => this.#dictionaries.every((one) => one.id !== id))) throw late();
    const dictionaries = this.#dictionaries.map(({ bytes }) => bytes);
    const options = { useDate: true };
    const table = this.#decode([this.#schema.bytes, ...dictionaries, ...batches], options);
    // Without columns there would be no rows, and nobody could say what is missing.
    yield* this.#names.length > 0 ? table.select(this.#names) : table;
  }
}

function late(): MarginaliaError {
  const message =
    "a batch of the Arrow data comes before a dictionary that it uses: give the file by its path or as a Blob";
  return new MarginaliaError("SOURCE_FAILED", message);
}

const length = (list: readonly Uint8Array[]) => list.reduce((sum, { byteLength }) => sum + byteLength, 0);

/** The names of the columns, of which the schema at the beginning tells; nothing after it is looked at. */
export async function arrowNames(front: Front): Promise<string[]> {
  await flechette();
  return arrowFields(front, (fields) => fields.map((field) => field.text(0)));
}

/** What is taken of the columns in the schema. */
export async function arrowFields<T>(front: Front, take: (fields: FlatTable[]) => T): Promise<T> {
  try {
    await pulled(front.reaches(FILE_MAGIC));
    let at = isFile(front.seen) ? FILE_MAGIC : 0;
    const fill = async (buffer: Uint8Array) => {
      await pulled(front.reaches(at + buffer.length));
      const part = front.seen.subarray(at, at + buffer.length);
      buffer.set(part);
      at += part.length;
      return part.length;
    };
    return take(fieldsOf(await required({ fill })));
  } catch (cause) {
    throw broken("Arrow", cause);
  }
}
