import { estimate } from "../estimate/estimate.js";
import type { Model } from "../estimate/model.js";
import type { CalibratedEstimate } from "../estimate/outcome.js";
import { prior } from "../estimate/prior.js";
import type { Measurement } from "../measurement.js";
import type { Sealed } from "../privacy/sealed.js";
import type { NameOf, Schema } from "../tables/schema.js";
import { workload } from "../tables/workload.js";
import { planOf } from "./given.js";
import { ReleasePlan } from "./plan.js";
import { planned } from "./planning.js";
import type { PriorAware, RunSettings } from "./priorAware.js";
import { type AnyPlan, Release, type ReleaseParts } from "./release.js";
import { type Stage, stages } from "./stage.js";

/** See `PriorAware.run`. */
export async function ran<S extends Schema>(
  mechanism: PriorAware<S>,
  sealed: Sealed<S>,
  settings: RunSettings<S>,
): Promise<Release<S>> {
  const { plan: given, signal } = settings;
  const plan = await planOf(ReleasePlan<S>, given, { mechanism, sealed }, () =>
    planned(mechanism, sealed, settings),
  );
  const { requests, label, settled, prepared } = plan.parts;
  const { priorStrength, strength, tolerance, total, seed: usual } = settled;
  const { seed = usual } = settings;
  const stage = stages(settings);
  const measurements = await sealed.measure(requests, { label, ...(signal && { signal }) });
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
  return released(plan, estimated, { measurements, ledger: sealed.ledger, seed }, stage);
}

/** The release of an estimate, which goes where there is none. */
export async function released<S extends Schema, P extends AnyPlan<S>>(
  plan: P,
  estimate: CalibratedEstimate<S>,
  parts: Pick<ReleaseParts<S>, "measurements" | "ledger" | "seed">,
  stage: Stage,
): Promise<Release<S, P>> {
  const { prepared, targets } = plan.parts;
  try {
    const misfits = await misfit(estimate.model, parts.measurements, stage);
    return new Release<S, P>({ ...parts, plan, estimate, misfits, targets, prepared: prepared.share() });
  } catch (error) {
    estimate.dispose();
    throw error;
  }
}

/** For each measurement the root of the mean square of what the model misses, over cells where it can have records. */
async function misfit<S extends Schema>(
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
