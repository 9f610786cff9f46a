import fc from "fast-check";
import { close, estimate, init, type MeasurementJson, prior, type TwoStageEstimate } from "marginalia";
import { afterAll, describe, expect, it } from "vitest";
import { expectBounded } from "./bounds.js";
import { distance, divergence, marginalOf } from "./brute.js";
import { A, B, cells, codeOf, domain, tableOf } from "./support.js";

afterAll(() => close());

const TOTAL = 1000;
const times = (list: readonly number[]) => list.map((one) => one * TOTAL);
const near = (got: ArrayLike<number>, wanted: readonly number[], within: number) => {
  expect(got.length).toBe(wanted.length);
  for (const [i, one] of wanted.entries()) expect(Math.abs((got[i] as number) - one)).toBeLessThan(within);
};
const SOLVERS = ["exact", "interior"] as const;
const shares = (fit: TwoStageEstimate) => fit.model.weights({ normalize: true });

describe.each(SOLVERS)("two stages by the %s solver", (solver) => {
  it("give golden vector A, one of whose answers is negative", async () => {
    using table = await tableOf(A.over, A.rows, A.p);
    using before = await prior(table);
    const measurements = [cells(A.over, ["a"], times(A.a)), cells(A.over, ["b"], times(A.b))];
    using fit = await estimate.twoStage({ prior: before, measurements, total: TOTAL, solver });
    expect([fit.status, fit.unmet, fit.solver]).toEqual(["converged", "negative", solver]);
    near(await shares(fit), [0, 0.3, 0.15, 0.20625, 0.34375], 1e-5);
    expect(fit.certificate.loss).toBeCloseTo(0.11, 7);
    expect(fit.certificate.relativeEntropy).toBeCloseTo(0.357608850764, 6);
    expect(fit.certificate.relativeGap).toBeLessThanOrEqual(1e-6);
    expect(fit.total).toEqual({ records: TOTAL, variance: 0 });
    expect(fit.trace.length).toBeGreaterThan(0);
  });

  it("give golden vector B, where a cell has no row", async () => {
    using table = await tableOf(B.over, B.rows, B.p);
    using before = await prior(table);
    const measurements = (["ab", "bc", "ac"] as const).map((clique) =>
      cells(B.over, [...clique], times(B[clique])),
    );
    using fit = await estimate.twoStage({ prior: before, measurements, total: TOTAL, solver });
    expect([fit.status, fit.unmet]).toEqual(["converged", "unsupported"]);
    const q = [0.180915390885, 0.149084609115, 0.129084609115, 0.070915390885, 0.22, 0.25];
    near(await shares(fit), q, 1e-5);
    expect(fit.certificate.loss).toBeCloseTo(0.24, 8);
    expect(fit.certificate.unsupported).toBeCloseTo(0.04, 10);
    expect(fit.certificate.relativeEntropy).toBeCloseTo(0.010557880419, 7);
    expect(fit.outside.map(({ answers }) => answers)).toEqual([1, 0, 0]);
    expect(fit.outside[0]?.records).toBeCloseTo(40, 9);
  });

  it("project onto answers that some model gives, whatever the target", async () => {
    using table = await tableOf(
      domain([2, 2]),
      [
        [0, 0],
        [0, 1],
        [1, 0],
        [1, 1],
      ],
      [4, 1, 3, 2],
    );
    using before = await prior(table);
    const measurements = [cells(table.schema, ["a"], [70, 30]), cells(table.schema, ["b"], [50, 50])];
    for (const target of ["loss", "lp", "answers"] as const) {
      using fit = await estimate.twoStage({ prior: before, measurements, target, solver });
      expect([fit.status, fit.unmet]).toEqual(["converged", undefined]);
      // With these sums and the odds ratio of the prior, .4·.2/(.1·.3).
      near(await shares(fit), [0.4, 0.3, 0.1, 0.2], 1e-6);
    }
  });

  it("keep the literal stages apart: the answers of one optimum cost no less entropy", async () => {
    using table = await tableOf(A.over, A.rows);
    using before = await prior(table);
    // Anything between both has the least loss.
    const measurements = [cells(A.over, ["a"], [40, 60]), cells(A.over, ["a"], [70, 30])];
    using loss = await estimate.twoStage({ prior: before, measurements, solver });
    using lp = await estimate.twoStage({ prior: before, measurements, target: "lp", solver });
    expect(lp.certificate.loss).toBeCloseTo(loss.certificate.loss, 6);
    expect(loss.certificate.loss).toBeCloseTo(0.6, 8);
    expect(lp.certificate.relativeEntropy).toBeGreaterThan(loss.certificate.relativeEntropy - 1e-6);
    // The prior has 3/5, which lies between them.
    near(await loss.model.marginal(["a"], { normalize: true }), [0.6, 0.4], 1e-6);
  });

  it("say why answers that are to be met cannot be", async () => {
    using table = await tableOf(A.over, A.rows);
    using before = await prior(table);
    const asked: [string, MeasurementJson[]][] = [
      ["unsupported", [cells(A.over, ["a", "b"], [20, 20, 10, 5, 15, 30])]],
      ["negative", [cells(A.over, ["b"], [-10, 60, 50])]],
      ["totals", [cells(A.over, ["a"], [40, 50])]],
      ["disagree", [cells(A.over, ["a"], [40, 60]), cells(A.over, ["b"], [50, 30, 20])]],
    ];
    for (const [why, measurements] of asked) {
      const options = { prior: before, measurements, total: 100, solver, target: "answers" } as const;
      using fit = await estimate.twoStage(options);
      expect([fit.status, fit.unmet]).toEqual(["infeasible", why]);
      // What comes is the nearest.
      using nearest = await estimate.twoStage({ ...options, target: "loss" });
      near(await shares(fit), [...(await shares(nearest))], 1e-9);
      expect(nearest.status).toBe("converged");
    }
  });

  it("Eq. (4): of one marginal, min(ỹ⁺, c·m) where there is too much and max(ỹ⁺, c·m) where there is too little", async () => {
    const over = domain([4]);
    using table = await tableOf(over, [[0], [1], [2], [3]], [4, 3, 2, 1]);
    using before = await prior(table);
    const fitted = async (values: number[]) => {
      using fit = await estimate.twoStage({
        prior: before,
        measurements: [cells(over, ["a"], values)],
        total: 100,
        solver,
      });
      return shares(fit);
    };
    // 130 of 100: c = (1 − .1 − .1)/.7 lets the first two down, the others are met.
    near(await fitted([60, 50, 10, 10]), [(0.8 * 4) / 7, (0.8 * 3) / 7, 0.1, 0.1], 1e-6);
    // 80 of 100: the third and fourth are met from above.
    near(await fitted([10, 10, 50, 20]), [(0.3 * 4) / 7, (0.3 * 3) / 7, 0.5, 0.2], 1e-6);
    near(await fitted([0, 0, 0, 0]), [0.4, 0.3, 0.2, 0.1], 1e-6);
  });
});

