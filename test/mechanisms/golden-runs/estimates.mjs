// Estimates from made-up measurements, by every estimator with all that it can be told, and every kind of prior.

import { numbers } from "./data.mjs";
import { Parts } from "./digest.mjs";

const SIZES = { a: 4, b: 3, c: 5, d: 2 };
const CLIQUES = [["a"], ["a", "b"], ["b", "c"], ["c", "d"]];

const schemaOf = ({ integer, schema }) =>
  schema(
    Object.fromEntries(
      Object.entries(SIZES).map(([name, size]) => [name, integer({ min: 0, max: size - 1 })]),
    ),
  );

/** Rows whose attributes depend on each other, as columns; those of another seed are others. */
function rowsOf(rows, seed) {
  const below = numbers(seed);
  const all = Array.from({ length: rows }, () => {
    const a = below(4);
    const b = Math.min(below(3) + (a > 2 ? 1 : 0), 2);
    return { a, b, c: (a + b + below(2)) % 5, d: below(4) > b ? 0 : 1 };
  });
  return Object.fromEntries(Object.keys(SIZES).map((name) => [name, all.map((row) => row[name])]));
}

/** Noise that follows from a seed: not of the law that it is said to be of, which no estimator minds. */
function noisy(values, seed, deviation) {
  const below = numbers(seed);
  return Array.from(values, (value) => value + Math.round(((below(2001) - 1000) / 600) * deviation));
}

const LAWS = { laplace: ["5", 49.66], gaussian: ["40", 40] };

/** Measurements of the cliques of rows that differ from the prior's. */
async function measured(api, { cliques = CLIQUES, law = "laplace", query } = {}) {
  const schema = schemaOf(api);
  const table = await api.readTable(rowsOf(500, 7), schema);
  const [scale, variance] = LAWS[law];
  const list = [];
  for (const [i, clique] of cliques.entries()) {
    const shape = clique.map((name) => SIZES[name]);
    const cells = await table.marginal(clique);
    const of = query ? query(cells) : { query: { type: "identity" }, values: cells };
    const common = { version: 1, clique, shape, noise: { law, scale, variance }, relation: "add-remove" };
    list.push(
      api.measurement({ ...common, query: of.query, values: noisy(of.values, 11 + i, variance ** 0.5) }),
    );
  }
  table.dispose();
  return list;
}

const disjoint = (cells) => {
  const half = Math.floor(cells.length / 2);
  const ranges = [
    [0, half - 1],
    [half, cells.length - 1],
  ];
  const sum = ([from, to]) => cells.slice(from, to + 1).reduce((one, other) => one + other, 0);
  return { query: { type: "ranges", ranges }, values: ranges.map(sum) };
};

async function tableOf(api, rows = 300, seed = 5) {
  return await api.readTable(rowsOf(rows, seed), schemaOf(api));
}

const PRIORS = {
  table: async (api, table) => await api.prior(table, { name: "rows", declaredPublicBy: "nobody" }),
  uniform: async (api, table) => await api.prior.uniform(table, { strength: 80 }),
  full: async (api) => await api.prior.full(schemaOf(api), { strength: 40 }),
  async mixture(api, table) {
    const parts = [await PRIORS.table(api, table), await PRIORS.full(api, table)];
    return await api.prior.mix([{ prior: parts[0], share: 3 }, { prior: parts[1] }], { name: "both" });
  },
  async model(api, table) {
    const before = await PRIORS.table(api, table);
    const options = { prior: before, measurements: (await measured(api)).slice(0, 2), strength: 100 };
    const { model } = await api.estimate.calibrated(options);
    return await api.prior(model);
  },
};

const figures = ({
  status,
  certificate,
  total,
  outside,
  trace,
  strength,
  consistency,
  flatness,
  unmet,
  solver,
}) => ({
  ...{ status, certificate, total, outside, trace, strength, consistency, flatness, unmet, solver },
});

async function addEstimate(parts, api, fit) {
  parts.add("outcome", figures(fit));
  parts.add("weights", await fit.model.weights());
  parts.add("answers", await fit.model.answer(api.kWay(fit.model.schema, 3)));
  parts.add("figures of the model", [
    ...[fit.model.total, fit.model.strength ?? null],
    ...[await fit.model.relativeEntropy(), await fit.model.effectiveSize()],
  ]);
}

async function addErrors(parts, api, { model }) {
  for (const standardErrors of ["noise", "all"]) {
    parts.add(
      `errors of ${standardErrors}`,
      await model.answer(api.kWay(model.schema, 2), { standardErrors }),
    );
  }
  const part = await model.where({ b: [1, 2], a: { from: 1 } });
  parts.add("weights where a condition is met", await part.weights());
  const asked = [{ clique: ["c"], query: { type: "prefix" } }];
  parts.add("errors where a condition is met", await part.answer(asked, { standardErrors: "all" }));
}

