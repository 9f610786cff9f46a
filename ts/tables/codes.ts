import { MarginaliaError } from "../errors.js";
import { isObject, known } from "../options.js";
import type { AttributeSpec, DateSpec, IntegerSpec, NumberSpec } from "./attributes.js";
import { ends, formatDay, parseDay, starts } from "./dates.js";
import type { Derivation } from "./schema.js";

/** Codes are u16, so an attribute can have as many as those tell apart. */
const MAX_CODES = 65_536;

/** An attribute worked out: what each code stands for, and the form that Rust reads. */
export interface Codes {
  name: string;
  /** Declared values or bins, then `other`, then null. */
  labels: readonly (string | null)[];
  normal: Readonly<Record<string, unknown>>;
}

type Refuse = (why: string) => MarginaliaError;
interface Declared {
  bins: string[];
  normal: Record<string, unknown>;
  /** For ordered kinds: whether a text is that of a value in some bin. */
  holds?: (text: string) => boolean;
}

/** Works out the codes of a declared attribute. */
export function codes(name: string, spec: AttributeSpec, common: readonly string[]): Codes {
  const refuse: Refuse = (why) => new MarginaliaError("SCHEMA_INVALID", `${name} ${why}`);
  const { bins, normal, holds } = declared(spec, refuse);
  const other = otherText(spec, holds !== undefined, refuse);
  if (typeof other === "string" && holds?.(other)) throw refuse("has an `other` that lies in a bin");
  if (spec.nullable !== undefined && typeof spec.nullable !== "boolean")
    throw refuse("needs true or false as `nullable`");
  const nulls = nullTexts(spec, { bins, other, holds }, common, refuse);
  const labels: (string | null)[] = [...bins];
  const ownCode = typeof other === "string" && (holds ? other !== "clamp" : !bins.includes(other));
  if (ownCode) labels.push(other);
  if (spec.nullable || other === null) labels.push(null);
  if (labels.length > MAX_CODES) throw refuse("has more than 65,536 codes: use wider bins");
  const rest = {
    ...(other === undefined ? {} : { other }),
    nullable: spec.nullable ?? false,
    ...(nulls.length === 0 ? {} : { nulls }),
  };
  return { name, labels, normal: { name, type: spec.type, ...normal, ...rest } };
}

interface Values {
  bins: readonly string[];
  other: string | null | undefined;
  holds: Declared["holds"];
}

/** The texts that mean null for one attribute. No text may mean both null and a value. */
function nullTexts(
  { nulls = [], nullable }: AttributeSpec,
  { bins, other, holds }: Values,
  common: readonly string[],
  refuse: Refuse,
): readonly string[] {
  if (!areTexts(nulls)) throw refuse("needs a list of texts as `nulls`");
  if (holds) {
    if (nullable && typeof other === "string" && other !== "clamp" && [...nulls, ...common].includes(other))
      throw refuse("has an `other` that means null");
  } else if (nulls.some((text) => bins.includes(text) || text === other)) {
    throw refuse("declares a value that is among its `nulls`");
  }
  return nulls;
}

export const areTexts = (list: unknown): list is string[] =>
  Array.isArray(list) && list.every((text) => typeof text === "string");

/** Works out the codes of an attribute that follows from one of those `before` it. */
export function derived(name: string, rule: Derivation, before: readonly Codes[]): Codes {
  const refuse: Refuse = (why) => new MarginaliaError("SCHEMA_INVALID", `${name} ${why}`);
  const from = before.find((codes) => codes.name === rule.from);
  if (!from) throw refuse(`is derived from ${JSON.stringify(rule.from)}, which is not declared before it`);
  const keys = "prefix" in rule ? ["from", "prefix"] : ["from", "map", "other"];
  known(rule, keys, name, "SCHEMA_INVALID");
  const map = "prefix" in rule ? prefix(rule.prefix, refuse) : lookUp(rule, from, refuse);
  const texts = from.labels.map((label) => (label === null ? null : map(label)));
  const values = [...new Set(texts.filter((text) => text !== null))];
  const codes = new Map(values.map((text, code) => [text, code]));
  const nullable = texts.includes(null);
  const normal = {
    name,
    type: "derived",
    from: from.name,
    values,
    codes: texts.map((text) => (text === null ? values.length : codes.get(text))),
    nullable,
  };
  return { name, labels: nullable ? [...values, null] : values, normal };
}

