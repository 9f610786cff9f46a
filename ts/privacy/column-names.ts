import { MarginaliaError } from "../errors.js";
import { invalid } from "../options.js";
import { isPrinted } from "../print.js";
import { parseDay } from "../tables/dates.js";
import { type FullDialect, fullDialect } from "../tables/dialect.js";
import { drafted, type SchemaDraft } from "../tables/drafts/draft.js";
import { Front, kindOfFront } from "../tables/front.js";
import { CsvRecords } from "../tables/records.js";
import { type Bytes, find } from "../tables/source.js";
import { checkColumns, nameOf, namesLines } from "../tables/text.js";
import type { ColumnsOptions } from "./columns.js";
import { firstLine } from "./first-line.js";
import type { SealedSource } from "./origin.js";

/** See `schemaOfColumns`. No message repeats a field of the first line before it is sure to name columns. */
export async function ofColumns(source: SealedSource, options: ColumnsOptions): Promise<SchemaDraft> {
  const opened = typeof source === "function" ? await source() : source;
  const found = await find(opened, options.signal);
  if ("rows" in found) throw nameless();
  if ("columns" in found) {
    checkColumns(found.columns);
    return draftOf(Object.keys(found.columns));
  }
  const front = new Front(found.bytes, options.signal);
  try {
    const { format = namesLines(nameOf(opened)) ? "ndjson" : undefined } = options;
    return draftOf(await namesIn(front, found.bytes, { ...options, ...(format && { format }) }));
  } finally {
    front.leave();
  }
}

async function namesIn(front: Front, bytes: Bytes, options: ColumnsOptions): Promise<string[]> {
  const { format } = options;
  if (format === "ndjson") throw nameless();
  const kind = await kindOfFront(front);
  if (format === "parquet" || kind === "parquet")
    return (await import("../tables/parquet.js")).parquetNames(bytes);
  if (format === "arrow" || kind === "arrow") return (await import("../tables/arrow.js")).arrowNames(front);
  const dialect = fullDialect(options);
  const { line } = await firstLine(front, dialect, kind === "gzip");
  return fieldsOf(decoded(line, dialect.encoding), dialect);
}

function decoded(line: Uint8Array, encoding: FullDialect["encoding"]): string {
  const isBig = line[0] === 0xfe && line[1] === 0xff;
  const named = { "utf-16": isBig ? "utf-16be" : "utf-16le", "latin-1": "windows-1252" } as const;
  const label = encoding === "utf-16" || encoding === "latin-1" ? named[encoding] : encoding;
  try {
    return new TextDecoder(label, { fatal: true }).decode(line);
  } catch (cause) {
    const message = "the first line is no text in this encoding: give `encoding`";
    throw new MarginaliaError("TEXT_INVALID", message, { cause });
  }
}

function fieldsOf(line: string, dialect: FullDialect): string[] {
  const { delimiter } = dialect;
  if (delimiter.length !== 1 || /["\r\n]/.test(delimiter)) throw invalid("`delimiter` is one character");
  const records: (readonly string[])[] = [];
  const reader = new CsvRecords(dialect, (fields) => records.push(fields));
  reader.push(line);
  reader.finish();
  const fields = records.find((all) => all.length > 1 || all[0] !== "") ?? [];
  if (fields.length === 0) throw unnamed("the file is empty: its first line must name the columns");
  if (!fields.every(isPrinted))
    throw unnamed(
      "the first line holds control characters: give `encoding`, or rename the columns in the file",
    );
  const other = [";", "\t", "|", ","].find((one) => one !== delimiter && fields[0]?.includes(one));
  if (fields.length === 1 && other !== undefined)
    throw unnamed(`the first line is one field with ${JSON.stringify(other)} in it: give \`delimiter\``);
  const values = fields.filter((field) => NUMBER.test(field) || parseDay(field) !== undefined).length;
  if (values > 0)
    throw unnamed(
      `${values} of ${fields.length} fields of the first line are numbers or days, as those of a row are, and nothing of it is ` +
        "shown: put a line in front that names the columns, or rename these",
    );
  return fields.filter((field) => field !== "");
}

const NUMBER = /^\s*[-+]?(\d+([.,]\d*)?|[.,]\d+)([eE][-+]?\d+)?\s*$/;

function draftOf(names: readonly string[]): SchemaDraft {
  const place = names.findIndex((name, i) => names.indexOf(name) < i);
  if (place >= 0) {
    const message = `columns ${names.indexOf(names[place] as string) + 1} and ${place + 1} of those with a name have the same: rename one`;
    throw new MarginaliaError("COLUMN_DUPLICATE", message);
  }
  if (names.length === 0) throw unnamed("no column of the file has a name");
  return drafted(
    "names of columns",
    names.map((name) => ({ name })),
    { bins: 1 },
  );
}

const unnamed = (message: string) => new MarginaliaError("COLUMN_MISSING", message);

const nameless = () =>
  unnamed("rows and lines of JSON have nothing but themselves that names columns: write the schema by hand");
