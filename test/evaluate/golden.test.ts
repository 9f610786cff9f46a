import { kWay, workload } from "marginalia";
import {
  contestScore,
  correlation,
  evaluate,
  kMarginal,
  totalVariation,
  workloadError,
} from "marginalia/evaluate";
import { describe, expect, it } from "vitest";
import { codeOf, rowsOf, small, weighted } from "./support";

// Shares of the true rows: pax ½, pby ¼, qax ¼; of the synthetic ones: pax ½, pbx ¼, qax ¼.
const truth = () => rowsOf("pax", "pax", "pby", "qax");
const synthetic = () => rowsOf("pax", "qax", "pbx", "pax");

describe("k-marginal", () => {
  it("is (2 − mean L1)·500 over all pairs", async () => {
    const score = await kMarginal({ truth: await truth(), synthetic: await synthetic(), subsamples: false });
    // g×a: pa ½, pb ¼, qa ¼ in both. g×b: px ½ and py ¼ against px ¾. a×b: ax ¾ and by ¼ against ax ¾ and bx ¼.
    expect(score.pairs).toEqual([
      { attributes: ["g", "b"], distance: 0.5 },
      { attributes: ["a", "b"], distance: 0.5 },
      { attributes: ["g", "a"], distance: 0 },
    ]);
    expect(score.score).toBeCloseTo((2 - 1 / 3) * 500, 10);
    expect(score.attributes).toEqual({ g: 875, a: 875, b: 750 });
    expect(score.groups).toEqual([]);
  });

  it("counts every pair within the groups, and scores each by the part of its share that is off", async () => {
    const options = { truth: await truth(), synthetic: await synthetic(), subsamples: false };
    const score = await kMarginal({ ...options, group: "g" });
    expect(score.pairs).toEqual([{ attributes: ["a", "b"], distance: 0.5 }]);
    expect(score.score).toBe(750);
    expect(score.groups.map(({ group, share }) => [group, share])).toEqual([
      [["p"], 0.75],
      [["q"], 0.25],
    ]);
    expect(score.groups[0]?.score).toBeCloseTo(1000 * (1 - 0.5 / 0.75), 10);
    expect(score.groups[1]?.score).toBe(1000);
  });

  it("takes no more from a group than its share, and leaves out groups without true rows", async () => {
    const options = { truth: await rowsOf("pax", "qax"), synthetic: await rowsOf("rby", "rby", "rby") };
    const score = await kMarginal({ ...options, group: ["g"], subsamples: false });
    expect(score.groups.map(({ group, score }) => [...group, score])).toEqual([
      ["p", 0],
      ["q", 0],
    ]);
    expect(score.score).toBe(0);
  });

  it("adds up weights", async () => {
    const options = {
      truth: await weighted({ pax: 2, pby: 1, qax: 1 }),
      subsamples: false,
      group: "g" as const,
    };
    expect((await kMarginal({ ...options, synthetic: await synthetic() })).score).toBe(750);
    const half = await weighted({ pax: 1, pby: 0.5, qax: 0.5 });
    expect((await kMarginal({ ...options, synthetic: half })).score).toBe(1000);
  });

  it("groups by what it is told alone, whatever a column is called, and says by what", async () => {
    const file = (name: string, area: string[]) => ({ [name]: area, a: ["1", "2"], b: ["3", "3"] });
    const options = (name: string) => ({
      truth: file(name, ["p", "q"]),
      synthetic: file(name, ["q", "p"]),
      subsamples: false,
    });
    const [found, other] = [await kMarginal(options("PUMA")), await kMarginal(options("AREA"))];
    expect([found.score, found.group]).toEqual([other.score, []]);
    expect(found.pairs).toHaveLength(3);
    expect(`${found}`).toMatch(/^k-marginal \d+\.\d\d of 1000, not grouped, over 3 pairs/);
    const grouped = await kMarginal({ ...options("PUMA"), group: "PUMA" });
    expect([grouped.score, grouped.group]).toEqual([0, ["PUMA"]]);
    expect(`${grouped}`).toMatch(/^k-marginal 0\.00 of 1000, grouped by PUMA, over 1 pairs/);
  });

  it("refuses a group that is no column, of tables and of files", async () => {
    const tables = { truth: await truth(), synthetic: await synthetic() };
    expect(await codeOf(kMarginal({ ...tables, group: "PUMA" as never }))).toBe("ATTRIBUTE_UNKNOWN");
    expect(await codeOf(evaluate({ ...tables, group: "PUMA" as never }))).toBe("ATTRIBUTE_UNKNOWN");
    const file = { a: ["1", "2"], b: ["3", "3"] };
    const found = kMarginal({ truth: { ...file, PUMA: ["p", "q"] }, synthetic: file, group: "PUMA" });
    expect(await codeOf(found)).toBe("COLUMN_MISSING");
  });

  it("cuts what follows the point when asked", async () => {
    const options = {
      truth: await truth(),
      synthetic: await synthetic(),
      truncate: true,
      group: "g" as const,
    };
    const score = await kMarginal(options);
    expect(score.groups[0]?.score).toBe(333);
    for (const part of score.subsamples) expect(part.score).toBe(Math.trunc(part.score));
  });

  it("is 0 for a table without rows, whatever the pairs", async () => {
    const score = await kMarginal({ truth: await truth(), synthetic: await rowsOf(), group: "g" });
    expect(score.score).toBe(0);
    expect(score.groups.map((group) => group.score)).toEqual([0, 0]);
  });
});

