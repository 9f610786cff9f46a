import { MarginaliaError } from "../errors.js";
import { type CliqueQuery, Measurement, type MeasurementJson, measurement } from "../measurement.js";
import type { Schema } from "../tables/schema.js";

/** Measurements as the engine reads them, checked against a schema; `full` refuses all but those of every cell. */
export function asked(
  schema: Schema,
  list: readonly MeasurementJson[],
  full: boolean,
): { measurements: string; values: Float64Array } {
  const all = list.map((one) => (one instanceof Measurement ? one : measurement(one)));
  const heads = all.map(({ clique, query, shape, noise }) => {
    const indices = clique.map((name) => schema.index(name));
    if (indices.some((index, at) => schema.sizes[index] !== shape[at])) throw otherShape(clique);
    if (full && query.type !== "identity") throw notOfCells(clique, query);
    return { clique: indices, query: wireQuery(query), variance: noise.variance };
  });
  const values = new Float64Array(all.reduce((sum, one) => sum + one.values.length, 0));
  let at = 0;
  for (const one of all) {
    values.set(one.values, at);
    at += one.values.length;
  }
  return { measurements: JSON.stringify(heads), values };
}

function wireQuery(query: CliqueQuery): object {
  if (query.type === "ranges") return { type: "ranges", ends: query.ranges.flat() };
  if (query.type === "matrix") return { type: "matrix", values: query.rows.flat() };
  return query;
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
