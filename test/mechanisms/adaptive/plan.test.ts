import { readFileSync } from "node:fs";
import { adaptive, approximate, pure, Rational, zcdp } from "marginalia";
import { describe, expect, it } from "vitest";
import { file, kept, mechanism, people, publicYear, quick, refusal, rounds, sealing } from "./support.js";

const rows2019 = readFileSync(file(2019), "utf8").split(/(?<=\n)/);

/** A source that fails when somebody looks. */
const unread = () => {
  throw new Error("the rows were read");
};

describe("a plan of rounds", () => {
  it("is the same to the byte for private tables that differ in all rows, of any length", async () => {
    const release = await rounds();
    const texts: string[] = [];
    for (const rows of [
      rows2019,
      [rows2019[0] as string, ...rows2019.slice(2000, 2100)],
      rows2019.slice(0, 1),
    ]) {
      const plan = await release.plan(await sealing({}, rows));
      texts.push(`${plan}\n${JSON.stringify(plan)}`);
    }
    expect(texts[1]).toBe(texts[0]);
    expect(texts[2]).toBe(texts[0]);
  });

  it("reads and charges nothing", async () => {
    const data = await sealing({}, unread);
    await (await rounds(quick)).plan(data);
    expect(data.ledger.entries()).toEqual([]);
  });

  it.each([
    ["pure", pure("1/3"), "laplace", "permute-and-flip", "none"],
    ["pure after one-ways", pure("2.7"), "laplace", "permute-and-flip", "one-ways"],
    ["zCDP", zcdp("0.02"), "gaussian", "exponential", "none"],
    ["approximate", approximate(1, "1e-9"), "gaussian", "exponential", "one-ways"],
  ] as const)(
    "lists every charge, and their sum is the budget: %s",
    async (_, budget, law, chooses, start) => {
      const data = await sealing({ budget }, unread);
      const plan = await (await rounds({ start })).plan(data);
      const json = plan.toJSON();
      const costs = [...json.start, ...json.rounds.flatMap(({ select, measure }) => [select, measure])];
      const sum = costs.reduce((so, { cost }) => so.plus(Rational.of(cost)), Rational.of(0n));
      const limit = Rational.of(data.ledger.header.total.amount);
      expect(`${sum}`).toBe(json.price);
      expect(sum.compare(limit)).toBeLessThanOrEqual(0);
      if (law === "laplace") expect(`${sum}`).toBe(`${limit}`);
      // Roots that are no fractions are a little less: below 10^-15 of the whole.
      const lost = limit.minus(sum).over(limit);
      expect(Number(lost.numerator) / Number(lost.denominator)).toBeLessThan(1e-15);
      expect(plan.fits).toBe(true);
      expect(json.start.map(({ clique }) => clique)).toEqual(
        start === "none" ? [] : Object.keys(people.attributes).map((name) => [name]),
      );
      for (const { select, measure } of json.rounds) {
        expect([select.mechanism, measure.law]).toEqual([chooses, law]);
        expect(select.share * json.rounds.length).toBeCloseTo(0.1, 9);
      }
      const shares = costs.reduce((so, { share }) => so + share, 0);
      expect(shares).toBeCloseTo(1, 9);
    },
  );

  it("says what it chooses from, what the errors would be, and what cannot be known before", async () => {
    const release = await rounds({ ...quick, factors: [1, 1, 3, 1] });
    const plan = await release.plan(await sealing({ expectedRows: 5000 }, unread));
    const json = JSON.parse(JSON.stringify(plan)) as ReturnType<typeof plan.toJSON>;
    expect(json).toMatchObject({
      format: "marginalia-adaptive-plan",
      version: 1,
      mechanism: "adaptive",
      expectedRows: 5000,
      selectShare: "1/10",
      candidates: { cliques: 4, omitted: 0 },
    });
    expect(json.rounds).toHaveLength(3);
    const [first] = json.rounds;
    const { smallest, largest, measure, select } = first as NonNullable<typeof first>;
    expect(smallest.clique).toEqual(["sex", "tenure"]);
    expect(largest.answers).toBe(
      Math.max(...quick.workload.map(([a, b]) => people.size(a) * people.size(b))),
    );
    expect(largest.totalError).toBeCloseTo(Math.sqrt(largest.answers * measure.variance), 9);
    expect(largest.relativeError).toBeCloseTo(largest.totalError / 5000, 12);
    expect(select).toMatchObject({ among: 4, sensitivity: "3" });
    const text = `${plan}`;
    for (const words of [
      "rounds 1 to 3",
      "one of 4 cliques",
      "permute-and-flip",
      "discrete Laplace",
      "Not known before",
      "The smallest, sex × tenure, has 15 values",
      "of 5000 rows",
      "Why",
      "Needs about",
    ])
      expect(text).toContain(words);
  });

  it("has more rounds for more budget, by public terms alone", async () => {
    const release = await rounds();
    const counts: number[] = [];
    for (const budget of [pure("0.1"), pure(1), pure(10), approximate(1, "1e-9"), approximate(10, "1e-9")])
      counts.push((await release.plan(await sealing({ budget }, unread))).rounds.length);
    expect(counts).toEqual([2, 5, 15, 9, 27]);
  });

  it("chooses within groups where there is one", async () => {
    const attributes = ["sex", "tenure", "age"] as const;
    const release = await rounds({ group: "area", pool: { alpha: 0.5 }, attributes });
    const { candidates, prior } = (await release.plan(await sealing({}, unread))).toJSON();
    // Three pairs; each attribute with the group; each pair with the group.
    expect(candidates.cliques).toBe(9);
    expect(prior.pool).toEqual({ group: "area", alpha: 0.5 });
  });
});

