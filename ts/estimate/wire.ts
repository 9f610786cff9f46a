import type { WireMeasurements } from "../engine/operations/estimate.js";
import { MarginaliaError } from "../errors.js";
import type { CliqueQuery, Measurement, MeasurementNoise } from "../measurement.js";
import { wireQuery } from "../query.js";
import type { Schema } from "../tables/schema.js";

/** Measurements as the engine reads them, checked against a schema; `full` refuses all but those of every cell. */
export function wireMeasurements(
  schema: Schema,
  list: readonly Measurement[],
  full: boolean,
): WireMeasurements {
  const heads = list.map(({ clique, query, shape, noise }) => {
    const indices = clique.map((name) => schema.index(name));
    if (indices.some((index, at) => schema.sizes[index] !== shape[at])) throw otherShape(clique);
    if (full && query.type !== "identity") throw notOfCells(clique, query);
    return { clique: indices, query: wireQuery(query, shape), ...wireNoise(noise) };
  });
  const values = joined(list.map((one) => one.values));
  return { measurements: JSON.stringify(heads), values };
}

/** One array after another. */
export function joined(arrays: readonly Float64Array[]): Float64Array<ArrayBuffer> {
  const all = new Float64Array(arrays.reduce((sum, one) => sum + one.length, 0));
  let at = 0;
  for (const one of arrays) {
    all.set(one, at);
    at += one.length;
  }
  return all;
}

/** Of Laplace noise the scale b too. */
function wireNoise({ law, scale, variance }: MeasurementNoise): object {
  const [over = "", under = "1"] = scale.split("/");
  return law === "laplace" ? { variance, laplace: Number(over) / Number(under) } : { variance };
}

function otherShape(clique: readonly string[]): MarginaliaError {
  const message = `the measurement of ${named(clique)} is under another schema: its attributes have other codes`;
  return new MarginaliaError("MEASUREMENT_INVALID", message);
}

function notOfCells(clique: readonly string[], { type }: CliqueQuery): MarginaliaError {
  const message =
    `this estimator takes measurements of every cell, and that of ${named(clique)} is of ${type} sums: leave it out, ` +
    "or use estimate.iterative where no cell is in two sums";
  return new MarginaliaError("QUERY_UNSUPPORTED", message);
}

const named = (clique: readonly string[]): string => clique.join(" × ") || "the number of rows";
