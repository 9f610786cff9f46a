// The least L1 distance of any distribution on given rows to noisy answers, to a certified relative gap of 1e-4: alone, as
// others have it, and with the least relative entropy of all that reach it.

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

/** The largest problem that is solved to more than the gap. */
const MOST_CELLS = 50_000;

const contenders = (cells) => [
  inNode("marginalia", "linear-ours.mjs", { entropy: false }),
  ...(cells > MOST_CELLS
    ? []
    : [
        inNode("marginalia, gap 1e-6", "linear-ours.mjs", { entropy: false, tolerance: 1e-6 }),
        inNode("marginalia, both stages", "linear-ours.mjs", { entropy: true }),
      ]),
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
        contenders: contenders(cells),
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
