// Selecting one of many cells, beside one plain pass of `exp` over as many numbers.

import { native } from "../lib/native.mjs";
import { inPython, ROUNDS } from "./shared.mjs";

const CANDIDATES = { quick: 10_000, normal: 1_000_000, full: 10_000_000 };

const ours = (name, way) => ({ ...native("baseline"), name: `marginalia native, ${name}`, options: { way } });

const contenders = () => [
  { ...ours("", "exp"), name: "a plain pass of exp" },
  ours("exponential mechanism", "exponential"),
  ours("permute-and-flip", "permute-and-flip"),
  inPython("OpenDP, noisy max", "select_opendp.py"),
];

export const select = {
  name: "select",
  title: "one of many cells, scores included",
  unit: "ns per candidate",

  async *cases(mode) {
    const candidates = CANDIDATES[mode];
    const cases = [
      { name: "a model that is nearly right", epsilon: "1/10", ascending: false },
      { name: "every candidate the best so far", epsilon: "1", ascending: true },
    ];
    for (const { name, ...how } of cases) {
      yield {
        name,
        rows: candidates,
        attributes: 1,
        contenders: contenders(),
        task: { what: "select", candidates, ...how },
        total: candidates,
        rounds: ROUNDS[mode],
        units: candidates,
      };
    }
  },
};
