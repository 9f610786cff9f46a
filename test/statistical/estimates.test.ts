import type { Prior } from "marginalia";
import * as api from "marginalia";
import { afterAll, describe, expect, it } from "vitest";
import type { Run, Study } from "../bench/modules";
import { load } from "../bench/modules";

afterAll(() => api.close());

/** Far from and near to where answers say much; and where they are too precise for a prior of few rows. */
const EPSILONS = { "acs-ma": [0.3, 3], adult: [10] };
const WAYS = [
  "calibrated",
  "iterative",
  "iterative, as printed",
  "calibrated, uniform weights",
  "calibrated, distorted prior",
];

/** Every way with two seeds at each ε. */
async function runsOf(one: Study, priors: Record<string, Prior>, epsilons: number[]): Promise<Run[]> {
  const [{ measured }, { tried }] = await Promise.all([load("lib/study.mjs"), load("lib/estimates.mjs")]);
  const runs: Run[] = [];
  const cells = epsilons.flatMap((epsilon) => [1, 2].map((seed) => ({ epsilon, seed })));
  for (const { epsilon, seed } of cells) {
    const measurements = measured(api, one, epsilon, seed);
    for (const way of WAYS)
      runs.push({ way, epsilon, seed, ...(await tried(api, one, way, priors, measurements, seed)) });
  }
  return runs;
}

/** A small version of bench/statistics.mjs: two seeds of each study. */
describe("estimates of real data", () => {
  const folder = process.env.MARGINALIA_DATA;

  it.each(Object.entries(EPSILONS))(
    "claims of docs/estimation.md hold, by two seeds of %s",
    async (name, epsilons) => {
      const [{ studiesIn, study }, { priorsOf, errors }, { claims }] = await Promise.all([
        load("lib/study.mjs"),
        load("lib/estimates.mjs"),
        load("lib/claims.mjs"),
      ]);
      if (!studiesIn(folder).includes(name)) {
        process.stderr.write(`MARGINALIA_DATA has no ${name}: nothing is claimed of estimates of it\n`);
        return;
      }
      const one: Study = await study(api, folder as string, name);
      const priors = await priorsOf(api, one);
      const runs = await runsOf(one, priors, epsilons);
      const untouched = await errors(one, one.before);
      for (const what of ["workload", "pairs"])
        for (const { claim, epsilon, holds, figures } of claims({ runs, untouched, epsilons }, what))
          expect(holds, `${claim}, ε ${epsilon}, ${what}: ${JSON.stringify(figures)}`).toBe(true);
      expect(runs.every(({ status }) => status === "converged" || status === "limit")).toBe(true);
      for (const prior of Object.values(priors)) prior.dispose();
    },
    600_000,
  );
});

describe("the claims", () => {
  it("are told from runs that break them", async () => {
    const { claims, summary } = await load("lib/claims.mjs");
    expect(summary([1, 2, 3])).toEqual({ mean: 2, error: Math.sqrt(1 / 3), runs: 3 });
    const runs = (errors: Record<string, number[]>): Run[] =>
      Object.entries(errors).flatMap(([way, values]) =>
        values.map((pairs, seed) => ({ way, epsilon: 1, seed, status: "converged", seconds: 1, pairs })),
      );
    const good = {
      calibrated: [0.02, 0.021],
      iterative: [0.03, 0.03],
      "iterative, as printed": [0.05, 0.05],
      "calibrated, uniform weights": [0.04, 0.04],
      "calibrated, distorted prior": [0.041, 0.041],
    };
    const holds = (some: Record<string, number[]>, prior: number) =>
      claims({ runs: runs({ ...good, ...some }), untouched: { pairs: prior }, epsilons: [1] }, "pairs").map(
        (one) => one.holds,
      );
    expect(holds({}, 0.03)).toEqual([true, true, true]);
    expect(holds({ iterative: [0.01, 0.01] }, 0.03)).toEqual([false, true, true]);
    expect(holds({ "calibrated, distorted prior": [0.06, 0.06] }, 0.03)).toEqual([true, false, true]);
    expect(holds({}, 0.0215)).toEqual([true, true, false]);
  });
});
