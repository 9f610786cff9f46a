import type { NameOf, Schema } from "../../tables/schema.js";
import type { Workload } from "../../tables/workload.js";
import { COMMON, type CommonOptions, type EstimatorModels, type EstimatorName } from "../kit/common.js";
import { checkOptions, Mechanism, type RunOf } from "../kit/mechanism.js";
import type { Release } from "../kit/modelled.js";
import type { AdaptivePlan } from "./plan.js";

export type { PlannedCandidate, PlannedRound } from "../kit/rounds.js";
export type { AdaptivePlan, AdaptivePlanJson } from "./plan.js";

/** How {@link adaptive} works; all but the prior has a default. */
export interface AdaptiveOptions<S extends Schema = Schema, E extends EstimatorName = EstimatorName>
  extends Omit<CommonOptions<S, E>, "workload"> {
  /** What rounds choose from: all pairs of the attributes, with the group where there is one, unless given. */
  workload?: Workload<S> | readonly (readonly NameOf<S>[])[];
  /** For each clique of a given `workload` how much it matters: a whole number from 1, by which its score is multiplied. */
  factors?: readonly number[];
  /** How often something is chosen and measured; by how much noise there will be, and more the less, unless given. */
  rounds?: number;
  /** The part of the budget that choosing gets; 0.1 unless given. */
  selectShare?: number;
  /** What is measured before the first round: nothing unless given, or each attribute. */
  start?: "none" | "one-ways";
}

/** The names of what only rounds take. */
const ROUNDS = ["factors", "rounds", "selectShare", "start"];

/** How an adaptive release is run: the seed is that of the last estimate and of records. */
export interface AdaptiveRunSettings<S extends Schema = Schema> extends RunOf<AdaptivePlan<S>> {}

/**
 * Synthetic records of a private table, by rounds that start from a public one. Made by {@link adaptive}. It keeps what it
 * makes of the public table: dispose of it when it is no longer needed (`using`, or `dispose()`).
 */
export class Adaptive<S extends Schema = Schema, E extends EstimatorName = "calibrated"> extends Mechanism<
  S,
  AdaptiveOptions<S, E>,
  AdaptivePlan<S>,
  Release<S, AdaptivePlan<S>, EstimatorModels<S>[E]>
> {
  protected override steps() {
    return import("./steps.js");
  }
}

/**
 * The release that looks where it is wrong: each round finds, by the exponential mechanism, the marginal where the model
 * is farthest from the private counts for the noise that measuring it would have, measures it, and estimates again from
 * all answers and the prior. AIM (McKenna and others, 2022) with a public start, calibrated estimates and fixed rounds.
 *
 * For a prior that may be poor in places that nobody knows. Where it is of the same kind as the private table, such as
 * the year before, `priorAware` is as good or better and quicker: nothing of its budget goes into choosing.
 *
 * ```ts
 * using mechanism = adaptive({ prior: elsewhere });
 * console.log(`${await mechanism.plan(data)}`);
 * using release = await mechanism.run(data);
 * ```
 */
export function adaptive<S extends Schema, E extends EstimatorName = "calibrated">(
  options: AdaptiveOptions<S, E>,
): Adaptive<S, E> {
  const advice = "one of the same schema, such as another year, region or a public sample, read by readTable";
  checkOptions(options, [...COMMON, ...ROUNDS], "adaptive", advice);
  return new Adaptive(options);
}
