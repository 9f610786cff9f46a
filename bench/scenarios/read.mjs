// From the bytes of a CSV file to columns of codes, half of the columns numbers and half words.

import { labels, sizesOf } from "../lib/data.mjs";
import { countPairs, flat } from "../lib/plain.mjs";
import { inNode, ROUNDS, SMALL, table, threadCounts, threadsText } from "./shared.mjs";

const ROWS = { quick: 50_000, normal: 1_000_000, full: 1_000_000 };

const contenders = () => [
  ...threadCounts().map((threads) =>
    inNode(`marginalia, ${threadsText(threads)}`, "read-ours.mjs", { threads }),
  ),
  ...["papaparse", "csv-parse", "udsv"].map((parser) =>
    inNode(`${parser} and encoding`, "read-javascript.mjs", { parser }),
  ),
  inNode("DuckDB read_csv, types declared", "read-duckdb.mjs"),
];

export const read = {
  name: "read",
  title: "a CSV file of 20 columns into codes",
  unit: "ns per value",

  async *cases(mode, folder) {
    const sizes = sizesOf(20);
    const texts = labels(sizes);
    const rows = ROWS[mode];
    const small = await table(folder, sizes, SMALL, { texts });
    const { columns, task } = await table(folder, sizes, rows, { texts });
    const sum = (codes) => codes.reduce((a, b) => a + b, 0);
    yield {
      name: `${rows.toLocaleString("en")} rows`,
      rows,
      attributes: sizes.length,
      contenders: contenders(),
      small: { task: small.task, expected: flat(countPairs(small.columns, sizes)) },
      task,
      total: columns.reduce((total, codes) => total + sum(codes), 0),
      rounds: mode === "quick" ? ROUNDS.quick : 5,
      units: rows * sizes.length,
    };
  },
};