/** An estimate of one estimator with some options; measurements and prior are as usual unless said. */
function estimateOf(estimator, options = {}, { prior = "table", seen = {}, errors = false } = {}) {
  return async (api, keep) => {
    const parts = new Parts(keep);
    const table = await tableOf(api);
    const before = await PRIORS[prior](api, table);
    const measurements = await measured(api, seen);
    const what = estimator === "step" ? { measurement: measurements[1] } : { measurements, seed: "golden" };
    const keeps = ["calibrated", "twoStage"].includes(estimator) ? { keepRefused: true } : {};
    const fit = await api.estimate[estimator]({ prior: before, ...keeps, ...what, ...options });
    await addEstimate(parts, api, fit);
    if (errors) await addErrors(parts, api, fit);
    for (const one of [fit, before, table]) one.dispose();
    return parts.hashes;
  };
}

/** A prior: where it comes from, and its rows. */
const priorOf = (kind) => async (api, keep) => {
  const parts = new Parts(keep);
  const before = await PRIORS[kind](api, await tableOf(api));
  const { rows, weight, strength, name } = before;
  parts.add("figures", { kind: before.kind, rows, weight, strength, name });
  parts.add("provenance", await before.provenance());
  const table = await before.table();
  parts.add("rows", await Promise.all(table.schema.names.map((one) => table.codes(one))));
  parts.add("weights", await table.weights());
  return parts.hashes;
};

/** Where rows are so many that threads share them: the figures and weights. */
function onManyRows(estimator, options) {
  return async (api, keep) => {
    const parts = new Parts(keep);
    const sizes = [8, 6, 7, 5, 4, 3, 2];
    const names = sizes.map((_, i) => `x${i}`);
    const attributes = sizes.map((size) => api.integer({ min: 0, max: size - 1 }));
    const schema = api.schema(Object.fromEntries(names.map((name, i) => [name, attributes[i]])));
    const before = await api.prior.full(schema, { strength: 3000 });
    const below = numbers(3);
    const measurements = names.slice(1).map((name, i) => {
      const [clique, shape] = [[names[i], name], sizes.slice(i, i + 2)];
      const values = Array.from({ length: shape[0] * shape[1] }, () => below(200));
      const noise = { law: "gaussian", scale: "90", variance: 90 };
      const query = { type: "identity" };
      return api.measurement({ version: 1, clique, shape, query, values, noise, relation: "add-remove" });
    });
    const given = { prior: before, measurements, total: 4000, seed: "golden" };
    const fit = await api.estimate[estimator]({ ...given, ...options });
    parts.add("outcome", figures(fit));
    parts.add("weights", await fit.model.weights());
    parts.add("answers", await fit.model.answer(api.kWay(schema, 2)));
    for (const one of [fit, before]) one.dispose();
    return parts.hashes;
  };
}

const gaussian = { seen: { law: "gaussian" } };
const few = { seen: { cliques: [["a", "b"], ["c"]] } };

/** By name: what makes the hashes of each. */
export const ESTIMATES = {
  ...Object.fromEntries(Object.keys(PRIORS).map((kind) => [`prior of kind ${kind}`, priorOf(kind)])),
  ...Object.fromEntries(
    Object.keys(PRIORS).map((kind) => [
      `calibrated from a prior of kind ${kind}`,
      estimateOf("calibrated", {}, { prior: kind, errors: true }),
    ]),
  ),
  "calibrated of Gaussian noise": estimateOf(
    "calibrated",
    { strength: "harmonic" },
    { ...gaussian, errors: true },
  ),
  "calibrated by a strength": estimateOf("calibrated", { strength: 75, tolerance: 1e-9, total: 480 }),
  "calibrated, in few passes": estimateOf("calibrated", { strength: 75, passes: 3 }),
  "calibrated by distances": estimateOf("calibrated", { loss: "l1", strength: 120 }),
  "calibrated by distances and harmonic": estimateOf("calibrated", { loss: "l1", strength: "harmonic" }),
  "calibrated by distances and bootstrap": estimateOf("calibrated", { loss: "l1" }, few),
  ...Object.fromEntries(
    ["sweeps", "random", "worst"].flatMap((order) =>
      ["kl", "rescale", "euclidean"].map((choice) => [
        `iterative, ${order}, ${choice}`,
        estimateOf("iterative", { order, choice, steps: 24 }),
      ]),
    ),
  ),
  "iterative as in the paper": estimateOf("iterative", {
    ...{ order: "random", choice: "rescale", damping: 1, tolerance: 0, steps: 8, every: 3 },
  }),
  "iterative on runs of cells": estimateOf("iterative", { total: 500 }, { seen: { query: disjoint } }),
  ...Object.fromEntries(
    ["kl", "rescale", "euclidean"].map((choice) => [`step, ${choice}`, estimateOf("step", { choice })]),
  ),
  "two stages, exact": estimateOf("twoStage", { solver: "exact" }),
  "two stages, interior": estimateOf("twoStage", { solver: "interior" }),
  "two stages, lp": estimateOf("twoStage", { target: "lp", solver: "interior" }, few),
  "two stages, answers": estimateOf("twoStage", { target: "answers", solver: "exact" }, few),
  "two stages as usual": estimateOf("twoStage"),
  "two stages without entropy": estimateOf("twoStage", { entropy: false }),
  "calibrated on many rows": onManyRows("calibrated", { tolerance: 1e-4 }),
  "iterative on many rows": onManyRows("iterative", { steps: 9 }),
  "two stages without entropy on many rows": onManyRows("twoStage", { entropy: false, tolerance: 1e-2 }),
};
