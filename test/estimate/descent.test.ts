import {
  category,
  close,
  type DescentEstimate,
  type EstimateAborted,
  estimate,
  type MeasurementJson,
  measurement,
  type OwnLoss,
  schema,
} from "marginalia";
import { afterAll, describe, expect, expectTypeOf, it } from "vitest";
import { cells, codeOf, domain } from "./support.js";

afterAll(() => close());

const people = schema(
  { area: category(["AR1", "AR2", "BE1"]), sex: category(["F", "M"]), job: category(["x", "y", "z"]) },
  { derive: { state: { from: "area", prefix: 2 } } },
);
const LEFT = [10, 20, 5, 25, 15, 25];
const RIGHT = [12, 10, 10, 40, 20, 8];
const PREFIX: MeasurementJson = measurement({
  version: 1,
  clique: ["job"],
  query: { type: "prefix" },
  shape: [3],
  values: [50, 80, 100],
  noise: { law: "laplace", scale: "1", variance: 2 },
  relation: "add-remove",
});
const PAIRS = [cells(people, ["area", "sex"], LEFT, 2), cells(people, ["sex", "job"], RIGHT, 2)];
const problem = { schema: people, measurements: [...PAIRS, PREFIX], total: 100 };
const long = { iterations: 1500, tolerance: 0 };

const ways = {
  mirrorDescent: estimate.mirrorDescent<typeof people>,
  dualAveraging: estimate.dualAveraging<typeof people>,
  interiorGradient: estimate.interiorGradient<typeof people>,
  accelerated: estimate.accelerated<typeof people>,
};

const pairs = async (fit: DescentEstimate<typeof people>) =>
  (await fit.model.answer([{ clique: ["area", "sex"] }, { clique: ["sex", "job"] }])).flatMap((list) =>
    Array.from(list),
  );

const near = (found: readonly number[], wanted: readonly number[], within: number) =>
  expect(Math.max(...found.map((one, i) => Math.abs(one - (wanted[i] as number))))).toBeLessThan(within);

/** Half the squares of what cells miss, over a variance of 2. */
const squares: OwnLoss = {
  cliques: [
    ["area", "sex"],
    ["sex", "job"],
  ],
  at(counts) {
    const missed = [LEFT, RIGHT].map((list, i) =>
      list.map((wanted, cell) => (counts[i]?.[cell] ?? 0) - wanted),
    );
    const value = missed.flat().reduce((sum, one) => sum + (one * one) / 4, 0);
    return { value, gradient: missed.map((list) => list.map((one) => one / 2)) };
  },
  lipschitz: 1 / 2,
};