function prefix(length: number, refuse: Refuse): (label: string) => string {
  if (!Number.isInteger(length) || length < 1) throw refuse("needs a whole number of at least 1 as `prefix`");
  return (label) => [...label].slice(0, length).join("");
}

function lookUp(
  rule: Extract<Derivation, { map: unknown }>,
  from: Codes,
  refuse: Refuse,
): (label: string) => string | null {
  if (!isObject(rule.map)) throw refuse("needs an object as `map`");
  if (rule.other !== undefined && rule.other !== null && typeof rule.other !== "string")
    throw refuse("needs a text or null as `other`");
  const map = new Map(Object.entries(rule.map));
  const labels = new Set(from.labels);
  for (const [key, value] of map) {
    if (!labels.has(key)) throw refuse(`maps ${JSON.stringify(key)}, which ${from.name} does not have`);
    if (typeof value !== "string") throw refuse(`maps ${JSON.stringify(key)} to no text`);
  }
  return (label) => {
    const found = map.get(label) ?? rule.other;
    if (found === undefined) {
      throw refuse(
        `says nothing of ${JSON.stringify(label)}: add it to \`map\`, or give \`other\` for the rest`,
      );
    }
    return found;
  };
}

function declared(spec: AttributeSpec, refuse: Refuse): Declared {
  if ("cuts" in spec && !Array.isArray(spec.cuts ?? [])) throw refuse("needs a list of numbers as `cuts`");
  switch (spec.type) {
    case "category":
      return { bins: texts(spec.values, "values", refuse), normal: { values: spec.values } };
    case "boolean": {
      const both = texts(spec.texts ?? ["false", "true"], "texts", refuse);
      if (both.length !== 2) throw refuse("needs two `texts`: of false, of true");
      return { bins: both, normal: { texts: both } };
    }
    case "integer":
      return integer(spec, refuse);
    case "number":
      return number(spec, refuse);
    case "date":
      return dates(spec, refuse);
  }
}

function texts(values: readonly string[], key: string, refuse: Refuse): string[] {
  if (!areTexts(values) || values.length === 0) throw refuse(`needs a list of texts as \`${key}\``);
  if (new Set(values).size < values.length) throw refuse("declares a value twice");
  return [...values];
}

function integer({ min, max, width, cuts }: IntegerSpec, refuse: Refuse): Declared {
  const whole = [min, max, width ?? 1, ...(cuts ?? [])].every(Number.isSafeInteger);
  if (!whole || max < min) throw refuse("needs whole numbers with min ≤ max");
  if (width !== undefined && cuts !== undefined) throw refuse("has both `width` and `cuts`: give one");
  if (width !== undefined && width < 1) throw refuse("needs a `width` of at least 1");
  const step = width ?? 1;
  if (!cuts && (max - min) / step >= MAX_CODES)
    throw refuse("has more than 65,536 codes: use a larger `width`");
  const lows = cuts
    ? [min, ...cuts]
    : Array.from({ length: Math.floor((max - min) / step) + 1 }, (_, i) => min + i * step);
  increasing([...lows, max + 1], "`cuts` must increase and lie above min and up to max", refuse);
  const bins = lows.map((low, i) => range(low, i + 1 < lows.length ? (lows[i + 1] as number) - 1 : max));
  const holds = (text: string) =>
    Number.isInteger(Number(text)) && Number(text) >= min && Number(text) <= max;
  return { bins, normal: { lows, max }, holds };
}

