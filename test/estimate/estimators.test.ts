import fc from "fast-check";
import { close, estimate, init, kWay, type MeasurementJson, measurement, prior, workload } from "marginalia";
import { afterAll, describe, expect, it } from "vitest";
import { marginalOf, minimise, objective, sums } from "./brute.js";
import { A, B, cells, codeOf, domain, tableOf, varianceOf } from "./support.js";

afterAll(() => close());

const near = (got: ArrayLike<number>, wanted: readonly number[], within: number) => {
  expect(got.length).toBe(wanted.length);
  for (const [i, one] of wanted.entries()) {
    expect(Math.abs((got[i] as number) - one)).toBeLessThan(within);
  }
};

const over = domain([2, 3, 2]);
const cliques = [["a"], ["b", "a"], ["c", "b"], []] as const;
const problems = fc.record({
  rows: fc.uniqueArray(fc.tuple(fc.nat(1), fc.nat(2), fc.nat(1)), {
    minLength: 1,
    maxLength: 8,
    selector: (row) => row.join(),
  }),
  weights: fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 8, maxLength: 8 }),
  answers: fc.array(fc.integer({ min: -20, max: 80 }), { minLength: 40, maxLength: 40 }),
  chosen: fc.uniqueArray(fc.nat(3), { minLength: 1, maxLength: 3 }),
});

describe("calibrated on tiny domains", () => {
  it("property: agrees with mirror descent in plain JavaScript, negative answers and all", async () => {
    const [total, strength, lambda] = [100, 40, 6];
    await fc.assert(
      fc.asyncProperty(problems, async ({ rows, weights, answers, chosen }) => {
        const p = rows.map((_, row) => weights[row] as number);
        const all = p.reduce((sum, weight) => sum + weight, 0);
        using table = await tableOf(over, rows, p);
        using before = await prior(table, { strength });
        const measurements = chosen.map((i) => {
          const clique = cliques[i] as readonly string[];
          const size = clique.reduce((product, name) => product * over.size(name), 1);
          return cells(over, clique, answers.slice(8 * i, 8 * i + size), varianceOf(lambda, total, strength));
        });
        const options = { prior: before, measurements, total, strength, tolerance: 1e-10 };
        using fit = await estimate.calibrated(options);
        const asked = chosen.map((i) => {
          const clique = (cliques[i] as readonly string[]).map((name) => over.index(name));
          const marginal = marginalOf(rows, over.sizes, clique);
          const y = answers.slice(8 * i, 8 * i + marginal.cells).map((answer) => answer / total);
          return { marginal, y, lambda };
        });
        const shares = await fit.model.weights({ normalize: true });
        const value = objective(
          shares,
          p.map((weight) => weight / all),
          asked,
        );
        const slow = objective(
          minimise(p, asked),
          p.map((weight) => weight / all),
          asked,
        );
        expect(fit.status).toBe("converged");
        expect(value).toBeCloseTo(fit.certificate.value, 8);
        expect(fit.certificate.bound).toBeLessThanOrEqual(slow + 1e-9);
        expect(value).toBeLessThanOrEqual(slow + 1e-7);
      }),
      { numRuns: 25 },
    );
  });

  it("with the loss l1 gives golden vectors A and B", async () => {
    const [total, strength] = [1000, 50];
    using table = await tableOf(A.over, A.rows, A.p);
    using before = await prior(table, { strength });
    const laplace = (bound: number, clique: string[], y: readonly number[]): MeasurementJson => {
      const b = total / (bound * strength);
      const plain = cells(
        A.over,
        clique,
        y.map((one) => one * total),
        2 * b * b,
      );
      return measurement({ ...plain, noise: { ...plain.noise, scale: `${Math.round(b * 1000)}/1000` } });
    };
    for (const [bound, q, value] of [
      [0.5, [0.129091882258, 0.233938745162, 0.116969372581, 0.195, 0.325], 0.266665549552],
      [1, [0.054821162439, 0.270051096446, 0.135025548223, 0.202538322335, 0.337563870558], undefined],
    ] as const) {
      const measurements = [laplace(bound, ["a"], A.a), laplace(bound, ["b"], A.b)];
      const options = { prior: before, measurements, total, strength, loss: "l1", tolerance: 1e-12 } as const;
      using fit = await estimate.calibrated(options);
      expect(fit.status).toBe("converged");
      near(await fit.model.weights({ normalize: true }), q, 1e-6);
      if (value !== undefined) expect(fit.certificate.value).toBeCloseTo(value, 10);
      expect(fit.trace.length).toBeGreaterThan(0);
    }
    const gaussian = {
      ...cells(A.over, ["a"], [1, 2]),
      noise: { law: "gaussian", scale: "1", variance: 1 },
    } as const;
    const refused = estimate.calibrated({ prior: before, measurements: [gaussian], loss: "l1" });
    expect(await codeOf(refused)).toBe("OPTION_INVALID");
  });
});

