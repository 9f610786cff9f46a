/** How text is written. */
export interface Dialect {
  /** How rows are written. Parquet and Arrow files are recognised by their first bytes; else CSV, unless the name ends in `.ndjson` or `.jsonl`. */
  format?: "csv" | "ndjson" | "parquet" | "arrow";
  /** The character between fields; `,` unless given. */
  delimiter?: string;
  /** Whether numbers are written as `1,5`. */
  decimalComma?: boolean;
  /** What a record of CSV is: as RFC 4180 has it, where quoted fields may hold line ends; or a line, whatever its quotes say. `"quoted"` unless given. */
  records?: "quoted" | "lines";
  /** What ends a record of CSV: a line feed, with a return before it or not; only both; or also a return alone. `"lf"` unless given. */
  lineEnd?: "lf" | "crlf" | "any";
  /** How characters are written; `utf-8` unless given. */
  encoding?: "utf-8" | "latin-1" | "utf-16" | "utf-16le" | "utf-16be";
}

/** The options of a dialect. */
export const DIALECT = ["format", "delimiter", "decimalComma", "records", "lineEnd", "encoding"] as const;

/** How text is written, with nothing left to say but what it is by its name and first bytes. */
export type FullDialect = Required<Omit<Dialect, "format">>;

/** The dialect with every default filled in, and without a format. */
export function fullDialect(dialect: Dialect): FullDialect {
  const {
    delimiter = ",",
    decimalComma = false,
    records = "quoted",
    lineEnd = "lf",
    encoding = "utf-8",
  } = dialect;
  return { delimiter, decimalComma, records, lineEnd, encoding };
}
