import { isObject } from "../../options.js";
import { parseDay } from "../dates.js";
import { bound, type Known, unfit } from "./draft.js";

type Node = Readonly<Record<string, unknown>>;

/** Whether a document is metadata of CSV on the Web. */
export const isCsvw = (document: object): boolean =>
  ["tableSchema", "tables", "columns"].some((key) => key in document);

/** What CSVW calls whole numbers, and the bound that some have. */
const WHOLE: Readonly<Record<string, { min?: number; max?: number }>> = {
  ...{ integer: {}, long: {}, int: {}, short: {}, byte: {} },
  ...{ nonNegativeInteger: { min: 0 }, positiveInteger: { min: 1 } },
  ...{ nonPositiveInteger: { max: 0 }, negativeInteger: { max: -1 } },
  ...{
    unsignedLong: { min: 0 },
    unsignedInt: { min: 0 },
    unsignedShort: { min: 0 },
    unsignedByte: { min: 0 },
  },
};
const NUMBERS = ["decimal", "double", "float", "number"];
const TIMES = ["datetime", "dateTime", "dateTimeStamp", "time", "duration"];

/** The columns of the one table that metadata of CSV on the Web describe (W3C: Metadata Vocabulary for Tabular Data). */
export function csvwColumns(document: object): Known[] {
  const group = document as Node;
  const tables = Array.isArray(group.tables) ? (group.tables as unknown[]) : [group];
  if (tables.length !== 1 || !isObject(tables[0]))
    throw unfit(`the CSVW metadata describe ${tables.length} tables: leave the one that is meant`);
  const table = tables[0] as Node;
  const schema = "columns" in table ? table : table.tableSchema;
  if (!isObject(schema) || !Array.isArray((schema as Node).columns))
    throw unfit("the CSVW metadata have no `tableSchema` with `columns` in them: put it there");
  // A column has what the schema, the table and the group say of all, unless it says so itself.
  const inherited = { ...group, ...table, ...(schema as Node) };
  return ((schema as Node).columns as unknown[])
    .filter((one) => !(isObject(one) && (one as Node).virtual === true))
    .map((one, i) => column(isObject(one) ? (one as Node) : {}, inherited, i));
}

function column(own: Node, inherited: Node, i: number): Known {
  const name = titleOf(own.titles) ?? own.name;
  if (typeof name !== "string")
    throw unfit(`column ${i + 1} of the CSVW metadata has neither \`titles\` nor \`name\``);
  const of = (key: string) => own[key] ?? inherited[key];
  if (of("separator") !== undefined && of("separator") !== null)
    throw unfit(`the column ${JSON.stringify(name)} of the CSVW metadata holds lists, by its \`separator\``);
  const said = of("datatype") ?? "string";
  const datatype = (isObject(said) ? said : { base: said }) as Node;
  const nulls = [of("null") ?? []]
    .flat()
    .filter((text) => typeof text === "string" && text !== "") as string[];
  return {
    name,
    ...kindOf(datatype),
    ...(of("required") === true ? {} : { nullable: true }),
    ...(nulls.length > 0 && { nulls }),
  };
}

/** What stands in the header: the first title, in the first language. */
function titleOf(titles: unknown): string | undefined {
  if (typeof titles === "string") return titles;
  const [first] = isObject(titles) || Array.isArray(titles) ? Object.values(titles) : [];
  return first === undefined ? undefined : titleOf(first);
}

function kindOf(datatype: Node): Omit<Known, "name"> {
  const { base = "string", format } = datatype;
  const kind = typeof base === "string" ? base : "";
  if (Object.hasOwn(WHOLE, kind)) return { type: "integer", ...WHOLE[kind], ...boundsOf(datatype, 1) };
  if (NUMBERS.includes(kind)) return { type: "number", ...boundsOf(datatype, 0) };
  if (kind === "boolean") {
    const [yes, no, ...more] = typeof format === "string" ? format.split("|") : [];
    const written = yes && no && more.length === 0;
    return { type: "boolean", ...(written && { texts: [no, yes] as [string, string] }) };
  }
  if (kind === "date") return days(datatype);
  if (TIMES.includes(kind)) return {};
  if (kind === "") return {};
  const words = typeof format === "string" ? alternatives(format) : undefined;
  return { type: "category", ...(words && { values: words }) };
}

function boundsOf(datatype: Node, step: number): { min?: number; max?: number } {
  const at = (...keys: string[]) =>
    keys.map((key) => bound(numeric(datatype[key]))).find((one) => one !== undefined);
  const [low, above] = [at("minimum", "minInclusive"), at("minExclusive")];
  const [high, below] = [at("maximum", "maxInclusive"), at("maxExclusive")];
  const min = low ?? (above === undefined ? undefined : above + step);
  const max = high ?? (below === undefined ? undefined : below - step);
  return { ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
}

/** Bounds may be written as texts. */
const numeric = (value: unknown): unknown =>
  typeof value === "string" && value.trim() !== "" ? Number(value) : value;

function days(datatype: Node): Omit<Known, "name"> {
  // Days are read as YYYY-MM-DD; what is written otherwise is for a person to declare.
  if (typeof datatype.format === "string" && datatype.format !== "yyyy-MM-dd") return {};
  const day = (...keys: string[]) =>
    keys.map((key) => datatype[key]).find((one) => typeof one === "string" && parseDay(one) !== undefined) as
      | string
      | undefined;
  const [from, to] = [day("minimum", "minInclusive"), day("maximum", "maxInclusive")];
  return { type: "date", ...(from && { from }), ...(to && { to }) };
}

/** The words of an expression that is nothing but words with bars between them. */
function alternatives(format: string): string[] | undefined {
  const inner = /^\^?\(?(?:\?:)?([^()^$]*)\)?\$?$/.exec(format)?.[1];
  const words = inner?.split("|");
  const areWords = words && words.length > 1 && words.every((word) => /^[\p{L}\p{N}_ -]+$/u.test(word));
  return areWords ? [...new Set(words)] : undefined;
}
