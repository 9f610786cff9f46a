import { MarginaliaError } from "../../errors.js";
import { isPrinted, oneLine } from "../../print.js";
import { parseDay, starts } from "../dates.js";
import { HOLE, type Hole, holesOf } from "./holes.js";

/** A schema that a person completes: `"?"` stands where something is to be filled in. */
export interface SchemaDraft {
  /** As a file of a schema holds it, but for what is to be filled in; then `schemaFromJson` takes it. */
  readonly json: { readonly attributes: readonly DraftAttribute[]; readonly nulls?: readonly string[] };
  /** What is to be filled in. */
  readonly holes: readonly Hole[];
  /** What the draft is made of, such as `"JSON Schema"`. */
  readonly origin: string;
}

/** An attribute of a draft. */
export interface DraftAttribute {
  readonly name: string;
  readonly type: string;
  readonly [field: string]: unknown;
}

/** What is known of a column; whatever is missing is to be filled in. */
export interface Known {
  readonly name: string;
  readonly type?: "category" | "boolean" | "integer" | "number" | "date";
  readonly values?: readonly string[];
  readonly texts?: readonly [string, string];
  readonly min?: number;
  readonly max?: number;
  readonly from?: string;
  readonly to?: string;
  readonly decimals?: number;
  readonly nullable?: boolean;
  readonly nulls?: readonly string[];
}

/** How much is decided for whoever completes a draft. */
export interface Decided {
  /** Bins of numbers with bounds. */
  readonly bins: number;
}

/** Whole numbers with up to so many have a code each. */
const MOST_EACH = 128;
/** Days have up to so many bins, of the shortest step that this allows. */
const MOST_STEPS = 40;

/** The draft of some columns. Refuses names that no schema can have. */
export function drafted(
  origin: string,
  columns: readonly Known[],
  { bins }: Decided,
  nulls?: readonly string[],
): SchemaDraft {
  const names = columns.map(({ name }) => name);
  if (names.length === 0) throw unfit(`the ${origin} names no column`);
  const twice = names.findIndex((name, i) => names.indexOf(name) < i);
  if (twice >= 0) throw unfit(`the ${origin} has two columns named ${JSON.stringify(names[twice])}`);
  const strange = names.find((name) => !isPrinted(name));
  if (strange !== undefined)
    throw unfit(`a name in the ${origin} has control characters: ${JSON.stringify(oneLine(strange))}`);
  const attributes = columns.map((column) => attribute(column, bins));
  const holes = holesOf(Object.fromEntries(attributes.map((one) => [one.name, one])));
  return { json: { attributes, ...(nulls && { nulls }) }, holes, origin };
}

/** Every declaration says what becomes of any other value. */
function attribute(column: Known, bins: number): DraftAttribute {
  const { name, nullable, nulls } = column;
  const outside = { other: null, ...(nullable && { nullable }), ...(nulls && { nulls }) };
  const clamped = { other: "clamp", nullable: true, ...(nulls && { nulls }) };
  const { type } = column;
  switch (type) {
    case "category":
      return { name, type: "category", values: column.values ?? HOLE, ...outside };
    case "boolean":
      return { name, type: "boolean", ...(column.texts && { texts: column.texts }), ...outside };
    case "integer":
      return { name, type: "integer", ...integers(column, bins), ...clamped };
    case "number": {
      const { min = HOLE, max = HOLE, decimals } = column;
      return {
        name,
        type: "number",
        min,
        max,
        bins,
        ...(decimals !== undefined && { decimals }),
        ...clamped,
      };
    }
    case "date":
      return { name, type: "date", ...days(column), ...clamped };
    default:
      return { name, type: HOLE };
  }
}

function integers({ min, max }: Known, bins: number): object {
  if (min === undefined || max === undefined) return { min: min ?? HOLE, max: max ?? HOLE };
  const [low, high] = [Math.ceil(min), Math.floor(max)];
  const many = high - low >= MOST_EACH;
  return { min: low, max: high, ...(many && { width: Math.ceil((high - low + 1) / bins) }) };
}

function days({ from, to }: Known): object {
  const [first, last] = [from, to].map((day) => (day === undefined ? undefined : parseDay(day)));
  if (first === undefined || last === undefined) return { from: from ?? HOLE, to: to ?? HOLE, step: HOLE };
  const fits = (step: "day" | "week" | "month" | "quarter") =>
    starts(first, last, step, MOST_STEPS).length <= MOST_STEPS;
  return { from, to, step: (["day", "week", "month", "quarter"] as const).find(fits) ?? "year" };
}

/** What a schema is made of is damaged, or of a kind that no table of columns has. */
export const unfit = (message: string, cause?: unknown): MarginaliaError =>
  new MarginaliaError("SCHEMA_INVALID", message, cause === undefined ? {} : { cause });

/** A number that is known; nothing for the ends of a type, which say nothing of a column. */
export function bound(value: unknown): number | undefined {
  if (typeof value !== "number" || !Number.isFinite(value)) return undefined;
  const size = Math.abs(value);
  const typed = size >= Number.MAX_SAFE_INTEGER || [2 ** 31, 2 ** 31 - 1, 2 ** 32 - 1].includes(size);
  return typed ? undefined : value;
}
