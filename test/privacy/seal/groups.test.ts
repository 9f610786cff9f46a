import { type CellQuery, measurement, measurementsFromBytes, measurementsToBytes, pure } from "marginalia";
import { describe, expect, it } from "vitest";
import { exact, plenty, refusal, sealing } from "./support.js";

/** Ages 1, 2, 2, 9, null of F, M, F, F, M; and 0 and 0 of nobody in particular. */
const ofAges = {
  F: [0, 1, 1, 0, 0, 0, 0, 0, 0, 1, 0],
  M: [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1],
  none: [2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
};
const spread = { groups: ["sex"] } as const;
const added = (a: readonly number[], b: readonly number[]) => a.map((one, i) => one + (b[i] as number));
const running = (list: readonly number[]) =>
  list.map((_, i) => list.slice(0, i + 1).reduce((a, b) => a + b, 0));

describe("queries in every group", () => {
  const groups = Object.values(ofAges);

  it("are answered group after group, as one measurement of a clique that begins with the groups", async () => {
    const sealed = await sealing(undefined, plenty);
    const row = [1, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0];
    const list = await sealed.measure([
      { clique: ["age"], spread, ...exact },
      { clique: ["age"], spread, query: { type: "prefix" }, ...exact },
      { clique: ["age"], spread, query: { type: "ranges", ranges: [[1, 2]] }, ...exact },
      { clique: ["age"], spread, query: { type: "matrix", rows: [row] }, ...exact },
      { clique: [], spread, ...exact },
      { clique: ["age"], spread, query: { type: "product", factors: [{ type: "prefix" }] }, ...exact },
    ]);
    expect(list.map(({ values }) => [...values])).toEqual([
      groups.flat(),
      groups.flatMap(running),
      [2, 1, 0],
      [2, 0, 2],
      [3, 2, 2],
      groups.flatMap(running),
    ]);
    const cliques = [..."1234"].map(() => "sex,age").concat("sex", "sex,age");
    expect(list.map(({ clique }) => clique.join())).toEqual(cliques);
    expect(list[5]?.query).toEqual({ type: "product", factors: [{ type: "identity" }, { type: "prefix" }] });
    expect(list.map(({ query }) => query.type)).toEqual([
      "identity",
      "ranges",
      "ranges",
      "matrix",
      "identity",
      "product",
    ]);
    // Each says what it is: its query of the cells of its clique gives its values.
    const cells = groups.flat();
    for (const { query, values } of list.slice(0, 4)) {
      if (query.type === "ranges") {
        const sums = query.ranges.map(([a, b]) => cells.slice(a, b + 1).reduce((x, y) => x + y, 0));
        expect(sums).toEqual([...values]);
      }
      if (query.type === "matrix") {
        const sums = query.rows.map((weights) =>
          weights.reduce((x, w, i) => x + w * (cells[i] as number), 0),
        );
        expect(sums).toEqual([...values]);
      }
    }
    expect(JSON.stringify(measurementsFromBytes(measurementsToBytes(list)))).toBe(JSON.stringify(list));
    for (const one of list) measurement(one.toJSON());
  });

  it("cost once for all groups, and are another question than the same asked of all rows", async () => {
    const sealed = await sealing(undefined, { budget: pure(1) });
    const asked = { clique: ["age"], query: { type: "prefix" }, spend: "1/4" } as const;
    const plan = await sealed.plan([{ ...asked, spread }]);
    expect(plan.charges[0]).toMatchObject({
      clique: ["age"],
      groups: ["sex"],
      query: { type: "prefix" },
      shape: [3, 11],
      answers: 33,
      sensitivity: { l1: "11", l2Squared: "11" },
    });
    expect(`${plan}`).toContain("age (prefix sums) in every sex");
    await sealed.measure([{ ...asked, spread }]);
    await sealed.measure([{ ...asked, spread: "whole" }]);
    expect(new Set(sealed.ledger.entries().map(({ key }) => key.slice(0, -2))).size).toBe(2);
    expect(sealed.ledger.entries()[0]?.what).toBe("age (prefix sums) in every sex");
    await sealed.measure([asked]);
    // `"whole"` is what is meant where nothing is said: the second such call.
    expect(sealed.ledger.entries()[2]?.key).toBe(sealed.ledger.entries()[1]?.key.replace(/1$/, "2"));
  });

  it("as products cost what their numbers say, and are refused where they do not fit their clique", async () => {
    const sealed = await sealing(undefined, plenty);
    const clique = ["sex", "age"] as const;
    const of = (...factors: CellQuery[]) => ({
      clique,
      query: { type: "product", factors } as const,
      ...exact,
    });
    const [each, sums] = [{ type: "identity" }, { type: "prefix" }] as const;
    const cells = groups.map(running);
    const both = groups.map((_, sex) => running(groups.slice(0, sex + 1).reduce(added)));
    const list = await sealed.measure([of(each, sums), of(sums, sums), of(each, each)]);
    expect(list.map(({ values }) => [...values])).toEqual([cells.flat(), both.flat(), groups.flat()]);
    const plan = await sealed.plan([of(each, sums), of(sums, sums)]);
    expect(plan.charges.map(({ sensitivity }) => sensitivity.l1)).toEqual(["11", "33"]);
    expect(`${plan}`).toContain("sex (prefix sums) × age (prefix sums)");
    const wide: CellQuery = { type: "matrix", rows: [[1, 2 ** 30, 1]] };
    const old: CellQuery = { type: "matrix", rows: [Array(11).fill(4)] };
    for (const wrong of [
      of(sums),
      of(sums, sums, sums),
      of(sums, { type: "product", factors: [] } as never),
      of(wide, old),
    ])
      await refusal(sealed.plan([wrong]), "MEASUREMENT_INVALID");
  });

  const bad: [string, object, string][] = [
    ["a spread that is none", { spread: "groups" }, "OPTION_INVALID"],
    ["groups of nothing", { spread: { groups: [] } }, "OPTION_INVALID"],
    ["groups by a bare name", { spread: { groups: "sex" } }, "OPTION_INVALID"],
    ["more than groups", { spread: { groups: ["sex"], of: 1 } }, "OPTION_INVALID"],
    ["groups by what is counted", { spread: { groups: ["age"] } }, "OPTION_INVALID"],
    ["groups by what is not there", { spread: { groups: ["height"] } }, "ATTRIBUTE_UNKNOWN"],
  ];

  it.each(bad)("refuses %s", async (_, change, code) => {
    const sealed = await sealing(() => expect.fail("the source was opened"));
    await refusal(sealed.measure([{ clique: ["age"], spend: "1/4", ...change } as never]), code);
  });
});
