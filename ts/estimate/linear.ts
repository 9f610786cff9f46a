import { answersOf, type CellQuery, type CliqueQuery } from "../query.js";

type Numbers = Float64Array<ArrayBuffer>;

/** What a query makes of the cells of a clique whose attributes have so many codes. */
export function applied(query: CliqueQuery, shape: readonly number[], cells: Numbers): Numbers {
  const answers = new Float64Array(answersOf(query, shape));
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
    case "product":
      return query.factors.reduce((all, factor, i) => through(factor, { shape, at: i }, all), cells);
  }
}

/** A query on one attribute after those before it: for each of their answers, and each cell of the attributes after it. */
function through(
  factor: CellQuery,
  { shape, at }: { shape: readonly number[]; at: number },
  cells: Numbers,
): Numbers {
  if (factor.type === "identity") return cells;
  const size = shape[at] as number;
  const after = shape.slice(at + 1).reduce((all, own) => all * own, 1);
  const rows = answersOf(factor, [size]);
  const all = new Float64Array((cells.length / size) * rows);
  const line = new Float64Array(size);
  for (let before = 0; before * size * after < cells.length; before++) {
    for (let cell = 0; cell < after; cell++) {
      for (let code = 0; code < size; code++)
        line[code] = cells[(before * size + code) * after + cell] as number;
      const sums = applied(factor, [size], line);
      for (let row = 0; row < rows; row++) all[(before * rows + row) * after + cell] = sums[row] as number;
    }
  }
  return all;
}
