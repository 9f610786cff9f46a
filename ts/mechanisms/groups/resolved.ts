import type { Dependency, Followed } from "../../estimate/dependencies.js";
import { type RuleOptions, rulesOf } from "../../estimate/rules.js";
import { invalid, isObject, known } from "../../options.js";
import type { NameOf, Schema } from "../../tables/schema.js";
import { Workload, workload } from "../../tables/workload.js";
import type { GroupEstimatorName, GroupedOptions, GroupLevel, GroupTotal } from "./index.js";

/** A level with every default filled in. */
export interface ResolvedLevel<S extends Schema> {
  readonly by: readonly NameOf<S>[];
  /** The same without what follows from others of them: what is measured in. */
  readonly keys: readonly NameOf<S>[];
  readonly workload: Workload<S> | undefined;
  /** Parts of the budget, in thousandths, where somebody said so. */
  readonly count: bigint | undefined;
  readonly share: bigint | undefined;
  readonly strength: number | undefined;
}

/** What the groups are, beside the options that every release has. */
export interface ResolvedGroups<S extends Schema> {
  readonly levels: readonly ResolvedLevel<S>[];
  /** Attributes of the file that tell no groups apart. */
  readonly rest: readonly NameOf<S>[];
  readonly totals: "consistent" | "combined" | "count";
  readonly estimator: GroupEstimatorName;
  readonly local: boolean;
  readonly mostRows: number;
  /** Groups of the coarsest level whose numbers of records are public. */
  readonly known: readonly KnownGroup[];
  /** What follows from attributes of the last level in the public table, and what no row that groups share breaks. */
  readonly follows: readonly Followed[];
  readonly dependencies: readonly Dependency[];
  /** What says in which group a row is: groups share their rows, so it is not kept. */
  readonly broken: readonly Dependency[];
}

/** What is kept of what the public table says. */
export interface KeptInGroups {
  readonly list: readonly Dependency[];
  readonly follows: readonly Followed[];
}

/** A group by the codes of its level, and how many records it has. */
export interface KnownGroup {
  readonly codes: readonly number[];
  readonly records: number;
}

/** Checks the levels. What is no chain is refused by the engine. */
export function resolveGroups<S extends Schema>(
  schema: S,
  options: GroupedOptions<S>,
  { list, follows }: KeptInGroups,
): ResolvedGroups<S> {
  const { groups, totals = "consistent", estimator = "calibrated" } = options;
  const { local = true, mostRows = 2 ** 16 } = options;
  if (!Array.isArray(groups) || groups.length === 0)
    throw invalid('`groups` is a list of levels such as [["state"], ["puma"]], one at least');
  oneOf("totals", totals, ["consistent", "combined", "count"]);
  oneOf("estimator", estimator, ["calibrated", "iterative", "twoStage"]);
  if (typeof local !== "boolean") throw invalid("`local` is true or false");
  if (!(Number.isSafeInteger(mostRows) && mostRows >= 1 && mostRows < 2 ** 31))
    throw invalid("`mostRows` is a whole number of rows, from 1");
  const axes = axesOf(schema, groups, follows);
  const rest = Object.keys(schema.attributes).filter((name) => !axes.has(name)) as NameOf<S>[];
  if (rest.length === 0) throw invalid("every attribute tells groups apart: nothing is left to release");
  const levels = groups.map((level) => resolved(schema, level, axes));
  const { deny = [], allow = [], mapping = [], sums = [] } = options;
  const more = rulesOf(schema, { allow, mapping, sums } as RuleOptions);
  const named = [...deny.map((rule) => Object.keys(rule)), ...more.map(({ clique }) => schema.at(clique))];
  if (named.flat().some((name) => axes.has(name)))
    throw invalid("a rule cannot name what tells groups apart: all groups share their rows");
  const known = Array.isArray(options.total) ? knownOf(schema, levels[0], options.total) : [];
  if (options.total !== undefined && totals !== "consistent")
    throw invalid('a public `total` needs totals that agree: leave out `totals`, or give "consistent"');
  const isRest = (place: number) => rest.includes(schema.names[place] as NameOf<S>);
  const dependencies = list.filter(({ from, to }) => isRest(from) && isRest(to));
  const broken = list.filter(({ from, to }) => isRest(from) && !isRest(to));
  return { levels, rest, totals, estimator, local, mostRows, known, follows, dependencies, broken };
}

