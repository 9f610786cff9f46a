import type { Measurement } from "../measurement.js";
import type { CallSettings } from "../tables/read.js";
import type { NameOf, Schema } from "../tables/schema.js";
import { workload } from "../tables/workload.js";
import { applied } from "./linear.js";
import type { Model } from "./model.js";

/** For each measurement the root of the mean square of what the model misses, over sums of cells where it can have records. */
export async function misfits<S extends Schema>(
  model: Model<S>,
  measurements: readonly Measurement[],
  { signal }: CallSettings,
): Promise<number[]> {
  const cliques = measurements.map(({ clique }) => clique as readonly NameOf<S>[]);
  const answers = await model.answer(workload(model.schema, cliques), { ...(signal && { signal }) });
  return measurements.map(({ query, shape, values }, i) => {
    const cells = applied(query, shape, answers[i] as Float64Array<ArrayBuffer>);
    let [sum, count] = [0, 0];
    for (const [cell, answer] of cells.entries()) {
      if (answer === 0) continue;
      sum += (answer - (values[cell] as number)) ** 2;
      count += 1;
    }
    return Math.sqrt(sum / Math.max(count, 1));
  });
}
