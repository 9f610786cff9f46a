import { invalid } from "../../options.js";
import { double, type Rational } from "../../privacy/rational.js";
import type { MeasureRequest } from "../../privacy/request.js";
import type { NameOf, Schema } from "../../tables/schema.js";
import { type Workload, workload } from "../../tables/workload.js";
import { chosen, type Forecast, forecast } from "../kit/forecast.js";
import type { Resolved } from "../kit/resolved.js";
import { divided, sharesOf } from "../kit/shares.js";
import type { Stage } from "../kit/stages.js";
import type { GroupedOptions } from "./index.js";
import { type OneWay, worthMeasuring } from "./oneways.js";
import type { SharedPrior } from "./prior.js";
import type { ResolvedGroups } from "./resolved.js";
import { type SplitForecast, splitForecast, type Way, type WayWithLists, ways } from "./splitting.js";

/** What counts and workload of one level spend. */
export interface Spending {
  readonly count: Rational;
  readonly share: Rational;
}

/** What counts and workload of each level spend: exact fractions whose sum is the amount. */
export function split({ levels }: Way, spend: Rational): Spending[] {
  const all = divided(
    spend,
    levels.flatMap(({ count, share }) => [count, share]),
  );
  return levels.map((_, i) => ({ count: all[2 * i] as Rational, share: all[2 * i + 1] as Rational }));
}

export interface Choosing<S extends Schema> {
  resolved: Resolved<S>;
  hierarchy: ResolvedGroups<S>;
  prepared: SharedPrior<S>;
  budgets: readonly Spending[];
  stage: Stage;
}

/** A workload, and the power of cells by which it is paid. */
export interface Listed<S extends Schema> {
  readonly list: Workload<S>;
  readonly exponent: number;
}

/** What each level spends on what. */
export interface Divided<S extends Schema> {
  budgets: readonly Spending[];
  lists: readonly Listed<S>[];
  way: Way;
  /** Why the budget is divided so, where a forecast chose it. */
  split: SplitForecast | undefined;
  /** Why the coarsest level has its workload, where a forecast chose it. */
  forecast: Forecast | undefined;
}

/** Divides a budget among levels: as asked, or as a forecast finds best. */
export async function dividing<S extends Schema>(
  options: GroupedOptions<S>,
  parts: Omit<Choosing<S>, "budgets">,
  spend: Rational,
): Promise<Divided<S>> {
  const all = ways(parts.hierarchy, parts.resolved);
  const [first] = all;
  if (first === undefined)
    throw invalid("without counts nothing says how many records groups have: give `count` above 0");
  const found = all.length > 1 ? await tried(options, parts, spend, all) : undefined;
  const way = found ? (all[found.chosen] as Way) : first;
  const budgets = split(way, spend);
  return { way, budgets, split: found, ...(await workloads(options, { ...parts, budgets })) };
}

/** The forecast of several ways, each with what it would measure; for the coarsest level that is found roughly, and once. */
async function tried<S extends Schema>(
  options: GroupedOptions<S>,
  parts: Omit<Choosing<S>, "budgets">,
  spend: Rational,
  all: readonly Way[],
): Promise<SplitForecast> {
  const known = new Map<string, Listed<S>>();
  const list: WayWithLists<S>[] = [];
  for (const way of all) {
    const budgets = split(way, spend);
    const resolved = { ...parts.resolved, draws: 1 };
    const { lists } = await workloads(options, { ...parts, resolved, budgets }, known);
    const last = lists.at(-1);
    // What measures nothing says nothing of how many records there are.
    if (way.levels.at(-1)?.count === 0n && last?.list.length === 0) continue;
    list.push({ way, budgets, lists });
  }
  const found = await splitForecast(options.prior, { ...parts, budgets: [] }, list);
  return { ...found, chosen: all.indexOf((list[found.chosen] as WayWithLists<S>).way) };
}

/**
 * What each level measures. The coarsest of several: what a forecast finds best where all of it is one table, as for a
 * release without groups. The others: single attributes, because what is between attributes is in the prior.
 */
