import {
  type CliqueQuery,
  category,
  close,
  estimate,
  type GraphicalModel,
  integer,
  kWay,
  type MeasurementJson,
  measurement,
  schema,
  workload,
} from "marginalia";
import { afterAll, describe, expect, expectTypeOf, it } from "vitest";
import { cells, codeOf, domain } from "./support.js";

afterAll(() => close());

const people = schema(
  { area: category(["AR1", "AR2", "BE1"]), sex: category(["F", "M"]), job: category(["x", "y", "z"]) },
  { derive: { state: { from: "area", prefix: 2 } } },
);

/** Two pairs that meet in `sex`, which say the same of it. */
const MEASURED = [
  cells(people, ["area", "sex"], [10, 20, 5, 25, 15, 25], 0.01),
  cells(people, ["sex", "job"], [10, 10, 10, 40, 20, 10], 0.01),
];
const EXACT = { strength: 1e-4, tolerance: 1e-8 };
const exact = () => estimate.calibrated({ schema: people, measurements: MEASURED, total: 100, ...EXACT });

const near = (found: ArrayLike<number>, wanted: readonly number[], digits = 2) => {
  expect(found).toHaveLength(wanted.length);
  wanted.forEach((one, i) => {
    expect(found[i]).toBeCloseTo(one, digits);
  });
};

/** Given the sex, area and job are independent. */
const whole = [0, 1, 2].flatMap((area) =>
  [0, 1].flatMap((sex) =>
    [0, 1, 2].map((job) => {
      const left = [10, 20, 5, 25, 15, 25][2 * area + sex] as number;
      const right = [10, 10, 10, 40, 20, 10][3 * sex + job] as number;
      return (left * right) / [30, 70][sex]!;
    }),
  ),
);

