import { dependenciesOf, followedOf, namedDependencies } from "../../estimate/dependencies.js";
import type { Measurement } from "../../measurement.js";
import type { PlannedCharge } from "../../privacy/measurePlan.js";
import type { MeasureRequest } from "../../privacy/request.js";
import type { Sealed } from "../../privacy/sealed.js";
import type { NameOf, Schema } from "../../tables/schema.js";
import type { Workload } from "../../tables/workload.js";
import { COMMON, type CommonOptions, FORECAST } from "../kit/common.js";
import { measurePlan, opening, priorOf, worthOf } from "../kit/opening.js";
import { type Resolved, resolve } from "../kit/resolved.js";
import type { Run } from "../kit/run.js";
import { type ReleaseSettings, type Stage, stages } from "../kit/stages.js";
import { keptOf } from "../kit/targets.js";
import { dividing, requested } from "./choosing.js";
import { estimated } from "./estimating.js";
import type { GroupedOptions, GroupedPriorAware, GroupedRunSettings } from "./index.js";
import { GroupedPlan, type GroupedPlanParts, type PlannedLevel, stepOf } from "./plan.js";
import { type SharedPrior, sharedPrior } from "./prior.js";
import { reasons } from "./reasons.js";
import type { GroupedRelease } from "./release.js";
import { finestOf, type KeptInGroups, type ResolvedGroups, resolveGroups } from "./resolved.js";

export { GroupedPlan as Plan } from "./plan.js";

/** See `Mechanism.plan`. */
export async function plan<S extends Schema>(
  mechanism: GroupedPriorAware<S>,
  sealed: Sealed<S>,
  settings: ReleaseSettings,
): Promise<GroupedPlan<S>> {
  const { options } = mechanism;
  const worth = await worthOf(options, sealed, settings);
  const { schema } = options.prior;
  const stage = stages(settings);
  const hierarchy = resolveGroups(schema, options, await keptIn(options, stage));
  const resolved = limited(resolve(flat(options, hierarchy), sealed, worth), options, hierarchy);
  const start = await opening(mechanism, sealed, resolved, own(hierarchy));
  const prepared = await prepare(mechanism, resolved, hierarchy, stage);
  const found = await dividing(options, { resolved, hierarchy, prepared, stage }, start.spend);
  const { budgets, lists } = found;
  const requests = lists.map((list, i) => requested(i, list, { resolved, hierarchy, budgets }));
  const measure = await measurePlan(start, requests.flat());
  const measured = lists.flatMap(({ list }) => [...list]);
  const targets = targetsOf(resolved, hierarchy, prepared, measured);
  const levels = levelsOf(start.label, { hierarchy, prepared, requests }, measure.charges);
  const { distinct, rows } = prepared;
  const follows = hierarchy.follows.map(({ from, to }) => ({ from, to }));
  const dependencies = [...follows, ...namedDependencies(schema, hierarchy.dependencies)];
  const prior = priorOf(options, start, { rows: rows.rows, distinct }, dependencies);
  return new GroupedPlan({
    ...{ ...start, hierarchy, prepared, requests, targets, measure, levels, prior },
    forecast: found.forecast,
    split: found.split,
    needs: needs(resolved, prepared, measure.charges, targets.length),
    reasons: reasons({ resolved, hierarchy, prepared, prior, levels, found, targets: targets.length }),
  });
}

/** See `Mechanism.run`: one charge for each level, and one estimate for each group. */
export async function run<S extends Schema>(
  made: GroupedPlan<S>,
  charges: Run<S>,
  settings: GroupedRunSettings<S>,
): Promise<GroupedRelease<S>> {
  const { signal } = settings;
  const measured: Measurement[][] = [];
  for (const [level, requests] of made.parts.requests.entries())
    measured.push(
      requests.length > 0 ? await charges.measure(requests, { step: stepOf(level), signal }) : [],
    );
  return estimated(made, charges, measured, settings);
}

/** What each level has: its groups, and its own of all charges. */
function levelsOf<S extends Schema>(
  label: string,
  { hierarchy, prepared, requests }: Pick<GroupedPlanParts<S>, "hierarchy" | "prepared" | "requests">,
  charges: readonly PlannedCharge[],
): PlannedLevel[] {
  let at = 0;
  return hierarchy.levels.map(({ by, strength }, i) => {
    const { length } = requests[i] as readonly MeasureRequest<S>[];
    at += length;
    return {
      by,
      groups: prepared.groups.filter(({ level }) => level === i).length,
      label: `${label}, ${stepOf(i)}`,
      ...(strength !== undefined && { strength }),
      ...(prepared.counts[i] && { between: prepared.between[i] as number }),
      charges: charges.slice(at - length, at),
    };
  });
}

