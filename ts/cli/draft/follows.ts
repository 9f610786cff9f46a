import { MarginaliaError } from "../../errors.js";
import { dependenciesOf, namedDependencies, type PlannedDependency } from "../../estimate/dependencies.js";
import { type ReadOptions, readTable, type Schema } from "../../index.js";
import type { Source } from "../../tables/source.js";
import { keptRaw } from "../prior.js";

/** What follows from what in every row, as releases from this file keep it; nothing is said of a file that memory does not hold. */
export async function followsIn(
  source: Source,
  schema: Schema,
  options: Omit<ReadOptions, "keepRaw" | "ignore">,
): Promise<readonly PlannedDependency[]> {
  const { signal } = options;
  const calls = signal ? { signal } : {};
  try {
    using table = await readTable(source, schema, { ...options, keepRaw: keptRaw(schema), ignore: true });
    return namedDependencies(schema, await dependenciesOf(table, "keep", calls));
  } catch (error) {
    if (error instanceof MarginaliaError && error.code === "OUT_OF_MEMORY") return [];
    throw error;
  }
}
