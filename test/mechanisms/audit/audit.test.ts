import { close, convert, init, readTable } from "marginalia";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { attacked, type Truth } from "./distinguisher.js";
import { audited, gaussian, type Shown, type Study, studies, type Tiny, tiny } from "./small.js";

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
const RUNS = FULL ? 20_000 : 1600;

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

const found = async (study: Study, runs: readonly [Shown[], Shown[]]) =>
  attacked(runs, await truthsOf(study), study.claim.delta, ALPHA);

const said = (study: Study, bound: number) =>
  process.stderr.write(`${study.name}: at least ε ${bound.toFixed(2)} of ${study.claim.epsilon}\n`);

/**
 * ε = 4 is spent. By the laws of the noise, 1,000 runs to try it on are expected to show 2.7 of it (flat), 2.3 or more of
 * the others, with a deviation of about 0.1: below 2, half of it, once in 10⁴ times or less. An account that charged half
 * of what is spent, or an engine with half of the noise that is paid for, would be found out as surely.
 */
describe("a release shows no more of a unit than was paid for", () => {
  it.each(studies(4))(
    "$name",
    async (study) => {
      const runs = await audited(study, RUNS);
      const bound = await found(study, runs);
      said(study, bound);
      expect(bound).toBeLessThanOrEqual(study.claim.epsilon);
      expect(bound).toBeGreaterThan(study.claim.epsilon / 2);
      // A report that said how many rows there are would be found out, wherever it stood.
      const telling = ([0, 1] as const).map((which) =>
        runs[which].map((one) => {
          const { length } = study.tables[which];
          return { ...one, leaves: new Map([...one.leaves, [".report.estimate.rows", length] as const]) };
        }),
      );
      expect(await found(study, telling)).toBeGreaterThan(study.claim.epsilon);
    },
    FULL ? 1_200_000 : 60_000,
  );
});
