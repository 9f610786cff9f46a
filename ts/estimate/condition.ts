import { MarginaliaError } from "../errors.js";
import { invalid, isObject, known } from "../options.js";
import type { NameOf, Schema } from "../tables/schema.js";

/**
 * One of the values of an attribute, by its label (`schema.labels`), or as rows hold it where it has a code of its own;
 * null where it is null.
 */
export type ConditionValue = string | number | boolean | null;

/**
 * Neighbouring bins of an attribute of numbers or days, from the one that begins at `from` to the one that ends at `to`. Whole
 * numbers and days are meant with both ends; other numbers without `to`, as their bins are.
 */
export interface ConditionRange {
  readonly from?: number | string;
  readonly to?: number | string;
}

/** Which records are meant: those that have for each attribute one of these values. */
export type Condition<S extends Schema = Schema> = {
  readonly [K in NameOf<S>]?: ConditionValue | readonly ConditionValue[] | ConditionRange;
};

/** A condition as the engine takes it: attributes, and which of their codes are meant, of one after another. */
export interface Flagged {
  readonly attributes: Uint16Array<ArrayBuffer>;
  readonly allowed: Uint8Array<ArrayBuffer>;
}

/** What an attribute is in the normal form of a schema, as far as bins need it. */
interface Normal {
  readonly type: string;
  readonly texts?: readonly string[];
  readonly lows?: readonly number[];
  readonly max?: number;
  readonly cuts?: readonly number[];
  readonly other?: string | null;
}

/** The flags of a condition; refuses values that there are not, and ranges that cut a bin in two. */
export function flagged(schema: Schema, condition: Condition): Flagged {
  if (!isObject(condition))
    throw invalid('a condition is like { sex: "F", age: { from: 25, to: 44 } }, by attributes of the schema');
  const { attributes } = JSON.parse(schema.normal()) as { attributes: readonly Normal[] };
  const conditions = Object.entries(condition).filter(([, meant]) => meant !== undefined);
  const places = conditions.map(([name]) => schema.index(name));
  const flags = conditions.map(([name, meant], i) => {
    const one = { name, labels: schema.labels(name), normal: attributes[places[i] as number] as Normal };
    const isRange = isObject(meant) && !Array.isArray(meant);
    return isRange ? range(one, meant as ConditionRange) : values(one, meant as ConditionValue);
  });
  return { attributes: Uint16Array.from(places), allowed: Uint8Array.from(flags.flat()) };
}

/** What finds the code of a value of an attribute: of a number, that of its bin. */
export function codesOf(schema: Schema): (name: string, value: unknown) => number {
  const { attributes } = JSON.parse(schema.normal()) as { attributes: readonly Normal[] };
  return (name, value) => {
    const labels = schema.labels(name);
    const normal = attributes[schema.index(name)] as Normal;
    const bins = typeof value === "number" ? binsOf(normal, labels) : undefined;
    const bin = bins?.findIndex(({ from, to }) => (value as number) >= from && (value as number) < to) ?? -1;
    return bin >= 0 ? bin : codeOf({ name, labels, normal }, value);
  };
}

/** Both at once. */
export function joined(a: Flagged, b: Flagged): Flagged {
  return {
    attributes: Uint16Array.of(...a.attributes, ...b.attributes),
    allowed: Uint8Array.of(...a.allowed, ...b.allowed),
  };
}

interface Named {
  readonly name: string;
  readonly labels: readonly (string | null)[];
  readonly normal: Normal;
}

function values(one: Named, meant: ConditionValue | readonly ConditionValue[]): number[] {
  const list: readonly unknown[] = Array.isArray(meant) ? meant : [meant];
  const codes = new Set(list.map((value) => codeOf(one, value)));
  if (codes.size === 0) throw impossible(one.name);
  return one.labels.map((_, code) => Number(codes.has(code)));
}

function codeOf({ name, labels, normal }: Named, value: unknown): number {
  const known = value === null || typeof value === "string" || typeof value === "number";
  if (!known && typeof value !== "boolean")
    throw invalid(`the condition on ${name} has values that are texts, numbers, booleans or null`);
  const label = typeof value === "boolean" ? normal.texts?.[Number(value)] : value;
  const code = label === undefined ? -1 : labels.indexOf(label === null ? null : `${label}`);
  if (code >= 0) return code;
  if (typeof value === "number" && within(normal, labels, value)) throw cut(name);
  throw impossible(name);
}

function range({ name, labels, normal }: Named, meant: ConditionRange): number[] {
  known(meant, ["from", "to"], `the range of ${name}`);
  const bins = binsOf(normal, labels);
  if (!bins) throw invalid(`${name} has no ranges: name its values, which are in schema.labels("${name}")`);
  const [from, to] = [bound(normal, meant.from), bound(normal, meant.to)];
  if (from === undefined || to === undefined || (meant.from === undefined && meant.to === undefined))
    throw invalid(`the range of ${name} has \`from\` or \`to\` or both: numbers, or days as YYYY-MM-DD`);
  const least = from === null ? Number.NEGATIVE_INFINITY : from;
  const most = to === null ? Number.POSITIVE_INFINITY : normal.type === "number" ? to : after(normal, to);
  if (least >= most) throw impossible(name);
  const flags = labels.map((_, code) => {
    const bin = bins[code];
    if (!bin || bin.to <= least || bin.from >= most) return 0;
    if (bin.from >= least && bin.to <= most) return 1;
    throw cut(name);
  });
  if (flags.includes(1)) return flags;
  throw impossible(name);
}

/** Where each bin begins, and where the next one would. */
function binsOf(
  { type, lows = [], max = 0, cuts = [], other }: Normal,
  labels: Named["labels"],
): { from: number; to: number }[] | undefined {
  if (type === "integer") return lows.map((from, i) => ({ from, to: lows[i + 1] ?? max + 1 }));
  if (type === "number") return cuts.slice(1).map((to, i) => ({ from: cuts[i] as number, to }));
  if (type !== "date") return undefined;
  // The labels of days hold both ends; behind them stand `other` and null.
  const ofDays = labels.filter((label) => label !== null && label !== other);
  return ofDays.map((label) => {
    const [first = "", last = first] = (label as string).split("..");
    return { from: Date.parse(first), to: Date.parse(last) + DAY };
  });
}

const DAY = 86_400_000;

/** A day that exists, in milliseconds. */
function day(text: string): number | undefined {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text ? undefined : time;
}

/** What comes after a last value. */
const after = ({ type }: Normal, last: number): number => (type === "date" ? last + DAY : last + 1);

/** An end of a range as a number; null where it is open, nothing where it is none. */
function bound({ type }: Normal, end: number | string | undefined): number | null | undefined {
  if (end === undefined) return null;
  if (type === "date") return typeof end === "string" ? day(end) : undefined;
  return typeof end === "number" && !Number.isNaN(end) ? end : undefined;
}

function within(normal: Normal, labels: Named["labels"], value: number): boolean {
  return (binsOf(normal, labels) ?? []).some(({ from, to }) => value >= from && value < to);
}

function cut(name: string): MarginaliaError {
  return invalid(
    `the condition on ${name} cuts a bin in two, and nothing is known within one: take whole bins, as in schema.labels("${name}")`,
  );
}

function impossible(name: string): MarginaliaError {
  const message = `no record can meet the condition on ${name}: its values are in schema.labels("${name}")`;
  return new MarginaliaError("CONDITION_IMPOSSIBLE", message);
}
