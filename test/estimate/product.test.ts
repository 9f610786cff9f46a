import { category, close, estimate, prior, readTable, type SupportModel, schema, workload } from "marginalia";
import { afterAll, describe, expect, it } from "vitest";
import { cells, codeOf } from "./support.js";

afterAll(() => close());

const people = schema(
  { area: category(["AR1", "AR2", "BE1"]), sex: category(["F", "M"]), job: category(["x", "y", "z"]) },
  { derive: { state: { from: "area", prefix: 2 } } },
);
const MEASURED = [
  cells(people, ["area", "sex"], [10, 20, 5, 25, 15, 25]),
  cells(people, ["area"], [40, 30, 30]),
  cells(people, ["job"], [-10, 60, 50]),
];
const independent = () => estimate.independent({ schema: people, measurements: MEASURED, total: 100 });

const near = (found: ArrayLike<number>, wanted: readonly number[]) => {
  expect(found).toHaveLength(wanted.length);
  wanted.forEach((one, i) => {
    expect(found[i]).toBeCloseTo(one, 9);
  });
};

describe("the product of single attributes", () => {
  it("knows what measurements say of each attribute, and answers pairs as if they were independent", async () => {
    using fit = await independent();
    const { model } = fit;
    expect([fit.status, model.kind, model.total]).toEqual(["converged", "product", 100]);
    // The pair's sums of the area have twice the variance of its own measurement.
    const area = [(30 + 2 * 40) / 3, (30 + 2 * 30) / 3, (40 + 2 * 30) / 3];
    near(await model.marginal(["area"]), area);
    near(await model.marginal(["job"]), [0, 55, 45]);
    near(await model.marginal(["state"], { normalize: true }), [
      ((area[0] as number) + (area[1] as number)) / 100,
      (area[2] as number) / 100,
    ]);
    const [pair] = await model.answer(workload(people, [["sex", "state"]]));
    const sex = [30, 70];
    near(
      pair as Float64Array,
      sex.flatMap((one) => [(one * (100 - (area[2] as number))) / 100, (one * (area[2] as number)) / 100]),
    );
    const [prefix] = await model.answer([{ clique: ["job"], query: { type: "prefix" } }]);
    near(prefix as Float64Array, [0, 55, 100]);
  });

  it("is conditioned exactly", async () => {
    using fit = await independent();
    using part = await fit.model.where({ state: "AR", sex: "F" });
    expect(part.kind).toBe("product");
    near(await part.marginal(["sex"]), [part.total, 0]);
    const [all] = await fit.model.answer(workload(people, [["state", "sex"]]));
    expect(part.total).toBeCloseTo((all as Float64Array)[0] as number, 9);
    expect(await codeOf(fit.model.where({ job: "x" }))).toBe("CONDITION_IMPOSSIBLE");
  });

  it("takes the shares of attributes that were not measured from a prior, where there is one", async () => {
    const rows = { area: ["AR1", "AR1", "BE1", "AR2"], sex: ["F", "M", "F", "F"], job: ["x", "x", "z", "y"] };
    using table = await readTable(rows, people);
    using before = await prior(table);
    const measurements = [cells(people, ["sex"], [50, 50])];
    using fit = await estimate.independent({ prior: before, measurements, total: 100 });
    near(await fit.model.marginal(["area"]), [50, 25, 25]);
    near(await fit.model.marginal(["sex"]), [50, 50]);
    using without = await estimate.independent({ schema: people, measurements, total: 90 });
    near(await without.model.marginal(["area"]), [30, 30, 30]);
  });

  it("is a prior on all rows that it allows", async () => {
    using fit = await independent();
    expect(await codeOf(prior(fit.model))).toBe("OPTION_INVALID");
    using before = await prior(fit.model, { strength: 10 });
    expect([before.kind, before.rows]).toEqual(["model", 3 * 2 * 2]);
    using table = await before.table();
    const [shares] = await table.answer(workload(people, [["area"]]));
    near(
      (shares as Float64Array).map((share) => 100 * share),
      [...(await fit.model.marginal(["area"]))],
    );
    const measurements = [cells(people, ["area", "job"], [0, 30, 10, 0, 20, 10, 0, 10, 20])];
    using bent = await estimate.calibrated({ prior: before, measurements, total: 100, strength: 1 });
    expect([bent.model.kind, bent.status]).toEqual(["support", "converged"]);
  });

  it("refuses what only rows have, by a code", async () => {
    using fit = await independent();
    // As callers without types do.
    const model = fit.model as unknown as SupportModel;
    const errors = { standardErrors: "all" } as const;
    const lacking = [
      model.weights(),
      model.table(),
      model.relativeEntropy(),
      model.effectiveSize(),
      model.marginal(["sex"], errors),
      model.answer([{ clique: ["sex"] }], errors),
    ];
    expect(new Set(await Promise.all(lacking.map(codeOf)))).toEqual(new Set(["MODEL_UNSUPPORTED"]));
  });

  it("refuses measurements of sums, options that it has not, and a schema that is none", async () => {
    const sums = { ...JSON.parse(JSON.stringify(MEASURED[2])), query: { type: "prefix" } };
    const codes = [
      { schema: people, measurements: [sums] },
      { schema: people, measurements: MEASURED, strength: 3 },
      { schema: {}, measurements: MEASURED },
      { schema: people },
    ].map((options) => codeOf(estimate.independent(options as never)));
    expect(await Promise.all(codes)).toEqual([
      "QUERY_UNSUPPORTED",
      "OPTION_INVALID",
      "SCHEMA_INVALID",
      "OPTION_INVALID",
    ]);
  });
});
