import { readFileSync } from "node:fs";
import Ajv from "ajv";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MarginaliaError } from "../ts/errors.js";
import { type CellQuery, type CliqueQuery, type MeasurementJson, measurement } from "../ts/measurement.js";
import { bytesOf, measurementsFromBytes, measurementsToBytes } from "../ts/measurements.js";
import { answersOf } from "../ts/query.js";

const conforms = new Ajv({ strict: true, allowUnionTypes: true }).compile(
  JSON.parse(readFileSync("measurement.schema.json", "utf8")) as object,
);

const valid: MeasurementJson = {
  version: 1,
  clique: ["age", "sex"],
  query: { type: "identity" },
  shape: [3, 2],
  values: [1, -2, 3.5, 4, 5, 6],
  noise: { law: "laplace", scale: "10/3", variance: 22.05 },
  relation: "add-remove",
  cost: { currency: "epsilon", amount: "3/10" },
};

const whole = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const shapes = fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 3 });
const productOf = (shape: readonly number[]) => shape.reduce((product, size) => product * size, 1);

const small = fc.integer({ min: -1000, max: 1000 });

function queries(shape: readonly number[]): fc.Arbitrary<CliqueQuery> {
  const factors = fc.tuple(...shape.map((size) => cellQueries(size, small)));
  return fc.oneof(
    cellQueries(productOf(shape), whole),
    factors.map((factors) => ({ type: "product" as const, factors })),
  );
}

function cellQueries(cells: number, entry: fc.Arbitrary<number>): fc.Arbitrary<CellQuery> {
  const run = fc.tuple(fc.nat(cells - 1), fc.nat(cells - 1)).map(([a, b]) => (a < b ? [a, b] : [b, a]));
  return fc.oneof(
    fc.constant<CellQuery>({ type: "identity" }),
    fc.constant<CellQuery>({ type: "prefix" }),
    fc.array(run as fc.Arbitrary<[number, number]>, { minLength: 1, maxLength: 4 }).map((ranges) => {
      return { type: "ranges" as const, ranges };
    }),
    fc
      .array(fc.array(entry, { minLength: cells, maxLength: cells }), { minLength: 1, maxLength: 3 })
      .map((rows) => {
        return { type: "matrix" as const, rows };
      }),
  );
}

const fraction = fc
  .tuple(fc.integer({ min: 1 }), fc.integer({ min: 1 }))
  .map(([p, q]) => (q === 1 ? `${p}` : `${p}/${q}`));

