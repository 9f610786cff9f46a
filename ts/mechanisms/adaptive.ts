import { known } from "../options.js";
import type { Sealed } from "../privacy/sealed.js";
import type { Schema } from "../tables/schema.js";
import { type AdaptiveOptions, type AdaptiveSettings, OPTIONS } from "./adaptive/options.js";
import type { AdaptivePlan, AdaptivePlanJson } from "./adaptive/plan.js";
import { checkPrior, Mechanism } from "./mechanism.js";
import type { Prepared } from "./public.js";
import type { Release } from "./release.js";

/** How an adaptive release is run. */
export interface AdaptiveRunSettings<S extends Schema = Schema> extends AdaptiveSettings {
  /** What is run, exactly: a plan of this mechanism, or its JSON. Made unless given. */
  plan?: AdaptivePlan<S> | AdaptivePlanJson;
  /** The seed of the last estimate and of records; that of the mechanism unless given. */
  seed?: string | number;
}

/**
 * Synthetic records of a private table, by rounds that start from a public one. Made by {@link adaptive}. It keeps what it
 * makes of the public table: dispose of it when it is no longer needed (`using`, or `dispose()`).
 */
export class Adaptive<S extends Schema = Schema> extends Mechanism<AdaptiveOptions<S>, Prepared<S>> {
  /**
   * What each round would cost, and what can be said before of its errors. Nothing private is read and nothing is charged:
   * for two tables of the same schema, unit, budget and account, plans are the same to the byte.
   */
  async plan(sealed: Sealed<S>, settings: AdaptiveSettings = {}): Promise<AdaptivePlan<S>> {
    known(settings, ["signal", "onProgress"], "plan");
    return (await import("./adaptive/planning.js")).planned(this, sealed, settings);
  }

  /**
   * Chooses, measures and estimates, round after round, as a plan says. A run that was interrupted takes from the ledger
   * what it chose and measured when the program is run again, and goes on from there.
   */
  async run(sealed: Sealed<S>, settings: AdaptiveRunSettings<S> = {}): Promise<Release<S, AdaptivePlan<S>>> {
    known(settings, ["plan", "seed", "signal", "onProgress"], "run");
    return (await import("./adaptive/running.js")).ran(this, sealed, settings);
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
export function adaptive<S extends Schema>(options: AdaptiveOptions<S>): Adaptive<S> {
  const advice = "one of the same schema, such as another year, region or a public sample, read by readTable";
  checkPrior(options, OPTIONS, "adaptive", advice);
  return new Adaptive(options);
}
