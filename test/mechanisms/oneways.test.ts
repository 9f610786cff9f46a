import { describe, expect, it } from "vitest";
import { type Expectation, worthMeasuring } from "../../ts/mechanisms/groups/oneways.js";

const level: Expectation = {
  records: [500, 300],
  worth: [800, 800],
  budget: 1,
  law: "laplace",
  sensitivity: { l1: 1, l2Squared: 1 },
};
/** Shares far from 0 and 1 vary most; more cells have more to be wrong about. */
const attributes = [
  {
    name: "even",
    counts: [
      [40, 40, 40, 40],
      [30, 30, 30, 30],
    ],
  },
  {
    name: "half",
    counts: [
      [80, 80],
      [60, 60],
    ],
  },
  {
    name: "rare",
    counts: [
      [159, 1],
      [119, 1],
    ],
  },
];

describe("what is worth measuring in each group", () => {
  it("is everything where noise is nothing, and the most uncertain where it is all", () => {
    expect(worthMeasuring(attributes, { ...level, budget: 1e6 }).sort()).toEqual(["even", "half", "rare"]);
    expect(worthMeasuring(attributes, { ...level, budget: 1e-4 })).toEqual(["even"]);
  });

  it("is what takes most off the expected error, by going through all choices", () => {
    const of = (s: number, v: number) => Math.sqrt(s) - Math.sqrt((s * v) / (s + v));
    for (const budget of [0.01, 0.05, 0.1, 0.3, 1, 3]) {
      let best = { gain: -1, names: [] as string[] };
      for (let set = 1; set < 8; set++) {
        const chosen = attributes.filter((_, i) => (set >> i) & 1);
        const v = 2 * (chosen.length / budget) ** 2;
        let gain = 0;
        for (const { counts } of chosen)
          counts.forEach((cells, group) => {
            const [n, w] = [level.records[group] as number, level.worth[group] as number];
            const all = cells.reduce((a, b) => a + b);
            for (const count of cells) gain += of(n * (count / all) * (1 - count / all) * (1 + n / w), v);
          });
        if (gain > best.gain) best = { gain, names: chosen.map(({ name }) => name) };
      }
      expect(worthMeasuring(attributes, { ...level, budget }).sort()).toEqual(best.names.sort());
    }
  });

  it("looks at no group without public records, and takes one attribute all the same", () => {
    const nobody = attributes.map(({ name }) => ({
      name,
      counts: [
        [0, 0],
        [0, 0],
      ],
    }));
    expect(worthMeasuring(nobody, level)).toHaveLength(1);
    expect(worthMeasuring([], level)).toEqual([]);
    const gaussian: Expectation = { ...level, law: "gaussian", budget: 1e6 };
    expect(worthMeasuring(attributes, gaussian)).toHaveLength(3);
  });
});
