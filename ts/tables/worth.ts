import type { CallSettings } from "./read.js";
import type { Table } from "./table.js";

/** How many records a table is worth: those that it counts, or Kish's effective size where it weighs them. */
export async function sizeOf(table: Table, { signal }: CallSettings = {}): Promise<number> {
  if (table.records !== undefined) return table.records;
  const weights = (await table.weights({ ...(signal && { signal }) })) ?? new Float64Array();
  const largest = weights.reduce((most, weight) => Math.max(most, weight), 0);
  let [sum, squares] = [0, 0];
  // Divided by the largest, so that no square overflows or vanishes.
  for (const weight of weights) {
    sum += weight / largest;
    squares += (weight / largest) ** 2;
  }
  return (sum * sum) / squares;
}
