import { double, type Rational } from "../../privacy/rational.js";
import type { MeasureRequest } from "../../privacy/request.js";
import type { NameOf, Schema } from "../../tables/schema.js";
import { type Workload, workload } from "../../tables/workload.js";
import { type Forecast, forecast } from "../design.js";
import { chosen } from "../plan.js";
import { divided, parts, type Settled } from "../settled.js";
import type { Stage } from "../stage.js";
import { type OneWay, worthMeasuring } from "./oneways.js";
import type { GroupedOptions } from "./options.js";
import type { SharedPrior } from "./public.js";
import type { SettledGroups } from "./settled.js";

/** What counts and workload of each level spend: exact fractions whose sum is the amount. */
export function split<S extends Schema>(
  { levels }: SettledGroups<S>,
  spend: Rational,
): { count: Rational; share: Rational }[] {
  const all = divided(
    spend,
    levels.flatMap(({ count, share }) => [count, share]),
  );
  return levels.map((_, i) => ({ count: all[2 * i] as Rational, share: all[2 * i + 1] as Rational }));
}

export interface Choosing<S extends Schema> {
  settled: Settled<S>;
  asked: SettledGroups<S>;
  prepared: SharedPrior<S>;
  budgets: readonly { count: Rational; share: Rational }[];
  stage: Stage;
}

/** A workload, and the power of cells by which it is paid. */
export interface Listed<S extends Schema> {
  readonly list: Workload<S>;
  readonly exponent: number;
}

/**
 * What each level measures. The coarsest of several: what a forecast finds best where all of it is one table, as for a
 * release without groups. The others: single attributes, because what is between attributes is in the prior.
 */
export async function workloads<S extends Schema>(
  options: GroupedOptions<S>,
  parts: Choosing<S>,
): Promise<{ lists: Listed<S>[]; forecast: Forecast | undefined }> {
  const { settled, asked, prepared, budgets, stage } = parts;
  const { schema } = settled;
  let found: Forecast | undefined;
  const lists: Listed<S>[] = [];
  for (const [i, { workload: given, share }] of asked.levels.entries()) {
    const power = settled.exponents.at(-1) as number;
    if (share === 0n) lists.push({ list: workload(schema, []), exponent: 0 });
    else if (given) lists.push({ list: given, exponent: power });
    else if (i === 0 && asked.levels.length > 1) {
      const groups = prepared.groups.filter(({ level }) => level === 0).length;
      const one = { ...settled, expectedRows: settled.expectedRows / groups };
      const { share: budget } = budgets[0] as { share: Rational };
      found = await forecast(options.prior, prepared.rows, one, budget, stage);
      const { cliques, exponent } = chosen(found);
      lists.push({ list: workload(schema, cliques as readonly (readonly NameOf<S>[])[]), exponent });
    } else {
      const names = await singles(i, parts);
      const cliques = names.map((name) => [name]);
      lists.push({ list: workload(schema, cliques), exponent: power });
    }
  }
  return { lists, forecast: found };
}

/** The single attributes that are worth measuring in the groups of a level. */
async function singles<S extends Schema>(
  level: number,
  { settled, asked, prepared, budgets, stage }: Choosing<S>,
): Promise<NameOf<S>[]> {
  const { schema, attributes, law, sensitivity, expectedRows } = settled;
  const judged = attributes.map((place) => schema.names[place] as NameOf<S>);
  const groups = prepared.groups.filter((one) => one.level === level);
  const known = prepared.counts[level];
  const { keys } = asked.levels[level] as (typeof asked.levels)[number];
  const count = keys.reduce((all, name) => all * schema.size(name), 1);
  const single = judged.map((name) => [name]);
  const whole = known ? [] : await prepared.rows.answer(workload(schema, single), stage("prior"));
  const ways = judged.flatMap((name, i): OneWay<NameOf<S>>[] => {
    if (!known) return [{ name, counts: groups.map(() => Array.from(whole[i] as Float64Array)) }];
    const at = known.names.indexOf(name);
    // Too many cells to be counted, and so to be measured.
    if (at < 0) return [];
    const cells = known.values[at] as Float64Array;
    const size = cells.length / count;
    return [
      {
        name,
        counts: Array.from({ length: count }, (_, g) => Array.from(cells.subarray(g * size, (g + 1) * size))),
      },
    ];
  });
  const sizes = (ways[0]?.counts ?? []).map((cells) => cells.reduce((sum, one) => sum + one, 0));
  const all = sizes.reduce((sum, one) => sum + one, 0);
  const even = expectedRows / Math.max(1, groups.length);
  const records = known && all > 0 ? sizes.map((size) => (expectedRows * size) / all) : sizes.map(() => even);
  const between = prepared.between[level] as number;
  return worthMeasuring(ways, {
    records,
    worth: sizes.map((size) => Math.min(between, settled.priorStrength) + (known ? size : 0)),
    budget: double((budgets[level] as { share: Rational }).share, false),
    law,
    sensitivity: { l1: Number(sensitivity.l1), l2Squared: Number(sensitivity.l2Squared) },
  });
}

/** Counts and workload of one level: in every group where it has some. */
export function requested<S extends Schema>(
  level: number,
  { list, exponent }: Listed<S>,
  { settled, asked, budgets }: Pick<Choosing<S>, "settled" | "asked" | "budgets">,
): MeasureRequest<S>[] {
  const { keys } = asked.levels[level] as (typeof asked.levels)[number];
  const { count, share } = budgets[level] as { count: Rational; share: Rational };
  const { law } = settled;
  const spread = keys.length === 0 ? "whole" : { groups: keys };
  const sizes = Array.from({ length: list.length }, (_, i) => list.size(i));
  const shares = divided(share, parts(sizes, exponent));
  return [
    ...(count.sign > 0 ? [{ clique: [], spend: count, spread, law } as const] : []),
    ...shares.map((spend, i) => ({ clique: list.clique(i), spend, spread, law }) as const),
  ];
}
