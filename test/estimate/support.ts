import {
  integer,
  type MarginaliaError,
  type MeasurementJson,
  measurement,
  readTable,
  type Schema,
  schema,
} from "marginalia";

/** A schema of attributes a, b, … with so many codes each. */
export function domain<const S extends readonly number[]>(sizes: S): Schema {
  const names = sizes.map((_, i) => String.fromCharCode(97 + i));
  return schema(
    Object.fromEntries(names.map((name, i) => [name, integer({ min: 0, max: (sizes[i] as number) - 1 })])),
  );
}

/** A table of rows with weights. */
export function tableOf(over: Schema, rows: readonly (readonly number[])[], weights?: readonly number[]) {
  const columns = Object.fromEntries(
    over.names.map((name, i) => [name, rows.map((row) => row[i] as number)]),
  );
  if (!weights) return readTable(columns, over);
  return readTable({ ...columns, w: [...weights] }, over, { weight: "w" });
}

/** The measurement of every cell of a clique, in records. */
export function cells(
  over: Schema,
  clique: readonly string[],
  values: readonly number[],
  variance = 1,
): MeasurementJson {
  return measurement({
    version: 1,
    clique,
    query: { type: "identity" },
    shape: clique.map((name) => over.size(name)),
    values,
    noise: { law: "laplace", scale: "1", variance },
    relation: "add-remove",
  });
}

export const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => (error as MarginaliaError).code,
  );

/** Vector A: five rows of a 2 × 3 table. */
export const A = {
  over: domain([2, 3]),
  rows: [
    [0, 0],
    [0, 1],
    [0, 2],
    [1, 1],
    [1, 2],
  ],
  p: [0.3, 0.2, 0.1, 0.15, 0.25],
  a: [0.45, 0.52],
  b: [-0.03, 0.55, 0.5],
};

/** Vector B: seven rows of a 2 × 2 × 2 table, of which the last has no weight. */
export const B = {
  over: domain([2, 2, 2]),
  rows: [
    [0, 0, 0],
    [0, 0, 1],
    [0, 1, 0],
    [0, 1, 1],
    [1, 0, 0],
    [1, 0, 1],
    [1, 1, 0],
  ],
  p: [0.2, 0.15, 0.1, 0.05, 0.25, 0.25, 0],
  ab: [0.33, 0.2, 0.41, 0.04],
  bc: [0.4, 0.36, 0.14, 0.12],
  ac: [0.28, 0.22, 0.22, 0.3],
};

/** The variance at which an answer about `total` records has the stiffness λ at a strength. */
export const varianceOf = (lambda: number, total: number, strength: number) =>
  total ** 2 / (lambda * strength);
