import { aborted } from "../../engine/failure.js";
import { sha256, utf8 } from "../../privacy/ledger/bytes.js";
import { double, Rational } from "../../privacy/rational.js";
import type { MeasureRequest } from "../../privacy/request.js";
import type { Sealed } from "../../privacy/sealed.js";
import type { NameOf, Schema } from "../../tables/schema.js";
import { kWay, type Workload, workload } from "../../tables/workload.js";
import { type Forecast, forecast } from "../design.js";
import type { PriorAwareOptions, ReleaseSettings } from "../options.js";
import { chosen } from "../plan.js";
import { refuseSame, spendOf } from "../planning.js";
import { hashOf, MOST_CELLS, sizeOf } from "../public.js";
import { divided, parts, type Settled, settle } from "../settled.js";
import { type Stage, stages } from "../stage.js";
import type { GroupedPriorAware } from "./mechanism.js";
import { type OneWay, worthMeasuring } from "./oneways.js";
import { GROUPED, type GroupedOptions } from "./options.js";
import { GroupedPlan, type PlannedLevel } from "./plan.js";
import { type SharedPrior, shared } from "./public.js";
import { reasons } from "./reasons.js";
import { type SettledGroups, settleGroups } from "./settled.js";

/** What one level measures: its charge in the ledger has a label of its own. */
export interface LevelRequests<S extends Schema> {
  readonly label: string;
  readonly requests: readonly MeasureRequest<S>[];
}

/** See `GroupedPriorAware.plan`. */
export async function planned<S extends Schema>(
  mechanism: GroupedPriorAware<S>,
  sealed: Sealed<S>,
  settings: ReleaseSettings,
): Promise<GroupedPlan<S>> {
  const { options } = mechanism;
  if (settings.signal?.aborted) throw aborted(settings.signal);
  refuseSame(options, sealed);
  const { schema } = options.prior;
  const asked = settleGroups(schema, options);
  const strength = options.priorStrength ?? (await sizeOf(options.prior));
  const settled = limited(settle(flat(options, asked), sealed, strength), options, asked);
  const hash = await hashOf(options.prior);
  const label = await labelOf(settled, asked, hash, options);
  const spend = spendOf(options, sealed, (other) => isOf(label, other));
  const stage = stages(settings);
  const prepared = await prepare(mechanism, settled, asked, stage);
  const budgets = split(asked, spend);
  const found = await workloads(options, { settled, asked, prepared, budgets, stage });
  const requests = found.lists.map((list, i): LevelRequests<S> => {
    const level = {
      label: `${label}, level ${i + 1}`,
      requests: requested(i, list, { settled, asked, budgets }),
    };
    return level;
  });
  const all = requests.flatMap((level) => level.requests);
  const measure = await sealed.plan(all, { expectedRows: settled.expectedRows });
  const targets = targetsOf(settled, asked, prepared);
  const levels: PlannedLevel[] = [];
  let at = 0;
  for (const [i, { requests: own }] of requests.entries()) {
    const charges = measure.charges.slice(at, at + own.length);
    at += own.length;
    const groups = prepared.groups.filter(({ level }) => level === i).length;
    const { by, strength: fixed } = asked.levels[i] as (typeof asked.levels)[number];
    levels.push({
      by,
      groups,
      label: (requests[i] as LevelRequests<S>).label,
      ...(fixed !== undefined && { strength: fixed }),
      ...(prepared.counts[i] && { between: prepared.between[i] as number }),
      charges,
    });
  }
  return new GroupedPlan({
    mechanism,
    sealed,
    settled,
    asked,
    prepared,
    requests,
    targets,
    measure,
    levels,
    label,
    prior: {
      ...named(options),
      hash,
      strength: settled.priorStrength,
      rows: options.prior.rows,
      support: prepared.rows.rows,
      ...(settled.widen && { widen: settled.widen }),
    },
    forecast: found.forecast,
    reasons: reasons({ settled, asked, prepared, levels, forecast: found.forecast, targets: targets.length }),
  });
}

const named = ({ provenance: { name, declaredPublicBy } = {} }: Pick<GroupedOptions, "provenance">) => ({
  ...(name !== undefined && { name }),
  ...(declaredPublicBy !== undefined && { declaredPublicBy }),
});

/** The options that every release has: about attributes that tell no groups apart. */
function flat<S extends Schema>(
  options: GroupedOptions<S>,
  { rest }: SettledGroups<S>,
): PriorAwareOptions<S> {
  const common = Object.fromEntries(Object.entries(options).filter(([name]) => !GROUPED.includes(name)));
  const attributes = (options.attributes ?? rest).filter((name) => rest.includes(name));
  return { ...(common as unknown as PriorAwareOptions<S>), attributes };
}

