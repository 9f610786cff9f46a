import { aborted } from "../../engine/failure.js";
import { estimate } from "../../estimate/estimate.js";
import { misfits } from "../../estimate/misfits.js";
import type { Model } from "../../estimate/model.js";
import type { CalibratedEstimate, Estimate, EstimateAborted } from "../../estimate/outcome.js";
import { type Prior, prior } from "../../estimate/prior.js";
import { RULES } from "../../estimate/rules.js";
import type { Measurement } from "../../measurement.js";
import type { Schema } from "../../tables/schema.js";
import type { EstimatorName } from "./common.js";
import type { RunOf } from "./mechanism.js";
import { Release, type ReleaseReport } from "./modelled.js";
import type { Plan, PlanParts } from "./plan.js";
import type { Prepared } from "./prior.js";
import { type Resolved, rulesFor } from "./resolved.js";
import type { MadeRound } from "./rounds.js";
import { type Run, refused } from "./run.js";
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
  readonly prior: Prior<S> | undefined;
  readonly measurements: readonly Measurement[];
  readonly seed: string | number;
  readonly keepRefused: boolean;
}

/** The options of a release that each estimator takes beside those of every one. */
const OWN = {
  calibrated: ["strength", "tolerance", "keepRefused"],
  iterative: [],
  twoStage: ["tolerance", "keepRefused"],
  independent: [],
  graphical: ["schema", "tolerance", "keepRefused", ...RULES],
  multiplicativeWeights: ["rule", "average"],
} as const satisfies Record<EstimatorName, readonly string[]>;

/** What any of them answers. */
type AnyEstimate<S extends Schema> = Estimate<S, unknown, Model<S>> &
  Partial<Pick<CalibratedEstimate<S>, "strength" | "consistency">> & {
    readonly certificate?: { relativeGap: number; relativeEntropy: number; loss?: number };
  };

/** Estimates as a release asks for it; of an aborted estimate nothing stays. */
export async function estimateBy<S extends Schema>(
  resolved: Resolved<S>,
  { prior, measurements, seed, keepRefused }: Request<S>,
  stage: Stage,
): Promise<AnyEstimate<S>> {
  const how = stage("estimate");
  const { estimator = "calibrated", total, schema } = resolved;
  const all: Record<string, unknown> = { ...resolved, keepRefused, deny: [], ...rulesFor(resolved) };
  const own = Object.fromEntries(
    OWN[estimator].filter((name) => all[name] !== undefined).map((name) => [name, all[name]]),
  );
  const shared = {
    measurements,
    seed,
    ...(prior ? { prior } : { schema }),
    ...(total !== undefined && { total }),
  };
  // Options that resolve name an estimator that needs no prior, where there is none.
  const verb = estimator === "graphical" ? "calibrated" : estimator;
  const by = estimate[verb] as unknown as (request: object) => Promise<AnyEstimate<S>>;
  try {
    return await by.call(estimate, { ...shared, ...own, ...how });
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
  begun?: {
    readonly start: Prior<S> | undefined;
    readonly stage: Stage;
    readonly rounds?: readonly MadeRound[];
  },
): Promise<Release<S, P, never>> {
  const { resolved, targets } = plan.parts;
  const { seed = resolved.seed, keepRefused = false } = settings;
  const stage = begun?.stage ?? stages(settings);
  using start = begun ? undefined : await startOf<S>(plan.parts, stage);
  const from = begun ? begun.start : start;
  const found = await estimateBy(resolved, { prior: from, measurements, seed, keepRefused }, stage);
  try {
    if (found.status === "refused" && !keepRefused) throw refused("the estimate", measurements);
    const missed = await misfits(found.model, measurements, stage("estimate"));
    const report = reported(plan, found, measurements, {
      missed,
      ...(begun?.rounds && { rounds: begun.rounds }),
    });
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
  { missed, rounds }: { readonly missed: readonly number[]; readonly rounds?: readonly MadeRound[] },
): ReleaseReport<ReturnType<P["toJSON"]>> {
  const json = plan.toJSON() as ReturnType<P["toJSON"]>;
  const { status, strength, consistency, total, outside } = found;
  const { relativeGap, relativeEntropy, loss }: Figures = {
    ...Object(found.trace.at(-1)),
    ...found.certificate,
  };
  const other = json.estimate.estimator !== "calibrated";
  const figures = { relativeGap, relativeEntropy, strength, consistency, loss: other ? loss : undefined };
  const said = Object.entries(figures).filter(([, figure]) => figure !== undefined);
  return Object.freeze({
    format: "marginalia-release-report",
    version: 1,
    plan: json,
    total: { records: found.model.total, standardError: Math.sqrt(total.variance) },
    estimate: {
      ...{ status, ...(other && { estimator: json.estimate.estimator }) },
      ...(Object.fromEntries(said) as Figures),
    },
    ...(rounds && { rounds }),
    measurements: measurements.map(({ clique, noise }, i) => {
      const { answers = 0, records = 0, variance = 0 } = outside[i] ?? {};
      const outer = { answers, records, standardError: Math.sqrt(variance) };
      return { clique, error: Math.sqrt(noise.variance), misfit: missed[i] as number, outside: outer };
    }),
  });
}

type Figures = Partial<Record<"relativeGap" | "relativeEntropy" | "loss", number>>;
