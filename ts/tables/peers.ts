import { MarginaliaError } from "../errors.js";

/** The part of `hyparquet` that is used. */
interface Hyparquet {
  parquetMetadataAsync(file: AsyncBuffer): Promise<{ row_groups: readonly { num_rows: bigint }[] }>;
  parquetReadObjects(options: { file: AsyncBuffer; rowStart: number; rowEnd: number }): Promise<object[]>;
}
interface AsyncBuffer {
  byteLength: number;
  slice(start: number, end?: number): ArrayBuffer;
}

/** The part of `@uwdata/flechette` that is used. */
interface Flechette {
  tableFromIPC(bytes: Uint8Array, options?: object): Iterable<object>;
}

/** The rows of a Parquet file, one row group after another, by the optional peer `hyparquet`. */
export async function* parquetRows(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<object> {
  const { parquetMetadataAsync, parquetReadObjects } = await peer<Hyparquet>("hyparquet");
  const bytes = await gather(pieces);
  const file = {
    byteLength: bytes.byteLength,
    slice: (start: number, end?: number) => bytes.slice(start, end),
  };
  try {
    const { row_groups } = await parquetMetadataAsync(file);
    let rowStart = 0;
    for (const { num_rows } of row_groups) {
      const rowEnd = rowStart + Number(num_rows);
      yield* await parquetReadObjects({ file, rowStart, rowEnd });
      rowStart = rowEnd;
    }
  } catch (cause) {
    throw damaged("Parquet", cause);
  }
}

/** The rows of an Arrow IPC file or stream, by the optional peer `@uwdata/flechette`. */
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