const over = domain([2, 3, 2]);
const cliques = [["a"], ["b", "a"], ["c", "b"]] as const;
const problems = fc.record({
  rows: fc.uniqueArray(fc.tuple(fc.nat(1), fc.nat(2), fc.nat(1)), {
    minLength: 2,
    maxLength: 8,
    selector: (row) => row.join(),
  }),
  weights: fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 8, maxLength: 8 }),
  answers: fc.array(fc.integer({ min: -20, max: 80 }), { minLength: 40, maxLength: 40 }),
  chosen: fc.uniqueArray(fc.nat(2), { minLength: 1, maxLength: 3 }),
  others: fc.array(fc.array(fc.nat(100), { minLength: 8, maxLength: 8 }), { minLength: 20, maxLength: 20 }),
});

describe("the first stage alone", () => {
  it("gives the least loss of the golden vectors, of some model that has it", async () => {
    for (const { over, rows, p, asked, loss, entropy } of [
      { ...A, asked: { a: A.a, b: A.b }, loss: 0.11, entropy: 0.357608850764 },
      { ...B, asked: { ab: B.ab, bc: B.bc, ac: B.ac }, loss: 0.24, entropy: 0.010557880419 },
    ]) {
      using table = await tableOf(over, rows, p);
      using before = await prior(table);
      const measurements = Object.entries(asked).map(([clique, answers]) =>
        cells(over, [...clique], times(answers)),
      );
      using fit = await estimate.twoStage({ prior: before, measurements, total: TOTAL, entropy: false });
      const { certificate } = fit;
      expect([fit.status, fit.solver]).toEqual(["converged", "pdhg"]);
      expect(Math.abs(certificate.loss - loss)).toBeLessThanOrEqual(1e-6 * loss);
      expect(certificate.loss - certificate.lossGap).toBeLessThanOrEqual(loss + 1e-12);
      expect(certificate.relativeGap).toBeLessThanOrEqual(1e-6);
      expect(certificate.relativeEntropy).toBeGreaterThanOrEqual(entropy - 1e-9);
      expect(certificate.entropyGap).toBe(certificate.relativeEntropy);
      const q = await shares(fit);
      expect(q.reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 12);
      const supported = rows.filter((_, row) => (p[row] as number) > 0);
      const found = measurements.map(({ clique, values }) => ({
        marginal: marginalOf(
          supported,
          over.sizes,
          clique.map((name) => over.index(name)),
        ),
        y: Array.from(values, (value) => value / TOTAL),
      }));
      expect(distance(q, found)).toBeCloseTo(certificate.loss, 12);
    }
  });

  it("has no choice of solvers", async () => {
    using table = await tableOf(A.over, A.rows);
    using before = await prior(table);
    const plain = { prior: before, measurements: [cells(A.over, ["a"], [1, 2])], entropy: false };
    expect(await codeOf(estimate.twoStage({ ...plain, solver: "exact" }))).toBe("OPTION_INVALID");
    const wrong = { ...plain, entropy: 0 } as never;
    expect(await codeOf(estimate.twoStage(wrong))).toBe("OPTION_INVALID");
  });
});

