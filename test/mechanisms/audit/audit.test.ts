import { close, convert, init, readTable } from "marginalia";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { atLeast, epsilonOf, least } from "./chance.js";
import { attacked, type Truth } from "./distinguisher.js";
import { audited, gaussian, type Shown, type Study, studies, tiny } from "./small.js";

/**
 * Whole releases of two neighbouring tables, again and again, and whatever they show: answers, models with their standard
 * errors, records, totals, reports, what the account says. What tells the tables apart best is learned from half of the
 * runs, and tried on the other half.
 *
 * False alarms: every bound of ε is wrong with a chance of 10⁻⁶ at most, for an engine that spends all it may in one
 * answer; for the runs here, which nobody tells apart as well as that, it is far rarer.
 */
const ALPHA = 1e-6;
const FULL = process.env.MARGINALIA_FULL !== undefined;
const RUNS = FULL ? 6000 : 2000;

beforeAll(() => init({ worker: false, threads: false }));
afterAll(() => close());

/** The exact answers of both tables of a study. */
async function truthsOf(study: Study): Promise<readonly [Truth, Truth]> {
  const truth = async (rows: Study["tables"][0]): Promise<Truth> => {
    using table = await readTable(rows, tiny);
    const answers = new Map<string, Float64Array>();
    const names = tiny.names as Parameters<typeof table.marginal>[0];
    const cliques = names.flatMap((one, i) => [[one], ...names.slice(i + 1).map((other) => [one, other])]);
    for (const clique of [[], ...cliques]) answers.set(`${clique}`, await table.marginal(clique));
    return ({ clique }) => answers.get(`${clique}`) as Float64Array;
  };
  return [await truth(study.tables[0]), await truth(study.tables[1])];
}

type Runs = readonly [readonly Shown[], readonly Shown[]];

async function found(study: Study, runs: Runs): Promise<number> {
  const bound = attacked(runs, await truthsOf(study), study.claim.delta, ALPHA);
  process.stderr.write(`${study.name}: at least ε ${bound.toFixed(2)}, claimed ${study.claim.epsilon}\n`);
  return bound;
}

/** The same releases, with a figure in the report that nobody should show: how many rows there are. */
function telling({ tables }: Study, runs: Runs): Runs {
  const more = (which: 0 | 1) => {
    const figure = [".report.estimate.rows", tables[which].length] as const;
    return runs[which].map((one) => ({ ...one, leaves: new Map([...one.leaves, figure]) }));
  };
  return [more(0), more(1)];
}

/**
 * Power, by 300 simulations of the laws: of a flat release at ε = 4 the attack is expected to find 2.75 with a deviation of
 * 0.14, of the others about as much. Less than 2, the half, is as unlikely as 5 deviations. So an account that charged
 * half, or noise of half the scale, is found out: the tests show it of both.
 */
describe("a release shows no more of a unit than was paid for", () => {
  const patience = FULL ? 1_800_000 : 90_000;
  it.each(studies(4))(
    "$name",
    async (study) => {
      const runs = await audited(study, RUNS);
      const bound = await found(study, runs);
      expect(bound).toBeLessThanOrEqual(4);
      expect(bound).toBeGreaterThan(study.finds ?? 2);
      expect(await found({ ...study, name: "with its rows" }, telling(study, runs))).toBeGreaterThan(4);
    },
    patience,
  );

  const halves = studies(2).filter(({ finds }) => finds === undefined);
  it.each(FULL ? halves : halves.slice(0, 1))(
    "and is found out where its noise is half of that: $name",
    async (study) => {
      expect(await found(study, await audited(study, RUNS, true))).toBeGreaterThan(2);
    },
    patience,
  );

  if (FULL)
    it(
      "by Gaussian noise too, which half of would be found out",
      async () => {
        const claim = { epsilon: convert.epsilon({ rho: "1/2", delta: "0.05" }), delta: 0.05 };
        const study = gaussian("1/2", claim);
        const bound = await found(study, await audited(study, RUNS));
        expect(bound).toBeLessThanOrEqual(claim.epsilon);
        expect(bound).toBeGreaterThan(claim.epsilon / 4);
        expect(await found(study, await audited(study, RUNS, true))).toBeGreaterThan(claim.epsilon);
      },
      patience,
    );
});

it("takes its bounds from the binomial law", () => {
  // P(Binomial(5, 1/2) ≥ 3) = 1/2, P(Binomial(4, 1/4) ≥ 2) = 67/256, P(Binomial(4, 3/4) ≥ 1) = 255/256.
  expect(atLeast(3, 5, 0.5)).toBeCloseTo(0.5, 12);
  expect(atLeast(2, 4, 0.25)).toBeCloseTo(67 / 256, 12);
  expect(atLeast(1, 4, 0.75)).toBeCloseTo(255 / 256, 12);
  // All of n: pⁿ = α. One of n: 1 − (1 − p)ⁿ = α.
  expect(least(1000, 1000, 1e-6)).toBeCloseTo(1e-6 ** 1e-3, 9);
  expect(least(1, 1000, 1e-6) / -Math.expm1(1e-3 * Math.log1p(-1e-6))).toBeCloseTo(1, 6);
  expect(epsilonOf({ often: [500, 500], tries: 1000 }, 0, ALPHA)).toBe(0);
});
