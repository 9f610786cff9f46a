import type { Schema } from "../../tables/schema.js";
import { COMMON, type CommonOptions } from "../kit/common.js";
import { checkOptions, Mechanism } from "../kit/mechanism.js";
import type { Release } from "../kit/modelled.js";
import type { OneWaysPlan } from "./plan.js";

/** Synthetic records of a private table from the counts of single attributes, and from a public table where there is one. */
export class OneWays<S extends Schema = Schema> extends Mechanism<
  S,
  Partial<CommonOptions<S>>,
  OneWaysPlan<S>,
  Release<S, OneWaysPlan<S>>
> {
  protected override steps() {
    return import("./steps.js");
  }
}

/** Measures every attribute alone, all at the same cost. */
export function oneWays<S extends Schema>(options: Partial<CommonOptions<S>>): OneWays<S> {
  checkOptions(options, COMMON, "oneWays");
  return new OneWays(options);
}
