// Graphical models of the fifteen triples of MARGINALIA_DATA/adult15, until they fit the answers as closely as mbi does after so many
// iterations of mirror descent.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { inNode, inPython } from "./shared.mjs";

/** Iterations of mbi, and the loss that it has after them. */
const ENDS = {
  quick: [[50, 36_860]],
  normal: [[300, 30_100]],
  full: [
    [300, 30_100],
    [1000, 28_730],
  ],
};
const TIMES = { quick: 1, normal: 3, full: 3 };

export const graph = {
  name: "graph",
  title: "graphical models of fifteen triples",
  unit: "ms",

  async *cases(mode) {
    const folder = join(process.env.MARGINALIA_DATA ?? "", "adult15");
    if (!process.env.MARGINALIA_DATA || !existsSync(folder)) {
      console.log("graph: not run, because MARGINALIA_DATA names no folder with adult15\n");
      return;
    }
    for (const [iterations, until] of ENDS[mode])
      yield {
        name: `to a loss of ${until}`,
        cliques: 15,
        contenders: [
          inNode("marginalia, mirror descent, 1 thread", "graph-ours.mjs", { by: "mirrorDescent" }),
          inNode("marginalia, accelerated, 1 thread", "graph-ours.mjs", { by: "accelerated" }),
          inPython("mbi, mirror descent", "graph_mbi.py"),
        ],
        task: { what: "graph", folder, iterations, until },
        // Whether the loss was reached.
        total: 1,
        rounds: TIMES[mode],
        units: 1e6,
      };
  },
};
