import { call, type Handle, open } from "../../engine/index.js";
import { MarginaliaError } from "../../errors.js";
import type { Measurement } from "../../measurement.js";
import { invalid } from "../../options.js";
import { symbolOf } from "../../privacy/budget.js";
import { Rational, show } from "../../privacy/rational.js";
import type { Sealed } from "../../privacy/sealed.js";
import { key } from "../../seed.js";
import type { Schema } from "../../tables/schema.js";
import { planOf } from "../given.js";
import { refused } from "../refused.js";
import { Run } from "../runs.js";
import { type Stage, stages } from "../stage.js";
import type { GroupedPriorAware, GroupedRunSettings } from "./mechanism.js";
import { GroupedPlan } from "./plan.js";
import { planned, stepOf } from "./planning.js";
import { joined, type SharedPrior, wire } from "./public.js";
import { type Figures, GroupedRelease, named, type ReleasedGroup } from "./release.js";
import { trustOf } from "./trust.js";

/** See `GroupedPriorAware.run`. */
export async function ran<S extends Schema>(
  mechanism: GroupedPriorAware<S>,
  sealed: Sealed<S>,
  settings: GroupedRunSettings<S>,
): Promise<GroupedRelease<S>> {
  const plan = await planOf(GroupedPlan<S>, settings.plan, { mechanism, sealed }, () =>
    planned(mechanism, sealed, settings),
  );
  const run = new Run(sealed, plan.parts.label);
  return run.doing(async () => {
    refuseTooMuch(plan, sealed, run);
    return released(plan, sealed, run, settings);
  });
}

/** Measures level by level, what the ledger does not have, and estimates from all. */
async function released<S extends Schema>(
  plan: GroupedPlan<S>,
  { ledger }: Sealed<S>,
  run: Run<S>,
  settings: GroupedRunSettings<S>,
): Promise<GroupedRelease<S>> {
  const { requests, settled, prepared, targets } = plan.parts;
  const { signal, seed = settled.seed, keepRefused = false, onGroup } = settings;
  const measured: Measurement[][] = [];
  for (const [level, { requests: own }] of requests.entries())
    measured.push(own.length > 0 ? await run.measure(own, { step: stepOf(level), signal }) : []);
  const asking = asked(plan, measured, seed);
  const [job] = await open("groups.begin", asking, { on: prepared.shared, transfer: [asking.values.buffer] });
  using _ = job;
  const figures = await estimated(job, plan, stages(settings), onGroup);
  const bad = figures.filter(({ status }) => status === "refused").length;
  if (bad > 0 && !keepRefused)
    throw refused(`the estimate of ${bad} of ${figures.length} groups`, measured.flat());
  const [handle] = await open("groups.finish", undefined, { on: job });
  const trust = await trustOf(handle);
  const kept = prepared.share();
  const parts = { plan, handle, figures, trust, measured, ledger, targets, seed };
  return new GroupedRelease({ ...parts, prepared: kept });
}

/** Estimates group after group, each told of when it is done. */
async function estimated<S extends Schema>(
  job: Handle,
  plan: GroupedPlan<S>,
  stage: Stage,
  onGroup: ((group: ReleasedGroup) => void) | undefined,
): Promise<Figures[]> {
  const all: Figures[] = new Array(plan.parts.prepared.groups.length);
  for (;;) {
    const { flat, over } = await call("groups.run", undefined, { on: job, ...stage("estimate") });
    for (let at = 0; at < flat.length; at += FIGURES) {
      const [group, ...rest] = flat.subarray(at, at + FIGURES) as unknown as [number, ...number[]];
      const [status, relativeGap, relativeEntropy, records, variance, worth, outside] = rest as Seven;
      const one: Figures = {
        status: STATUS[status] ?? "refused",
        relativeGap,
        relativeEntropy,
        records,
        variance,
        worth,
        outside,
      };
      all[group] = one;
      onGroup?.(named(plan, group, one));
    }
    if (over) return all;
  }
}

/** What stands of each group in what the engine tells: `crates/model-wasm/src/hierarchy.rs` writes it. */
const FIGURES = 8;
type Seven = [number, number, number, number, number, number, number];
const STATUS = ["converged", "limit", "refused"] as const;

/** What the engine is asked. */
function asked<S extends Schema>(
  plan: GroupedPlan<S>,
  measured: readonly (readonly Measurement[])[],
  seed: string | number,
): { options: string; values: Float64Array<ArrayBuffer> } {
  const { settled, asked, prepared } = plan.parts;
  const { schema } = settled;
  const arrays: Float64Array[] = [];
  const levels = measured.map((list, i) => {
    const counts = prepared.counts[i];
    arrays.push(...list.map(({ values }) => values), ...(counts?.values ?? []));
    return {
      measurements: list.map(({ clique, noise }) => {
        return { clique: clique.map((name) => schema.index(name)), variance: noise.variance };
      }),
      public: counts?.names.map((name) => wire(schema, asked, i, [name])) ?? [],
      fixed: asked.levels[i]?.strength ?? null,
      between: prepared.between[i] as number,
      sweeps: i === 0 ? TOP_SWEEPS : SWEEPS,
    };
  });
  const options = {
    levels,
    strength: settled.priorStrength,
    totals: asked.totals,
    all: asked.totals === "consistent" ? (settled.total ?? null) : null,
    known: asked.known.map(({ codes, records }) => [placeOf(prepared, codes), records]),
    laplace: settled.law === "laplace",
    iterative: asked.estimator === "iterative",
    tolerance: settled.tolerance,
    passes: PASSES,
    seed: `${key(seed, "groups")}`,
  };
  return { options: JSON.stringify(options), values: joined(arrays) };
}

/** The place of a group of the coarsest level. */
function placeOf<S extends Schema>({ groups }: SharedPrior<S>, codes: readonly number[]): number {
  const at = groups.findIndex((one) => one.level === 0 && `${one.codes}` === `${codes}`);
  if (at >= 0) return at;
  throw invalid("`total` names a group that cannot be, by what follows from others");
}

/** Sweeps before Newton's method: many records make a stiff problem, and groups have few. */
const TOP_SWEEPS = 5;
const SWEEPS = 1;
const PASSES = 20_000;

/**
 * Refuses what is left to be paid of all levels where it does not fit, before the first is paid. A level is paid when its answers
 * are in the ledger under the label of this very run: another run of the same pays for itself.
 */
function refuseTooMuch<S extends Schema>(plan: GroupedPlan<S>, sealed: Sealed<S>, run: Run<S>): void {
  const due = plan.levels.flatMap(({ charges }, level) => (run.paid(stepOf(level)) ? [] : charges));
  const price = due.reduce((sum, { cost }) => sum.plus(Rational.of(cost)), Rational.of(0));
  if (sealed.left.minus(price).sign >= 0) return;
  const { currency } = sealed.ledger.header.total;
  const words = [price, sealed.left].map((amount) => `${symbolOf(currency)} = ${show(amount, false)}`);
  const message = `all levels together need ${words[0]}, and ${words[1]} is left: give a smaller \`spend\``;
  throw new MarginaliaError("BUDGET_EXCEEDED", message);
}
