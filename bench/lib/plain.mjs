// Counting as a careful JavaScript programmer writes it: one pass for each pair, typed arrays, no allocation
// and no multiplication by a size that is not known before the loop.

import { pairs } from "./data.mjs";

/** Adds the counts of one pair of columns to `cells`, the second column's code fastest. */
function countPair(first, second, stride, cells) {
  const rows = first.length;
  for (let row = 0; row < rows; row++) cells[first[row] * stride + second[row]]++;
}

/** The counts of every pair of columns, a Uint32Array each. */
export function countPairs(columns, sizes) {
  return pairs(columns.length).map(([a, b]) => {
    const cells = new Uint32Array(sizes[a] * sizes[b]);
    countPair(columns[a], columns[b], sizes[b], cells);
    return cells;
  });
}

/** Answers as one list, for comparing. */
export const flat = (answers) => answers.flatMap((cells) => Array.from(cells));

/** How many rows were counted, over all answers. */
export const totalOf = (answers) => answers.reduce((sum, cells) => sum + cells.reduce((a, b) => a + b, 0), 0);
