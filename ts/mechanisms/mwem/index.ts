import type { Schema } from "../../tables/schema.js";
import { Weights, type WeightsOptions } from "../kit/weights/options.js";

/**
 * Multiplicative weights with the exponential mechanism (Hardt, Ligett and McSherry, 2012) from equal weights of the public rows:
 * what a public table is worth beside it is what `pmwPub` makes of its weights.
 */
export function mwem<S extends Schema>(options: WeightsOptions<S>): Weights<S> {
  return new Weights({ name: "mwem", file: "mwem", rule: "recycled", start: "uniform" }, options);
}
