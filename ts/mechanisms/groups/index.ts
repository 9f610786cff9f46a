import type { NameOf, Schema } from "../../tables/schema.js";
import type { Workload } from "../../tables/workload.js";
import { COMMON, type CommonOptions, FORECAST, type ForecastOptions } from "../kit/common.js";
import { Mechanism, type RunOf } from "../kit/mechanism.js";
import type { GroupedPlan } from "./plan.js";
import type { GroupedRelease } from "./release.js";
import type { ReleasedGroup } from "./tree.js";

/** What can estimate groups: whatever moves the rows that they share. */
export type GroupEstimatorName = "calibrated" | "iterative" | "twoStage";

/** One level of groups, from the coarsest to the finest. */
export interface GroupLevel<S extends Schema = Schema> {
  /** The attributes whose combinations are its groups; none for all records together. */
  by: readonly NameOf<S>[];
  /** What is measured in each of its groups beside how many records it has; found on public data unless given. */
  workload?: Workload<S> | readonly (readonly NameOf<S>[])[];
  /**
   * The part of the budget that goes into how many records groups have, in proportion to all other parts; what a forecast on
   * public data alone finds best, unless given.
   */
  count?: number;
  /** The part of the budget that goes into the workload, in proportion to all other parts; found like `count`. */
  share?: number;
  /** How many records the prior of each of its groups is worth; as its sources say unless given. */
  strength?: number;
}

/** The number of records of one group of the coarsest level. */
export interface GroupTotal<S extends Schema = Schema> {
  /** A label of each attribute of the level. */
  group: { readonly [K in NameOf<S>]?: string | null };
  records: number;
}

/** How {@link priorAware} works with groups; all but the prior and the groups has a default. */
export interface GroupedOptions<S extends Schema = Schema>
  extends Omit<
      CommonOptions<S>,
      "group" | "pool" | "workload" | "total" | "strength" | "widen" | "estimator"
    >,
    ForecastOptions {
  /** The share of the weight of rows that a public network draws, and how many; none unless given. */
  widen?: false | { readonly share?: number; readonly rows?: number };
  /**
   * Levels of groups, such as `[["state"], ["puma", "year"]]`: the estimate of a group is the prior of those within it.
   * The attributes of a level are among those of the next, or follow from one of them. Groups are all that the schema
   * declares, whether or not a record is in them.
   */
  groups: readonly (readonly NameOf<S>[] | GroupLevel<S>)[];
  /**
   * How many records groups have: as all measurements say, and such that groups sum to what they lie within (default);
   * as those of each group say; or by its count alone, ⌊max(ñ, 0)⌋, as the paper has it.
   */
  totals?: "consistent" | "combined" | "count";
  /** The number of all records, or those of groups of the coarsest level, where they are public. */
  total?: number | readonly GroupTotal<S>[];
  /**
   * Whether every answer is balanced by its noise and the prior by what it is worth (default), or met as in Algorithm 1 of
   * the paper with its own settings, or as nearly as possible in two stages. Both forget what the prior is worth.
   */
  estimator?: GroupEstimatorName;
  /** Whether counts of the public table within groups say how groups differ; true unless given. */
  local?: boolean;
  /** About how many rows of the public table groups share at most; 65,536 unless given. */
  mostRows?: number;
}

/** What only groups take, and what they take instead of a single `group`. */
const OWN = ["groups", "totals", "estimator", "local", "mostRows"];
const INSTEAD = ["group", "pool", "workload", "strength"];

/** All that they take. */
export const GROUPED = [...[...COMMON, ...FORECAST].filter((name) => !INSTEAD.includes(name)), ...OWN];

/** How a release of groups is run. */
export interface GroupedRunSettings<S extends Schema = Schema> extends RunOf<GroupedPlan<S>> {
  /** Told of each group when it is estimated: after what it lies within, otherwise in no certain order. */
  onGroup?: (group: ReleasedGroup) => void;
}

/**
 * Synthetic records of a private table by groups within groups, that start from a public one. Made by `priorAware` with
 * `groups`: one charge for each level. It keeps what it makes of the public table: dispose of it when it is no longer needed.
 */
export class GroupedPriorAware<S extends Schema = Schema> extends Mechanism<
  S,
  GroupedOptions<S>,
  GroupedPlan<S>,
  GroupedRelease<S>,
  GroupedRunSettings<S>
> {
  protected override steps() {
    return import("./steps.js");
  }

  protected override get own(): readonly string[] {
    return ["onGroup"];
  }
}