describe("the contest's score", () => {
  it("compares shares within each group, and groups count alike", async () => {
    const options = { truth: await truth(), synthetic: await synthetic(), group: "g" as const };
    const { score, groups } = await contestScore({ ...options, pairs: "all" });
    // p: ax ⅔ and by ⅓ against ax ⅔ and bx ⅓; q is met.
    expect(groups.map(({ group }) => group)).toEqual([["p"], ["q"]]);
    expect(groups[0]?.distance).toBeCloseTo(2 / 3, 12);
    expect(score).toBeCloseTo((500 * (2 - 2 / 3) + 1000) / 2, 10);
  });

  it("gives 0 to a group that only one table has, and to one whose size is far off", async () => {
    const [a, b] = [await weighted({ pax: 300, qax: 1 }), await weighted({ pax: 50, rax: 1 })];
    const score = await contestScore({ truth: a, synthetic: b, group: "g" });
    expect(
      score.groups.map(({ group, distance, penalised, score }) => [...group, distance, penalised, score]),
    ).toEqual([
      ["p", 0, true, 0],
      ["q", 2, false, 0],
      ["r", 2, false, 0],
    ]);
    expect((await contestScore({ truth: a, synthetic: b, group: "g", penalty: 251 })).score).toBeCloseTo(
      1000 / 3,
    );
    expect(
      (await contestScore({ truth: a, synthetic: b, group: "g", penalty: false })).groups[0]?.score,
    ).toBe(0);
  });

  it("needs groups and sensible options", async () => {
    const options = { truth: await truth(), synthetic: await synthetic() };
    expect(await codeOf(contestScore(options))).toBe("OPTION_INVALID");
    expect(await codeOf(contestScore({ ...options, group: "g", penalty: 0 }))).toBe("OPTION_INVALID");
    expect(await codeOf(contestScore({ ...options, group: "g", pairs: 0 }))).toBe("OPTION_INVALID");
    const other = { ...options, group: "g", truncate: true } as never;
    expect(await codeOf(contestScore(other))).toBe("OPTION_INVALID");
  });
});

