import { isObject } from "../../options.js";
import type { Schema } from "../../tables/schema.js";
import { GROUPED, type GroupedOptions, GroupedPriorAware } from "../groups/index.js";
import {
  COMMON,
  type CommonOptions,
  type EstimatorModels,
  type EstimatorName,
  FORECAST,
  type ForecastOptions,
} from "../kit/common.js";
import { checkOptions, Mechanism, type RunOf } from "../kit/mechanism.js";
import type { Release as ReleaseOf } from "../kit/modelled.js";
import type { Plan } from "../kit/plan.js";
import type { ReleasePlan } from "./plan.js";

export type { ReleasePlan, ReleasePlanJson } from "./plan.js";

/** How {@link priorAware} works; all but the prior has a default. */
export interface PriorAwareOptions<S extends Schema = Schema, E extends EstimatorName = EstimatorName>
  extends CommonOptions<S, E>,
    ForecastOptions {}

/** How a release is run. */
export interface RunSettings<S extends Schema = Schema> extends RunOf<ReleasePlan<S>> {}

/** A release of one model: of `priorAware` unless its plan says otherwise, and by the calibrated estimator unless `E` does. */
export type Release<
  S extends Schema = Schema,
  P extends Plan = ReleasePlan<S>,
  E extends EstimatorName = "calibrated",
> = ReleaseOf<S, P, EstimatorModels<S>[E]>;

/**
 * Synthetic records of a private table that start from a public one. Made by {@link priorAware}. It keeps what it
 * makes of the public table: dispose of it when it is no longer needed (`using`, or `dispose()`).
 */
export class PriorAware<S extends Schema = Schema, E extends EstimatorName = "calibrated"> extends Mechanism<
  S,
  PriorAwareOptions<S, E>,
  ReleasePlan<S>,
  Release<S, ReleasePlan<S>, E>
> {
  protected override steps() {
    return import("./steps.js");
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
export function priorAware<S extends Schema, E extends EstimatorName = "calibrated">(
  options: PriorAwareOptions<S, E>,
): PriorAware<S, E>;
export function priorAware<S extends Schema, E extends EstimatorName>(
  options: PriorAwareOptions<S, E> | GroupedOptions<S>,
): PriorAware<S, E> | GroupedPriorAware<S> {
  const grouped = isObject(options) && "groups" in options && options.groups !== undefined;
  const advice =
    "one of the same schema, such as the year before, another region or a public sample, read by readTable. Without one " +
    "there is `aim`";
  checkOptions(options, grouped ? GROUPED : [...COMMON, ...FORECAST], "priorAware", advice);
  return grouped
    ? new GroupedPriorAware(options as GroupedOptions<S>)
    : new PriorAware(options as PriorAwareOptions<S, E>);
}
