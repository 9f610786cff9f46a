import { known } from "../../options.js";
import type { Sealed } from "../../privacy/sealed.js";
import type { Schema } from "../../tables/schema.js";
import { Mechanism } from "../mechanism.js";
import type { ReleaseSettings } from "../options.js";
import type { GroupedOptions } from "./options.js";
import type { GroupedPlan, GroupedPlanJson } from "./plan.js";
import type { SharedPrior } from "./public.js";
import type { GroupedRelease, ReleasedGroup } from "./release.js";

/** How a release of groups is run. */
export interface GroupedRunSettings<S extends Schema = Schema> extends ReleaseSettings {
  /** What is run, exactly: a plan of this mechanism, or its JSON. Made unless given. */
  plan?: GroupedPlan<S> | GroupedPlanJson;
  /** The seed of estimation and records; that of the mechanism unless given. */
  seed?: string | number;
  /** Told of each group when it is estimated: after what it lies within, otherwise in no certain order. */
  onGroup?: (group: ReleasedGroup) => void;
}

/**
 * Synthetic records of a private table by groups within groups, that start from a public one. Made by `priorAware` with
 * `groups`. It keeps what it makes of the public table: dispose of it when it is no longer needed.
 */
export class GroupedPriorAware<S extends Schema = Schema> extends Mechanism<
  GroupedOptions<S>,
  SharedPrior<S>
> {
  /**
   * What a run would measure, level by level. Nothing private is read and nothing is charged: for two tables of the same
   * schema, unit, budget and account, plans are the same to the byte.
   */
  async plan(sealed: Sealed<S>, settings: ReleaseSettings = {}): Promise<GroupedPlan<S>> {
    known(settings, ["signal", "onProgress"], "plan");
    return (await import("./planning.js")).planned(this, sealed, settings);
  }

  /**
   * Measures what a plan says, in one charge for each level, and estimates group after group. A run that was interrupted
   * takes what was measured from the ledger when the program is run again.
   */
  async run(sealed: Sealed<S>, settings: GroupedRunSettings<S> = {}): Promise<GroupedRelease<S>> {
    known(settings, ["plan", "seed", "onGroup", "signal", "onProgress"], "run");
    return (await import("./running.js")).ran(this, sealed, settings);
  }
}
