import { MarginaliaError } from "../errors.js";
import { invalid } from "../options.js";
import { fullDialect } from "../tables/dialect.js";
import { kindOf, MAGIC_BYTES } from "../tables/front.js";
import { CsvRecords, LONGEST_RECORD, tooLong } from "../tables/records.js";
import { type Bytes, find, type Source } from "../tables/source.js";
import { abortable, counted, peek } from "../tables/stages.js";
import type { Meter } from "./meter.js";

/** A column as it is written: its different texts, and which of them each row has. */
export class TextColumn {
  readonly texts: string[] = [];
  readonly #places = new Map<string, number>();
  #ids = new Uint32Array(1024);
  #rows = 0;

  get rows(): number {
    return this.#rows;
  }

  /** The place in `texts` of each row's text. */
  get ids(): Uint32Array {
    return this.#ids.subarray(0, this.#rows);
  }

  add(text: string): void {
    let place = this.#places.get(text);
    if (place === undefined) {
      place = this.texts.length;
      this.texts.push(text);
      this.#places.set(text, place);
    }
    if (this.#rows === this.#ids.length) {
      const longer = new Uint32Array(2 * this.#rows);
      longer.set(this.#ids);
      this.#ids = longer;
    }
    this.#ids[this.#rows++] = place;
  }

  /** How many rows have each text. */
  counts(): Float64Array {
    const counts = new Float64Array(this.texts.length);
    for (const id of this.ids) counts[id] = (counts[id] as number) + 1;
    return counts;
  }
}

/** The columns of a file by name, all equally long. */
export type TextColumns = ReadonlyMap<string, TextColumn>;

/** Reads a file, rows or columns as texts, whatever they hold. Columns that are not wanted are passed over. */
export async function textColumns(
  source: Source,
  wanted: (name: string) => boolean,
  { delimiter = ",", meter }: { delimiter?: string | undefined; meter: Meter },
): Promise<TextColumns> {
  const { signal } = meter.settings;
  const found = await find(source, signal);
  if ("bytes" in found) return fromBytes(found.bytes, nameOf(source), wanted, delimiter, meter);
  if ("rows" in found) return fromRows(abortable(found.rows, signal), wanted, meter);
  const columns = new Map<string, TextColumn>();
  for (const [name, list] of Object.entries(found.columns).filter(([name]) => wanted(name))) {
    const column = new TextColumn();
    for (const value of list as Iterable<unknown>) column.add(textOf(value));
    columns.set(name, column);
    await meter.breathe();
  }
  return even(columns);
}

async function fromBytes(
  bytes: Bytes,
  name: string,
  wanted: (name: string) => boolean,
  delimiter: string,
  meter: Meter,
): Promise<TextColumns> {
  const { signal } = meter.settings;
  const metered = counted(bytes.pieces, (done) => meter.reading(done, bytes.total));
  const [head, all] = await peek(metered, MAGIC_BYTES, signal);
  const kind = kindOf(head);
  const settings = { signal, skip: (column: string) => !wanted(column) };
  if (kind === "parquet") {
    const { parquetRows } = await import("../tables/parquet.js");
    return fromRows(parquetRows(all, bytes, settings), wanted, meter);
  }
  if (kind === "arrow") {
    const { arrowRows } = await import("../tables/arrow.js");
    return fromRows(arrowRows(all, bytes, settings), wanted, meter);
  }
  const plain = kind === "gzip" ? (await import("../tables/gunzip.js")).gunzip(all) : all;
  const texts = decoded(abortable(plain, signal));
  if (/\.(ndjson|jsonl)(\.gz)?$/i.test(name)) return fromRows(objects(texts), wanted, meter);
  return fromCsv(texts, wanted, delimiter, meter);
}

async function* decoded(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    for await (const piece of pieces) yield decoder.decode(piece, { stream: true });
    yield decoder.decode();
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new MarginaliaError("TEXT_INVALID", "the file is not UTF-8: convert it first", { cause });
  }
}

async function fromCsv(
  pieces: AsyncIterable<string>,
  wanted: (name: string) => boolean,
  delimiter: string,
  meter: Meter,
): Promise<TextColumns> {
  if (delimiter.length !== 1) throw invalid("`delimiter` must be one character");
  const columns = new Map<string, TextColumn>();
  let header: (TextColumn | undefined)[] | undefined;
  let rows = 0;
  const take = (record: readonly string[]) => {
    if (record.length === 1 && record[0] === "") return;
    if (!header) {
      header = columnsOf(record, columns, wanted);
      return;
    }
    rows += 1;
    if (record.length !== header.length) {
      const message = `row ${rows} has ${record.length} fields, and the header ${header.length}`;
      throw new MarginaliaError("ROW_RAGGED", message);
    }
    for (let i = 0; i < record.length; i++) header[i]?.add(record[i] as string);
  };
  const records = new CsvRecords(fullDialect({ delimiter }), take);
  for await (const piece of pieces) {
    records.push(piece);
    await meter.breathe();
  }
  records.finish();
  return columns;
}

function columnsOf(
  header: readonly string[],
  columns: Map<string, TextColumn>,
  wanted: (name: string) => boolean,
): (TextColumn | undefined)[] {
  return header.map((name) => {
    if (!wanted(name)) return undefined;
    if (columns.has(name))
      throw new MarginaliaError("COLUMN_DUPLICATE", `two columns are called ${JSON.stringify(name)}`);
    const column = new TextColumn();
    columns.set(name, column);
    return column;
  });
}

async function* objects(pieces: AsyncIterable<string>): AsyncGenerator<object> {
  let rest = "";
  let line = 0;
  const parsed = (text: string): object => {
    line += 1;
    try {
      return JSON.parse(text) as object;
    } catch (cause) {
      throw new MarginaliaError("JSON_INVALID", `line ${line} is not JSON`, { cause });
    }
  };
  for await (const piece of pieces) {
    if (rest.length > LONGEST_RECORD) throw tooLong(line + 1);
    const lines = (rest + piece).split("\n");
    rest = lines.pop() as string;
    for (const text of lines) if (text.trim() !== "") yield parsed(text);
  }
  if (rest.trim() !== "") yield parsed(rest);
}

/** Rows as objects: the columns are those of the first; a key that another lacks is an empty text. */
async function fromRows(
  rows: AsyncIterable<object>,
  wanted: (name: string) => boolean,
  meter: Meter,
): Promise<TextColumns> {
  const columns = new Map<string, TextColumn>();
  let count = 0;
  for await (const row of rows) {
    const values = row as Readonly<Record<string, unknown>>;
    if (count === 0)
      for (const name of Object.keys(values).filter(wanted)) columns.set(name, new TextColumn());
    for (const [name, column] of columns) column.add(textOf(values[name]));
    count += 1;
    if (count % 1000 === 0) {
      meter.reading(count);
      await meter.breathe();
    }
  }
  return columns;
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return value instanceof Date ? value.toISOString() : `${value}`;
}

function even(columns: TextColumns): TextColumns {
  const lengths = new Set([...columns.values()].map(({ rows }) => rows));
  if (lengths.size > 1) throw new MarginaliaError("ROW_RAGGED", "the columns differ in length");
  return columns;
}

function nameOf(source: Source): string {
  if (typeof source === "string") return source;
  if (source instanceof URL) return source.pathname;
  return typeof File !== "undefined" && source instanceof File ? source.name : "";
}
