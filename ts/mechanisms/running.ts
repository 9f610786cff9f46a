import { estimate } from "../estimate/estimate.js";
import type { Model } from "../estimate/model.js";
import { prior } from "../estimate/prior.js";
import type { Measurement } from "../measurement.js";
import { invalid, isObject } from "../options.js";
import type { Sealed } from "../privacy/sealed.js";
import type { NameOf, Schema } from "../tables/schema.js";
import { workload } from "../tables/workload.js";
import { ReleasePlan } from "./plan.js";
import { planned } from "./planning.js";
import type { PriorAware, RunSettings } from "./priorAware.js";
import { Release } from "./release.js";
import { type Stage, stages } from "./stage.js";

/** See `PriorAware.run`. */
export async function ran<S extends Schema>(
  mechanism: PriorAware<S>,
  sealed: Sealed<S>,
  settings: RunSettings<S>,
): Promise<Release<S>> {
  const plan = await planOf(mechanism, sealed, settings);
  const { requests, label, settled, prepared, targets } = plan.parts;
  const { signal, seed = settled.seed } = settings;
  const stage = stages(settings);
  const measurements = await sealed.measure(requests, { label, ...(signal && { signal }) });
  const { priorStrength, strength, tolerance, total } = settled;
  using start = await prior(prepared.table, { strength: priorStrength, ...stage("prior") });
  const estimated = await estimate.calibrated<S>({
    prior: start,
    measurements,
    strength,
    tolerance,
    seed,
    ...(total !== undefined && { total }),
    ...stage("estimate"),
  });
  try {
    const misfits = await misfit(estimated.model, measurements, stage);
    const { ledger } = sealed;
    return new Release({
      plan,
      estimate: estimated,
      measurements,
      ledger,
      prepared: prepared.share(),
      targets,
      misfits,
      seed,
    });
  } catch (error) {
    estimated.dispose();
    throw error;
  }
}

/** The plan that is run: as given, where this mechanism makes the same now. */
async function planOf<S extends Schema>(
  mechanism: PriorAware<S>,
  sealed: Sealed<S>,
  { plan, signal, onProgress }: RunSettings<S>,
): Promise<ReleasePlan<S>> {
  if (plan instanceof ReleasePlan && plan.parts.mechanism === mechanism && plan.parts.sealed === sealed) {
    if (plan.parts.prepared.alive) return plan;
  }
  const now = await planned(mechanism, sealed, {
    ...(signal && { signal }),
    ...(onProgress && { onProgress }),
  });
  if (plan === undefined) return now;
  if (!isObject(plan)) throw invalid("`plan` is what `plan` of this mechanism gave, or its JSON");
  const given = plan instanceof ReleasePlan ? plan.toJSON() : plan;
  if (essence(given) === essence(now.toJSON())) return now;
  throw invalid(
    "the plan is of another mechanism, prior or account, or of an account that has been spent from since: make it anew",
  );
}

/** What a plan says, but for what was spent before, which an interrupted run has changed itself. */
function essence(plan: unknown): string {
  const { measure, ...rest } = JSON.parse(JSON.stringify(plan)) as { measure?: Record<string, unknown> };
  return JSON.stringify([rest, { ...measure, spent: null, fits: null }]);
}

/** For each measurement the root of the mean square of what the model misses, over cells where it can have records. */
export async function misfit<S extends Schema>(
  model: Model<S>,
  measurements: readonly Measurement[],
  stage: Stage,
): Promise<number[]> {
  const cliques = measurements.map(({ clique }) => clique as readonly NameOf<S>[]);
  const { signal } = stage("estimate");
  const answers = await model.answer(workload(model.schema, cliques), { ...(signal && { signal }) });
  return measurements.map(({ values }, i) => {
    const cells = answers[i] as Float64Array;
    let [sum, count] = [0, 0];
    for (const [cell, answer] of cells.entries()) {
      if (answer === 0) continue;
      sum += (answer - (values[cell] as number)) ** 2;
      count += 1;
    }
    return Math.sqrt(sum / Math.max(count, 1));
  });
}
