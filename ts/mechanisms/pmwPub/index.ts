import type { Schema } from "../../tables/schema.js";
import { Weights, type WeightsOptions } from "../kit/weights/options.js";

export type {
  Weights,
  WeightsOptions,
  WeightsRunSettings,
} from "../kit/weights/options.js";
export type { WeightsPlan, WeightsPlanJson } from "../kit/weights/plan.js";

/**
 * Private multiplicative weights with public data (Liu and others, 2021, Algorithm 1): each round chooses the cell where the model is
 * worst, measures it, and moves the weights of the public rows. For a workload of very many cells, and a public table whose rows are
 * there with other weights: whom it lacks, the release lacks.
 *
 * ```ts
 * using mechanism = pmwPub({ prior: before, rounds: 50 });
 * using release = await mechanism.run(data);
 * ```
 */
export function pmwPub<S extends Schema>(options: WeightsOptions<S>): Weights<S> {
  return new Weights({ name: "pmwPub", file: "pmw-pub", rule: "recycled", start: "public" }, options);
}