/** What the public table says of attributes that follow from others, and from what tells groups apart. */
async function keptIn<S extends Schema>(
  { prior, groups, dependencies }: GroupedOptions<S>,
  stage: Stage,
): Promise<KeptInGroups> {
  const list = await dependenciesOf(prior, dependencies, stage("prior"));
  return { list, follows: await followedOf(prior, list, finestOf(groups)) };
}

/** The options that every release has: about attributes that tell no groups apart. */
function flat<S extends Schema>(options: GroupedOptions<S>, { rest }: ResolvedGroups<S>): CommonOptions<S> {
  const taken = [...COMMON, ...FORECAST].filter((name) => name !== "total" && name !== "estimator");
  const common = Object.fromEntries(Object.entries(options).filter(([name]) => taken.includes(name)));
  const attributes = (options.attributes ?? rest).filter((name) => rest.includes(name));
  const known = typeof options.total === "number" ? { total: options.total } : {};
  return { ...(common as unknown as CommonOptions<S>), ...known, attributes };
}

/** Nothing is drawn unless somebody asks: groups lend each other rows, and more of them make records coarser. */
function limited<S extends Schema>(
  resolved: Resolved<S>,
  { widen }: GroupedOptions<S>,
  { mostRows }: ResolvedGroups<S>,
): Resolved<S> {
  if (widen === undefined) return { ...resolved, widen: false };
  if (!resolved.widen || (widen && widen.rows !== undefined)) return resolved;
  return { ...resolved, widen: { ...resolved.widen, rows: Math.min(resolved.widen.rows, mostRows) } };
}

/** What only groups are asked for, as the label knows it: nothing that the public table says. */
function own<S extends Schema>({
  levels,
  rest,
  totals,
  estimator,
  local,
  mostRows,
  known,
}: ResolvedGroups<S>) {
  const plain = levels.map(({ workload: list, count, share, ...level }) => {
    return { ...level, workload: list && [...list], parts: [`${count}`, `${share}`] };
  });
  return { rest, totals, estimator, local, mostRows, known, levels: plain };
}

/** What was made of the public table. */
async function prepare<S extends Schema>(
  mechanism: GroupedPriorAware<S>,
  resolved: Resolved<S>,
  hierarchy: ResolvedGroups<S>,
  stage: Stage,
): Promise<SharedPrior<S>> {
  const { priorStrength, seed, widen, deny } = resolved;
  const levels = hierarchy.levels.map(({ by }) => by);
  const kept = resolved.dependencies ?? "keep";
  const by = [priorStrength, `${seed}`, widen, deny, levels, hierarchy.local, hierarchy.mostRows, kept];
  return mechanism.prepare(by, () => sharedPrior(mechanism.options.prior, resolved, hierarchy, stage));
}

/** Passes over all rows and marginals that a group takes, and over candidate rows and tables that its records take. */
const PASSES = 16;
const ROUNDING_PASSES = 40;

/** Rough: bytes of memory, and seconds on one thread of a usual machine. */
function needs<S extends Schema>(
  { expectedRows, schema }: Resolved<S>,
  { rows: { rows }, groups, counts }: SharedPrior<S>,
  charges: readonly PlannedCharge[],
  targets: number,
): GroupedPlanParts<S>["needs"] {
  const single = Math.max(0, ...counts.map((level) => level?.names.length ?? 0));
  const cells = charges.reduce((sum, { answers }) => sum + answers, 0);
  const known = counts.reduce(
    (sum, level) => sum + (level?.values.reduce((all, one) => all + one.length, 0) ?? 0),
    0,
  );
  const perRow = 6 * schema.names.length + 4 * (charges.length + single + targets) + 240;
  const bytes = rows * perRow + 24 * (cells + known) + 50 * expectedRows + 2 ** 25;
  const candidates = Math.min(rows * groups.length, 16 * expectedRows);
  const lookups = PASSES * groups.length * rows * (single + 2) + ROUNDING_PASSES * candidates * targets;
  return { bytes: Math.ceil(bytes / 2 ** 20) * 2 ** 20, seconds: Math.ceil(lookups / 1e8) / 10 };
}

/** Up to so many tables are kept: every group is rounded by all of them. */
const MOST_TARGETS = 60;

/** The tables that the records of each group keep: pairs of what is judged. */
function targetsOf<S extends Schema>(
  resolved: Resolved<S>,
  { rest }: ResolvedGroups<S>,
  { rows }: SharedPrior<S>,
  measured: readonly (readonly NameOf<S>[])[],
): Workload<S> {
  const names = resolved.schema.at(resolved.attributes).filter((name) => rest.includes(name));
  const kept = { names, first: [], measured, rows: rows.rows, most: () => MOST_TARGETS };
  return resolved.targets ?? keptOf(resolved, kept);
}
