import type { NameOf, Schema } from "../../tables/schema.js";
import type { Workload } from "../../tables/workload.js";
import type { CommonOptions, EstimatorName } from "../kit/common.js";
import type { ReleaseProgress, ReleaseSettings } from "../kit/stages.js";

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

/** Where an adaptive release has come to. */
export type AdaptiveProgress = ReleaseProgress;

/** What a long call of {@link adaptive} can be given. */
export type AdaptiveSettings = ReleaseSettings;

/** The names of what only rounds take. */
export const ROUNDS = ["factors", "rounds", "selectShare", "start"];
