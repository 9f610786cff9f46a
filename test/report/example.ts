import type { InternalParts, ReportJson } from "marginalia/report";
import type { FlatPlanPart, GroupsPart, ModelPart } from "../../ts/evaluate/report/input.js";

/** A small release with made-up numbers, none of which comes twice. Names are given, to be hostile. */
export function example(
  names: readonly string[] = ["age", "sex"],
  labels = ["young", "old"],
): ReportJson & { release: ModelPart<FlatPlanPart> } {
  const [a, b] = names as [string, string];
  const clique = [a, b];
  return {
    format: "marginalia-report",
    version: 1,
    origin: "released",
    ledger: {
      dataset: `people of ${a}`,
      unit: "row",
      relation: "add-remove",
      currency: "epsilon",
      total: "1",
      spent: "3/4",
      left: "1/4",
      entries: [
        { what: `${a} × ${b}`, mechanism: "discrete Laplace, b = 4", cost: "1/2", state: "released" },
        { what: b, mechanism: "discrete Laplace, b = 8", cost: "1/4", state: "lost" },
      ],
    },
    release: {
      plan: {
        format: "marginalia-release-plan",
        prior: {
          name: `file of ${b}`,
          declaredPublicBy: "an office",
          hash: "ab".repeat(32),
          strength: 400,
          rows: 410,
          support: 4,
          widen: { share: 0.05, rows: 2 },
          pool: { group: a, alpha: 0.3 },
        },
        expectedRows: 405.2,
        measure: {
          price: "3/4",
          charges: [
            { clique, answers: 4, law: "laplace", scale: "4", cost: "1/2", share: 0.625, variance: 31.83 },
            { clique: [b], answers: 2, law: "gaussian", scale: "8", cost: "1/4", share: 0.375, variance: 8 },
          ],
        },
        forecast: {
          chosen: 1,
          untouched: { score: 951.5, standardError: 2 },
          candidates: [
            { family: "one-ways", exponent: 0, cliques: [[a]], score: 960.25, standardError: 1.5 },
            { family: "top", pairs: 1, exponent: 0.5, cliques: [clique], score: 970.75 },
          ],
        },
        reasons: [`it is a reason of ${a}`],
      },
      total: { records: 420, standardError: 3.5 },
      estimate: {
        status: "converged",
        relativeGap: 1e-5,
        relativeEntropy: 0.021,
        strength: 210,
        consistency: 2.5,
      },
      measurements: [
        { clique, error: 5.64, misfit: 3.21, outside: { answers: 2, records: -1.5, standardError: 4.25 } },
        { clique: [b], error: 2.83, misfit: 7.77, outside: { answers: 0, records: 0, standardError: 0 } },
      ],
    },
    records: 420,
    dataShares: [0.125, 0.875],
    oneWays: [
      {
        attribute: a,
        labels: [...labels, null],
        synthetic: [0.5, 0.3125, 0.1875],
        public: [0.5625, 0.25, 0.1875],
        measured: { shares: [0.51, 0.3, 0.19], standardError: 0.01 },
      },
      { attribute: b, labels: ["F", "M"], synthetic: [0.4375, 0.5625], public: [0.4, 0.6] },
    ],
    pairs: [{ attributes: [a, b], variation: 0.0875 }],
  };
}

/** The same by three rounds, the second of which was paid and lost. */
export function byRounds(
  names: readonly string[] = ["age", "sex"],
  labels?: string[],
): ReportJson & { rounds: NonNullable<ReportJson["rounds"]> } {
  const { release, ...rest } = example(names, labels);
  const [a, b] = names as [string, string];
  const { measure: _, forecast: _none, ...start } = release.plan;
  const select = {
    ...{ mechanism: "permute-and-flip", epsilon: "1/40", among: 66 },
    ...{ cost: "1/40", share: 1 / 30 },
  };
  const measure = { law: "laplace", scale: "4", cost: "9/40", share: 0.3, variance: 31.83 };
  return {
    ...rest,
    release: {
      ...release,
      plan: {
        ...{ ...start, format: "marginalia-adaptive-plan", label: `by ${a}`, price: "3/4", start: [] },
        rounds: [1, 2, 3].map((round) => ({ round, select, measure })),
      },
    },
    rounds: [
      { round: 1, clique: [a, b], cells: 4, variation: 0.0875 },
      { round: 3, clique: [b], cells: 2, variation: 0.0625 },
    ],
  };
}

