import { stringify } from "csv-stringify/sync";
import Papa from "papaparse";
import type { Form, Row } from "./neighbours.js";
import { COLUMNS } from "./neighbours.js";

const listed = (rows: readonly Row[]) => rows.map((row) => COLUMNS.map((name) => row[name]));
const columns = [...COLUMNS];

const papaparse =
  (config: Papa.UnparseConfig) =>
  (rows: readonly Row[]): string =>
    Papa.unparse({ fields: columns, data: listed(rows) }, config);

const csvStringify =
  (config: object) =>
  (rows: readonly Row[]): string =>
    stringify(listed(rows), { header: true, columns, ...config });

const json = (rows: readonly Row[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

const text = (write: (rows: readonly Row[]) => string, options: Form["options"] = {}): Form => ({
  source: (rows) => new Blob([write(rows)]),
  options: { format: "csv", ...options },
});

/** UTF-16 as it is: halves of pairs stay halves. */
const wide = (write: (rows: readonly Row[]) => string): Form => ({
  source: (rows) => Buffer.from(write(rows), "utf16le"),
  options: { format: "csv", encoding: "utf-16le" },
});

/** Conforming writers of this process, with the settings that each needs. */
export const WRITERS: Readonly<Record<string, Form>> = {
  papaparse: text(papaparse({})),
  "papaparse with line feeds": text(papaparse({ newline: "\n" })),
  "papaparse with all quotes": text(papaparse({ quotes: true, newline: "\n" })),
  "papaparse with semicolons": text(papaparse({ delimiter: ";" }), { delimiter: ";" }),
  "papaparse with returns": text(papaparse({ newline: "\r" as "\n" }), { lineEnd: "any" }),
  "papaparse in UTF-16": wide(papaparse({})),
  // It quotes what holds the end of its records, and no other return or line feed.
  "csv-stringify for Windows": text(csvStringify({ record_delimiter: "windows" }), { lineEnd: "crlf" }),
  "csv-stringify": text(csvStringify({ record_delimiter: "unix" })),
  "csv-stringify with all quotes": text(csvStringify({ quoted: true })),
  "JSON.stringify": { source: (rows) => new Blob([json(rows)]), options: { format: "ndjson" } },
};
