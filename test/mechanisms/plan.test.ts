import { readFileSync } from "node:fs";
import { approximate, priorAware, pure, Rational, readTable } from "marginalia";
import { describe, expect, it } from "vitest";
import { file, kept, mechanism, people, publicYear, refusal, sealing } from "./support.js";

const rows2019 = readFileSync(file(2019), "utf8").split(/(?<=\n)/);

/** A source that fails when somebody looks. */
const unread = () => {
  throw new Error("the rows were read");
};

describe("a plan", () => {
  it("is the same to the byte for private tables of any length", async () => {
    const release = await mechanism({ draws: 1 });
    const texts: string[] = [];
    for (const rows of [rows2019, rows2019.slice(0, 100), rows2019.slice(0, 1)]) {
      const plan = await release.plan(await sealing({}, rows));
      texts.push(`${plan}\n${JSON.stringify(plan)}`);
    }
    expect(texts[1]).toBe(texts[0]);
    expect(texts[2]).toBe(texts[0]);
  });

  it("reads and charges nothing", async () => {
    const data = await sealing({}, unread);
    await (await mechanism({ draws: 1 })).plan(data);
    expect(data.ledger.entries()).toEqual([]);
  });

  it.each([
    ["pure", pure("1/3"), "laplace"],
    ["approximate", approximate(1, "1e-9"), "gaussian"],
  ])("spends the whole budget, and not more: %s", async (_, budget, law) => {
    const data = await sealing({ budget }, unread);
    const plan = await (await mechanism({ draws: 1 })).plan(data);
    const sum = plan.charges.reduce((so, { cost }) => so.plus(Rational.of(cost)), Rational.of(0n));
    const limit = Rational.of(data.ledger.header.total.amount);
    expect(sum.compare(limit)).toBeLessThanOrEqual(0);
    expect(limit.minus(sum).over(limit).compare(Rational.of("1/100000000"))).toBe(-1);
    expect(plan.fits).toBe(true);
    expect(new Set(plan.charges.map((charge) => charge.law))).toEqual(new Set([law]));
    if (law === "laplace") expect(`${sum}`).toBe("1/3");
    const shares = plan.charges.reduce((so, { share }) => so + share, 0);
    expect(shares).toBeCloseTo(1, 9);
  });

  it("says why, what is expected, and what it needs", async () => {
    const plan = await (await mechanism({ deny: [{ age: "0..14", employment: "retired" }] })).plan(
      await sealing({}, unread),
    );
    const text = `${plan}`;
    for (const word of [
      "Why",
      "Forecast",
      "Needs about",
      "Denied: 1",
      "discrete Laplace",
      "as many as the prior",
    ])
      expect(text).toContain(word);
    const { forecast, prior, needs, workload } = plan.toJSON();
    expect(forecast.candidates.length).toBeGreaterThan(5);
    expect(forecast.candidates[forecast.chosen]?.draws).toBe(3);
    expect(plan.charges.map(({ clique }) => clique)).toEqual(forecast.candidates[forecast.chosen]?.cliques);
    expect(workload.family).toBe(forecast.candidates[forecast.chosen]?.family);
    expect(prior).toMatchObject({ rows: 4600, strength: 4600, widen: { share: 0.05, rows: 9200 } });
    expect(prior.support).toBeGreaterThan(4600);
    expect(prior.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(needs.bytes).toBeGreaterThan(2 ** 20);
  });

  it("divides exactly by the cells of what is asked for", async () => {
    const workload = [["age", "sex"], ["tenure", "size"], ["state"]] as const;
    const release = await mechanism({ workload, exponents: [0.5], draws: 1, spend: "0.7" });
    const plan = await release.plan(await sealing({}, unread));
    const weights = plan.charges.map(({ shape }) => Math.sqrt(shape.reduce((a, b) => a * b, 1)));
    const all = weights.reduce((a, b) => a + b, 0);
    plan.charges.forEach(({ share }, i) => {
      expect(share).toBeCloseTo((weights[i] as number) / all, 3);
    });
    expect(`${plan.measure.price}`).toBe("7/10");
    expect(plan.forecast.candidates[0]?.family).toBe("given");
  });

  it("knows a group and pools over it", async () => {
    const release = await mechanism({ group: "area", draws: 1, attributes: ["sex", "tenure", "age"] });
    const plan = await release.plan(await sealing({}, unread));
    expect(plan.prior.pool?.group).toBe("area");
    expect([0.2, 0.4, 0.6, 0.8, 0.95]).toContain(plan.prior.pool?.alpha);
    expect(plan.prior.widen).toBeUndefined();
    expect(plan.forecast.candidates.some(({ family }) => family === "group pairs")).toBe(true);
  });
});

describe("what makes no sense is refused before anything is read", () => {
  it("without a prior", () => {
    // @ts-expect-error what programs without types may do
    expect(() => priorAware({})).toThrow(expect.objectContaining({ code: "PRIOR_MISSING" }));
  });

  it.each([
    [{ nonsense: 1 }],
    [{ exponents: [] }],
    [{ draws: 0 }],
    [{ tolerance: 0 }],
    [{ widen: { share: 1 } }],
    [{ pool: { alpha: 0.5 } }],
    [{ group: "area", widen: {} }],
    [{ group: "state" }],
    [{ deny: [{}] }],
    [{ deny: [{ sex: "X" }] }],
    [{ strength: "much" }],
    [{ strength: -1 }],
    [{ workload: [] }],
    [{ attributes: [] }],
    [{ expectedRows: 0 }],
  ])("%j", async (change) => {
    const make = async () => (await mechanism(change as never)).plan(await sealing({}, unread));
    await refusal(make(), "OPTION_INVALID");
  });

  it("a prior of another schema, and attributes that there are not", async () => {
    const other = kept(await readTable(file(2018), (await import("../../examples/survey.mjs")).survey));
    const data = await sealing({}, unread);
    await refusal(kept(priorAware({ prior: other as never })).plan(data as never), "OPTION_INVALID");
    const unknown = await mechanism({ attributes: ["nobody" as never] });
    await refusal(unknown.plan(data), "ATTRIBUTE_UNKNOWN");
  });

  it("one file as both, unless that is meant", async () => {
    const prior = await publicYear();
    for (const source of [file(2018), file(2018).href, decodeURIComponent(file(2018).pathname)]) {
      await refusal(kept(priorAware({ prior })).plan(await sealing({}, source)), "OPTION_INVALID");
    }
    const meant = kept(priorAware({ prior, allowSameSource: true, draws: 1, workload: [["sex"]] }));
    expect((await meant.plan(await sealing({}, file(2018)))).fits).toBe(true);
  });

  it("more than is left, and a run does not read a row for it", async () => {
    const release = await mechanism({ workload: [["sex"]], draws: 1, spend: 2 });
    const data = await sealing({}, unread);
    const plan = await release.plan(data);
    expect(plan.fits).toBe(false);
    expect(`${plan}`).toContain("more than");
    await refusal(release.run(data, { plan }), "BUDGET_EXCEEDED");
    expect(data.ledger.entries()).toEqual([]);
  });
});

it("the schema of the example says what becomes of everything", () => {
  expect(people.labels("sex")).toEqual(["F", "M", null]);
});
