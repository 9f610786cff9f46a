import { invalid, isObject, known } from "../options.js";
import { key } from "../seed.js";
import type { Schema } from "../tables/schema.js";
import type { EstimateOptions } from "./estimate.js";

/** What every estimator on a prior is given. */
export const SHARED = ["prior", "measurements", "total", "seed", "timeLimit", "signal", "onProgress"];

/** Refuses options that no estimator takes, or that are none. */
export function checked<S extends Schema>(
  options: Partial<EstimateOptions<S>>,
  names: readonly string[],
  of: string,
  needsPrior = true,
): void {
  if (!isObject(options)) throw invalid(`${of} needs { prior, measurements }`);
  known(options, names, of);
  const { prior, measurements, total, timeLimit } = options;
  // Of whichever copy of the package.
  if (needsPrior && !isPrior(prior)) throw invalid(`${of} needs a \`prior\`: await prior(table)`);
  if (!Array.isArray(measurements)) throw invalid(`${of} needs a list of \`measurements\``);
  if (total !== undefined && !(Number.isFinite(total) && total >= 0))
    throw invalid("`total` is a number of records, 0 or above");
  if (timeLimit !== undefined && !(timeLimit >= 0))
    throw invalid("`timeLimit` is in milliseconds, 0 or above");
}

/** Whether it is a prior, and no table or model that one could be made of. */
export const isPrior = (value: unknown): boolean =>
  isObject(value) && "handle" in value && "provenance" in value;

/** The seed of all draws, as the engine reads it. */
export const seedOf = (seed: string | number = "marginalia"): string => `${key(seed, "estimate")}`;

export function one(name: string, value: unknown, of: readonly string[]): void {
  if (!of.includes(value as string)) throw invalid(`\`${name}\` is one of ${of.join(", ")}`);
}

export function above(name: string, value: number): void {
  if (!(Number.isFinite(value) && value > 0)) throw invalid(`\`${name}\` is a number above 0`);
}

export function whole(name: string, value: number): void {
  if (!(Number.isSafeInteger(value) && value >= 0))
    throw invalid(`\`${name}\` is a whole number, 0 or above`);
}
