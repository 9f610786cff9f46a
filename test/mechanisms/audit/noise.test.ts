import {
  adaptive,
  type Budget,
  close,
  init,
  kWay,
  type Measurement,
  priorAware,
  pure,
  Rational,
  readTable,
  type Sealed,
  seal,
  type Table,
  zcdp,
} from "marginalia";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chanceOf } from "./chance.js";
import { around, between, type Law, sizes, sumOf } from "./law.js";
import { PUBLIC, type Tiny, tiny } from "./small.js";

/**
 * False alarms: each of the tests below fails once in 10⁶ times for an engine that draws by the laws it names, however
 * many marginals it is over (Bonferroni).
 */
const ALPHA = 1e-6;
const RUNS = process.env.MARGINALIA_FULL ? 6000 : 300;

beforeAll(() => init({ worker: false, threads: false }));
afterAll(() => close());

/** Twelve times the same people: private here, and public for the test. */
const ROWS = Array.from({ length: 12 }, (_, i) => PUBLIC.map((one, j) => PUBLIC[(i * j) % 10] ?? one)).flat();

interface Running extends Disposable {
  run(data: Sealed<Tiny>): Promise<Disposable & { measurements: Measurements }>;
}
type Measurements = readonly Measurement[] | readonly (readonly Measurement[])[];

const settings = { widen: false, draws: 1, exponents: [0.5] } as const;
const mechanisms: Record<string, (prior: Table<Tiny>, spend: string) => Running> = {
  flat: (prior, spend) =>
    priorAware({ ...settings, prior, spend, workload: [["a"], ["a", "b"], ["g", "a", "b"]] }),
  adaptive: (prior, spend) =>
    adaptive({ prior, spend, widen: false, rounds: 2, selectShare: 0.3, start: "one-ways" }),
  grouped(prior, spend) {
    const groups = [{ by: [], workload: [["b"], ["a", "b"]] }, ["g"]] as const;
    return priorAware({ ...settings, prior, spend, groups });
  },
};

const budgets: [string, (amount: string) => Budget, string][] = [
  ["laplace", pure, "17/10"],
  ["gaussian", zcdp, "11/30"],
];

/** The noise of every measurement of many releases. */
async function drawn(make: (prior: Table<Tiny>, spend: string) => Running, budget: Budget, spend: string) {
  const found: { noise: Law & { variance: number }; error: Float64Array }[] = [];
  using truth = await readTable(ROWS, tiny);
  const exact = new Map<string, Float64Array>();
  for (const clique of [[], ...kWay(tiny, 1), ...kWay(tiny, 2), ...kWay(tiny, 3)])
    exact.set(`${clique}`, await truth.marginal(clique));
  using prior = await readTable(PUBLIC, tiny);
  using mechanism = make(prior, spend);
  await using data = await seal(ROWS, tiny, { dataset: "tiny", unit: "row", budget });
  for (let run = 0; run < RUNS; run++) {
    using release = await mechanism.run(data);
    for (const { clique, noise, values } of (release.measurements as readonly Measurement[]).flat()) {
      const counts = exact.get(`${clique}`) as Float64Array;
      expect(values).toHaveLength(counts.length);
      found.push({ noise, error: values.map((value, i) => value - (counts[i] as number)) });
    }
  }
  return found;
}

/** How often something was where it should be with this chance. */
interface Tally {
  readonly what: string;
  readonly chance: number;
  inside: number;
  tries: number;
}