describe("both solvers", () => {
  it("property: agree, and no distribution is below their bounds", async () => {
    await fc.assert(
      fc.asyncProperty(problems, async ({ rows, weights, answers, chosen, others }) => {
        const all = weights.slice(0, rows.length).reduce((sum, weight) => sum + weight, 0);
        const p = rows.map((_, row) => (weights[row] as number) / all);
        using table = await tableOf(over, rows, p);
        using before = await prior(table);
        const asked = chosen.map((i) => {
          const clique = cliques[i] as readonly string[];
          const places = clique.map((name) => over.index(name));
          const marginal = marginalOf(rows, over.sizes, places);
          return { clique, marginal, values: answers.slice(12 * i, 12 * i + marginal.cells) };
        });
        const measurements = asked.map(({ clique, values }) => cells(over, clique, values));
        const found = asked.map(({ marginal, values }) => ({
          marginal,
          y: values.map((value) => value / 100),
        }));
        for (const solver of SOLVERS) {
          using fit = await estimate.twoStage({ prior: before, measurements, total: 100, solver });
          const { loss, relativeEntropy } = fit.certificate;
          const q = await shares(fit);
          expect(fit.status).toBe("converged");
          expect(distance(q, found)).toBeCloseTo(loss, 9);
          expect(divergence(q, p)).toBeCloseTo(relativeEntropy, 7);
          expectBounded(fit.certificate, q, p, found, others);
          using first = await estimate.twoStage({ prior: before, measurements, total: 100, entropy: false });
          const least = first.certificate;
          expect(first.status).toBe("converged");
          expect(least.loss - least.lossGap).toBeLessThanOrEqual(loss + 1e-12);
          expect(distance(await shares(first), found)).toBeCloseTo(least.loss, 9);
        }
      }),
      { numRuns: 15 },
    );
  });

  it("agree on a problem of middle size", async () => {
    const wide = domain([6, 5, 4, 3]);
    const rows = Array.from({ length: 220 }, (_, i) => [
      (i * 7) % 6,
      (i * i) % 5,
      (i >> 2) % 4,
      (i * 11) % 3,
    ]);
    using table = await tableOf(wide, rows);
    using before = await prior(table);
    const pairs = [
      ["a", "b"],
      ["b", "c"],
      ["c", "d"],
      ["a", "d"],
    ];
    const measurements = pairs.map((pair, k) => {
      const size = pair.reduce((product, name) => product * wide.size(name), 1);
      const values = Array.from({ length: size }, (_, i) => 1000 / size + ((i * (17 + k)) % 23) - 11);
      return cells(wide, pair, values);
    });
    const options = { prior: before, measurements, total: 1000 };
    using exact = await estimate.twoStage({ ...options, solver: "exact" });
    using interior = await estimate.twoStage({ ...options, solver: "interior" });
    using chosen = await estimate.twoStage(options);
    expect([exact.status, interior.status, chosen.solver]).toEqual(["converged", "converged", "exact"]);
    expect(interior.certificate.loss).toBeCloseTo(exact.certificate.loss, 7);
    expect(interior.certificate.relativeEntropy).toBeCloseTo(exact.certificate.relativeEntropy, 5);
    near(await interior.model.weights(), [...(await exact.model.weights())], 0.05);
  });

  it("take over from each other where answers agree to seven digits and no more", async () => {
    const over = domain([2, 2]);
    using table = await tableOf(over, [
      [0, 1],
      [1, 0],
    ]);
    using before = await prior(table);
    const measurements = [
      cells(over, ["a"], times([0.7221942869217743, 0.4248296601940067])),
      cells(over, ["b"], times([0, 0.21482902108697463])),
      cells(over, ["b"], times([0.5310522385284722, 0.5751704901656349])),
    ];
    const options = { prior: before, measurements, total: TOTAL };
    using exact = await estimate.twoStage({ ...options, solver: "exact", keepRefused: true });
    using chosen = await estimate.twoStage(options);
    expect([exact.status, chosen.status, chosen.solver]).toEqual(["refused", "converged", "interior"]);
    expect(chosen.certificate.loss).toBeCloseTo(exact.certificate.loss, 6);
    near(await shares(chosen), [0.5751704, 0.4248296], 1e-6);
  });

  it("refuse what makes no sense, by its code", async () => {
    using table = await tableOf(A.over, A.rows);
    using before = await prior(table);
    const plain = { prior: before, measurements: [cells(A.over, ["a"], [1, 2])] };
    for (const wrong of [
      { target: "l2" },
      { solver: "simplex" },
      { tolerance: 0 },
      { seeds: 1 },
      { measurements: [] },
    ])
      expect(await codeOf(estimate.twoStage({ ...plain, ...wrong } as never)), JSON.stringify(wrong)).toBe(
        "OPTION_INVALID",
      );
    const ranges = {
      ...cells(A.over, ["b"], [0, 0, 0]),
      query: { type: "ranges", ranges: [[0, 1]] },
      values: [80],
    };
    expect(await codeOf(estimate.twoStage({ ...plain, measurements: [ranges as never] }))).toBe(
      "QUERY_UNSUPPORTED",
    );
    expect(await codeOf(estimate.twoStage({ ...plain, signal: AbortSignal.abort() }))).toBe("ABORTED");
  });

  it("hand out the best so far when time is up", async () => {
    const wide = domain([30, 30, 30]);
    const mixed = (i: number, k: number) => ((i * k) % 7919) % 30;
    const rows = Array.from({ length: 7000 }, (_, i) => [mixed(i, 31), mixed(i, 977), mixed(i * i, 13)]);
    using table = await tableOf(wide, rows);
    using before = await prior(table);
    const pairs = [
      ["a", "b"],
      ["b", "c"],
      ["a", "c"],
    ];
    const measurements = pairs.map((pair, k) =>
      cells(
        wide,
        pair,
        Array.from({ length: 900 }, (_, i) => ((i * i * (7 + k)) % 137) / 9 - 2),
      ),
    );
    for (const how of [{ solver: "exact" }, { solver: "interior" }, { entropy: false }] as const) {
      const options = { prior: before, measurements, ...how, timeLimit: 30, tolerance: 1e-15 };
      using fit = await estimate.twoStage({ ...options, keepRefused: true });
      expect(["stopped", "refused"]).toContain(fit.status);
      const { loss, lossGap } = fit.certificate;
      expect(lossGap).toBeGreaterThan(0);
      expect(loss - lossGap).toBeGreaterThanOrEqual(0);
      expect((await fit.model.marginal(["a"])).length).toBe(30);
      if (fit.status === "refused") {
        using refused = await estimate.twoStage({ ...options, timeLimit: 0 });
        expect(() => refused.model).toThrow(/keepRefused/);
      }
    }
    for (const how of [{ solver: "interior" }, { entropy: false }] as const) {
      const controller = new AbortController();
      const running = estimate.twoStage({
        prior: before,
        measurements,
        ...how,
        tolerance: 1e-15,
        signal: controller.signal,
        keepRefused: true,
        onProgress: ({ done }) => done > 1e6 && controller.abort(),
      });
      const error = await running.then(
        () => expect.fail("it was not aborted"),
        (thrown: { code: string; partial?: TwoStageEstimate<typeof wide> }) => thrown,
      );
      expect(error.code).toBe("ABORTED");
      using partial = error.partial as TwoStageEstimate<typeof wide>;
      expect((await partial.model.marginal(["b"])).length).toBe(30);
    }
  });
});

describe("two stages of a problem that the limit of memory does not hold exactly", () => {
  afterAll(() => close());

  it("are left to the interior point, unless the exact solver was asked for", async () => {
    await close();
    await init({ memoryLimit: 3 * 2 ** 23 });
    const wide = domain([700, 700]);
    const rows = Array.from({ length: 2800 }, (_, i): [number, number] => [
      i % 700,
      (i * 37 + (i >> 3)) % 700,
    ]);
    const weights = rows.map((_, i) => 1 + (i % 5));
    using table = await tableOf(wide, rows, weights);
    using before = await prior(table);
    const answers = (k: number) => Array.from({ length: 700 }, (_, i) => (TOTAL * ((i * k) % 13)) / 4200);
    const measurements = (["a", "b"] as const).map((name, i) => cells(wide, [name], answers(5 + 2 * i)));
    const options = { prior: before, measurements, total: TOTAL, tolerance: 1e-3, keepRefused: true };
    await expect(estimate.twoStage({ ...options, solver: "exact" })).rejects.toMatchObject({
      code: "OUT_OF_MEMORY",
    });
    using fit = await estimate.twoStage(options);
    expect([fit.solver, fit.status]).toEqual(["interior", "converged"]);
  });
});
