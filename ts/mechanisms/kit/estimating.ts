import { aborted } from "../../engine/failure.js";
import { estimate } from "../../estimate/estimate.js";
import type { Model } from "../../estimate/model.js";
import type { CalibratedEstimate, Estimate, EstimateAborted } from "../../estimate/outcome.js";
import { type Prior, prior } from "../../estimate/prior.js";
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

/** A plan of one model. */
type PlanOfModel<S extends Schema> = Plan & { readonly parts: PlanParts<S> & { prepared?: Prepared<S> } };

/** The public start of estimates, where there is one. */
export const startOf = async <S extends Schema>(
  { resolved, prepared }: PlanOfModel<S>["parts"],
  stage: Stage,
): Promise<Prior<S> | undefined> =>
  prepared && prior(prepared.table, { strength: resolved.priorStrength, ...stage("prior") });

/** What every estimator is asked. */
interface Request<S extends Schema> {
  readonly prior: Prior<S>;
  readonly measurements: readonly Measurement[];
  readonly seed: string | number;
  readonly keepRefused: boolean;
}

/** How each estimator of a release is called, by its name. */
const CALLS = {
  calibrated: <S extends Schema>({ strength, tolerance }: Resolved<S>, request: Request<S>) =>
    estimate.calibrated({ ...request, strength, tolerance }),
  iterative: <S extends Schema>(_: Resolved<S>, { keepRefused: _kept, ...request }: Request<S>) =>
    estimate.iterative(request),
  twoStage: <S extends Schema>({ tolerance }: Resolved<S>, request: Request<S>) =>
    estimate.twoStage({ ...request, tolerance }),
  independent: <S extends Schema>(_: Resolved<S>, { keepRefused: _kept, ...request }: Request<S>) =>
    estimate.independent(request),
} as const;

/** What any of them answers. */
type AnyEstimate<S extends Schema> = Estimate<S, unknown, Model<S>> &
  Partial<Pick<CalibratedEstimate<S>, "strength" | "consistency">> & {
    readonly certificate?: { relativeGap: number; relativeEntropy: number; loss?: number };
  };

/** Estimates as a release asks for it; of an aborted estimate nothing stays. */
export async function estimateBy<S extends Schema>(
  resolved: Resolved<S>,
  { prior, ...rest }: Omit<Request<S>, "prior"> & { readonly prior: Prior<S> | undefined },
  stage: Stage,
): Promise<AnyEstimate<S>> {
  const how = stage("estimate");
  const { estimator = "calibrated", total, schema } = resolved;
  const request = { ...rest, ...(prior ? { prior } : { schema }), ...(total !== undefined && { total }) };
  try {
    // Options that resolve name an estimator that needs no prior, where there is none.
    return (await CALLS[estimator](resolved, {
      ...request,
      ...how,
    } as Request<S>)) as unknown as AnyEstimate<S>;
  } catch (error) {
    const { partial } = Object(error) as Partial<EstimateAborted<S>>;
    if (partial === undefined || how.signal === undefined) throw error;
    partial.dispose();
    throw aborted(how.signal);
  }
}

/** The release of what all answers say. The type of its model is up to the mechanism, which knows by its options what made it. */
export async function estimated<S extends Schema, P extends PlanOfModel<S>>(
  plan: P,
  { sealed: { ledger } }: Run<S>,
  measurements: readonly Measurement[],
  settings: RunOf<P>,
  begun?: { readonly start: Prior<S> | undefined; readonly stage: Stage },
): Promise<Release<S, P, never>> {
  const { resolved, targets } = plan.parts;
  const { seed = resolved.seed, keepRefused = false } = settings;
  const stage = begun?.stage ?? stages(settings);
  using start = begun ? undefined : await startOf<S>(plan.parts, stage);
  const from = begun ? begun.start : start;
  const found = await estimateBy(resolved, { prior: from, measurements, seed, keepRefused }, stage);
  try {
    if (found.status === "refused" && !keepRefused) throw refused("the estimate", measurements);
    const misfits = await misfit(found.model, measurements, stage);
    const report = reported(plan, found, measurements, misfits);
    const prepared = plan.parts.prepared?.share();
    const { model } = found;
    const free = () => prepared?.dispose();
    return new Release<S, P, never>({
      ...{ model: model as never, measurements, report, targets, seed, ledger, free },
      ...(prepared && model.kind === "support" && { rows: prepared.table }),
      plan: plan as Release<S, P>["plan"],
    });
  } catch (error) {
    found.dispose();
    throw error;
  }
}

function reported<S extends Schema, P extends Plan>(
  plan: P,
  found: AnyEstimate<S>,
  measurements: readonly Measurement[],
  misfits: readonly number[],
): ReleaseReport<ReturnType<P["toJSON"]>> {
  const { status, certificate, strength, consistency, total, outside, trace } = found;
  const json = plan.toJSON() as ReturnType<P["toJSON"]>;
  const { estimator } = json.estimate;
  const { relativeGap, relativeEntropy, loss } = { ...Object(trace.at(-1)), ...certificate } as Figures;
  return Object.freeze({
    format: "marginalia-release-report",
    version: 1,
    plan: json,
    total: { records: found.model.total, standardError: Math.sqrt(total.variance) },
    estimate: {
      status,
      ...(estimator !== "calibrated" && { estimator }),
      ...(relativeGap !== undefined && { relativeGap }),
      ...(relativeEntropy !== undefined && { relativeEntropy }),
      ...(strength !== undefined && { strength }),
      ...(consistency !== undefined && { consistency }),
      ...(estimator !== "calibrated" && loss !== undefined && { loss }),
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

interface Figures {
  relativeGap?: number;
  relativeEntropy?: number;
  loss?: number;
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