describe("hard cases", () => {
  it("one row, no record, one record, and answers that are all negative", async () => {
    using table = await tableOf(A.over, [[1, 2]]);
    using before = await prior(table);
    for (const total of [0, 1]) {
      const measurements = [cells(A.over, ["a"], [-3, -2]), cells(A.over, ["b"], [0, 0, 0])];
      for (const estimator of [estimate.calibrated, estimate.iterative]) {
        using fit = await estimator({ prior: before, measurements, total });
        expect([...(await fit.model.weights({ normalize: true }))]).toEqual([1]);
        expect(fit.total).toEqual({ records: total, variance: 0 });
        expect(fit.model.total).toBe(1);
        expect(fit.outside).toMatchObject([
          { clique: ["a"], answers: 1, records: -3, variance: 1 },
          { clique: ["b"], answers: 2, records: 0, variance: 2 },
        ]);
      }
    }
  });

  it("combines totals by their variances, and floors what a model stands for", async () => {
    using table = await tableOf(A.over, A.rows);
    using before = await prior(table);
    const measurements = [cells(A.over, ["b"], [4, 5, 7], 2), cells(A.over, ["a"], [9, 3], 1)];
    using fit = await estimate.calibrated({ prior: before, measurements });
    expect(fit.total.records).toBeCloseTo(13, 12);
    expect(fit.total.variance).toBeCloseTo(1.5, 12);
    using few = await estimate.calibrated({ prior: before, measurements: [cells(A.over, ["a"], [-4, 1])] });
    expect([few.total.records, few.model.total]).toEqual([-3, 1]);
    expect(await codeOf(estimate.calibrated({ prior: before, measurements: [] }))).toBe("OPTION_INVALID");
    using same = await estimate.calibrated({ prior: before, measurements: [], total: 5 });
    near(await same.model.weights(), [1, 1, 1, 1, 1], 1e-12);
  });

  it("a prior is worth its rows, or the effective size of its weights", async () => {
    using table = await tableOf(A.over, [...A.rows, ...A.rows]);
    using rows = await prior(table, { name: "census", declaredPublicBy: "office" });
    expect([rows.rows, rows.strength, rows.name, rows.declaredPublicBy]).toEqual([5, 10, "census", "office"]);
    using distinct = await table.distinct();
    expect((await prior(distinct)).strength).toBe(10);
    using weighted = await tableOf(A.over, A.rows, [4, 2, 2, 1, 1]);
    const { strength, weight } = await prior(weighted);
    expect(strength).toBeCloseTo(100 / 26, 12);
    expect(weight).toBe(10);
    using empty = await tableOf(A.over, []);
    expect(await codeOf(prior(empty))).toBe("OPTION_INVALID");
  });
});

describe("iterative", () => {
  it("a step meets one marginal and keeps proportions within its cells", async () => {
    using table = await tableOf(A.over, A.rows, A.p);
    using before = await prior(table);
    const asked = cells(A.over, ["a"], [450, 550]);
    using fit = await estimate.step({ prior: before, measurement: asked });
    near(await fit.model.marginal(["a"]), [450, 550], 1e-9);
    near(await fit.model.weights({ normalize: true }), [0.225, 0.15, 0.075, 0.20625, 0.34375], 1e-12);
    using again = await estimate.step({
      prior: before,
      start: fit.model,
      measurement: cells(A.over, ["b"], [500, 250, 250]),
    });
    near(await again.model.marginal(["b"]), [500, 250, 250], 1e-9);
    expect(again.trace.map(({ steps }) => steps)).toEqual([0, 1]);
  });

  it("agrees with undamped sweeps in plain JavaScript on consistent answers", async () => {
    using table = await tableOf(B.over, B.rows, B.p);
    using before = await prior(table);
    const rows = B.rows.slice(0, 6);
    const truth = [30, 10, 20, 10, 15, 15];
    const all = ["ab", "bc"].map((clique) => [...clique].map((name) => B.over.index(name)));
    const marginals = all.map((clique) => marginalOf(rows, B.over.sizes, clique));
    const measurements = all.map((clique, i) =>
      cells(
        B.over,
        clique.map((a) => B.over.names[a] as string),
        sums(marginals[i] as never, truth),
      ),
    );
    using fit = await estimate.iterative({
      prior: before,
      measurements,
      damping: 1,
      steps: 400,
      tolerance: 0,
    });
    let q = B.p.slice(0, 6);
    for (let sweep = 0; sweep < 300; sweep++) {
      marginals.forEach((marginal, i) => {
        const [wanted, now] = [sums(marginals[i] as never, truth), sums(marginal, q)];
        q = q.map((share, row) => {
          const cell = marginal.of[row] as number;
          return now[cell] === 0 ? 0 : (share * ((wanted[cell] as number) / 100)) / (now[cell] as number);
        });
      });
    }
    near(await fit.model.weights({ normalize: true }), q, 1e-9);
    expect(fit.trace.at(-1)?.loss).toBeLessThan(1e-9);
  });

  it("is judged as often as asked, to the same model", async () => {
    using table = await tableOf(A.over, A.rows, A.p);
    using before = await prior(table);
    const measurements = [cells(A.over, ["a"], [450, 550]), cells(A.over, ["b"], [500, 250, 250])];
    const options = { prior: before, measurements, steps: 5, tolerance: 0 };
    const weights: Float64Array[] = [];
    for (const [every, judged] of [
      [undefined, [0, 2, 4, 5]],
      [1, [0, 1, 2, 3, 4, 5]],
      [5, [0, 5]],
      [100, [0, 5]],
    ] as const) {
      using fit = await estimate.iterative({ ...options, ...(every && { every }) });
      expect(fit.trace.map(({ steps }) => steps)).toEqual(judged);
      weights.push(await fit.model.weights());
    }
    for (const other of weights) near(other, [...(weights[0] as Float64Array)], 1e-9);
    for (const every of [0, 1.5, Number.NaN])
      expect(await codeOf(estimate.iterative({ ...options, every }))).toBe("OPTION_INVALID");
  });

  it("takes sums of disjoint cells, and refuses others by code; calibrated refuses both", async () => {
    using table = await tableOf(A.over, A.rows);
    using before = await prior(table);
    const base = cells(A.over, ["b"], [0, 0, 0]);
    const ranges = { ...base, query: { type: "ranges", ranges: [[0, 1]] }, values: [80] } as const;
    const prefix = { ...base, query: { type: "prefix" }, values: [10, 60, 100] } as const;
    const options = { prior: before, total: 100 };
    using fit = await estimate.iterative({ ...options, measurements: [ranges], damping: 1 });
    const [first, second] = await fit.model.marginal(["b"]);
    expect((first as number) + (second as number)).toBeCloseTo(80, 9);
    expect(await codeOf(estimate.iterative({ ...options, measurements: [prefix] }))).toBe(
      "QUERY_UNSUPPORTED",
    );
    for (const measurements of [[ranges], [prefix]])
      expect(await codeOf(estimate.calibrated({ ...options, measurements }))).toBe("QUERY_UNSUPPORTED");
  });
});