describe("what makes no sense is refused before anything is read", () => {
  it("without a prior", () => {
    // @ts-expect-error what programs without types may do
    expect(() => adaptive({})).toThrow(expect.objectContaining({ code: "PRIOR_MISSING" }));
  });

  it.each([
    [{ nonsense: 1 }],
    [{ draws: 3 }],
    [{ rounds: 0 }],
    [{ rounds: 1.5 }],
    [{ rounds: 201 }],
    [{ selectShare: 0 }],
    [{ selectShare: 1 }],
    [{ selectShare: "much" }],
    [{ start: "pairs" }],
    [{ workload: [] }],
    [{ factors: [1] }],
    [{ ...quick, factors: [1, 1, 1] }],
    [{ ...quick, factors: [1, 1, 1, 0] }],
    [{ ...quick, factors: [1, 1, 1, 0.5] }],
    [{ group: "state" }],
    [{ expectedRows: 0 }],
  ])("%j", async (change) => {
    const make = async () => (await rounds(change as never)).plan(await sealing({}, unread));
    await refusal(make(), "OPTION_INVALID");
  });

  it("one file as both", async () => {
    const same = kept(adaptive({ prior: await publicYear() }));
    await refusal(same.plan(await sealing({}, file(2018))), "OPTION_INVALID");
  });

  it("more than is left, before anything is charged", async () => {
    const release = await rounds({ ...quick, spend: "0.9" });
    const data = await sealing({}, file(2019));
    await data.measure([{ clique: ["sex"], spend: "0.2" }]);
    const plan = await release.plan(data);
    expect(plan.fits).toBe(false);
    expect(`${plan}`).toContain("more than");
    await refusal(release.run(data, { plan }), "BUDGET_EXCEEDED");
    expect(data.ledger.entries()).toHaveLength(1);
  });

  it("a plan of another mechanism, or one that was changed", async () => {
    const data = await sealing({}, unread);
    const plan = await (await rounds(quick)).plan(data);
    const other = await rounds({ ...quick, rounds: 2 });
    await refusal(other.run(data, { plan }), "OPTION_INVALID");
    await refusal(
      (await rounds(quick)).run(data, { plan: { ...plan.toJSON(), seed: "x" } }),
      "OPTION_INVALID",
    );
    const theirs = await (await mechanism({ workload: [["sex"]], draws: 1 })).plan(data);
    await refusal((await rounds(quick)).run(data, { plan: theirs as never }), "OPTION_INVALID");
    expect(data.ledger.entries()).toEqual([]);
  });
});
