import { aborted } from "../engine/failure.js";
import { MarginaliaError } from "../errors.js";
import type { Bytes } from "./source.js";

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

/** The part of `@uwdata/flechette` that is used. */
interface Flechette {
  tableFromIPC(bytes: Uint8Array, options?: object): Iterable<object>;
}

/** How a Parquet file is read. */
export interface ParquetSettings {
  signal?: AbortSignal | undefined;
  /** Whether a column is passed over. */
  skip: (name: string) => boolean;
}

/**
 * The rows of a Parquet file by the optional peer `hyparquet`: one row group after another, and of each one column after
 * another. Files and blobs are read where a column stands; other sources are gathered whole, because what the file
 * holds is written at its end.
 */
export async function* parquetRows(
  pieces: AsyncIterable<Uint8Array>,
  bytes: Bytes,
  { signal, skip }: ParquetSettings,
): AsyncGenerator<object> {
  const { parquetMetadataAsync, parquetSchema, parquetReadObjects } = await peer<Hyparquet>("hyparquet");
  const file = await seekable(pieces, bytes);
  try {
    const metadata = await parquetMetadataAsync(file);
    const all = parquetSchema(metadata).children.map(({ element }) => element.name);
    const names = all.filter((name) => !skip(name));
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
    throw cause instanceof MarginaliaError ? cause : damaged("Parquet", cause);
  }
}

/** The bytes of a source from any place; those that come only one after another are gathered. */
async function seekable(pieces: AsyncIterable<Uint8Array>, { part, total }: Bytes): Promise<AsyncBuffer> {
  if (!part || total === undefined) return gather(pieces);
  for await (const _ of pieces) break; // Closes the source.
  return { byteLength: total, slice: (start, end = total) => part(start, end) };
}

/**
 * The rows of an Arrow IPC file or stream, by the optional peer `@uwdata/flechette`, which looks at the bytes as a whole
 * and reads values from them when a row is asked for.
 */
export async function* arrowRows(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<object> {
  const { tableFromIPC } = await peer<Flechette>("@uwdata/flechette");
  const bytes = await gather(pieces);
  let rows: Iterable<object>;
  try {
    rows = tableFromIPC(new Uint8Array(bytes), { useDate: true });
  } catch (cause) {
    throw damaged("Arrow", cause);
  }
  for (const row of rows) yield { ...row };
}

/** An optional package, by a name that no bundler follows: it would fail where the package is not installed. */
async function peer<T>(name: string): Promise<T> {
  try {
    return await import(/* webpackIgnore: true */ /* @vite-ignore */ name);
  } catch (cause) {
    const message = `this kind of file is read by the package ${name}, which cannot be loaded: npm install ${name}`;
    const hint = "in a bundled app, read the file with that package yourself and give readTable the rows";
    throw new MarginaliaError("PEER_MISSING", message, { hint, cause });
  }
}

async function gather(pieces: AsyncIterable<Uint8Array>): Promise<ArrayBuffer> {
  const all: BlobPart[] = [];
  for await (const piece of pieces) all.push(piece.slice() as BlobPart);
  return new Blob(all).arrayBuffer();
}

function damaged(kind: string, cause: unknown): MarginaliaError {
  return new MarginaliaError(
    "SOURCE_FAILED",
    `the ${kind} data is damaged or of a kind that is not supported`,
    { cause },
  );
}
