import type { Schema } from "../../tables/schema.js";
import { Weights, type WeightsOptions } from "../kit/weights/options.js";

/**
 * Private entropy projection with public data (Liu, Vietri and Wu, 2021): the rounds of `pmwPub`, in which the weights of public rows
 * meet the answers that they are farthest from with the least relative entropy, one after another.
 */
export function pepPub<S extends Schema>(options: WeightsOptions<S>): Weights<S> {
  return new Weights({ name: "pepPub", file: "pep-pub", rule: "projected", start: "public" }, options);
}