/** Nothing is drawn unless somebody asks: groups lend each other rows, and more of them make records coarser. */
function limited<S extends Schema>(
  settled: Settled<S>,
  { widen }: GroupedOptions<S>,
  { mostRows }: SettledGroups<S>,
): Settled<S> {
  if (widen === undefined) return { ...settled, widen: false };
  if (!settled.widen || (widen && widen.rows !== undefined)) return settled;
  return { ...settled, widen: { ...settled.widen, rows: Math.min(settled.widen.rows, mostRows) } };
}

/** The same for the same options and the same public table, as that of a release without groups. */
async function labelOf<S extends Schema>(
  settled: Settled<S>,
  { levels, ...asked }: SettledGroups<S>,
  hash: string,
  { spend }: GroupedOptions<S>,
): Promise<string> {
  const { schema: _, workload: _none, targets, sensitivity, ...rest } = settled;
  const plain = {
    ...rest,
    ...asked,
    levels: levels.map(({ workload: list, count, share, ...level }) => {
      return { ...level, workload: list && [...list], parts: [`${count}`, `${share}`] };
    }),
    targets: targets && [...targets],
    sensitivity: [`${sensitivity.l1}`, `${sensitivity.l2Squared}`],
    spend: spend === undefined ? null : `${Rational.of(spend)}`,
  };
  return `${settled.label} ${(await sha256(utf8(JSON.stringify([plain, hash])))).slice(0, 12)}`;
}

/** Whether a label in the ledger is one of a release's levels. */
export const isOf = (label: string, other: unknown): boolean =>
  typeof other === "string" && other.startsWith(`${label}, level `);

/** What was made of the public table; once for the same settings, as long as the engine lives. */
async function prepare<S extends Schema>(
  mechanism: GroupedPriorAware<S>,
  settled: Settled<S>,
  asked: SettledGroups<S>,
  stage: Stage,
): Promise<SharedPrior<S>> {
  const { priorStrength, seed, widen, deny } = settled;
  const levels = asked.levels.map(({ by }) => by);
  const id = JSON.stringify([priorStrength, `${seed}`, widen, deny, levels, asked.local, asked.mostRows]);
  const known = await mechanism.prepared.get(id)?.catch(() => undefined);
  if (known?.alive) return known;
  const making = shared(mechanism.options.prior, settled, asked, stage);
  mechanism.prepared.set(id, making);
  making.catch(() => mechanism.prepared.delete(id));
  return making;
}

/** What counts and workload of each level spend: exact fractions whose sum is the amount. */
function split<S extends Schema>(
  { levels }: SettledGroups<S>,
  spend: Rational,
): { count: Rational; share: Rational }[] {
  const all = divided(
    spend,
    levels.flatMap(({ count, share }) => [count, share]),
  );
  return levels.map((_, i) => ({ count: all[2 * i] as Rational, share: all[2 * i + 1] as Rational }));
}

interface Chosen<S extends Schema> {
  settled: Settled<S>;
  asked: SettledGroups<S>;
  prepared: SharedPrior<S>;
  budgets: readonly { count: Rational; share: Rational }[];
  stage: Stage;
}

/** A workload, and the power of cells by which it is paid. */
interface Listed<S extends Schema> {
  readonly list: Workload<S>;
  readonly exponent: number;
}

/**
 * What each level measures. The coarsest of several: what a forecast finds best where all of it is one table, as for a
 * release without groups. The others: single attributes, because what is between attributes is in the prior.
 */
async function workloads<S extends Schema>(
  options: GroupedOptions<S>,
  parts: Chosen<S>,
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
  { settled, asked, prepared, budgets, stage }: Chosen<S>,
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
function requested<S extends Schema>(
  level: number,
  { list, exponent }: Listed<S>,
  { settled, asked, budgets }: Pick<Chosen<S>, "settled" | "asked" | "budgets">,
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

/** Up to so many tables are kept in each group. */
const MOST_TARGETS = 60;

/** The tables that the records of each group keep: pairs of what is judged. */
function targetsOf<S extends Schema>(
  settled: Settled<S>,
  { rest }: SettledGroups<S>,
  { rows }: SharedPrior<S>,
): Workload<S> {
  if (settled.targets) return settled.targets;
  const { schema, attributes } = settled;
  const names = attributes
    .map((place) => schema.names[place] as NameOf<S>)
    .filter((name) => rest.includes(name));
  const cells = (clique: readonly NameOf<S>[]) => clique.reduce((all, name) => all * schema.size(name), 1);
  const all = [...kWay(schema, Math.min(2, names.length), names)];
  const small = workload(
    schema,
    all.filter((clique) => cells(clique) <= MOST_CELLS),
  );
  // A table needs four bytes for each row, and every group is rounded by all of them.
  const most = Math.max(4, Math.min(MOST_TARGETS, 2 ** 26 / rows.rows));
  return small.length <= most ? small : small.sample(Math.floor(most), `${settled.seed}`);
}
