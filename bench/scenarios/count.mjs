// All pairs of 20 attributes, from a table that is in memory already.

import { pairs, sizesOf } from "../lib/data.mjs";
import { native } from "../lib/native.mjs";
import { countPairs, flat } from "../lib/plain.mjs";
import { inNode, inPython, ROUNDS, SMALL, table, threadCounts, threadsText } from "./shared.mjs";

const ROWS = { quick: [100_000], normal: [1_000_000], full: [1_000_000, 10_000_000] };

const contenders = () => [
  ...threadCounts().map((threads) =>
    inNode(`marginalia, ${threadsText(threads)}`, "count-ours.mjs", { threads }),
  ),
  inNode("marginalia, 1 thread, all answers copied out", "count-ours.mjs", { copy: true }),
  native("baseline"),
  native("avx2"),
  inNode("typed arrays in JavaScript", "count-plain.mjs"),
  inNode("DuckDB, a GROUP BY each", "count-duckdb.mjs", { grouping: "each" }),
  inNode("DuckDB, GROUPING SETS", "count-duckdb.mjs", { grouping: "sets" }),
  inPython("numpy bincount", "count_numpy.py"),
  inPython("polars group_by", "count_polars.py"),
];

export const count = {
  name: "count",
  title: "all two-way marginals of 20 attributes",
  unit: "ns per row and pair",

  async *cases(mode, folder) {
    const sizes = sizesOf(20);
    const cliques = pairs(sizes.length).length;
    const small = await table(folder, sizes, SMALL);
    const expected = flat(countPairs(small.columns, sizes));
    for (const rows of ROWS[mode]) {
      const { task } = await table(folder, sizes, rows);
      yield {
        name: `${rows.toLocaleString("en")} rows`,
        rows,
        attributes: sizes.length,
        cliques,
        contenders: contenders(),
        small: { task: small.task, expected },
        task,
        total: rows * cliques,
        rounds: rows > 1_000_000 ? 3 : ROUNDS[mode],
        units: rows * cliques,
      };
    }
  },
};
