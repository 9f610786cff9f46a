import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MarginaliaError } from "../../ts/errors.js";
import { integer } from "../../ts/tables/attributes.js";
import { schema } from "../../ts/tables/schema.js";
import { kWay, workload } from "../../ts/tables/workload.js";

const sizes = [2, 3, 5, 7, 11];
const five = schema(Object.fromEntries(sizes.map((size, i) => [`a${i}`, integer({ min: 1, max: size })])), {
  derive: { d: { from: "a0", prefix: 1 } },
});

const code = (make: () => unknown) => {
  try {
    make();
  } catch (error) {
    return (error as MarginaliaError).code;
  }
  return undefined;
};

describe("kWay", () => {
  it("lists all sets once, in lexicographic order, without the derived attributes", () => {
    expect([...kWay(five, 2)]).toEqual([
      ["a0", "a1"],
      ["a0", "a2"],
      ["a0", "a3"],
      ["a0", "a4"],
      ["a1", "a2"],
      ["a1", "a3"],
      ["a1", "a4"],
      ["a2", "a3"],
      ["a2", "a4"],
      ["a3", "a4"],
    ]);
    expect([...kWay(five, 2, ["d", "a1"])]).toEqual([["a1", "d"]]);
    expect([kWay(five, 0).length, kWay(five, 5).length, kWay(five, 6).length]).toEqual([1, 1, 0]);
  });

  it("knows the number of cells before anything is counted", () => {
    const pairs = sizes.flatMap((a, i) => sizes.slice(i + 1).map((b) => a * b));
    expect(kWay(five, 2).cells).toBe(pairs.reduce((a, b) => a + b));
    expect(kWay(five, 0).cells).toBe(1);
    expect(kWay(five, 5).shape(0)).toEqual(sizes);
  });

  it("lists the 161,700 triples of 100 attributes", () => {
    const hundred = schema(
      Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`a${i}`, integer({ min: 0, max: 1 })])),
    );
    const triples = kWay(hundred, 3);
    expect(triples.length).toBe(161_700);
    expect(triples.clique(161_699)).toEqual(["a97", "a98", "a99"]);
    expect(code(() => kWay(hundred, 50))).toBe("MODEL_TOO_LARGE");
  });
});

describe("workload", () => {
  it("keeps the order of the attributes of each clique", () => {
    const w = workload(five, [["a2", "a0"], [], ["d"]]);
    expect([...w]).toEqual([["a2", "a0"], [], ["d"]]);
    expect(w.shape(0)).toEqual([5, 2]);
    expect([w.place(["a2", "a0"]), w.place([])]).toEqual([0, 1]);
    expect(code(() => w.place(["a0", "a2"]))).toBe("OPTION_INVALID");
  });

  it("refuses what is not there, by name", () => {
    expect(code(() => workload(five, [["nope"]]))).toBe("ATTRIBUTE_UNKNOWN");
    expect(code(() => workload(five, [["a0", "a0"]]))).toBe("OPTION_INVALID");
    expect(code(() => kWay(five, 2).clique(10))).toBe("OPTION_INVALID");
    expect(code(() => kWay(five, -1))).toBe("OPTION_INVALID");
  });

  it("restricts to the cliques within some attributes", () => {
    expect([...kWay(five, 2).within(["a0", "a1", "a3"])]).toEqual([
      ["a0", "a1"],
      ["a0", "a3"],
      ["a1", "a3"],
    ]);
  });

  it("closes downward: every subset once, smaller ones first", () => {
    expect([
      ...workload(five, [
        ["a1", "a0"],
        ["a1", "a2"],
      ]).closure(),
    ]).toEqual([[], ["a0"], ["a1"], ["a2"], ["a0", "a1"], ["a1", "a2"]]);
  });
});

describe("sample", () => {
  it("is the same for the same seed, in order, without repetition", () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 0, max: 12 }), (seed, count) => {
        const all = kWay(five, 2);
        const some = all.sample(count, seed);
        const places = [...some].map((clique) => all.place(clique));
        expect(places).toEqual([...new Set(places)].sort((a, b) => a - b));
        expect(some.length).toBe(Math.min(count, all.length));
        expect([...all.sample(count, seed)]).toEqual([...some]);
      }),
    );
  });

  it("takes every clique equally often", () => {
    const all = kWay(five, 2);
    const times = new Array<number>(all.length).fill(0);
    for (let seed = 0; seed < 3000; seed++) {
      for (const clique of all.sample(3, seed))
        times[all.place(clique)] = (times[all.place(clique)] as number) + 1;
    }
    // 900 expected, standard deviation 25; fixed seeds, five sigma.
    for (const count of times) expect(Math.abs(count - 900)).toBeLessThan(125);
  });
});
