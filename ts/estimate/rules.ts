import { call, open } from "../engine/index.js";
import { invalid, isObject, known } from "../options.js";
import type { NameOf, Schema } from "../tables/schema.js";
import { type Condition, type Flagged, flagged } from "./condition.js";
import { Prior } from "./origin.js";

/** An attribute that follows from another. */
export interface Mapping<S extends Schema = Schema> {
  readonly from: NameOf<S>;
  readonly to: NameOf<S>;
  /** The label of `to` for each label of `from`; null follows from null. */
  readonly map: Readonly<Record<string, string | null>>;
}

/** An attribute whose number is the sum of others', such as the members of a household of its adults and children. */
export interface Sum<S extends Schema = Schema> {
  readonly total: NameOf<S>;
  /** The parts: their labels are whole numbers, as those of the total. */
  readonly of: readonly NameOf<S>[];
}

/** What can be, whatever the answers say: it is public, and no record of the model breaks it. */
export interface RuleOptions<S extends Schema = Schema> {
  /** Combinations that cannot be, such as `{ age: { to: 14 }, income: ["pension", "wage"] }`. */
  deny?: readonly Condition<S>[];
  /** Lists of combinations: each record has one of every list. */
  allow?: readonly (readonly Condition<S>[])[];
  /** Attributes that follow from others. In a graphical model they take no place beside those. */
  mapping?: readonly Mapping<S>[];
  /** Attributes that are the sum of others, wherever none of them is null. */
  sums?: readonly Sum<S>[];
}

/** The names of these options. */
export const RULES = ["deny", "allow", "mapping", "sums"] as const;
/** The most combinations that the parts of a sum have. */
const MOST_SUMS = 2 ** 14;

/** A rule as the engine takes it: codes of the attributes of its clique, for each combination. */
export interface WireRule {
  readonly clique: readonly number[];
  readonly combinations: readonly (readonly (readonly number[])[])[];
  /** Whether no other combinations can be. */
  readonly only: boolean;
}

/** The rules of options. */
export function rulesOf<S extends Schema>(schema: S, options: RuleOptions<S>): WireRule[] {
  const { deny = [], allow = [], mapping = [], sums = [] } = options;
  for (const [name, list] of Object.entries({ deny, allow, mapping, sums }))
    if (!Array.isArray(list)) throw invalid(`\`${name}\` is a list`);
  const denied = deny.map((one) => combined(schema, [one], false));
  const allowed = allow.map((list) => {
    if (!Array.isArray(list) || list.length === 0)
      throw invalid("`allow` has lists of combinations, each with one at least");
    return combined(schema, list, true);
  });
  const [follow, add] = [mapping.map((one) => mapped(schema, one)), sums.map((one) => summed(schema, one))];
  return [...denied, ...allowed, ...follow, ...add];
}

/** The same as combinations that cannot be: of each attribute that it names, its codes. */
export function denials(schema: Schema, options: RuleOptions): Denial[] {
  return rulesOf(schema, options).flatMap(({ clique, combinations, only }) =>
    only ? others(schema, clique, combinations) : combinations.map((codes) => within(schema, clique, codes)),
  );
}

/** A combination that cannot be, by places and codes. */
export type Denial = readonly (readonly [attribute: number, codes: readonly number[]])[];

/** Without attributes whose every code is meant. */
const within = (schema: Schema, clique: readonly number[], codes: WireRule["combinations"][number]): Denial =>
  clique
    .map((place, i) => [place, codes[i] as readonly number[]] as const)
    .filter(([place, of]) => of.length < (schema.sizes[place] as number));

/** What is in none of these combinations: codes of the first attribute that the same ones have are gone on with together. */
function others(
  schema: Schema,
  [first, ...rest]: readonly number[],
  combinations: WireRule["combinations"],
): Denial[] {
  if (first === undefined) return combinations.length > 0 ? [] : [[]];
  const alike = new Map<string, { codes: number[]; left: WireRule["combinations"] }>();
  for (let code = 0; code < (schema.sizes[first] as number); code++) {
    const left = combinations.filter(([codes]) => codes?.includes(code)).map(([, ...after]) => after);
    const key = JSON.stringify(left);
    const known = alike.get(key);
    if (known) known.codes.push(code);
    else alike.set(key, { codes: [code], left });
  }
  return [...alike.values()].flatMap(({ codes, left }) => {
    const ends = left.length === 0 ? [[]] : others(schema, rest, left);
    return ends.map((end) => [...within(schema, [first], [codes]), ...end]);
  });
}

