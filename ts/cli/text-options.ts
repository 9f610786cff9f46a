import { flag, type Options, oneOf, text } from "../option.js";

/** How text is written, as for `readTable` and `seal`. */
export const TEXT = {
  format: oneOf(["csv", "ndjson", "parquet", "arrow"], "how rows are written; recognised unless given"),
  delimiter: text("CHARACTER", "what stands between fields; a comma unless given"),
  decimalComma: flag("numbers are written as 1,5"),
  records: oneOf(
    ["quoted", "lines"],
    "what a record of CSV is: quoted fields may hold line ends, or a line whatever its quotes say; quoted unless given",
  ),
  lineEnd: oneOf(
    ["lf", "crlf", "any"],
    "what ends a record of CSV: a line feed, with a return or not; only both; or also a return alone; lf unless given",
  ),
  encoding: oneOf(
    ["utf-8", "latin-1", "utf-16", "utf-16le", "utf-16be"],
    "how characters are written; utf-8 unless given",
  ),
} as const satisfies Options;

/** Those of the values that say how text is written. */
export function textOf<V extends object>(values: V): Pick<V, keyof typeof TEXT & keyof V> {
  const own = Object.entries(values).filter(([name]) => name in TEXT);
  return Object.fromEntries(own) as Pick<V, keyof typeof TEXT & keyof V>;
}
