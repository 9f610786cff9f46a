import type { Schema } from "../../tables/schema.js";
import { Mechanism, type RunOf } from "../kit/mechanism.js";
import type { GroupedOptions } from "./options.js";
import type { GroupedPlan } from "./plan.js";
import type { GroupedRelease } from "./release.js";
import type { ReleasedGroup } from "./tree.js";

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
