import { category, close, estimate, integer, schema, workload } from "marginalia";
import { afterAll, describe, expect, it } from "vitest";
import { cells, codeOf } from "./support.js";

afterAll(() => close());

const people = schema(
  {
    age: integer({ min: 0, max: 79, width: 20 }),
    area: category(["AR1", "AR2", "BE1"]),
    job: category(["none", "wage"], { other: null }),
  },
  { derive: { state: { from: "area", prefix: 2 } } },
);
const MEASURED = [
  cells(people, ["age", "area"], [90, 40, 10, 30, 60, 20, 5, 80, 70, 10, 20, 65], 1),
  cells(people, ["age", "job"], [120, 15, 5, 20, 80, 10, 35, 110, 10, 60, 25, 10], 1),
];
const fitted = () =>
  estimate.calibrated({ schema: people, measurements: MEASURED, total: 500, strength: 1, tolerance: 1e-6 });

describe("complete", () => {
  it("draws what is missing from what the model says of it, and keeps the rest", async () => {
    using fit = await fitted();
    const rows = Array.from({ length: 30_000 }, (_, i) =>
      i % 3 === 0 ? { age: 37, job: null } : i % 3 === 1 ? { area: "BE1" } : {},
    );
    for (const method of ["systematic", "iid"] as const) {
      using table = await fit.model.complete(rows, { method, seed: 3 });
      expect(table.rows).toBe(30_000);
      const [found] = await table.answer(workload(people, [["age", "area", "job"]]));
      const parts = await Promise.all([
        fit.model.where({ age: { from: 20, to: 39 }, job: null }),
        fit.model.where({ area: "BE1" }),
        fit.model.where({}),
      ]);
      const wanted = new Float64Array(36);
      for (const part of parts) {
        using one = part;
        const [cells] = await one.answer(workload(people, [["age", "area", "job"]]), { normalize: true });
        cells!.forEach((share, at) => {
          wanted[at]! += 10_000 * share;
        });
      }
      // Five deviations of draws one by one: of 72 cells one in 10⁴ runs would be farther, and rounded rows are nearer.
      found!.forEach((count, at) => {
        expect(Math.abs(count - wanted[at]!)).toBeLessThanOrEqual(5 * Math.sqrt(wanted[at]!) + 2);
      });
    }
  });

  it("gives the same rows for the same seed, in the order of the rows", async () => {
    using fit = await fitted();
    const rows = [{ area: "AR2" }, { area: "BE1" }, { age: 61, job: "wage" }] as const;
    const drawn = async (seed: number) => {
      using table = await fit.model.complete([...rows, ...rows], { seed });
      const [all] = await table.answer(
        workload(people, [
          ["area", "state"],
          ["age", "job"],
        ]),
      );
      return [...(all as Float64Array)];
    };
    expect(await drawn(1)).toEqual(await drawn(1));
    using table = await fit.model.complete([{ area: "AR2", age: 0, job: "none" }]);
    expect([...((await table.answer(workload(people, [["area"]])))[0] as Float64Array)]).toEqual([0, 1, 0]);
    using none = await fit.model.complete([]);
    expect(none.rows).toBe(0);
  });

  it("refuses what cannot be", async () => {
    using fit = await estimate.calibrated({
      schema: people,
      measurements: MEASURED,
      deny: [{ age: { to: 19 }, job: "wage" }],
      mapping: [{ from: "area", to: "job", map: { AR1: "none", AR2: "wage", BE1: "wage" } }],
    });
    const { model } = fit;
    expect(await codeOf(model.complete([{ age: 3, area: "AR1" }]))).toBe(undefined);
    expect(await codeOf(model.complete([{ age: 3, area: "AR2" }]))).toBe("OPTION_INVALID");
    expect(await codeOf(model.complete([{ area: "AR1", job: "wage" }]))).toBe("OPTION_INVALID");
    expect(await codeOf(model.complete([{ job: "wage" }]))).toBe("OPTION_INVALID");
    expect(await codeOf(model.complete([{ state: "AR" }]))).toBe("OPTION_INVALID");
    expect(await codeOf(model.complete([{ area: "CE1" }]))).toBe("CONDITION_IMPOSSIBLE");
    expect(await codeOf(model.complete([{ town: "AR1" } as never]))).toBe("ATTRIBUTE_UNKNOWN");
    expect(await codeOf(model.complete([3] as never))).toBe("OPTION_INVALID");
    expect(await codeOf(model.complete([{}], { method: "controlled" } as never))).toBe("OPTION_INVALID");
  });
});

