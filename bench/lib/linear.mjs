// Problems of the two-stage estimate that grow: rows of generated codes, and as many triples of columns as make the
// wanted number of cells, answered with noise.

import { column, sizesOf } from "./data.mjs";
import { random } from "./stats.mjs";

const COLUMNS = 13;
const NOISE = 1e-3;

/** Triples in an order that is always the same. */
function triples() {
  const all = [];
  for (let a = 0; a < COLUMNS; a++)
    for (let b = a + 1; b < COLUMNS; b++) for (let c = b + 1; c < COLUMNS; c++) all.push([a, b, c]);
  const next = random(7);
  return all
    .map((triple) => ({ triple, at: next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ triple }) => triple);
}

/** The task of so many distinct rows, and of about as many cells that some row lies in. */
export function linear(rows, cells) {
  const sizes = sizesOf(20).slice(20 - COLUMNS);
  const made = sizes.map((size, i) => column(i, size, 2 * rows));
  const seen = new Set();
  const distinct = [];
  for (let row = 0; distinct.length < rows && row < 2 * rows; row++) {
    const key = made.map((codes) => codes[row]).join();
    if (!seen.has(key)) distinct.push(row);
    seen.add(key);
  }
  const columns = made.map((codes) => distinct.map((row) => codes[row]));
  const next = random(11);
  const truth = distinct.map(() => -Math.log(1 - next()));
  const all = truth.reduce((sum, one) => sum + one, 0);
  const marginals = [];
  let supported = 0;
  for (const triple of triples()) {
    if (supported >= cells) break;
    const size = triple.reduce((product, a) => product * sizes[a], 1);
    const of = distinct.map((_, row) => triple.reduce((cell, a) => cell * sizes[a] + columns[a][row], 0));
    const shares = new Float64Array(size);
    for (const [row, cell] of of.entries()) shares[cell] += truth[row] / all;
    const used = [...new Set(of)];
    // Roughly normal.
    for (const cell of used) shares[cell] += NOISE * (next() + next() + next() + next() - 2) * Math.sqrt(3);
    supported += used.length;
    marginals.push({ clique: triple, of, shares });
  }
  return { sizes, columns, marginals, supported };
}

/** The rows of each supported cell with its answer, for those who take any linear program. */
export function queries({ marginals }) {
  return marginals.flatMap(({ of, shares }) => {
    const cells = new Map();
    for (const [row, cell] of of.entries()) {
      if (!cells.has(cell)) cells.set(cell, []);
      cells.get(cell).push(row);
    }
    return [...cells].map(([cell, rows]) => ({ rows, answer: shares[cell] }));
  });
}
