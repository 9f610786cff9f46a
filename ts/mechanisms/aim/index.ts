import type { GraphicalModel } from "../../estimate/graphical.js";
import type { NameOf, Schema } from "../../tables/schema.js";
import type { Workload } from "../../tables/workload.js";
import { ALONE, type AloneOptions } from "../kit/common.js";
import { checkOptions, Mechanism, type RunOf } from "../kit/mechanism.js";
import type { Release } from "../kit/modelled.js";
import type { AimPlan } from "./plan.js";

export type { AimPlan, AimPlanJson, PlannedSchedule } from "./plan.js";

/** How {@link aim} works; all has a default. */
export interface AimOptions<S extends Schema = Schema> extends AloneOptions<S> {
  /** What the release is to be right about: all pairs of the attributes, unless given. Rounds choose from these and all within them. */
  workload?: Workload<S> | readonly (readonly NameOf<S>[])[];
  /** For each clique of a given `workload` how much it matters: a whole number from 1. */
  factors?: readonly number[];
  /** The most rounds: fewer where the model soon knows what noise lets it know. By the number of attributes unless given. */
  rounds?: number;
  /** The part of each round that choosing gets; 0.1 unless given. */
  selectShare?: number;
  /** The most cells that the model may be summed over; 300,000 unless given. More is slower, and knows more at once. */
  cells?: number;
}

/** How it is run: the seed is that of the last estimate and of records. */
export interface AimRunSettings<S extends Schema = Schema> extends RunOf<AimPlan<S>> {}

/** Synthetic records of a private table by rounds on a graphical model, from nothing public or from a public table. Made by {@link aim}. */
export class Aim<S extends Schema = Schema> extends Mechanism<
  S,
  AimOptions<S>,
  AimPlan<S>,
  Release<S, AimPlan<S>, GraphicalModel<S>>
> {
  protected override steps() {
    return import("./steps.js");
  }
}

/**
 * The release where nothing is public: each attribute is measured, and then in rounds the marginal that the model knows
 * least about for what measuring it would leave. AIM (McKenna and others, 2022) with calibrated estimates: a round that
 * taught the model little makes all later ones spend more. `prior` is for a public table there is all the same.
 *
 * ```ts
 * using mechanism = aim();
 * console.log(`${await mechanism.plan(data)}`);
 * using release = await mechanism.run(data);
 * ```
 */
export function aim<S extends Schema>(options: AimOptions<S> = {}): Aim<S> {
  checkOptions(options, [...ALONE, "workload", "factors", "rounds", "selectShare", "cells"], "aim");
  return new Aim(options);
}
