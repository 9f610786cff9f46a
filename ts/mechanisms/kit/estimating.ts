import { aborted } from "../../engine/failure.js";
import { type CalibratedOptions, estimate } from "../../estimate/estimate.js";
import type { CalibratedEstimate, EstimateAborted } from "../../estimate/outcome.js";
import { type Prior, prior } from "../../estimate/prior.js";
import type { SupportModel } from "../../estimate/support.js";
import type { Measurement } from "../../measurement.js";
import type { NameOf, Schema } from "../../tables/schema.js";
import { workload } from "../../tables/workload.js";
import type { RunOf } from "./mechanism.js";
import { Release, type ReleaseReport } from "./modelled.js";
import type { Plan, PlanParts } from "./plan.js";
import type { Prepared } from "./prior.js";
import { refused } from "./refused.js";
import type { Resolved } from "./resolved.js";
import type { Run } from "./run.js";
import { type Stage, stages } from "./stages.js";

/** A plan of a release that starts from rows. */
type PlanFrom<S extends Schema> = Plan & { readonly parts: PlanParts<S> & { prepared: Prepared<S> } };

/** The public start of estimates. */
export const startOf = <S extends Schema>({ resolved, prepared }: PlanFrom<S>["parts"], stage: Stage) =>
  prior(prepared.table, { strength: resolved.priorStrength, ...stage("prior") });

/** How all estimates of a release are asked for. */
export function calibration<S extends Schema>(
  { strength, tolerance, total }: Resolved<S>,
  start: Prior<S>,
  measurements: readonly Measurement[],
): CalibratedOptions<S> {
  return { prior: start, measurements, strength, tolerance, ...(total !== undefined && { total }) };
}

/** Estimates; of an aborted estimate nothing stays. */
export async function calibrated<S extends Schema>(
  options: CalibratedOptions<S>,
  stage: Stage,
): Promise<CalibratedEstimate<S>> {
  const how = stage("estimate");
  try {
    return await estimate.calibrated({ ...options, ...how });
  } catch (error) {
    const { partial } = Object(error) as Partial<EstimateAborted<S>>;
    if (partial === undefined || how.signal === undefined) throw error;
    partial.dispose();
    throw aborted(how.signal);
  }
}

/** The release of what all answers say. */
export async function estimated<S extends Schema, P extends PlanFrom<S>>(
  plan: P,
  { sealed: { ledger } }: Run<S>,
  measurements: readonly Measurement[],
  settings: RunOf<P>,
  begun?: { readonly start: Prior<S>; readonly stage: Stage },
): Promise<Release<S, P>> {
  const { resolved, targets } = plan.parts;
  const { seed = resolved.seed, keepRefused = false } = settings;
  const stage = begun?.stage ?? stages(settings);
  using start = begun ? undefined : await startOf<S>(plan.parts, stage);
  const options = calibration(resolved, begun?.start ?? (start as Prior<S>), measurements);
  const found = await calibrated({ ...options, seed, keepRefused }, stage);
  try {
    if (found.status === "refused" && !keepRefused) throw refused("the estimate", measurements);
    const misfits = await misfit(found.model, measurements, stage);
    const report = reported(plan, found, measurements, misfits);
    const prepared = plan.parts.prepared.share();
    const { model } = found;
    const free = () => prepared.dispose();
    return new Release<S, P>({
      ...{ model, measurements, report, rows: prepared.table, targets, seed, ledger, free },
      plan: plan as Release<S, P>["plan"],
    });
  } catch (error) {
    found.dispose();
    throw error;
  }
}

function reported<S extends Schema, P extends Plan>(
  plan: P,
  estimate: CalibratedEstimate<S>,
  measurements: readonly Measurement[],
  misfits: readonly number[],
): ReleaseReport<ReturnType<P["toJSON"]>> {
  const { status, certificate, strength, consistency, total, outside } = estimate;
  const { relativeGap, relativeEntropy } = certificate;
  return Object.freeze({
    format: "marginalia-release-report",
    version: 1,
    plan: plan.toJSON() as ReturnType<P["toJSON"]>,
    total: { records: estimate.model.total, standardError: Math.sqrt(total.variance) },
    estimate: {
      status,
      relativeGap,
      relativeEntropy,
      strength,
      ...(consistency !== undefined && { consistency }),
    },
    measurements: measurements.map(({ clique, noise }, i) => {
      const { answers = 0, records = 0, variance = 0 } = outside[i] ?? {};
      return {
        clique,
        error: Math.sqrt(noise.variance),
        misfit: misfits[i] as number,
        outside: { answers, records, standardError: Math.sqrt(variance) },
      };
    }),
  });
}

/** For each measurement the root of the mean square of what the model misses, over cells where it can have records. */
async function misfit<S extends Schema>(
  model: SupportModel<S>,
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
