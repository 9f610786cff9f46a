import { isObject, known } from "../options.js";
import type { Sealed } from "../privacy/sealed.js";
import type { Schema } from "../tables/schema.js";
import { GroupedPriorAware } from "./groups/mechanism.js";
import { GROUPED, type GroupedOptions } from "./groups/options.js";
import { checkPrior, Mechanism } from "./mechanism.js";
import { OPTIONS, type PriorAwareOptions, type ReleaseSettings } from "./options.js";
import type { ReleasePlan, ReleasePlanJson } from "./plan.js";
import type { Prepared } from "./public.js";
import type { Release } from "./release.js";

/** How a release is run. */
export interface RunSettings<S extends Schema = Schema> extends ReleaseSettings {
  /** What is run, exactly: a plan of this mechanism, or its JSON. Made unless given. */
  plan?: ReleasePlan<S> | ReleasePlanJson;
  /** The seed of estimation and records; that of the mechanism unless given. */
  seed?: string | number;
}

/**
 * Synthetic records of a private table that start from a public one. Made by {@link priorAware}. It keeps what it
 * makes of the public table: dispose of it when it is no longer needed (`using`, or `dispose()`).
 */
export class PriorAware<S extends Schema = Schema> extends Mechanism<PriorAwareOptions<S>, Prepared<S>> {
  /**
   * What a run would measure, at which cost and error, and why. Nothing private is read and nothing is charged: for two
   * tables of the same schema, unit, budget and account, plans are the same to the byte.
   */
  async plan(sealed: Sealed<S>, settings: ReleaseSettings = {}): Promise<ReleasePlan<S>> {
    known(settings, ["signal", "onProgress"], "plan");
    return (await import("./planning.js")).planned(this, sealed, settings);
  }

  /**
   * Measures what a plan says, in one charge, and estimates from the answers. A run that was interrupted takes its
   * answers from the ledger when the program is run again.
   */
  async run(sealed: Sealed<S>, settings: RunSettings<S> = {}): Promise<Release<S>> {
    known(settings, ["plan", "seed", "signal", "onProgress"], "run");
    return (await import("./running.js")).ran(this, sealed, settings);
  }
}

/**
 * The release that starts from public knowledge: a workload chosen on the public table, noisy answers of the private
 * one, and the distribution on (widened) public rows that balances both, each by what it is worth. It estimates as
 * `estimate.calibrated` does, where Algorithm 2 of Tao, Bater and Machanavajjhala takes each answer at its word.
 *
 * ```ts
 * using mechanism = priorAware({ prior: survey2018 });
 * console.log(`${await mechanism.plan(data)}`); // what it would cost, before anything is read
 * using release = await mechanism.run(data);
 * await release.writeCsv("synthetic.csv", { seed: "v1" });
 * ```
 *
 * With `groups`, such as `[["state"], ["puma", "year"]]`, it releases groups within groups, as the whole of that
 * algorithm does: the estimate of a group is the prior of those within it.
 */
export function priorAware<S extends Schema>(options: GroupedOptions<S>): GroupedPriorAware<S>;
export function priorAware<S extends Schema>(options: PriorAwareOptions<S>): PriorAware<S>;
export function priorAware<S extends Schema>(
  options: PriorAwareOptions<S> | GroupedOptions<S>,
): PriorAware<S> | GroupedPriorAware<S> {
  const grouped = isObject(options) && "groups" in options && options.groups !== undefined;
  const advice =
    "one of the same schema, such as the year before, another region or a public sample, read by readTable. Without one " +
    "there is no release yet; `data.measure` answers marginals";
  checkPrior(options, grouped ? WITH_GROUPS : OPTIONS, "priorAware", advice);
  return grouped ? new GroupedPriorAware(options) : new PriorAware(options);
}

/** What groups take instead of a single `group`. */
const WITHOUT_GROUPS = ["group", "pool", "workload", "total", "strength"];
const WITH_GROUPS = [...OPTIONS.filter((name) => !WITHOUT_GROUPS.includes(name)), ...GROUPED];