describe.each(Object.entries(ways))("%s", (name, way) => {
  it("comes to what a calibrated estimate does whose base is worth nothing", async () => {
    using wanted = await estimate.calibrated({ ...problem, strength: 1e-5, tolerance: 1e-9 });
    using fit = await way({ ...problem, ...long });
    expectTypeOf(fit).toEqualTypeOf<DescentEstimate<typeof people>>();
    expect([fit.status, fit.model.kind, fit.iterations, fit.noise]).toEqual([
      "limit",
      "graphical",
      1500,
      7.5,
    ]);
    const [left, right] = await wanted.model.answer([
      { clique: ["area", "sex"] },
      { clique: ["sex", "job"] },
    ]);
    near(await pairs(fit), [...(left ?? []), ...(right ?? [])], 1e-2);
    expect(fit.loss).toBeCloseTo(wanted.residual / 2, 5);
    // Its sweeps are iterations without a judgement.
    const unjudged = name === "accelerated" ? 5 : 0;
    expect([fit.trace[0]?.iterations, fit.trace.length]).toEqual([0, 1501 - unjudged]);
    expect(fit.trace[0]?.loss).toBeGreaterThan(fit.loss);
  });

  it("ends where the noise begins, and goes on from its model", async () => {
    using early = await way({ ...problem, until: "noise" });
    expect([early.status, early.trace.at(-1)!.loss <= 7.5]).toEqual(["converged", true]);
    using further = await way({ ...problem, start: early.model, iterations: 50 });
    expect(further.trace[0]?.loss).toBeCloseTo(early.loss, 9);
    expect(further.loss).toBeLessThan(early.loss);
    using huber = await way({ ...problem, loss: "huber", ...long });
    near(await pairs(huber), await pairs(further), 5);
  });

  it("lowers a loss of your own, of counts", async () => {
    using wanted = await way({ ...problem, measurements: PAIRS, ...long });
    using fit = await way({ ...problem, measurements: [], loss: squares, ...long });
    near(await pairs(fit), await pairs(wanted), 1e-2);
    expect([fit.noise, fit.outside]).toEqual([undefined, []]);
    expect(fit.loss).toBeCloseTo(wanted.loss, 4);
    const broken = (at: OwnLoss["at"]) => codeOf(way({ ...problem, loss: { ...squares, at } }));
    expect(await broken(() => ({ value: 1, gradient: [[1], [2]] }))).toBe("OPTION_INVALID");
    expect(await broken((counts) => ({ value: Number.NaN, gradient: [...counts] }))).toBe("OPTION_INVALID");
    const thrown = new RangeError("mine");
    const failing = way({
      ...problem,
      loss: {
        ...squares,
        at() {
          throw thrown;
        },
      },
    });
    await expect(failing).rejects.toBe(thrown);
  });

  it("refuses what does not fit", async () => {
    const wrong = (options: object) => codeOf(way({ ...problem, ...options }));
    for (const options of [
      { iterations: -1 },
      { tolerance: Number.NaN },
      { until: "never" },
      { until: Number.NaN },
      { loss: "l3" },
      { loss: { cliques: [] } },
      { loss: { ...squares, lipschitz: 0 } },
      { loss: squares, until: "noise" },
      { steps: "long" },
      { prior: undefined, passes: 3 },
      { measurements: PAIRS[0] },
    ])
      expect([options, await wrong(options)]).toEqual([options, "OPTION_INVALID"]);
    if (name !== "mirrorDescent") expect(await wrong({ loss: "l1" })).toBe("OPTION_INVALID");
    using fit = await way({ ...problem, iterations: 1 });
    const fewer = { measurements: [PREFIX], start: fit.model };
    expect(await wrong(fewer)).toBe("OPTION_INVALID");
  });

  it("is stopped with the best so far", async () => {
    const over = domain([30, 30, 30]);
    const values = Array.from({ length: 900 }, (_, i) => (i * 7919) % 13);
    const measurements = [
      cells(over, ["a", "b"], values),
      cells(over, ["b", "c"], values),
      cells(over, ["a", "c"], values),
    ];
    const endless = { schema: over, measurements, total: 5400, iterations: 1e6, tolerance: 0 };
    const controller = new AbortController();
    const running = way({
      ...endless,
      signal: controller.signal,
      onProgress: ({ done }: { done: number }) => done > 1e8 && controller.abort(),
    } as object as typeof problem);
    const error = await running.then(
      () => expect.unreachable(),
      (thrown: EstimateAborted) => thrown,
    );
    expect([error.code, error.partial?.status]).toEqual(["ABORTED", "stopped"]);
    error.partial?.dispose();
    using timed = await way({ ...endless, timeLimit: 60 } as object as typeof problem);
    expect([timed.status, timed.loss < timed.trace[0]!.loss]).toEqual(["stopped", true]);
  });
});

it("absolute distances take decreasing steps", async () => {
  using fit = await estimate.mirrorDescent({ ...problem, loss: "l1", iterations: 5000 });
  near(await pairs(fit), [...LEFT, ...RIGHT], 5);
  expect(await codeOf(estimate.mirrorDescent({ ...problem, loss: "l1", steps: "search" }))).toBe(
    "OPTION_INVALID",
  );
});
