// What the sweeps of estimate-step move towards: the rows under other weights, so that all answers agree.

/** The weight of each row; the Python and Rust contenders have the same. */
export const weights = (table) =>
  Float64Array.from(
    table[0],
    (_, row) => (table[5][row] === 0 ? 1.5 : 1) * (table[9][row] === 1 && table[12][row] === 0 ? 2 : 1),
  );

/** The weights summed to the cells of each clique. */
export function targets(table, sizes, cliques, weights) {
  return cliques.map((clique) => {
    const cells = new Float64Array(clique.reduce((product, a) => product * sizes[a], 1));
    for (let row = 0; row < weights.length; row++) {
      let cell = 0;
      for (const a of clique) cell = cell * sizes[a] + table[a][row];
      cells[cell] += weights[row];
    }
    return cells;
  });
}

/** KL(q‖p) where undamped sweeps end, in plain JavaScript. */
export function converged(table, sizes, cliques, sweeps) {
  const rows = table[0].length;
  const towards = weights(table);
  const total = towards.reduce((sum, one) => sum + one, 0);
  const wanted = targets(table, sizes, cliques, towards);
  const cells = cliques.map((clique) =>
    Uint32Array.from(table[0], (_, row) => clique.reduce((cell, a) => cell * sizes[a] + table[a][row], 0)),
  );
  const q = new Float64Array(rows).fill(1 / rows);
  for (let sweep = 0; sweep < sweeps; sweep++) {
    for (const [i, of] of cells.entries()) {
      const sums = new Float64Array(wanted[i].length);
      for (let row = 0; row < rows; row++) sums[of[row]] += q[row];
      for (let row = 0; row < rows; row++) q[row] *= wanted[i][of[row]] / total / sums[of[row]];
    }
  }
  return q.reduce((sum, one) => sum + one * Math.log(one * rows), 0);
}
