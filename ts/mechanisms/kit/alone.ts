import type { Measurement } from "../../measurement.js";
import { invalid } from "../../options.js";
import type { Rational } from "../../privacy/rational.js";
import type { Sealed } from "../../privacy/sealed.js";
import type { NameOf, Schema } from "../../tables/schema.js";
import { type Workload, workload } from "../../tables/workload.js";
import { coarsenings } from "./coarsenings.js";
import type { AloneOptions, CommonOptions } from "./common.js";
import { estimateBy } from "./estimating.js";
import { type Beginning, beginning, worthOf } from "./opening.js";
import type { PlanParts } from "./plan.js";
import { noiseOf, type Prepared, type Preparing } from "./prior.js";
import { type Resolved, resolve } from "./resolved.js";
import type { Rounds } from "./rounds.js";
import type { ReleaseSettings } from "./stages.js";

/** Options with every default filled in. The prior may know a part of the attributes only, so they are those of the private table. */
export async function resolvedAlone<S extends Schema>(
  options: AloneOptions<S>,
  sealed: Sealed<S>,
  settings: ReleaseSettings,
): Promise<Resolved<S>> {
  const { prior, provenance: _, ...rest } = options;
  const priorStrength = await worthOf(options, sealed, settings);
  if (prior) refuseOthers(prior.schema, sealed.schema);
  const common = { ...rest, estimator: "graphical", dependencies: "ignore" } as const;
  const filled = { ...resolve<S>(common, sealed, 0), priorStrength };
  if (priorStrength === 0 || filled.expectedBy !== "nobody") return filled;
  return { ...filled, expectedRows: Math.max(1, Math.round(priorStrength)), expectedBy: "prior" };
}

/** Refuses attributes of a prior that are not those of the private table. */
function refuseOthers(prior: Schema, schema: Schema): void {
  const others = prior.names.filter(
    (name) => !schema.names.includes(name) || `${prior.labels(name)}` !== `${schema.labels(name)}`,
  );
  if (others.length === 0) return;
  throw invalid(
    `the prior has ${others.join(", ")}, which the sealed table has not, or with other values: read it under a schema of what both have`,
  );
}

/** What their plans begin with. */
export function beginningAlone<S extends Schema>(
  mechanism: Preparing<Prepared<S>> & { readonly options: Readonly<AloneOptions<S>> },
  sealed: Sealed<S>,
  resolved: Resolved<S>,
  own: object,
  settings: ReleaseSettings,
): Promise<Beginning<S>> {
  // The kit takes a prior for one of the private table's schema; what it does with it does not depend on that.
  const maker = mechanism as unknown as Parameters<typeof beginning<S, Partial<CommonOptions<S>>>>[0];
  return beginning(maker, sealed, resolved, own, settings);
}

/** Each attribute of the file alone; by its coarsening where that is what is judged. */
export function oneWaysOf<S extends Schema>({ schema, attributes, fine = [] }: Resolved<S>): Workload<S> {
  const coarser = coarsenings(schema);
  const names = Object.keys(schema.attributes).map((name) => {
    const place = schema.index(name);
    const coarse = coarser.get(place);
    return fine.includes(place) && coarse !== undefined && attributes.includes(coarse) ? coarse : place;
  });
  return workload(
    schema,
    (schema.at(names) as NameOf<S>[]).map((name) => [name]),
  );
}

/** What a model says the counts of each candidate are, in records, and how many there are in all. */
export interface Belief {
  readonly counts: readonly Float64Array[];
  readonly total: number;
}

/** The relative gap of estimates that only choose. */
const ROUGH = 1e-2;

/** The model of all answers so far, by what it says of each candidate. */
export async function believed<S extends Schema>(
  { plan, start, watch }: Pick<Rounds<S, { readonly parts: PlanParts<S> }>, "plan" | "start" | "watch">,
  candidates: Workload<S>,
  measurements: readonly Measurement[],
): Promise<Belief> {
  const { seed, tolerance, total: known, expectedRows } = plan.parts.resolved;
  const total = measurements.length > 0 ? known : (known ?? expectedRows);
  const rough = { ...plan.parts.resolved, total, tolerance: Math.max(tolerance, ROUGH) };
  // A model that would be refused as a release still says where to look.
  const request = { prior: start, measurements, keepRefused: true, seed };
  using estimated = await estimateBy(rough, request, watch.stage);
  const { model } = estimated;
  return { total: model.total, counts: await model.answer(candidates, watch.stage("estimate")) };
}

/** For each candidate the L1 error that measuring it would be expected to leave. */
export function penaltiesOf<S extends Schema>(
  { resolved }: Pick<PlanParts<S>, "resolved">,
  { counts, total }: Belief,
  spend: Rational,
): Float64Array {
  const { law, budget, sensitivity } = noiseOf(resolved, spend);
  const variance = law === "laplace" ? 2 * (sensitivity / budget) ** 2 : sensitivity ** 2 / (2 * budget);
  const terms = { law, variance, total, worth: resolved.priorStrength };
  return Float64Array.from(counts, (cells) => expectedError(cells, terms));
}

/** What is public of a round. */
export interface Terms {
  readonly law: "laplace" | "gaussian";
  /** Of the noise in each answer. */
  readonly variance: number;
  /** Records in all, as far as is known. */
  readonly total: number;
  /** How many records the prior is worth; 0 where there is none. */
  readonly worth: number;
}

/**
 * The L1 error that is expected to be left of one candidate once it is measured, in records. AIM subtracts the expected L1 norm of the
 * noise, √(2/π)·σ for each cell, or b; but the estimate weighs an answer against the model, so that less is left: where the model is off by a variance of s
 * in a cell, an answer of variance v leaves s·v/(s + v). A count c of which nothing but the model says anything may be off by as much as itself, s = c + c²;
 * a prior of W records of the same population leaves s = c·(1 + n/W) out of n.
 */
export function expectedError(counts: Float64Array, { law, variance, total, worth }: Terms): number {
  let sum = 0;
  for (const count of counts) {
    if (count <= 0) continue;
    const spread = count * (1 + Math.min(count, total / worth));
    sum += Math.sqrt((spread * variance) / (spread + variance));
  }
  return MEAN[law] * sum;
}

/** E|x| of noise x of variance 1. */
const MEAN = { laplace: Math.SQRT1_2, gaussian: Math.sqrt(2 / Math.PI) } as const;