const any: fc.Arbitrary<MeasurementJson> = shapes.chain((shape) =>
  queries(shape).chain((query) => {
    const length = answersOf(query, shape);
    return fc.record({
      version: fc.constant(1 as const),
      clique: fc.constant(shape.map((_, i) => `attribute ${i} é`)),
      query: fc.constant(query),
      shape: fc.constant(shape),
      values: fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), {
        minLength: length,
        maxLength: length,
      }),
      noise: fc.record({
        law: fc.constantFrom("laplace" as const, "gaussian" as const),
        scale: fraction,
        variance: fc.double({ min: 0, max: 1e300, noNaN: true }),
      }),
      relation: fc.oneof(
        fc.constant("add-remove" as const),
        fc.integer({ min: 1 }).map((n) => ({ replace: { n } })),
      ),
      cost: fc.record({ currency: fc.constantFrom("epsilon" as const, "rho" as const), amount: fraction }),
    });
  }),
);

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe("a measurement", () => {
  it("property: comes back from JSON and from bytes as it was, and fits its JSON Schema", () => {
    fc.assert(
      fc.property(fc.array(any, { maxLength: 4 }), (list) => {
        const made = list.map(measurement);
        for (const one of made) {
          const json = JSON.parse(JSON.stringify(one)) as MeasurementJson;
          expect(conforms(json), JSON.stringify(conforms.errors)).toBe(true);
          expect(plain(measurement(json))).toEqual(json);
        }
        const bytes = measurementsToBytes(made);
        expect(bytes.length).toBe(bytesOf(made));
        const again = measurementsFromBytes(bytes);
        expect(again).toEqual(made);
        // Bytes keep −0, which JSON does not.
        again.forEach((one, i) => {
          expect([...one.values].every((value, k) => Object.is(value, list[i]?.values[k]))).toBe(true);
        });
      }),
      { numRuns: 200 },
    );
  });

  it("property: bytes that are cut or changed are refused, or are a measurement all the same", () => {
    const bytes = measurementsToBytes([
      measurement(valid),
      measurement({ ...valid, query: { type: "prefix" } }),
    ]);
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, by) => {
        expect(refusalOf(() => measurementsFromBytes(bytes.subarray(0, at)))).toBe("MEASUREMENT_INVALID");
        const changed = bytes.slice();
        changed[at] = (changed[at] as number) ^ by;
        expect(refusalOf(() => measurementsFromBytes(changed))).toMatch(/MEASUREMENT_INVALID|none/);
      }),
      { numRuns: 500 },
    );
    // Views into larger buffers are read where they lie.
    const shifted = new Uint8Array(bytes.length + 3);
    shifted.set(bytes, 3);
    expect(measurementsFromBytes(shifted.subarray(3))).toHaveLength(2);
  });

  const bad: [string, object][] = [
    ["version", { version: 2 }],
    ["unknown", { extra: 1 }],
    ["clique", { clique: ["age", "age"] }],
    ["clique", { clique: "age" }],
    ["shape", { shape: [6] }],
    ["shape", { shape: [3, 0] }],
    ["shape", { shape: [3, 2.5] }],
    ["cells", { shape: [2 ** 31, 2] }],
    ["values", { values: [1, 2] }],
    ["values", { values: [1, 2, 3, 4, 5, Number.NaN] }],
    ["values", { values: [1, 2, 3, 4, 5, "6"] }],
    ["values", { values: new Array(6) }],
    ["values", { values: undefined }],
    ["query", { query: undefined }],
    ["query", { query: { type: "median" } }],
    ["query", { query: { type: "identity", ranges: [] } }],
    ["ranges", { query: { type: "ranges", ranges: [] }, values: [] }],
    ["ranges", { query: { type: "ranges", ranges: [[2, 1]] }, values: [1] }],
    ["ranges", { query: { type: "ranges", ranges: [[0, 6]] }, values: [1] }],
    ["rows", { query: { type: "matrix", rows: [[1, 2]] }, values: [1] }],
    ["rows", { query: { type: "matrix", rows: [[1, 2, 3, 4, 5, 2 ** 31]] }, values: [1] }],
    ["noise", { noise: undefined }],
    ["noise", { noise: { ...valid.noise, seed: 1 } }],
    ["law", { noise: { ...valid.noise, law: "uniform" } }],
    ["scale", { noise: { ...valid.noise, scale: 10 } }],
    ["scale", { noise: { ...valid.noise, scale: "0" } }],
    ["scale", { noise: { ...valid.noise, scale: "1.5" } }],
    ["variance", { noise: { ...valid.noise, variance: -1 } }],
    ["variance", { noise: { ...valid.noise, variance: Number.POSITIVE_INFINITY } }],
    ["relation", { relation: "swap" }],
    ["relation", { relation: { replace: { n: 0 } } }],
    ["relation", { relation: { replace: { n: 5 }, more: 1 } }],
    ["cost", { cost: { currency: "dollars", amount: "1" } }],
    ["cost", { cost: { currency: "rho", amount: "-1" } }],
  ];

  it.each(bad)("whose %s is wrong is refused by name: %j", (_, change) => {
    expect(refusalOf(() => measurement({ ...valid, ...change } as MeasurementJson))).toBe(
      "MEASUREMENT_INVALID",
    );
  });

  it("from elsewhere need not say what it cost, and is copied", () => {
    const values = [...valid.values];
    const { cost: _, ...free } = valid;
    const made = measurement({ ...free, values });
    values[0] = 99;
    expect(made.values[0]).toBe(1);
    expect(JSON.stringify(made)).not.toContain("cost");
    for (const nothing of [null, undefined, 1, [valid]]) {
      expect(refusalOf(() => measurement(nothing as never))).toBe("MEASUREMENT_INVALID");
    }
  });
});

function refusalOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof MarginaliaError) return error.code;
    throw error;
  }
  return "none";
}
