import {
  close,
  estimate,
  type MeasurementJson,
  measurement,
  prior,
  type Schema,
  type SupportModel,
} from "marginalia";
import { afterAll, describe, expect, it } from "vitest";
import { between, expectBounded } from "./bounds.js";
import { distance, divergence, type Marginal, marginalOf, objective } from "./brute.js";
import { cells, domain, tableOf } from "./support.js";

afterAll(() => close());

/** A hard case on a tiny domain: rows with weights, and answers about some number of records. */
interface Case {
  name: string;
  sizes: readonly number[];
  rows: readonly (readonly number[])[];
  weights?: readonly number[];
  asked: readonly (readonly [clique: string, values: readonly number[]])[];
  total?: number;
}

const SQUARE = [
  [0, 0],
  [0, 1],
  [1, 0],
  [1, 1],
];
const CUBE = Array.from({ length: 8 }, (_, i) => [i >> 2, (i >> 1) & 1, i & 1]);

const CASES: readonly Case[] = [
  {
    name: "answers that contradict each other",
    sizes: [2, 2],
    rows: SQUARE,
    asked: [
      ["a", [70, 30]],
      ["a", [20, 80]],
      ["b", [50, 10]],
    ],
  },
  {
    name: "negative answers",
    sizes: [2, 2],
    rows: SQUARE,
    asked: [
      ["a", [-20, 110]],
      ["ab", [-5, 30, 90, -10]],
    ],
  },
  {
    name: "answers that are all negative",
    sizes: [2, 2],
    rows: SQUARE,
    asked: [
      ["a", [-3, -2]],
      ["b", [-1, -9]],
    ],
    total: 100,
  },
  {
    name: "answers that are all zero",
    sizes: [2, 2],
    rows: SQUARE,
    asked: [
      ["a", [0, 0]],
      ["b", [0, 0]],
    ],
    total: 100,
  },
  {
    name: "cells without a row",
    sizes: [2, 3],
    rows: [
      [0, 0],
      [0, 2],
      [1, 0],
    ],
    asked: [
      ["ab", [10, 40, 10, 10, 20, 10]],
      ["b", [50, 30, 20]],
    ],
  },
  {
    name: "one row",
    sizes: [2, 3],
    rows: [[1, 2]],
    asked: [
      ["a", [40, 60]],
      ["b", [10, 10, 80]],
    ],
  },
  {
    name: "weights over 12 orders of magnitude",
    sizes: [2, 2],
    rows: SQUARE,
    weights: [1, 1e-12, 1e-6, 1e-3],
    asked: [
      ["a", [30, 70]],
      ["ab", [10, 20, 30, 40]],
    ],
  },
  {
    name: "duplicated cliques",
    sizes: [2, 2],
    rows: SQUARE,
    weights: [4, 1, 3, 2],
    asked: [
      ["ab", [10, 40, 30, 20]],
      ["ab", [10, 40, 30, 20]],
      ["ba", [10, 30, 40, 20]],
    ],
  },
  {
    name: "nested cliques",
    sizes: [2, 2, 2],
    rows: CUBE,
    asked: [
      ["abc", [5, 10, 15, 20, 20, 15, 10, 5]],
      ["ab", [20, 30, 35, 15]],
      ["a", [55, 45]],
      ["", [101]],
    ],
  },
  {
    name: "overlapping cliques",
    sizes: [2, 2, 2],
    rows: CUBE,
    asked: [
      ["ab", [20, 30, 35, 15]],
      ["bc", [10, 45, 25, 20]],
      ["ac", [30, 20, 5, 45]],
    ],
  },
  {
    name: "one attribute",
    sizes: [3],
    rows: [[0], [1], [2]],
    weights: [1, 2, 3],
    asked: [["a", [70, 20, 10]]],
  },
  {
    name: "no record",
    sizes: [2, 2],
    rows: SQUARE,
    asked: [
      ["a", [3, -2]],
      ["b", [-1, 1]],
    ],
    total: 0,
  },
  {
    name: "one record",
    sizes: [2, 2],
    rows: SQUARE,
    asked: [
      ["a", [1, 0]],
      ["b", [2, -1]],
    ],
    total: 1,
  },
];

/** Distributions in every corner and some more. */
function others(rows: number): number[][] {
  const corners = Array.from({ length: rows }, (_, at) =>
    Array.from({ length: rows }, (_, row) => Number(row === at)),
  );
  const waves = [1, 2, 3].map((k) => Array.from({ length: rows }, (_, row) => 1 + Math.sin(k * (row + 1))));
  return [...corners, ...waves];
}

/** How much the prior is worth, and the scale of the noise: λ = n²/(σ²n₀), Λ = n/(b·n₀). */
const STRENGTH = 20;
const SCALE = 4;

interface Made {
  over: Schema;
  measurements: MeasurementJson[];
  asked: { marginal: Marginal; y: number[] }[];
  p: number[];
  n: number;
  total: number;
}

function made({ sizes, rows, weights, asked, total = 100 }: Case): Made {
  const over = domain(sizes);
  const all = (weights ?? rows.map(() => 1)).reduce((sum, weight) => sum + weight, 0);
  const n = Math.max(total, 1);
  return {
    over,
    n,
    total,
    p: rows.map((_, row) => (weights?.[row] ?? 1) / all),
    measurements: asked.map(([clique, values]) => {
      const plain = cells(over, [...clique], values, 2 * SCALE ** 2);
      return measurement({ ...plain, noise: { ...plain.noise, scale: `${SCALE}` } });
    }),
    asked: asked.map(([clique, values]) => ({
      marginal: marginalOf(
        rows,
        sizes,
        [...clique].map((name) => over.index(name)),
      ),
      y: values.map((value) => value / n),
    })),
  };
}

