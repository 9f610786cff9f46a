// How the time of a count grows with rows and attributes: linearly, when the time per row and clique stays.

import { pairs, sizesOf } from "../lib/data.mjs";
import { countPairs, flat } from "../lib/plain.mjs";
import { inNode, ROUNDS, SMALL, table } from "./shared.mjs";

const ROWS = { quick: [1e4, 1e5], normal: [1e4, 1e5, 1e6], full: [1e4, 1e5, 1e6, 1e7] };
const ATTRIBUTES = { quick: [5, 20], normal: [5, 10, 20, 50, 100], full: [5, 10, 20, 50, 100] };

/** The grid: every number of rows at 20 attributes, then every number of attributes at a middling size. */
function grid(mode) {
  const rows = ROWS[mode].map((rows) => ({ rows, attributes: 20 }));
  const middle = mode === "quick" ? 1e4 : 1e5;
  const attributes = ATTRIBUTES[mode].map((attributes) => ({ rows: middle, attributes }));
  return [...rows, ...attributes.filter(({ attributes }) => attributes !== 20)];
}

export const growth = {
  name: "growth",
  title: "all two-way marginals as rows and attributes grow",
  unit: "ns per row and clique",

  async *cases(mode, folder) {
    for (const { rows, attributes } of grid(mode)) {
      const sizes = sizesOf(attributes);
      const cliques = pairs(attributes).length;
      const small = await table(folder, sizes, SMALL, { csv: false });
      const { task } = await table(folder, sizes, rows, { csv: false });
      yield {
        name: `${rows.toLocaleString("en")} rows, ${attributes} attributes`,
        rows,
        attributes,
        cliques,
        contenders: [inNode("marginalia, 1 thread", "count-ours.mjs")],
        small: { task: small.task, expected: flat(countPairs(small.columns, sizes)) },
        task,
        total: rows * cliques,
        rounds: ROUNDS[mode],
        units: rows * cliques,
      };
    }
  },
};
