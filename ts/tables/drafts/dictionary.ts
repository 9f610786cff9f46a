import { parseDay } from "../dates.js";
import { fullDialect } from "../dialect.js";
import { CsvRecords } from "../records.js";
import { bound, type Known, unfit } from "./draft.js";

/** What the columns of a data dictionary are called. */
const HEADERS = {
  name: ["name", "variable", "column", "field"],
  type: ["type", "datatype"],
  min: ["min", "minimum"],
  max: ["max", "maximum"],
  values: ["values", "categories", "codes", "levels"],
} as const;

/** What types are called. */
const TYPES = {
  category: [
    "category",
    "categorical",
    "string",
    "text",
    "char",
    "varchar",
    "factor",
    "nominal",
    "ordinal",
    "enum",
  ],
  boolean: ["boolean", "bool", "logical", "binary"],
  integer: ["integer", "int", "whole", "count", "bigint", "smallint"],
  number: ["number", "numeric", "float", "double", "decimal", "real", "continuous"],
  date: ["date", "day"],
} as const;

type Field = keyof typeof HEADERS;

/** The columns that a data dictionary describes: CSV with a row for each. `delimiter` stands between its fields. */
export function dictionaryColumns(text: string, delimiter: string): Known[] {
  const rows: (readonly string[])[] = [];
  const records = new CsvRecords({ ...fullDialect({}), delimiter }, (fields) => rows.push(fields));
  records.push(text);
  records.finish();
  const [header = [], ...rest] = rows.filter((fields) => fields.some((field) => field.trim() !== ""));
  const places = placesOf(header);
  return rest.map((fields, i) => {
    const at = (field: Field) => fields[places[field] ?? -1]?.trim() ?? "";
    const name = at("name");
    if (name === "") throw unfit(`row ${i + 1} of the data dictionary names no column`);
    return { name, ...kindOf(at, `${JSON.stringify(name)} in the data dictionary`) };
  });
}

function placesOf(header: readonly string[]): Partial<Record<Field, number>> {
  const names = header.map((name) => name.trim().toLowerCase());
  const found = Object.entries(HEADERS).flatMap(([field, called]) => {
    const place = names.findIndex((name) => (called as readonly string[]).includes(name));
    return place < 0 ? [] : [[field, place] as const];
  });
  const places = Object.fromEntries(found) as Partial<Record<Field, number>>;
  if (places.name !== undefined) return places;
  throw unfit(
    "what the schema is to be made of is neither JSON, Parquet nor Arrow, and no data dictionary: that is CSV whose " +
      "header has `name`, and as far as they are known `type`, `min`, `max` and `values`",
  );
}

function kindOf(at: (field: Field) => string, what: string): Omit<Known, "name"> {
  const values = listOf(at("values"));
  const type = typeOf(at("type"), what) ?? (values && "category");
  switch (type) {
    case undefined:
      return {};
    case "category":
      return { type, ...(values && { values }) };
    case "boolean":
      return { type, ...(values && { texts: both(values, what) }) };
    case "date": {
      const [from, to] = [at("min"), at("max")].map((day) =>
        limit(day, parseDay(day) !== undefined && day, what),
      );
      return { type, ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
    }
    case "integer":
    case "number":
      return { type, ...numeric([at("min"), at("max")], type, what) };
  }
}

function both([no, yes, ...more]: readonly string[], what: string): [string, string] {
  if (no !== undefined && yes !== undefined && more.length === 0) return [no, yes];
  throw unfit(`${what} is a boolean with other than two \`values\`: of false, of true`);
}

function numeric(texts: readonly string[], type: string, what: string): Omit<Known, "name"> {
  const [min, max] = texts.map((text) => limit(text, bound(Number(text)) ?? false, what));
  if (type === "integer" && ![min ?? 0, max ?? 0].every(Number.isInteger))
    throw unfit(`${what} is an integer with bounds that are no whole numbers`);
  return { ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
}

/** A bound that is given, as it is read. */
function limit<T>(text: string, read: T | false, what: string): T | undefined {
  if (text === "") return undefined;
  if (read !== false) return read;
  throw unfit(`${what} has a \`min\` or \`max\` that is none of its type`);
}

function typeOf(written: string, what: string): Known["type"] {
  const word = written.toLowerCase().replace(/\(.*\)$/, "");
  if (word === "") return undefined;
  const found = Object.entries(TYPES).find(([, called]) => (called as readonly string[]).includes(word));
  if (found) return found[0] as Known["type"];
  throw unfit(
    `${what} has the type ${JSON.stringify(written)}, which is unknown: write ${Object.keys(TYPES).join(", ")}, or ` +
      "nothing where you do not know it",
  );
}

/** Values between bars, or else between semicolons. */
function listOf(text: string): string[] | undefined {
  if (text === "") return undefined;
  const values = text.split(text.includes("|") ? "|" : ";").map((value) => value.trim());
  return [...new Set(values.filter((value) => value !== ""))];
}
