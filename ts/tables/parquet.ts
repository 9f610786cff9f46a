import { aborted } from "../engine/failure.js";
import { memory } from "../engine/index.js";
import { MarginaliaError } from "../errors.js";
import { broken, kept, type PeerSettings, peer, pulled } from "./peers.js";
import type { Bytes, Part } from "./source.js";
import { bytesOf, leave, owned } from "./stages.js";
import { type Struct, Thrift } from "./thrift.js";

/** The part of `hyparquet` that is used. */
interface Hyparquet {
  parquetMetadataAsync(file: AsyncBuffer): Promise<Metadata>;
  parquetSchema(metadata: Metadata): { children: readonly { element: { name: string } }[] };
  parquetReadObjects(options: {
    file: AsyncBuffer;
    metadata: Metadata;
    columns: string[];
    rowStart: number;
    rowEnd: number;
  }): Promise<Readonly<Record<string, unknown>>[]>;
}
interface Metadata {
  row_groups: readonly { num_rows: bigint }[];
}
interface AsyncBuffer {
  byteLength: number;
  slice(start: number, end?: number): ArrayBuffer | Promise<ArrayBuffer>;
}

const hyparquet = () => peer<Hyparquet>("hyparquet");

/**
 * The rows of a Parquet file by the optional peer `hyparquet`: one row group after another, and of each one column after
 * another. What the file holds is written at its end, so that it is read where a column stands: of files, blobs, and
 * URLs whose server answers range requests. What comes only one byte after another is gathered, up to the memory limit.
 */
export async function* parquetRows(
  pieces: AsyncIterable<Uint8Array>,
  bytes: Bytes,
  { signal, skip }: PeerSettings,
): AsyncGenerator<object> {
  const { parquetMetadataAsync, parquetSchema, parquetReadObjects } = await hyparquet();
  try {
    const file = await seekable(pieces, bytes);
    const metadata = await parquetMetadataAsync(file);
    const all = parquetSchema(metadata).children.map(({ element }) => element.name);
    const names = kept(all, skip);
    let rowStart = 0;
    for (const { num_rows } of metadata.row_groups) {
      const rowEnd = rowStart + Number(num_rows);
      const columns: (readonly unknown[])[] = [];
      for (const name of names) {
        await new Promise((turn) => setTimeout(turn)); // Lets an abort through.
        if (signal?.aborted) throw aborted(signal);
        const rows = await parquetReadObjects({ file, metadata, columns: [name], rowStart, rowEnd });
        columns.push(rows.map((row) => row[name]));
      }
      for (let row = 0; row < rowEnd - rowStart; row++)
        yield Object.fromEntries(names.map((name, i) => [name, columns[i]?.[row]]));
      rowStart = rowEnd;
    }
  } catch (cause) {
    throw broken("Parquet", cause);
  }
}

/** The length of the metadata and the magic: the last bytes of a file. */
const TAIL = 8;

/** Reads from any place of a source, where that can be done. */
async function partOf({ part, ranges, total }: Bytes): Promise<Part | undefined> {
  if (total === undefined || part || !ranges) return part;
  if (total < TAIL || !(await ranges(total - TAIL, total))) return undefined;
  return async (from, to) => {
    const bytes = await ranges(from, to);
    if (bytes) return bytes;
    throw new MarginaliaError("SOURCE_FAILED", "the server ceased to answer range requests: try again");
  };
}

async function seekable(pieces: AsyncIterable<Uint8Array>, bytes: Bytes): Promise<AsyncBuffer> {
  const part = await partOf(bytes);
  if (!part || bytes.total === undefined) return gather(pieces);
  const { total } = bytes;
  leave(pieces[Symbol.asyncIterator]());
  return { byteLength: total, slice: (start, end = total) => part(start, end) };
}