/** The same by groups: so many areas in two states, whose numbers of records are 1000, 999, … */
export function byGroups(
  areas = 4,
  names: readonly string[] = ["age", "sex"],
  labels: string[] = ["young", "old"],
): ReportJson & { release: GroupsPart } {
  const { release, ...rest } = example(names, labels);
  const { measure: _, forecast, ...start } = release.plan;
  const [a, b] = names as [string, string];
  const [first = "", second = ""] = labels;
  const noise = { law: "laplace", scale: "4", variance: 31.83 } as const;
  const charge = (clique: string[], groups: string[], answers: number, share: number) => ({
    ...{ clique, groups, answers, share, ...noise, cost: "1/8" },
  });
  const group = (level: number, own: string[], records: number, standardError: number) => ({
    ...{ level, labels: own, records, standardError, relativeGap: 1e-4, relativeEntropy: 0.01, outside: 1.5 },
    status: "converged",
  });
  const finest = Array.from({ length: areas }, (_, i) =>
    group(1, [`${i % 2 ? first : second} ${i}`], 1000 - i, 4 + i / areas),
  );
  return {
    ...{ ...rest, dataShares: [] },
    release: {
      plan: {
        ...{ ...start, format: "marginalia-grouped-plan", forecast },
        levels: [
          { by: [a], groups: 2 },
          { by: [a, b], groups: areas },
        ],
        measure: {
          price: "3/4",
          charges: [
            charge([], [a], 2, 0.0625),
            charge(["size", "home"], [a], 40, 0.3125),
            charge([], [b], areas, 0.125),
            charge(["home"], [b], 5 * areas, 0.5),
          ],
        },
      },
      total: 1000 * areas,
      trust: [{ factor: 0.125, excess: 5.21 }, null],
      groups: [
        group(0, [first], 2000.5, 9.25),
        { ...group(0, [second], -3.5, 2.25), status: "limit" },
        ...finest,
      ],
    },
  };
}

/** Comparisons with true data that nobody has. */
export function compared(names: readonly string[] = ["age", "sex"]): InternalParts {
  const [a, b] = names as [string, string];
  const correlated = (mean: number) => ({ count: 1, mean, shift: -mean / 2, corrected: mean / 4 });
  const ways = (mean: number) => ({ mean, fabricated: { share: mean / 4 }, suppressed: { share: mean / 8 } });
  return {
    origin: "internal",
    oneWays: [
      { attribute: a, shares: [0.53125, 0.28125, 0.1875] },
      { attribute: b, shares: [0.46875, 0.53125] },
    ],
    evaluation: {
      private: false,
      columns: ["synthetic", "public", "subsample"],
      rows: { truth: 431, synthetic: 420, public: 410, subsample: 215 },
      scores: { synthetic: 981.25, public: 962.5, subsample: 990.125 },
      kMarginal: { group: [], pairs: [{ attributes: [a, b], distance: 0.0375 }] },
      marginals: [{ k: 1, synthetic: ways(0.01), public: ways(0.02), subsample: ways(0.005) }],
      workload: {
        synthetic: { l1: 0.03, l2: 0.02, max: 0.011 },
        public: { l1: 0.06, l2: 0.04, max: 0.022 },
        subsample: { l1: 0.015, l2: 0.01, max: 0.005 },
      },
      correlation: { synthetic: correlated(0.01), public: correlated(0.02), subsample: correlated(0.005) },
    },
  };
}
