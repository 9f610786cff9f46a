// The least L1 distance of any distribution on given rows to noisy answers, to a certified relative gap of 1e-4. Ours
// gives the least relative entropy of all that reach it on top.

import { inNode, inPython } from "./shared.mjs";

/** Rows and cells. */
const SIZES = {
  quick: [[200, 500]],
  normal: [
    [500, 1000],
    [2000, 1000],
    [2000, 5000],
    [4000, 5000],
  ],
  full: [
    [500, 1000],
    [500, 5000],
    [2000, 1000],
    [2000, 5000],
    [4000, 5000],
    [4000, 20_000],
    [100_000, 100_000],
  ],
};

const contenders = () => [
  inNode("marginalia, as it chooses", "linear-ours.mjs"),
  inNode("marginalia, interior point", "linear-ours.mjs", { solver: "interior" }),
  inNode("npm highs, interior point", "linear-highs.mjs"),
  inPython("highspy, interior point", "linear_highspy.py"),
];

export const lp = {
  name: "lp",
  title: "the least L1 distance to answers, gap 1e-4",
  unit: "ms",

  async *cases(mode) {
    for (const [rows, cells] of SIZES[mode]) {
      yield {
        name: `${rows.toLocaleString("en")} rows × ${cells.toLocaleString("en")} cells`,
        rows,
        attributes: 13,
        contenders: contenders(),
        task: { rows, cells },
        // Whether it ended within the gap.
        total: 1,
        rounds: mode === "quick" || cells >= 20_000 ? 1 : 2,
        warm: cells < 20_000,
        units: 1e6,
      };
    }
  },
};