describe("errors of a workload", () => {
  const asked = workload(small, [["a", "b"], ["g"]]);

  it("are in records, of a table as of answers", async () => {
    const [a, b] = [await rowsOf("pax", "pax", "pby", "qax"), await rowsOf("pax", "pbx")];
    // a×b: ax 3, by 1 against ax 1, bx 1: 2, 1, 1. g: p 3, q 1 against p 2: 1, 1.
    const expected = [
      { attributes: ["a", "b"], l1: 4, l2: Math.sqrt(6), max: 2 },
      { attributes: ["g"], l1: 2, l2: Math.sqrt(2), max: 1 },
    ];
    for (const other of [b, await b.count(asked), await b.answer(asked)]) {
      const error = await workloadError({ truth: a, other, workload: asked });
      expect(error.cliques).toEqual(expected);
      expect([error.l1, error.max]).toEqual([3, 2]);
      expect(error.l2).toBeCloseTo((Math.sqrt(6) + Math.sqrt(2)) / 2, 12);
    }
  });

  it("are shares when normalised: a table's of its own total, answers' of the truth's", async () => {
    const [a, b] = [await truth(), await rowsOf("pax", "pbx")];
    const [first] = (await workloadError({ truth: a, other: b, workload: asked, normalize: true })).cliques;
    expect(first?.l1).toBe(0.25 + 0.5 + 0.25);
    const answers = [Float64Array.of(4, 0, 0, 0), Float64Array.of(3, 1, 0)];
    const error = await workloadError({ truth: a, other: answers, workload: asked, normalize: true });
    expect(error.cliques.map(({ l1 }) => l1)).toEqual([0.5, 0]);
  });

  it("refuses answers of another shape", async () => {
    const options = { truth: await truth(), workload: asked };
    const other = [Float64Array.of(1, 2, 3), Float64Array.of(3, 1, 0)];
    expect(await codeOf(workloadError({ ...options, other }))).toBe("OPTION_INVALID");
    const held = await (await truth()).count(workload(small, [["b", "a"]]));
    expect(await codeOf(workloadError({ ...options, other: held }))).toBe("OPTION_INVALID");
  });
});

describe("total variation", () => {
  it("is half the L1 distance, with the combinations that only one table has", async () => {
    const pairs = await totalVariation({ truth: await truth(), synthetic: await synthetic(), k: 2 });
    expect(pairs.cliques.map(({ attributes, variation }) => [...attributes, variation])).toEqual([
      ["g", "a", 0],
      ["g", "b", 0.25],
      ["a", "b", 0.25],
    ]);
    // Lost are (p, y) and (b, y), made is (b, x): px exists in both.
    expect(pairs.fabricated).toEqual({ combinations: 1, share: 0.25 / 3 });
    expect(pairs.suppressed.combinations).toBe(2);
    expect(pairs.suppressed.share).toBeCloseTo(0.5 / 3, 12);
    expect(pairs.worst?.attributes).toEqual(["g", "b"]);
    expect(pairs.mean).toBeCloseTo(0.5 / 3, 12);
  });

  it("draws cliques by a seed where there are too many", async () => {
    const options = { truth: await truth(), synthetic: await synthetic(), k: 2, most: 2 };
    const [one, same] = [await totalVariation(options), await totalVariation(options)];
    expect(one.cliques).toHaveLength(2);
    expect(one).toEqual(same);
  });
});

describe("correlation", () => {
  it("is Cramér's V, and the same without the bias of n rows", async () => {
    // a×b: ax 40, ay 10, bx 10, by 40, so χ²/n = .36 by hand; n = 100, r̃ = c̃ = 2 − 1/99.
    const table = await weighted({ pax: 40, pay: 10, pbx: 10, pby: 40 });
    const independent = await weighted({ pax: 25, pay: 25, pbx: 25, pby: 25 });
    const { pairs, mean, shift, corrected, worst } = await correlation({
      truth: table,
      synthetic: independent,
    });
    expect(pairs.map(({ attributes }) => attributes)).toEqual([...kWay(small, 2)]);
    const v = Math.sqrt((0.36 - 1 / 99) / (1 - 1 / 99));
    expect([worst?.truth, worst?.synthetic]).toEqual([expect.closeTo(0.6, 12), 0]);
    expect(worst?.corrected).toEqual({ truth: expect.closeTo(v, 12), synthetic: 0 });
    // The other pairs have an attribute of a single value.
    expect([mean, shift, corrected]).toEqual([0.2, -0.2, v / 3].map((value) => expect.closeTo(value, 12)));
  });
});
