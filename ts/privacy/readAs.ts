/** How private rows are read: what a record is, and whatever is not as usual. */
export type ReadAs = Readonly<Record<string, string | boolean>>;

/** As `seal` reads where nothing else is said. What a record is, is always said: there was a time when each was a line. */
const USUAL: ReadAs = {
  delimiter: ",",
  decimalComma: false,
  lineEnd: "lf",
  encoding: "utf-8",
  badRows: "drop",
};

/**
 * A reading is part of what is asked: read in another way, the same rows say something else, so what was answered before
 * is not the answer, and asking again is another charge. It is no part of what the account is of: then whoever had
 * mistaken a delimiter would have to begin a second account for the same people.
 */
export function readAsOf(options: { readonly [name: string]: string | boolean | undefined }): ReadAs {
  const unusual = ([name, value]: [string, unknown]) => value !== undefined && value !== USUAL[name];
  return Object.freeze(Object.fromEntries(Object.entries(options).filter(unusual))) as ReadAs;
}

/**
 * The same as charges had it that were made when each line was a record; nothing where there was no such reading. They
 * stay paid: what they answered is answered.
 */
export function readByLines({ records: _, ...others }: ReadAs): ReadAs | undefined {
  return "lineEnd" in others ? undefined : others;
}

/** How the rows of a charge were read, by its details in a ledger. */
export const readAsIn = (details: unknown): ReadAs =>
  (Object(details) as { readAs?: ReadAs }).readAs ?? Object.freeze({});

/** Whether a charge is of rows as they are read now. */
export function isReadAs(details: unknown, now: ReadAs): boolean {
  const then = readAsIn(details);
  return "records" in then ? isSame(then, now) : isSame(then, readByLines(now));
}

const isSame = (one: ReadAs, other: ReadAs | undefined): boolean =>
  other !== undefined &&
  Object.keys(one).length === Object.keys(other).length &&
  Object.entries(one).every(([name, value]) => other[name] === value);

/** How rows were read, in words, and for which charges, counted from one. */
export interface Reading {
  readonly reading: string;
  readonly charges: readonly number[];
}

/** The readings of the charges of an account. */
export function readingsOf(entries: readonly { readonly details?: unknown }[], unit: unknown): Reading[] {
  const found = new Map<string, number[]>();
  for (const [i, { details }] of entries.entries()) {
    const of = Object(details) as object;
    if (!("readAs" in of || "measurements" in of || "selection" in of)) continue;
    const reading = describeReading(readAsIn(details), unit);
    found.set(reading, [...(found.get(reading) ?? []), i + 1]);
  }
  return [...found].map(([reading, charges]) => ({ reading, charges }));
}

/** How rows are read, in words: what one is, how those of one unit are known, and what becomes of any that is none. */
export function describeReading(readAs: ReadAs, unit: unknown): string {
  const { column } = Object(unit) as { column?: string };
  const own =
    column === undefined
      ? []
      : [
          `${JSON.stringify(column)} is compared as text, numbers by value, and rows without one do not count`,
        ];
  const fate = readAs.badRows === "null" ? "counts as a row without any value" : "does not count";
  return [recordIn(readAs), ...own, `a record that is no row ${fate}`].join("; ");
}

function recordIn({ format, records, lineEnd }: ReadAs): string {
  const names = { ndjson: "a line of JSON", parquet: "a row of Parquet", arrow: "a row of Arrow" };
  if (typeof format === "string" && format in names) return `a row is ${names[format as keyof typeof names]}`;
  const others = format === "csv" ? "" : ", a line of JSON, or a row of Parquet or Arrow";
  if (records === undefined) return `read by lines: a row is a line of CSV, whatever its quotes say${others}`;
  const ends = { crlf: ", ended by return and line feed", any: ", ended by a return as well" };
  const end = ends[lineEnd as keyof typeof ends] ?? "";
  const what =
    records === "lines" ? "a line of CSV, whatever its quotes say" : "a record of CSV as RFC 4180 quotes it";
  return `a row is ${what}${end}${others}`;
}
