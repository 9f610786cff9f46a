import { answersOf, type CliqueQuery } from "../measurement.js";

/** What a query makes of the cells of a clique. */
export function applied(query: CliqueQuery, cells: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const answers = new Float64Array(answersOf(query, cells.length));
  switch (query.type) {
    case "identity":
      return cells;
    case "prefix": {
      let sum = 0;
      return answers.map((_, i) => {
        sum += cells[i] as number;
        return sum;
      });
    }
    case "ranges":
      return answers.map((_, i) => {
        const [first, last] = query.ranges[i] as readonly [number, number];
        return cells.subarray(first, last + 1).reduce((sum, cell) => sum + cell, 0);
      });
    case "matrix":
      return answers.map((_, i) => {
        const row = query.rows[i] as readonly number[];
        return cells.reduce((sum, cell, at) => sum + cell * (row[at] as number), 0);
      });
  }
}
