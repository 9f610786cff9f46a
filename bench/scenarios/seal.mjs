// What sealing costs: private rows are read and counted as public ones are, and memory is wiped where it is freed.

import { labels, sizesOf } from "../lib/data.mjs";
import { inNode, ROUNDS, SMALL, table, threadCounts, threadsText } from "./shared.mjs";

const ROWS = { quick: 50_000, normal: 1_000_000, full: 1_000_000 };

const same = (text) => text;
const quoted = (text) => `"${text}"`;

/** How fields are written; the words of those that hold line ends have one in the middle. */
const KINDS = [
  ["texts", "", same, same],
  ["quoted", ", quoted", same, quoted],
  ["line-ends", ", quoted, half of the fields with a line end", (text) => `${text}\n${text}`, quoted],
];

const contenders = () =>
  threadCounts().flatMap((threads) => [
    inNode(`public, ${threadsText(threads)}`, "seal-ours.mjs", { threads, sealed: false }),
    inNode(`sealed, ${threadsText(threads)}`, "seal-ours.mjs", { threads, sealed: true }),
  ]);

/** Counts of the first two columns, each with a null that no row has. */
function pairOf(columns, [first, second]) {
  const counts = new Array((first + 1) * (second + 1)).fill(0);
  columns[0].forEach((code, row) => {
    counts[code * (second + 1) + columns[1][row]] += 1;
  });
  return counts;
}

export const seal = {
  name: "seal",
  title: "a CSV file of 20 columns, read and one pair counted",
  unit: "ns per value",

  async *cases(mode, folder) {
    const sizes = sizesOf(20);
    const rows = ROWS[mode];
    for (const [kind, what, text, write] of KINDS) {
      const texts = labels(sizes).map((all, i) => (i % 2 ? all.map(text) : all));
      const small = await table(folder, sizes, SMALL, { texts, kind, write });
      const { task } = await table(folder, sizes, rows, { texts, kind, write });
      yield {
        name: `${rows.toLocaleString("en")} rows${what}`,
        rows,
        attributes: sizes.length,
        contenders: contenders(),
        small: { task: small.task, expected: pairOf(small.columns, sizes) },
        task,
        total: rows,
        rounds: mode === "quick" ? ROUNDS.quick : 5,
        units: rows * sizes.length,
      };
    }
  },
};
