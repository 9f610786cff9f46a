import { call, type Handle, open } from "../../engine/index.js";
import type { Dependency, Followed } from "../../estimate/dependencies.js";
import { joined } from "../../estimate/wire.js";
import { key } from "../../seed.js";
import type { NameOf, Schema } from "../../tables/schema.js";
import { Table } from "../../tables/table.js";
import { workload } from "../../tables/workload.js";
import { type Held, held } from "../kit/mechanism.js";
import { MOST_CELLS, started } from "../kit/prior.js";
import type { Resolved } from "../kit/resolved.js";
import type { Stage } from "../kit/stages.js";
import type { ResolvedGroups } from "./resolved.js";

export type Law = "laplace" | "gaussian";

/** One group that the schema declares. */
export interface DeclaredGroup {
  readonly level: number;
  /** The place of the group that it lies within. */
  readonly parent: number | undefined;
  /** Codes of the attributes of its level. */
  readonly codes: readonly number[];
}

/** Public counts of one level: of each attribute in each group, the last attribute fastest. */
export interface PublicCounts<S extends Schema> {
  readonly names: readonly NameOf<S>[];
  readonly values: readonly Float64Array[];
}

/** What was made of a public table for groups. */
export type SharedPrior<S extends Schema = Schema> = Held<{
  groups: readonly DeclaredGroup[];
  /** What follows from attributes of the last level, and all that no row breaks. */
  follows: readonly Followed[];
  dependencies: readonly Dependency[];
  /** Distinct rows that all groups share, with weights; group attributes have their first code. */
  rows: Table<S>;
  /** How many of them the public table has. */
  distinct: number;
  shared: Handle;
  /** Of each level; nothing where its groups are as what they lie within. */
  counts: readonly (PublicCounts<S> | undefined)[];
  /** How many records what groups of each level lie within is worth as their prior. */
  between: readonly number[];
}>;

/** The groups of a schema, in the engine's order: each after what it lies within. */
export async function declared<S extends Schema>(
  schema: S,
  levels: readonly (readonly string[])[],
  follows: readonly Followed[],
): Promise<[Handle, DeclaredGroup[]]> {
  const place = (name: string) => schema.index(name);
  const places = levels.map((by) => by.map(place));
  const more = follows.map(({ from, to, codes, numbers }) => {
    return { pair: [place(from), place(to)], codes, numbers };
  });
  const args = {
    schema: schema.normal(),
    levels: JSON.stringify(places),
    follows: JSON.stringify(more),
  };
  const [handle, flat] = await open("groups.open", args);
  const groups: DeclaredGroup[] = [];
  for (let at = 0; at < flat.length; ) {
    const [level, parent] = [flat[at] as number, flat[at + 1] as number];
    const end = at + 2 + (places[level] as number[]).length;
    groups.push({
      level,
      parent: parent < 0 ? undefined : parent,
      codes: Array.from(flat.subarray(at + 2, end)),
    });
    at = end;
  }
  return [handle, groups];
}

/** Makes all that releases of groups take from a public table. */
export async function sharedPrior<S extends Schema>(
  table: Table<S>,
  resolved: Resolved<S>,
  hierarchy: ResolvedGroups<S>,
  stage: Stage,
): Promise<SharedPrior<S>> {
  const { follows, dependencies } = hierarchy;
  const [plan, groups] = await declared(
    table.schema,
    hierarchy.levels.map(({ by }) => by),
    follows,
  );
  using _ = plan;
  const args = { most: hierarchy.mostRows, seed: `${key(resolved.seed, "shared")}` };
  const how = { on: [plan, table.handle], ...stage("prior") };
  const [blanked, { rows: number }] = await open("groups.blank", args, how);
  using blank = new Table(table.schema, blanked, number, true);
  const { table: rows, distinct } = await started(blank, resolved, dependencies, stage);
  try {
    const [shared] = await open("groups.share", undefined, { on: [plan, rows.handle] });
    const counts = hierarchy.local
      ? await counted(table, resolved, hierarchy, stage)
      : hierarchy.levels.map(() => undefined);
    const lists = counts.map((level, i) => publicCliques(table.schema, hierarchy, i, level));
    const values = joined(counts.flatMap((level) => level?.values ?? []));
    const between = await call("groups.between", { counts: JSON.stringify(lists), values }, { on: plan });
    const made = { groups, follows, dependencies, rows, distinct, shared, counts };
    return held({ ...made, between: Array.from(between) }, rows.handle, shared);
  } catch (error) {
    rows.dispose();
    throw error;
  }
}

/** The cliques of public counts in the groups of a level, with a variance that nobody looks at. */
export function publicCliques<S extends Schema>(
  schema: S,
  { levels }: ResolvedGroups<S>,
  level: number,
  counts: PublicCounts<S> | undefined,
): object[] {
  const { keys } = levels[level] as ResolvedGroups<S>["levels"][number];
  return counts?.names.map((name) => wired(schema, [...keys, name], 1)) ?? [];
}

/** A clique and the variance of its answers, as the engine reads them. */
export const wired = (schema: Schema, clique: readonly string[], variance: number): object => ({
  clique: clique.map((name) => schema.index(name)),
  variance,
});

/** Each attribute within the groups of each level that has groups, as records of what the prior is worth. */
async function counted<S extends Schema>(
  table: Table<S>,
  { priorStrength }: Resolved<S>,
  { levels, rest }: ResolvedGroups<S>,
  stage: Stage,
): Promise<(PublicCounts<S> | undefined)[]> {
  const { schema } = table;
  // Of all levels the same attributes.
  const names = rest.filter((name) =>
    levels.every(({ keys }) => schema.cells([...keys, name]) <= MOST_CELLS),
  );
  const of = async ({ keys }: (typeof levels)[number]) => {
    if (keys.length === 0 || names.length === 0) return undefined;
    const cliques = names.map((name) => [...keys, name]);
    const values = await table.answer(workload(schema, cliques), stage("prior"));
    const weight = (values[0] as Float64Array).reduce((sum, count) => sum + count, 0);
    const rate = weight > 0 ? priorStrength / weight : 1;
    return { names, values: values.map((counts) => counts.map((count) => rate * count)) };
  };
  const all: (PublicCounts<S> | undefined)[] = [];
  for (const level of levels) all.push(await of(level));
  return all;
}