describe("a graphical model", () => {
  it("is what measured cliques imply, and no more dependence than these", async () => {
    using fit = await exact();
    expectTypeOf(fit.model).toEqualTypeOf<GraphicalModel<typeof people>>();
    const { model } = fit;
    expect([fit.status, model.kind, model.total]).toEqual(["converged", "graphical", 100]);
    expect(fit.certificate.gap).toBeGreaterThanOrEqual(0);
    expect(fit.certificate.bound).toBeLessThanOrEqual(fit.certificate.value);
    expect([fit.strength, fit.freedom, fit.answers]).toEqual([1e-4, undefined, 12]);
    near(await model.marginal(["area", "sex"]), [10, 20, 5, 25, 15, 25]);
    near(await model.marginal(["area", "sex", "job"]), whole);
    near(await model.marginal(["state"], { normalize: true }), [0.6, 0.4], 4);
    const [pair, prefix] = await model.answer([
      { clique: ["job", "state"] },
      { clique: ["job"], query: { type: "prefix" } },
    ]);
    near(prefix as Float64Array, [50, 80, 100]);
    const of = (job: number, areas: readonly number[]) =>
      areas.reduce(
        (sum, area) => sum + (whole[6 * area + job] as number) + (whole[6 * area + 3 + job] as number),
        0,
      );
    near(
      pair as Float64Array,
      [0, 1, 2].flatMap((job) => [of(job, [0, 1]), of(job, [2])]),
    );
  });

  it("takes any measurement: of derived attributes, of sums, of nothing", async () => {
    const prefix: MeasurementJson = measurement({
      version: 1,
      clique: ["job"],
      query: { type: "prefix" },
      shape: [3],
      values: [50, 70, 100],
      noise: { law: "laplace", scale: "1", variance: 0.01 },
      relation: "add-remove",
    });
    const measurements = [cells(people, ["sex", "state"], [15, 15, 45, 25], 0.01), prefix];
    using fit = await estimate.calibrated({ schema: people, measurements, ...EXACT });
    // The total is what all answers say of it.
    expect(fit.total.records).toBeCloseTo(100, 1);
    near(await fit.model.marginal(["state", "sex"]), [15, 45, 15, 25], 1);
    near(await fit.model.marginal(["job"]), [50, 20, 30], 1);
    // Within a state nothing says which area it is.
    near(await fit.model.marginal(["area"]), [30, 30, 40], 1);
    using nothing = await estimate.calibrated({ schema: people, measurements: [], total: 90 });
    near(await nothing.model.marginal(["area"]), [30, 30, 30]);
  });

  it("takes and answers products of queries, with standard errors, in any order of attributes", async () => {
    const product: CliqueQuery = {
      type: "product",
      factors: [{ type: "prefix" }, { type: "identity" }, { type: "ranges", ranges: [[1, 2]] }],
    };
    const clique = ["job", "sex", "area"] as const;
    const summed = (job: number, sex: number) =>
      whole.reduce((sum, cell, at) => {
        const [area, own, of] = [Math.floor(at / 6), Math.floor(at / 3) % 2, at % 3];
        return area >= 1 && own === sex && of <= job ? sum + cell : sum;
      }, 0);
    const values = [0, 1, 2].flatMap((job) => [0, 1].map((sex) => summed(job, sex)));
    using fit = await exact();
    const [answers] = await fit.model.answer([{ clique, query: product }], { standardErrors: "all" });
    near(answers?.values as Float64Array, values);
    expect(answers?.standardErrors.every((error) => error > 0 && error < 1)).toBe(true);
    const one = measurement({ ...MEASURED[0]!, clique, shape: [3, 2, 3], query: product, values });
    const measurements = [one, cells(people, ["sex"], [30, 70], 0.01)];
    using again = await estimate.calibrated({ schema: people, measurements, total: 100, ...EXACT });
    const [met] = await again.model.answer([{ clique, query: product }]);
    near(met as Float64Array, values, 1);
    using down = await estimate.accelerated({ schema: people, measurements, total: 100 });
    const [lowered] = await down.model.answer([{ clique, query: product }]);
    near(lowered as Float64Array, values, 0);
  });

  it("says what a model of cliques takes, before any memory is taken", async () => {
    const wide = schema(
      Object.fromEntries("abcdefghij".split("").map((name) => [name, integer({ min: 0, max: 99 })])),
    );
    const chain = workload(wide, [
      ["a", "b"],
      ["b", "c"],
      ["c", "d"],
    ] as never);
    const small = await estimate.size(chain);
    // Forty bytes and more for each of three tables of 10⁴ cells.
    expect([small.bytes > 1.2e6, small.bytes < 1e7, small.largest >= 1e4, small.seconds < 1]).toEqual(
      Array(4).fill(true),
    );
    const all = await estimate.size(kWay(wide, 2));
    expect(all.bytes).toBeGreaterThan(1e18);
    expect(all.seconds / small.seconds).toBeGreaterThan(1e12);
    expect(all.widest.length).toBeGreaterThan(8);
    // A derived attribute is what it follows from.
    const [derived, own] = await Promise.all([
      estimate.size(workload(people, [["state", "sex"]])),
      estimate.size(workload(people, [["area", "sex"]])),
    ]);
    expect(derived).toEqual(own);
    await expect(
      estimate.calibrated({
        schema: wide,
        measurements: [...kWay(wide, 2)].map((clique) => cells(wide, clique, Array(10_000).fill(1), 1)),
        total: 100,
      }),
    ).rejects.toMatchObject({ code: "MODEL_TOO_LARGE" });
  });

  it("chooses its strength, and says what it left to the noise", async () => {
    const sizes = [9, 8, 7] as const;
    const over = domain(sizes);
    let state = 7;
    const noise = () => {
      state = (state * 48271) % 2147483647;
      return 12 * Math.sqrt(12) * (state / 2147483647 - 0.5);
    };
    const share = (a: number, size: number) => (2 * (a + 1)) / (size * (size + 1));
    const pair = (i: number, j: number) =>
      Array.from({ length: sizes[i]! * sizes[j]! }, (_, cell) => {
        const [a, b] = [Math.floor(cell / sizes[j]!), cell % sizes[j]!];
        return 5000 * share(a, sizes[i]!) * share(b, sizes[j]!) + noise();
      });
    const measurements = [
      cells(over, ["a", "b"], pair(0, 1), 144),
      cells(over, ["b", "c"], pair(1, 2), 144),
      cells(over, ["a", "c"], pair(0, 2), 144),
    ];
    using fit = await estimate.calibrated({ schema: over, measurements, total: 5000 });
    expect(fit.status).toBe("converged");
    expect(fit.answers).toBe(72 + 56 + 63);
    expect(fit.freedom).toBeGreaterThan(0);
    expect(fit.freedom).toBeLessThan(fit.answers);
    expect(fit.trace.at(-1)?.gap).toBe(fit.certificate.gap);
    // The truth is a product: the model says less of pairs that nobody sees than the answers do.
    const [made] = await fit.model.answer(workload(over, [["a", "b"]]));
    const error = (list: ArrayLike<number>) =>
      Array.from(list).reduce((sum, one, cell) => {
        const wanted = 5000 * share(Math.floor(cell / 8), 9) * share(cell % 8, 8);
        return sum + Math.abs(one - wanted);
      }, 0);
    expect(error(made as Float64Array)).toBeLessThan(0.7 * error(measurements[0]!.values as number[]));
  });

  it("is conditioned exactly, and again", async () => {
    using fit = await exact();
    using part = await fit.model.where({ state: "AR", sex: "F" });
    expect(part.kind).toBe("graphical");
    expect(part.total).toBeCloseTo(15, 1);
    near(await part.marginal(["area", "sex"]), [10, 0, 5, 0, 0, 0], 1);
    using further = await part.where({ job: ["x", "z"] });
    const [all] = await fit.model.answer(workload(people, [["area", "sex", "job"]]));
    const of = (area: number, job: number) => all?.[6 * area + job] as number;
    expect(further.total).toBeCloseTo(of(0, 0) + of(0, 2) + of(1, 0) + of(1, 2), 9);
    expect(await codeOf(part.where({ area: "BE1" }))).toBe("CONDITION_IMPOSSIBLE");
  });

  it("refuses what only rows have, and what does not fit", async () => {
    using fit = await exact();
    const { model } = fit;
    // @ts-expect-error A graphical model has no rows.
    expect(await codeOf(model.weights())).toBe("MODEL_UNSUPPORTED");
    const wrong = (options: object) =>
      codeOf(estimate.calibrated({ schema: people, measurements: MEASURED, ...options }));
    expect(await wrong({ strength: 0 })).toBe("OPTION_INVALID");
    expect(await wrong({ tolerance: Number.NaN })).toBe("OPTION_INVALID");
    expect(await wrong({ passes: 3 })).toBe("OPTION_INVALID");
    expect(await wrong({ measurements: [] })).toBe("OPTION_INVALID");
    const wide = domain(Array.from({ length: 12 }, () => 60));
    const every = [...kWay(wide, 2)].map((clique) =>
      cells(wide, clique as string[], new Array(3600).fill(1)),
    );
    const error = await estimate
      .calibrated({ schema: wide, measurements: every, total: 3600 })
      .catch((e) => e);
    expect(error).toMatchObject({
      code: "MODEL_TOO_LARGE",
      message: expect.stringContaining("meet in 12 attributes"),
    });
    expect(error.message).toContain("a, b, c");
  });

  it("is stopped with the best so far", async () => {
    const sizes = [40, 40, 40, 40] as const;
    const over = domain(sizes);
    const pairs = [...kWay(over, 2)].map((clique) =>
      cells(
        over,
        clique as string[],
        Array.from({ length: 1600 }, (_, i) => (i * 7919) % 13),
        1e-2,
      ),
    );
    const options = { schema: over, measurements: pairs, total: 9600, tolerance: 1e-12 };
    const controller = new AbortController();
    const running = estimate.calibrated({
      ...options,
      signal: controller.signal,
      onProgress: () => controller.abort(),
    });
    const error = await running.catch((e) => e);
    expect(error.code).toBe("ABORTED");
    error.partial?.dispose();
    using timed = await estimate.calibrated({ ...options, timeLimit: 50, keepRefused: true });
    expect(["stopped", "refused"]).toContain(timed.status);
    expect((await timed.model.marginal(["a"])).length).toBe(40);
  });
});