/** What every model is: shares that add up to 1, none negative, and marginals that are theirs. */
async function sharesOf(model: SupportModel, { n, over }: Made): Promise<Float64Array> {
  const q = await model.weights({ normalize: true });
  expect(q.every((share) => share >= 0)).toBe(true);
  expect(q.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
  const one = await model.marginal([over.names[0] as string]);
  expect(one.reduce((sum, cell) => sum + cell, 0)).toBeCloseTo(n, 9);
  return q;
}

/** The residual of log q/p = Σ λ(y − m) + const over the rows that have something. */
function stationarity(q: Float64Array, { p, asked }: Made, lambda: number): number {
  const gradients = p.map((weight, row) => {
    let gradient = Math.log((q[row] as number) / weight);
    for (const { marginal, y } of asked) {
      const cell = marginal.of[row] as number;
      const m = marginal.of.reduce((sum, of, other) => (of === cell ? sum + (q[other] as number) : sum), 0);
      gradient -= lambda * ((y[cell] as number) - m);
    }
    return gradient;
  });
  const kept = gradients.filter((_, row) => (q[row] as number) > 1e-12);
  return Math.max(...kept) - Math.min(...kept);
}

describe.each(CASES)("$name", (one) => {
  it("calibrated, squares: stationary, and the least of all", async () => {
    const given = made(one);
    using table = await tableOf(given.over, one.rows, one.weights);
    using before = await prior(table);
    const { measurements, n, total, p, asked } = given;
    const options = { prior: before, measurements, total, strength: STRENGTH, tolerance: 1e-11 };
    using fit = await estimate.calibrated(options);
    const lambda = n ** 2 / (2 * SCALE ** 2 * STRENGTH);
    const weighed = asked.map((each) => ({ ...each, lambda }));
    const q = await sharesOf(fit.model, given);
    expect(fit.status).toBe("converged");
    expect(objective(q, p, weighed)).toBeCloseTo(fit.certificate.value, 7);
    expect(stationarity(q, given, lambda)).toBeLessThan(1e-3);
    for (const other of between(q, others(p.length)))
      expect(objective(other, p, weighed)).toBeGreaterThan(fit.certificate.bound - 1e-9);
  });

  it("calibrated, distances: the least of all", async () => {
    const given = made(one);
    using table = await tableOf(given.over, one.rows, one.weights);
    using before = await prior(table);
    const { measurements, n, total, p, asked } = given;
    const options = { prior: before, measurements, total, strength: STRENGTH, tolerance: 1e-9 };
    using fit = await estimate.calibrated({ ...options, loss: "l1" });
    const price = n / (SCALE * STRENGTH);
    const q = await sharesOf(fit.model, given);
    const value = (some: ArrayLike<number>) => price * distance(some, asked) + divergence(some, p);
    expect(fit.status).toBe("converged");
    expect(value(q)).toBeCloseTo(fit.certificate.value, 7);
    for (const other of between(q, others(p.length)))
      expect(value(other)).toBeGreaterThan(fit.certificate.bound - 1e-9);
  });

  it.each(["exact", "interior"] as const)("two stages, %s: within their bounds", async (solver) => {
    const given = made(one);
    using table = await tableOf(given.over, one.rows, one.weights);
    using before = await prior(table);
    const { measurements, total, p, asked } = given;
    using fit = await estimate.twoStage({ prior: before, measurements, total, solver, keepRefused: true });
    const q = await sharesOf(fit.model, given);
    expect(fit.status).toBe("converged");
    expect(distance(q, asked)).toBeCloseTo(fit.certificate.loss, 9);
    expect(divergence(q, p)).toBeCloseTo(fit.certificate.relativeEntropy, 7);
    expectBounded(fit.certificate, q, p, asked, others(p.length));
  });

  it("iterative, in all orders and choices: a distribution whose loss is as reported", async () => {
    const given = made(one);
    using table = await tableOf(given.over, one.rows, one.weights);
    using before = await prior(table);
    const { measurements, total, asked, p } = given;
    for (const order of ["sweeps", "random", "worst"] as const) {
      for (const choice of ["kl", "rescale", "euclidean"] as const) {
        using fit = await estimate.iterative({
          prior: before,
          measurements,
          total,
          order,
          choice,
          damping: 1,
        });
        const q = await sharesOf(fit.model, given);
        const last = fit.trace.at(-1);
        const away = asked.flatMap(({ marginal, y }) => y.filter((_, cell) => !marginal.of.includes(cell)));
        const outside = away.reduce((sum, share) => sum + Math.abs(share), 0);
        expect(last?.loss).toBeCloseTo(distance(q, asked) + outside, 9);
        expect(last?.relativeEntropy).toBeCloseTo(divergence(q, p), 7);
        expect(await fit.model.relativeEntropy()).toBeCloseTo(divergence(q, p), 7);
      }
    }
  });

  it("one step: Theorem 3.1, the least change that meets what can be met", async () => {
    const given = made(one);
    using table = await tableOf(given.over, one.rows, one.weights);
    using before = await prior(table);
    const { measurements, total, asked, p } = given;
    for (const [i, measured] of measurements.entries()) {
      using fit = await estimate.step({ prior: before, measurement: measured, total });
      using best = await estimate.twoStage({ prior: before, measurements: [measured], total });
      const q = await sharesOf(fit.model, given);
      const only = [asked[i] as Made["asked"][0]];
      // Eq. (4) of one measurement is its step.
      expect(distance(q, only)).toBeCloseTo(best.certificate.loss, 6);
      expect(divergence(q, p)).toBeLessThan(best.certificate.relativeEntropy + 1e-4);
    }
  });
});