/** Cells within the 90 % interval of their law, and marginals whose sum of errors is in that of the sum. */
function tallied(found: Awaited<ReturnType<typeof drawn>>): { cells: Tally[]; marginals: Tally[] } {
  const tallies = new Map<string, Tally & { low: number; high: number }>();
  const tally = (what: string, interval: () => { low: number; high: number; chance: number }) => {
    const known = tallies.get(what);
    if (known) return known;
    const begun = { what, ...interval(), inside: 0, tries: 0 };
    tallies.set(what, begun);
    return begun;
  };
  const count = (one: ReturnType<typeof tally>, value: number) => {
    one.tries += 1;
    if (value >= one.low && value <= one.high) one.inside += 1;
  };
  for (const { noise, error } of found) {
    const name = `${noise.law} ${noise.scale}`;
    const chances = () => sizes(noise);
    const cell = tally(`cells, ${name}`, () => around(chances(), 0.9));
    for (const one of error) count(cell, one);
    const all = tally(`marginals of ${error.length}, ${name}`, () =>
      between(sumOf(chances(), error.length), 0.9),
    );
    count(
      all,
      error.reduce((sum, one) => sum + Math.abs(one), 0),
    );
  }
  const list = [...tallies.values()];
  return {
    cells: list.filter(({ what }) => what.startsWith("cells")),
    marginals: list.filter(({ what }) => what.startsWith("marginals")),
  };
}

describe.each(budgets)("realised noise: %s", (law, budget, amount) => {
  it.each(Object.entries(mechanisms))(
    "of %s releases is as often in its 90 % interval as it should be",
    async (name, make) => {
      const whole = Rational.of(amount).times(Rational.of(BigInt(RUNS)));
      const found = await drawn(make, budget(`${whole}`), amount);
      const { cells, marginals } = tallied(found);
      const all = [...cells, ...marginals];
      for (const { what, chance, inside, tries } of all) {
        expect(
          chanceOf(inside, tries, chance),
          `${what}: ${inside} of ${tries}, for ${chance}`,
        ).toBeGreaterThan(ALPHA / all.length);
      }
      expect(new Set(found.map(({ noise }) => noise.law))).toEqual(new Set([law]));
      for (const { noise } of found.slice(0, 20)) {
        const exact = sizes(noise).reduce((sum, p, k) => sum + k * k * p, 0);
        expect(noise.variance / exact).toBeCloseTo(1, 9);
      }
      const sum = (list: Tally[], of: "inside" | "tries") => list.reduce((so, one) => so + one[of], 0);
      const expected = (list: Tally[]) => list.reduce((so, one) => so + one.chance * one.tries, 0);
      const line = (list: Tally[]) =>
        `${sum(list, "inside")} of ${sum(list, "tries")} (expected ${expected(list).toFixed(0)})`;
      process.stderr.write(`${name}, ${law}: ${line(cells)} cells, ${line(marginals)} marginals\n`);
    },
    600_000,
  );
});

/** Noise with a tenth more or less in its scale would be in the same intervals another number of times. */
it("would find out noise that is a sixth too small or too large", () => {
  const n = RUNS * 12;
  for (const law of ["laplace", "gaussian"] as const) {
    const own = around(sizes({ law, scale: "60/7" }), 0.9);
    const power = law === "laplace" ? 1 : 2;
    for (const by of [5 / 6, 7 / 6]) {
      const other = sizes({ law, scale: `${60 * by ** power}/7` });
      const chance = other.subarray(0, own.high + 1).reduce((sum, p) => sum + p, 0);
      expect(chanceOf(Math.round(n * chance), n, own.chance)).toBeLessThan(1e-9);
    }
  }
});

describe("the laws that measurements are held against", () => {
  it("are those of tables", () => {
    // P(0) = (e − 1)/(e + 1) for b = 1; a discrete Gaussian of σ² = 1/2 has Σ e^(−x²) = 1.772637…
    expect(sizes({ law: "laplace", scale: "1" })[0]).toBeCloseTo((Math.E - 1) / (Math.E + 1), 12);
    expect(sizes({ law: "gaussian", scale: "1/2" })[0]).toBeCloseTo(1 / 1.7726372048266521, 12);
    expect(around(sizes({ law: "laplace", scale: "1" }), 0.9)).toMatchObject({ low: -2, high: 2 });
    const coin = Float64Array.of(0.5, 0.5);
    expect([...sumOf(coin, 5)].map((p) => 32 * p)).toEqual([1, 5, 10, 10, 5, 1]);
    expect(between(sumOf(coin, 5), 0.9)).toEqual({ low: 1, high: 4, chance: 30 / 32 });
  });
});