/** Keeps all pieces, in blocks, until they are more than the engine may hold. */
async function gather(pieces: AsyncIterable<Uint8Array>): Promise<AsyncBuffer> {
  const { limit } = await memory();
  const blocks: Uint8Array[] = [];
  let byteLength = 0;
  const iterator = owned(pieces);
  for (let next = await pulled(iterator.next()); !next.done; next = await pulled(iterator.next())) {
    blocks.push(next.value);
    byteLength += next.value.length;
    if (byteLength > limit) {
      await iterator.return(undefined);
      throw tooLong(limit);
    }
  }
  return { byteLength, slice: (start, end = byteLength) => cut(blocks, start, end) };
}

/** A copy of the bytes from one place to another. All blocks but the last are equally long. */
function cut(blocks: readonly Uint8Array[], start: number, end: number): ArrayBuffer {
  const size = blocks[0]?.length ?? 1;
  const bytes = new Uint8Array(Math.max(0, end - start));
  for (let at = start; at < end; ) {
    const block = blocks[Math.floor(at / size)] ?? new Uint8Array();
    const part = block.subarray(at % size, (at % size) + end - at);
    if (part.length === 0) throw new RangeError("the file ends before that");
    bytes.set(part, at - start);
    at += part.length;
  }
  return bytes.buffer;
}

function tooLong(limit: number): MarginaliaError {
  const message =
    `a Parquet file that comes as a stream is kept whole, because it is read from its end, and this one is longer than ` +
    `the ${limit} bytes of \`memoryLimit\`: give its path, a Blob, or a URL whose server answers range requests`;
  return new MarginaliaError("OUT_OF_MEMORY", message);
}

/** What is read of the metadata at first, which begins with the schema; then twice as much, and so on. */
const WINDOW = 1 << 12;

/**
 * The names of the columns, by the schema in the metadata; nothing that follows it is looked at. Refuses a source that
 * cannot be read from its end.
 */
export async function parquetNames(bytes: Bytes): Promise<string[]> {
  await hyparquet();
  return (await parquetElements(bytes)).map((element) =>
    new TextDecoder().decode(element.get(4) as Uint8Array),
  );
}

/** What the schema says of each column: the children of its root. */
export async function parquetElements(bytes: Bytes): Promise<Struct[]> {
  const part = await partOf(bytes);
  if (!part || bytes.total === undefined) throw forwardOnly();
  try {
    const end = bytes.total - TAIL;
    const { buffer } = await bytesOf(part, Math.max(0, end), bytes.total);
    const tail = new DataView(buffer);
    const start = end - tail.getUint32(0, true);
    if (tail.getUint32(4, true) !== 0x31524150 || start < 0) throw new RangeError("there is no footer");
    for (let window = WINDOW; ; window *= 2) {
      const metadata = await bytesOf(part, start, Math.min(end, start + window));
      const elements = elementsIn(metadata, start + window >= end);
      if (elements) return elements;
    }
  } catch (cause) {
    throw broken("Parquet", cause);
  }
}

/** The columns in the first bytes of the metadata; nothing where the schema does not end in them. */
function elementsIn(metadata: Uint8Array, isWhole: boolean): Struct[] | undefined {
  try {
    // Of the metadata, field 2 is the schema: a tree, written parent before children.
    for (const [field, value] of new Thrift(metadata).fields())
      if (field === 2) return children(value as Struct[]);
    throw new TypeError("there is no schema");
  } catch (error) {
    if (isWhole || !(error instanceof RangeError)) throw error;
    return undefined;
  }
}

/** The root's children. Of an element, field 4 is the name and field 5 the number of children. */
function children(elements: readonly Struct[]): Struct[] {
  const found: Struct[] = [];
  let at = 1;
  const skip = (): void => {
    const below = Number(elements[at]?.get(5) ?? 0);
    at += 1;
    for (let i = 0; i < below && at < elements.length; i++) skip();
  };
  while (at < elements.length) {
    found.push(elements[at] as Struct);
    skip();
  }
  return found;
}

function forwardOnly(): MarginaliaError {
  const message =
    "a Parquet file is read from its end, and this source comes from its beginning: seal a path, a Blob, the bytes, or " +
    "a URL whose server answers range requests";
  return new MarginaliaError("SOURCE_FAILED", message);
}