/** Refuses rules that contradict each other, with their names. */
export async function checkRules<S extends Schema>(schema: S, options: RuleOptions<S>): Promise<void> {
  const rules = rulesOf(schema, options);
  if (rules.length > 0) await call("rules.check", { schema: schema.normal(), rules: JSON.stringify(rules) });
}

/** A prior without the rows that break rules; itself where there are none. */
export async function ruled<S extends Schema>(prior: Prior<S>, options: RuleOptions<S>): Promise<Prior<S>> {
  const rules = rulesOf(prior.schema, options);
  if (rules.length === 0) return prior;
  const { kind, strength, name, declaredPublicBy } = prior;
  const [handle, sizes] = await open("prior.ruled", { rules: JSON.stringify(rules) }, { on: prior.handle });
  return new Prior(prior.schema, handle, { kind, ...sizes, strength, name, declaredPublicBy });
}

function combined(schema: Schema, list: readonly Condition[], only: boolean): WireRule {
  const flags = list.map((one) => byAttribute(schema, flagged(schema, one)));
  const clique = [...new Set(flags.flatMap((one) => [...one.keys()]))];
  if (flags.some((one) => one.size === 0)) throw invalid("a combination names an attribute at least");
  const every = (attribute: number) => Array.from({ length: schema.sizes[attribute] as number }, (_, i) => i);
  const combinations = flags.map((one) => clique.map((at) => one.get(at) ?? every(at)));
  return { clique, combinations, only };
}

/** The codes that are meant of each attribute. */
function byAttribute(schema: Schema, { attributes, allowed }: Flagged): Map<number, number[]> {
  let at = 0;
  const codes = (attribute: number) => {
    const size = schema.sizes[attribute] as number;
    const own = allowed.subarray(at, at + size);
    at += size;
    return Array.from(own.keys()).filter((code) => own[code] === 1);
  };
  return new Map(Array.from(attributes, (attribute) => [attribute, codes(attribute)]));
}

function summed<S extends Schema>(schema: S, one: Sum<S>): WireRule {
  if (!isObject(one) || !Array.isArray(one.of) || one.of.length === 0)
    throw invalid("a sum is { total, of }, with a part at least");
  known(one, ["total", "of"], "a sum");
  const numbers = (name: NameOf<S>) => {
    const labels = schema.labels(name).map((label) => (label === null ? null : Number(label)));
    if (labels.every((label) => label === null || Number.isSafeInteger(label))) return labels;
    throw invalid(`a sum is of whole numbers, each by itself, which ${name} does not have`);
  };
  const [total, ...parts] = [one.total, ...one.of].map((name) => numbers(name));
  const every = parts.reduce((size, { length }) => size * length, 1);
  if (every > MOST_SUMS)
    throw invalid(`the parts of ${one.total} have ${every} combinations, more than ${MOST_SUMS}`);
  let ends: { codes: number[][]; sum: number | null }[] = [{ codes: [], sum: 0 }];
  for (const part of parts)
    ends = ends.flatMap(({ codes, sum }) =>
      part.map((value, code) => ({
        codes: [...codes, [code]],
        sum: value === null || sum === null ? null : sum + value,
      })),
    );
  const fits = (sum: number | null) =>
    [...(total?.keys() ?? [])].filter(
      (code) => sum === null || total?.[code] === null || total?.[code] === sum,
    );
  const combinations = ends
    .map(({ codes, sum }) => [fits(sum), ...codes])
    .filter(([codes]) => codes !== undefined && codes.length > 0);
  return { clique: [one.total, ...one.of].map((name) => schema.index(name)), combinations, only: true };
}

function mapped<S extends Schema>(schema: S, one: Mapping<S>): WireRule {
  if (!isObject(one) || !isObject(one.map)) throw invalid("a mapping is { from, to, map }");
  known(one, ["from", "to", "map"], "a mapping");
  const { from, to, map } = one;
  const labels = schema.labels(to);
  const combinations = schema.labels(from).map((label, code) => {
    const other = label === null ? null : Object.hasOwn(map, label) ? map[label] : undefined;
    const place = other === undefined ? -1 : labels.indexOf(other);
    if (place >= 0) return [[code], [place]];
    const what = other === undefined ? "nothing" : `${JSON.stringify(other)}, which is no label of ${to},`;
    throw invalid(`the mapping of ${from} to ${to} has ${what} for ${JSON.stringify(label)}`);
  });
  return { clique: [schema.index(from), schema.index(to)], combinations, only: true };
}