describe("models", () => {
  it("answer every workload, and are a weighted table", async () => {
    using table = await tableOf(A.over, A.rows, A.p);
    using before = await prior(table);
    using fit = await estimate.step({ prior: before, measurement: cells(A.over, ["a"], [45, 55]) });
    const { model } = fit;
    using rows = await model.table();
    expect(rows.weighted).toBe(true);
    const all = kWay(A.over, 2);
    const [direct] = await model.answer(all);
    const [counted] = await rows.answer(all);
    near(direct as Float64Array, [...(counted as Float64Array)], 1e-9);
    using answers = await model.count(workload(A.over, [["b", "a"]]));
    expect((await answers.clique(["b", "a"])).length).toBe(6);
    const shares = await model.marginal(["b"], { normalize: true });
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
    expect(await model.relativeEntropy()).toBeGreaterThan(0);
    const size = await model.effectiveSize();
    expect(size).toBeGreaterThan(0);
    expect(size).toBeLessThan(before.strength);
  });
});

describe("the same everywhere", () => {
  it("gives the same bytes on every engine mode", async () => {
    const bytes: string[] = [];
    for (const options of [{ threads: 2 }, { threads: false }, { worker: false }] as const) {
      await close();
      await init(options);
      using table = await tableOf(A.over, A.rows, A.p);
      using before = await prior(table, { strength: 30 });
      const measurements = [cells(A.over, ["a"], [45, 52], 9), cells(A.over, ["b"], [-3, 55, 50], 9)];
      using fit = await estimate.calibrated({ prior: before, measurements });
      using swept = await estimate.iterative({ prior: before, measurements, order: "random" });
      const { certificate, strength, consistency, total } = fit;
      const weights = [await fit.model.weights(), await swept.model.weights()].map((list) => [...list]);
      bytes.push(JSON.stringify({ certificate, strength, consistency, total, weights }));
    }
    await close();
    expect(new Set(bytes).size).toBe(1);
  });

  it("a bad prior is trusted less than a good one", async () => {
    const wide = domain([10, 10]);
    const rows = Array.from({ length: 100 }, (_, i) => [Math.floor(i / 10), i % 10]);
    const measurements = [
      cells(
        wide,
        ["a"],
        Array.from({ length: 10 }, (_, i) => 1000 + 600 * (i % 2)),
        4000,
      ),
      cells(
        wide,
        ["b"],
        Array.from({ length: 10 }, (_, i) => 400 + 200 * i),
        4000,
      ),
    ];
    using table = await tableOf(wide, rows);
    using before = await prior(table, { strength: 1e6 });
    using fit = await estimate.calibrated({ prior: before, measurements });
    using harmonic = await estimate.calibrated({ prior: before, measurements, strength: "harmonic" });
    const n = fit.total.records;
    expect(harmonic.strength).toBeCloseTo((1e6 * n) / (1e6 + n), 6);
    expect(harmonic.consistency).toBeUndefined();
    expect(fit.consistency).toBeGreaterThan(2);
    expect(fit.strength).toBeLessThan(harmonic.strength);
  });
});
