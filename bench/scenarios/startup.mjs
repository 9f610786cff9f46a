// From nothing to a first count, in a new process of each runtime.

import { inNode, ROUNDS, threadCounts } from "./shared.mjs";

const contenders = () => [
  ...threadCounts().map((threads) =>
    inNode(`Node, ${threads === 1 ? "no threads" : `${threads} threads`}`, "startup.mjs", {
      runtime: "node",
      threads,
    }),
  ),
  inNode("Deno", "startup.mjs", { runtime: "deno" }),
  inNode("Bun", "startup.mjs", { runtime: "bun" }),
];

export const startup = {
  name: "startup",
  title: "import to first count in a new process",
  unit: "ms",

  async *cases(mode) {
    const task = { rows: 1000, attributes: 4 };
    yield {
      name: "first count",
      ...task,
      contenders: contenders(),
      task,
      total: task.rows,
      rounds: 2 * ROUNDS[mode],
      units: 1e6,
    };
  },
};
