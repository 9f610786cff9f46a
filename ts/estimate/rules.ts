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

/** What can be, whatever the answers say: it is public, and no record of the model breaks it. */
export interface RuleOptions<S extends Schema = Schema> {
  /** Combinations that cannot be, such as `{ age: { to: 14 }, income: ["pension", "wage"] }`. */
  deny?: readonly Condition<S>[];
  /** Lists of combinations: each record has one of every list. */
  allow?: readonly (readonly Condition<S>[])[];
  /** Attributes that follow from others. In a graphical model they take no place beside those. */
  mapping?: readonly Mapping<S>[];
}

/** The names of these options. */
export const RULES = ["deny", "allow", "mapping"];

/** A rule as the engine takes it: codes of the attributes of its clique, for each combination. */
export interface WireRule {
  readonly clique: readonly number[];
  readonly combinations: readonly (readonly (readonly number[])[])[];
  /** Whether no other combinations can be. */
  readonly only: boolean;
}

/** The rules of options. */
export function rulesOf<S extends Schema>(schema: S, options: RuleOptions<S>): WireRule[] {
  const { deny = [], allow = [], mapping = [] } = options;
  for (const [name, list] of Object.entries({ deny, allow, mapping }))
    if (!Array.isArray(list)) throw invalid(`\`${name}\` is a list`);
  const denied = deny.map((one) => combined(schema, [one], false));
  const allowed = allow.map((list) => {
    if (!Array.isArray(list) || list.length === 0)
      throw invalid("`allow` has lists of combinations, each with one at least");
    return combined(schema, list, true);
  });
  return [...denied, ...allowed, ...mapping.map((one) => mapped(schema, one))];
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