function number(spec: NumberSpec, refuse: Refuse): Declared {
  const cuts = spec.cuts ? [...spec.cuts] : equalCuts(spec, refuse);
  if (spec.cuts && [spec.min, spec.max, spec.bins].some((option) => option !== undefined)) {
    throw refuse("has both `cuts` and `min`, `max`, `bins`: give one");
  }
  if (cuts.length < 2 || !cuts.every(Number.isFinite))
    throw refuse("needs at least two finite numbers as `cuts`");
  increasing(cuts, "`cuts` must increase", refuse);
  const decimals = spec.decimals ?? enoughDecimals(cuts);
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > 17)
    throw refuse("needs `decimals` from 0 to 17");
  const last = cuts.length - 2;
  const bins = cuts.slice(0, -1).map((low, i) => `[${low}, ${cuts[i + 1]}${i === last ? "]" : ")"}`);
  const [low, high] = [cuts[0] as number, cuts[last + 1] as number];
  return { bins, normal: { cuts, decimals }, holds: (text) => Number(text) >= low && Number(text) <= high };
}

function equalCuts({ min, max, bins }: NumberSpec, refuse: Refuse): number[] {
  if (min === undefined || max === undefined || bins === undefined)
    throw refuse("needs `cuts`, or `min`, `max` and `bins`");
  const valid =
    Number.isFinite(min) && Number.isFinite(max) && min < max && Number.isInteger(bins) && bins > 0;
  if (!valid || bins > MAX_CODES) throw refuse("needs min < max and from 1 to 65,536 `bins`");
  return Array.from({ length: bins + 1 }, (_, i) => (i === bins ? max : min + ((max - min) * i) / bins));
}

/** Digits that tell at least a hundred values apart in the narrowest bin. */
function enoughDecimals(cuts: readonly number[]): number {
  const narrowest = Math.min(...cuts.slice(1).map((cut, i) => cut - (cuts[i] as number)));
  let decimals = 0;
  while (decimals < 17 && narrowest * 10 ** decimals < 100) decimals++;
  return decimals;
}

function dates({ from, to, step }: DateSpec, refuse: Refuse): Declared {
  const [first, last] = [parseDay(from), parseDay(to)];
  if (first === undefined || last === undefined) throw refuse("needs `from` and `to` as YYYY-MM-DD");
  if (last < first) throw refuse("ends before it begins");
  if (!["day", "week", "month", "quarter", "year"].includes(step)) {
    throw refuse("needs a `step`: day, week, month, quarter or year");
  }
  const begin = starts(first, last, step, MAX_CODES);
  const end = ends(begin, last);
  const bins = begin.map((day, i) => range(formatDay(day), formatDay(end[i] as number)));
  const holds = (text: string) => {
    const day = parseDay(text);
    return day !== undefined && day >= first && day <= last;
  };
  return { bins, normal: { from, to, step }, holds };
}

/** The name of a bin: its only value, or its first and last. */
function range<T>(low: T, high: T): string {
  return low === high ? `${low}` : `${low}..${high}`;
}

function increasing(values: readonly number[], why: string, refuse: Refuse): void {
  if (values.some((value, i) => i > 0 && value <= (values[i - 1] as number))) throw refuse(why);
}

/** The text that `other` stands for; `"clamp"` stays as it is for ordered kinds. */
function otherText(spec: AttributeSpec, ordered: boolean, refuse: Refuse): string | null | undefined {
  const { other } = spec;
  if (other === undefined || other === null) return other;
  if (spec.type === "integer" || spec.type === "number") {
    if (other === "clamp") return other;
    if (typeof other !== "number" || !Number.isFinite(other))
      throw refuse('needs a number, null or "clamp" as `other`');
    return `${other}`;
  }
  if (typeof other !== "string")
    throw refuse(`needs a text or null${ordered ? ' or "clamp"' : ""} as \`other\``);
  return other;
}
