import type { NameOf, Schema } from "../../tables/schema.js";
import type { Workload } from "../../tables/workload.js";
import { COMMON, type PriorAwareOptions, type ReleaseProgress, type ReleaseSettings } from "../options.js";

/** How {@link adaptive} works; all but the prior has a default. */
export interface AdaptiveOptions<S extends Schema = Schema>
  extends Omit<PriorAwareOptions<S>, "workload" | "exponents" | "draws"> {
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
export interface AdaptiveProgress extends Omit<ReleaseProgress, "phase"> {
  readonly phase: ReleaseProgress["phase"] | "select";
  /** From 1; 0 before the first one. */
  readonly round?: number;
  readonly rounds?: number;
}

/** What a long call of {@link adaptive} can be given. */
export interface AdaptiveSettings extends Pick<ReleaseSettings, "signal"> {
  onProgress?: (progress: AdaptiveProgress) => void;
}

export const OPTIONS = [...COMMON, "factors", "rounds", "selectShare", "start"];