/** The groups of the coarsest level whose numbers are public, by their codes. */
function knownOf<S extends Schema>(
  schema: S,
  level: ResolvedLevel<S> | undefined,
  list: readonly GroupTotal<S>[],
): KnownGroup[] {
  const names = level?.by ?? [];
  const found = list.map((one): KnownGroup => {
    const { group, records } = Object(one) as Partial<GroupTotal<S>>;
    const labels = Object(group) as Readonly<Record<string, string | null>>;
    const named = Object.keys(labels).sort().join() === [...names].sort().join();
    const codes = names.map((name) => schema.labels(name).indexOf(labels[name] as string | null));
    if (!named || codes.some((code) => code < 0))
      throw invalid(
        "`total` names groups of the coarsest level by a declared label of each of its attributes",
      );
    if (!(Number.isFinite(records) && (records as number) >= 0))
      throw invalid("`records` of a group in `total` is a number, 0 or above");
    return { codes, records: records as number };
  });
  if (new Set(found.map(({ codes }) => `${codes}`)).size === found.length) return found;
  throw invalid("`total` names a group twice");
}

function oneOf(name: string, value: unknown, of: readonly string[]): void {
  if (!of.includes(value as string)) throw invalid(`\`${name}\` is one of ${of.join(", ")}`);
}

/** The attributes of the finest groups. */
export function finestOf<S extends Schema>(groups: GroupedOptions<S>["groups"]): readonly string[] {
  const last: unknown = Array.isArray(groups) ? groups.at(-1) : undefined;
  const by = Array.isArray(last) ? last : isObject(last) && (last as Partial<GroupLevel<S>>).by;
  return Array.isArray(by) ? by : [];
}

/** The attributes of the finest groups, and what follows from them. */
function axesOf<S extends Schema>(
  schema: S,
  groups: GroupedOptions<S>["groups"],
  follows: readonly Followed[],
): Set<string> {
  const axes = new Set<string>([...finestOf(groups), ...follows.map(({ to }) => to)]);
  for (const name of schema.names) if (axes.has(rootOf(schema, name))) axes.add(name);
  return axes;
}

function resolved<S extends Schema>(
  schema: S,
  value: GroupedOptions<S>["groups"][number],
  axes: ReadonlySet<string>,
): ResolvedLevel<S> {
  const level: GroupLevel<S> =
    isObject(value) && !Array.isArray(value)
      ? (value as GroupLevel<S>)
      : { by: value as readonly NameOf<S>[] };
  known(level, ["by", "workload", "count", "share", "strength"], "a level of `groups`");
  const { by, strength } = level;
  const [count, share] = [part(level.count), part(level.share)];
  if (!Array.isArray(by)) throw invalid("a level of `groups` is a list of attributes, or has one as `by`");
  for (const name of by) schema.index(name);
  if (strength !== undefined && !(Number.isFinite(strength) && strength > 0))
    throw invalid("`strength` of a level is a number above 0");
  const listed = level.workload === undefined ? undefined : listOf(schema, level.workload, axes);
  const keys = by.filter(
    (name) => !by.includes(rootOf(schema, name) as NameOf<S>) || !(name in schema.derive),
  );
  return { by, keys, workload: listed, count, share, strength };
}

function part(share: number | undefined): bigint | undefined {
  if (share === undefined) return undefined;
  if (Number.isFinite(share) && share >= 0 && share <= 1e6) return BigInt(Math.round(1000 * share));
  throw invalid("`count` and `share` of a level are parts of the budget: numbers from 0 to 10^6");
}

function listOf<S extends Schema>(
  schema: S,
  value: NonNullable<GroupLevel<S>["workload"]>,
  axes: ReadonlySet<string>,
): Workload<S> {
  if (!(value instanceof Workload) && !Array.isArray(value))
    throw invalid("`workload` of a level is a workload, or a list of lists of attributes");
  const list = workload(schema, [...value]);
  for (const clique of list)
    if (clique.length === 0 || clique.some((name) => axes.has(name)))
      throw invalid(
        "`workload` of a level has cliques of attributes that tell no groups apart, and that do not follow from those that do",
      );
  return list;
}

/** The attribute of the file that an attribute follows from in the end. */
export function rootOf(schema: Schema, name: string): string {
  const rule = schema.derive[name];
  return rule === undefined ? name : rootOf(schema, rule.from);
}