describe("products of queries", () => {
  it("are what the cells say, and need no cells", async () => {
    using fit = await fitted();
    const { model } = fit;
    const ages = {
      type: "ranges",
      ranges: [
        [0, 1],
        [2, 3],
        [1, 1],
      ],
    } as const;
    const jobs = { type: "matrix", rows: [[1, -1, 0]] } as const;
    const found = await model.product({ age: ages, state: { type: "prefix" }, job: jobs });
    const [all] = await model.answer(workload(people, [["age", "state", "job"]]));
    const at = (age: number, state: number, job: number) => all![6 * age + 3 * state + job] as number;
    const wanted = ages.ranges.flatMap(([from, to]) =>
      [0, 1].map((last) => {
        let sum = 0;
        for (let age = from; age <= to; age++)
          for (let state = 0; state <= last; state++) sum += at(age, state, 0) - at(age, state, 1);
        return sum;
      }),
    );
    expect(found).toHaveLength(6);
    found.forEach((one, i) => {
      expect(one).toBeCloseTo(wanted[i] as number, 9);
    });
    const rows = await model.products(
      {
        age: [
          [1, 1, 0, 0],
          [0, 0, 0.5, 2],
        ],
        state: [
          [1, 0],
          [0, 1],
        ],
      },
      { normalize: true },
    );
    const pairs = (ages: readonly number[], state: number) =>
      ages.reduce(
        (sum, weight, age) => sum + weight * [0, 1, 2].reduce((own, job) => own + at(age, state, job), 0),
        0,
      );
    expect(rows[0]).toBeCloseTo(pairs([1, 1, 0, 0], 0) / 500, 12);
    expect(rows[1]).toBeCloseTo(pairs([0, 0, 0.5, 2], 1) / 500, 12);
    expect([...(await model.product({}))]).toEqual([500]);
  });

  it("reach over more cells than fit", async () => {
    const names = Array.from({ length: 12 }, (_, i) => `n${i}`);
    const wide = schema(Object.fromEntries(names.map((name) => [name, integer({ min: 0, max: 99 })])));
    const ramp = Array.from({ length: 100 }, (_, i) => i + 1);
    const measurements = names.map((name) => cells(wide, [name], ramp, 0.01));
    using fit = await estimate.calibrated({ schema: wide, measurements, total: 5050 });
    // A box of all twelve: 10²⁴ cells.
    const box = { type: "ranges", ranges: [[0, 49]] } as const;
    const [inside] = await fit.model.product(Object.fromEntries(names.map((name) => [name, box])), {
      normalize: true,
    });
    expect(inside! / (1275 / 5050) ** 12).toBeCloseTo(1, 3);
    expect(await codeOf(fit.model.answer(workload(wide, [names])))).toBe("MODEL_TOO_LARGE");
  });

  it("are refused where they are none", async () => {
    using fit = await fitted();
    const code = (queries: object) => codeOf(fit.model.product(queries));
    expect(await code({ town: { type: "prefix" } })).toBe("ATTRIBUTE_UNKNOWN");
    expect(await code({ area: { type: "prefix" }, state: { type: "prefix" } })).toBe("OPTION_INVALID");
    expect(await codeOf(fit.model.products({ age: [[1, 0]] }))).toBe("OPTION_INVALID");
    expect(await codeOf(fit.model.products({ age: [[1, 0, 0, 0]], job: [] }))).toBe("OPTION_INVALID");
  });
});
