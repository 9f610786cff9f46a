import { MarginaliaError } from "../errors.js";
import { known } from "../options.js";

/** What a value outside the declared ones becomes: null, or this value, which then is a code of its own. */
export type Other<V> = V | null;

interface Common {
  /** Whether null is a value of its own. */
  nullable?: boolean;
  /** Texts that mean null here, besides those of the schema. None of them may be declared as a value. */
  nulls?: readonly string[];
}

/** Texts. */
export interface CategorySpec extends Common {
  type: "category";
  values: readonly string[];
  other?: Other<string>;
}

/** False and true. */
export interface BooleanSpec extends Common {
  type: "boolean";
  /** How false and true are written; `["false", "true"]` unless given. */
  texts?: readonly [string, string];
  other?: Other<string>;
}

/** Whole numbers from `min` to `max`, one code each, or in bins of `width`, or in bins that begin at `cuts`. */
export interface IntegerSpec extends Common {
  type: "integer";
  min: number;
  max: number;
  width?: number;
  /** Where a new bin begins: `min: 0, max: 120, cuts: [18, 65]` makes 0–17, 18–64 and 65–120. */
  cuts?: readonly number[];
  other?: Other<number> | "clamp";
}

/** Numbers in bins between neighbouring `cuts`, or in `bins` equal ones from `min` to `max`. */
export interface NumberSpec extends Common {
  type: "number";
  cuts?: readonly number[];
  min?: number;
  max?: number;
  bins?: number;
  /** Digits after the point of a written value; unless given, two more than tell the bins apart. */
  decimals?: number;
  other?: Other<number> | "clamp";
}

/** Days from `from` to `to` as `YYYY-MM-DD`, one code for each calendar `step`. */
export interface DateSpec extends Common {
  type: "date";
  from: string;
  to: string;
  step: "day" | "week" | "month" | "quarter" | "year";
  other?: Other<string> | "clamp";
}

/** The declaration of one attribute, as it stands in a schema file. */
export type AttributeSpec = CategorySpec | BooleanSpec | IntegerSpec | NumberSpec | DateSpec;

declare const value: unique symbol;

/** A declared attribute whose rows hold values of type `V`. */
export type Attribute<V = unknown> = AttributeSpec & { readonly [value]?: V };

type Rest<S extends AttributeSpec> = Omit<S, "type" | "values">;
/** The value that `other` adds to those of an attribute; for ordered kinds `clamp` adds none. */
type OtherOf<O, Text extends boolean = false> = O extends { other: infer X }
  ? Text extends true
    ? X
    : Exclude<X, "clamp">
  : never;
type NullOf<O> = O extends { nullable: true } ? null : never;
type Values<V, O, Text extends boolean = false> = Attribute<V | OtherOf<O, Text> | NullOf<O>>;

/** Texts from a list. `other` says what any other text becomes; without it, one is an error. */
export function category<const V extends readonly string[], const O extends Rest<CategorySpec>>(
  values: V,
  options?: O,
): Values<V[number], O, true> {
  return checked({ type: "category", values: [...values], ...options }) as Values<V[number], O, true>;
}

/** False and true, written as `texts`. */
export function boolean<const O extends Rest<BooleanSpec>>(options?: O): Values<boolean, O, true> {
  return checked({ type: "boolean", ...options }) as Values<boolean, O, true>;
}

/** Whole numbers from `min` to `max`, optionally in bins. `other: "clamp"` counts those outside in the nearest bin. */
export function integer<const O extends Rest<IntegerSpec>>(options: O): Values<number, O> {
  return checked({ type: "integer", ...options }) as Values<number, O>;
}

/** Numbers in bins. `other: "clamp"` counts those outside in the nearest bin. */
export function number<const O extends Rest<NumberSpec>>(options: O): Values<number, O> {
  return checked({ type: "number", ...options }) as Values<number, O>;
}

/** Days, one code for each calendar step. Rows hold them as `YYYY-MM-DD`. */
export function date<const O extends Rest<DateSpec>>(options: O): Values<string, O> {
  return checked({ type: "date", ...options }) as Values<string, O>;
}

const KEYS: Record<AttributeSpec["type"], readonly string[]> = {
  category: ["values"],
  boolean: ["texts"],
  integer: ["min", "max", "width", "cuts"],
  number: ["cuts", "min", "max", "bins", "decimals"],
  date: ["from", "to", "step"],
};

/** Refuses keys that the kind of attribute does not have, so that a misspelt option is never ignored. */
export function checked<S extends AttributeSpec>(spec: S): Readonly<S> {
  const own = Object.hasOwn(KEYS, spec.type) ? KEYS[spec.type] : undefined;
  if (!own)
    throw new MarginaliaError(
      "SCHEMA_INVALID",
      `an attribute has the unknown type ${JSON.stringify(spec.type)}`,
    );
  known(spec, ["type", "other", "nullable", "nulls", ...own], spec.type, "SCHEMA_INVALID");
  return Object.freeze(spec);
}
