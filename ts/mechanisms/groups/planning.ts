import { aborted } from "../../engine/failure.js";
import type { PlannedCharge } from "../../privacy/plan.js";
import type { MeasureRequest } from "../../privacy/request.js";
import type { Sealed } from "../../privacy/sealed.js";
import { hashOf } from "../../tables/digest.js";
import type { NameOf, Schema } from "../../tables/schema.js";
import type { Workload } from "../../tables/workload.js";
import { sizeOf } from "../../tables/worth.js";
import { dependenciesOf, followedOf, namedDependencies, type PlannedDependency } from "../dependencies.js";
import type { PriorAwareOptions, ReleaseSettings } from "../options.js";
import { labelOf, measurePlan, priorOf, refuseSame, spendOf } from "../planning.js";
import { chargeOf } from "../runs.js";
import { type Settled, settle } from "../settled.js";
import { type Stage, stages } from "../stage.js";
import { keptOf } from "../targets.js";
import { dividing, requested } from "./choosing.js";
import type { GroupedPriorAware } from "./mechanism.js";
import { GROUPED, type GroupedOptions } from "./options.js";
import { GroupedPlan, type GroupedPlanParts, type PlannedLevel } from "./plan.js";
import { type SharedPrior, shared } from "./public.js";
import { reasons } from "./reasons.js";
import { finestOf, type KeptInGroups, type SettledGroups, settleGroups } from "./settled.js";

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
  await refuseSame(options, sealed);
  const { schema } = options.prior;
  const stage = stages(settings);
  const asked = settleGroups(schema, options, await keptIn(options, stage));
  const strength = options.priorStrength ?? (await sizeOf(options.prior));
  const settled = limited(settle(flat(options, asked), sealed, strength), options, asked);
  const hash = await hashOf(options.prior);
  const label = await labelOf(settled, own(asked), hash, options);
  const isOwn = chargeOf(label, sealed);
  const spend = spendOf(options, sealed, isOwn);
  const prepared = await prepare(mechanism, settled, asked, stage);
  const found = await dividing(options, { settled, asked, prepared, stage }, spend);
  const requests = found.lists.map(
    (list, i): LevelRequests<S> => ({
      label: `${label}, ${stepOf(i)}`,
      requests: requested(i, list, { settled, asked, budgets: found.budgets }),
    }),
  );
  const all = requests.flatMap((level) => level.requests);
  const measure = await measurePlan(sealed, all, settled.expectedRows, isOwn);
  const targets = targetsOf(
    settled,
    asked,
    prepared,
    found.lists.flatMap(({ list }) => [...list]),
  );
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
  const prior = priorOf(options, settled, {
    ...{ table: prepared.rows, distinct: prepared.distinct, hash },
    dependencies: saidOf(schema, asked),
  });
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
    prior,
    forecast: found.forecast,
    split: found.split,
    needs: needs(settled, prepared, measure.charges, targets.length),
    reasons: reasons({ settled, asked, prepared, prior, levels, found, targets: targets.length }),
  });
}

/** What the public table says of attributes that follow from others, and from what tells groups apart. */
async function keptIn<S extends Schema>(
  { prior, groups, dependencies }: GroupedOptions<S>,
  stage: Stage,
): Promise<KeptInGroups> {
  const list = await dependenciesOf(prior, dependencies, stage);
  return { list, follows: await followedOf(prior, list, finestOf(groups)) };
}

/** All that no record of groups breaks. */
export function saidOf(schema: Schema, { follows, dependencies }: KeptBy): readonly PlannedDependency[] {
  const own = follows.map(({ from, to }) => ({ from, to }));
  return [...own, ...namedDependencies(schema, dependencies)];
}

type KeptBy = Pick<SettledGroups<Schema>, "follows" | "dependencies">;

/** The options that every release has: about attributes that tell no groups apart. */
function flat<S extends Schema>(
  options: GroupedOptions<S>,
  { rest }: SettledGroups<S>,
): PriorAwareOptions<S> {
  const common = Object.fromEntries(Object.entries(options).filter(([name]) => !GROUPED.includes(name)));
  const attributes = (options.attributes ?? rest).filter((name) => rest.includes(name));
  const { total } = options;
  const known = typeof total === "number" ? { total } : {};
  const { total: _, ...others } = common as unknown as PriorAwareOptions<S>;
  return { ...others, ...known, attributes };
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

/** What only groups are asked for, as the label knows it. */
function own<S extends Schema>({
  levels,
  follows: _,
  dependencies: _kept,
  broken: _broken,
  ...asked
}: SettledGroups<S>) {
  return {
    ...asked,
    levels: levels.map(({ workload: list, count, share, ...level }) => {
      return { ...level, workload: list && [...list], parts: [`${count}`, `${share}`] };
    }),
  };
}

/** What the charge of a level is known by, after the label of its release. */
export const stepOf = (level: number): string => `level ${level + 1}`;

/** What was made of the public table. */
async function prepare<S extends Schema>(
  mechanism: GroupedPriorAware<S>,
  settled: Settled<S>,
  asked: SettledGroups<S>,
  stage: Stage,
): Promise<SharedPrior<S>> {
  const { priorStrength, seed, widen, deny } = settled;
  const levels = asked.levels.map(({ by }) => by);
  const kept = settled.dependencies ?? "keep";
  const by = [priorStrength, `${seed}`, widen, deny, levels, asked.local, asked.mostRows, kept];
  return mechanism.prepare(by, () => shared(mechanism.options.prior, settled, asked, stage));
}

/** Passes over all rows and marginals that a group takes, and over candidate rows and tables that its records take. */
const PASSES = 16;
const ROUNDING_PASSES = 40;

/** Rough: bytes of memory, and seconds on one thread of a usual machine. */
function needs<S extends Schema>(
  { expectedRows, schema }: Settled<S>,
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
  settled: Settled<S>,
  { rest }: SettledGroups<S>,
  { rows }: SharedPrior<S>,
  measured: readonly (readonly NameOf<S>[])[],
): Workload<S> {
  const { schema, attributes } = settled;
  const names = attributes
    .map((place) => schema.names[place] as NameOf<S>)
    .filter((name) => rest.includes(name));
  return (
    settled.targets ??
    keptOf(settled, { names, first: [], measured, rows: rows.rows, most: () => MOST_TARGETS })
  );
}
