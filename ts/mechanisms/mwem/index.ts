import type { Schema } from "../../tables/schema.js";
import { type PriorlessOptions, Weights } from "../kit/weights/options.js";

export type { PriorlessOptions as MwemOptions } from "../kit/weights/options.js";

/**
 * Multiplicative weights with the exponential mechanism (Hardt, Ligett and McSherry, 2012) from equal weights: of the public rows, or of
 * all that the schema allows where nothing is public and they are few enough. What the weights of a public table are worth is what
 * `pmwPub` has beside it; `classic` is as in its theorem.
 */
export function mwem<S extends Schema>(options: PriorlessOptions<S> = {}): Weights<S> {
  return new Weights({ name: "mwem", file: "mwem", rule: "recycled", start: "uniform" }, options);
}