export async function workloads<S extends Schema>(
  options: GroupedOptions<S>,
  parts: Choosing<S>,
  known: Map<string, Listed<S>> = new Map(),
): Promise<{ lists: Listed<S>[]; forecast: Forecast | undefined }> {
  const { resolved, hierarchy, prepared, budgets, stage } = parts;
  const { schema } = resolved;
  let found: Forecast | undefined;
  const lists: Listed<S>[] = [];
  for (const [i, { workload: own }] of hierarchy.levels.entries()) {
    const power = resolved.exponents.at(-1) as number;
    const { share } = budgets[i] as Spending;
    const top = i === 0 && hierarchy.levels.length > 1;
    const id = top ? "top" : `${i} ${share}`;
    const before = known.get(id);
    if (share.sign === 0) lists.push({ list: workload(schema, []), exponent: 0 });
    else if (own) lists.push({ list: own, exponent: power });
    else if (before) lists.push(before);
    else if (top) {
      const groups = prepared.groups.filter(({ level }) => level === 0).length;
      const one = { ...resolved, expectedRows: resolved.expectedRows / groups };
      found = await forecast(options.prior, prepared.rows, { resolved: one, spend: share }, stage);
      const { cliques, exponent } = chosen(found);
      lists.push({ list: workload(schema, cliques as readonly (readonly NameOf<S>[])[]), exponent });
    } else {
      const names = await singles(i, parts);
      const cliques = names.map((name) => [name]);
      lists.push({ list: workload(schema, cliques), exponent: power });
    }
    known.set(id, lists[i] as Listed<S>);
  }
  return { lists, forecast: found };
}

/** The most groups by which single attributes are chosen. */
const MOST_GROUPS = 128;

/** Some places of so many, evenly spread. */
function some(count: number, most: number): number[] {
  const step = Math.max(1, count / most);
  return Array.from({ length: Math.min(count, most) }, (_, i) =>
    Math.floor(step === 1 ? i : (i + 0.5) * step),
  );
}

const total = (list: readonly number[]) => list.reduce((sum, one) => sum + one, 0);

/** The single attributes that are worth measuring in the groups of a level. */
async function singles<S extends Schema>(
  level: number,
  { resolved, hierarchy, prepared, budgets, stage }: Choosing<S>,
): Promise<NameOf<S>[]> {
  const { schema, attributes, law, sensitivity, expectedRows } = resolved;
  const judged = schema.at(attributes);
  const known = prepared.counts[level];
  const { keys } = hierarchy.levels[level] as (typeof hierarchy.levels)[number];
  const number = prepared.groups.filter((one) => one.level === level).length;
  const count = known ? schema.cells(keys) : number;
  const groups = some(count, MOST_GROUPS);
  const single = judged.map((name) => [name]);
  const whole = known ? [] : await prepared.rows.answer(workload(schema, single), stage("prior"));
  const ways = judged.flatMap((name, i): OneWay<NameOf<S>>[] => {
    const cells = known ? known.values[known.names.indexOf(name)] : whole[i];
    // Too many cells to be counted, and so to be measured.
    if (!cells) return [];
    const size = known ? cells.length / count : 0;
    const of = (g: number) => Array.from(known ? cells.subarray(g * size, (g + 1) * size) : cells);
    return [{ name, counts: groups.map(of) }];
  });
  const sizes = (ways[0]?.counts ?? []).map(total);
  const all = (total(sizes) * count) / Math.max(1, groups.length);
  const even = expectedRows / Math.max(1, number);
  const between = prepared.between[level] as number;
  return worthMeasuring(ways, {
    records: sizes.map((size) => (known && all > 0 ? (expectedRows * size) / all : even)),
    worth: sizes.map((size) => Math.min(between, resolved.priorStrength) + (known ? size : 0)),
    budget: double((budgets[level] as Spending).share, false),
    law,
    sensitivity: { l1: Number(sensitivity.l1), l2Squared: Number(sensitivity.l2Squared) },
  });
}

/** Counts and workload of one level: in every group where it has some. */
export function requested<S extends Schema>(
  level: number,
  { list, exponent }: Listed<S>,
  { resolved, hierarchy, budgets }: Pick<Choosing<S>, "resolved" | "hierarchy" | "budgets">,
): MeasureRequest<S>[] {
  const { keys } = hierarchy.levels[level] as (typeof hierarchy.levels)[number];
  const { count, share } = budgets[level] as Spending;
  const { law } = resolved;
  const spread = keys.length === 0 ? "whole" : { groups: keys };
  const shares = sharesOf(share, list, exponent);
  return [
    ...(count.sign > 0 ? [{ clique: [], spend: count, spread, law } as const] : []),
    ...shares.map((spend, i) => ({ clique: list.clique(i), spend, spread, law }) as const),
  ];
}
