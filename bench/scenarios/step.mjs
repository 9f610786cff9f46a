// Sweeps of Algorithm 1 over a support in memory: each step meets one marginal.

import { sizesOf } from "../lib/data.mjs";
import { native } from "../lib/native.mjs";
import { converged } from "../lib/step.mjs";
import { inNode, inPython, ROUNDS, table, threadCounts, threadsText } from "./shared.mjs";

const ROWS = { quick: [1e4, 1e5], normal: [1e4, 1e5, 1e6], full: [1e4, 1e5, 1e6, 4e6] };
const SMALL_SWEEPS = 300;
/** Digits of the answer to the small task. */
const DIGITS = 6;
/** Singles and pairs of 20 columns, as many as are measured of a survey. */
const CLIQUES = [
  ...Array.from({ length: 19 }, (_, a) => [a]),
  ...[4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15].map((a) => [a, a + 4]),
];

const ofNumpy = (indices) => ({
  ...inPython(`numpy bincount and take, ${indices}`, "step_numpy.py"),
  options: { indices },
});

const contenders = () => [
  ...threadCounts().map((threads) =>
    inNode(`marginalia, ${threadsText(threads)}`, "step-ours.mjs", { threads }),
  ),
  native("baseline"),
  native("avx2"),
  ofNumpy("int64"),
  ofNumpy("uint32"),
];

export const step = {
  name: "estimate-step",
  title: "steps of Algorithm 1, in sweeps over 31 marginals",
  unit: "ns per row and step",

  async *cases(mode, folder) {
    const sizes = sizesOf(20);
    const small = await table(folder, sizes, 500, { csv: false });
    // All must come to the same distribution, Csiszár's projection: it is known by its entropy.
    const expected = [Number(converged(small.columns, sizes, CLIQUES, SMALL_SWEEPS).toFixed(DIGITS))];
    for (const rows of ROWS[mode]) {
      const { task } = await table(folder, sizes, rows, { csv: false });
      const sweeps = Math.max(4, Math.round(4e6 / rows));
      const work = rows * CLIQUES.length * sweeps;
      yield {
        name: `${rows.toLocaleString("en")} rows`,
        rows,
        attributes: sizes.length,
        cliques: CLIQUES.length,
        contenders: contenders(),
        small: { task: { ...small.task, what: "step", cliques: CLIQUES, sweeps: SMALL_SWEEPS }, expected },
        task: { ...task, what: "step", cliques: CLIQUES, sweeps },
        total: work,
        rounds: ROUNDS[mode],
        units: work,
      };
    }
  },
};
