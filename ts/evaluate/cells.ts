/** The cells of one clique in one table: all of them, or the places of those that occur, ascending, and what they hold. */
export interface Cells {
  readonly places?: Float64Array;
  readonly counts: Float64Array;
}

/** Told what both tables hold in a cell that occurs in at least one of them. */
export type Visit = (a: number, b: number, place: number) => void;

/** Walks over the cells that are not zero in both tables, in ascending order. */
export function union(a: Cells, b: Cells, visit: Visit): void {
  if (a.places || b.places) merge(a.places ? a : nonzero(a), b.places ? b : nonzero(b), visit);
  else {
    for (let place = 0; place < a.counts.length; place++) {
      const [x, y] = [a.counts[place] as number, b.counts[place] as number];
      if (x !== 0 || y !== 0) visit(x, y, place);
    }
  }
}

/** Walks over the cells of one table that are not zero. */
export function occurring(cells: Cells, visit: (count: number, place: number) => void): void {
  for (let i = 0; i < cells.counts.length; i++) {
    const count = cells.counts[i] as number;
    if (count !== 0) visit(count, cells.places ? (cells.places[i] as number) : i);
  }
}

function merge(a: Cells, b: Cells, visit: Visit): void {
  const [left, right] = [a.places as Float64Array, b.places as Float64Array];
  let [i, j] = [0, 0];
  while (i < left.length || j < right.length) {
    const x = i < left.length ? (left[i] as number) : Number.POSITIVE_INFINITY;
    const y = j < right.length ? (right[j] as number) : Number.POSITIVE_INFINITY;
    const place = Math.min(x, y);
    visit(x === place ? (a.counts[i++] as number) : 0, y === place ? (b.counts[j++] as number) : 0, place);
  }
}

function nonzero(cells: Cells): Cells {
  const [places, counts]: [number[], number[]] = [[], []];
  occurring(cells, (count, place) => {
    places.push(place);
    counts.push(count);
  });
  return { places: Float64Array.from(places), counts: Float64Array.from(counts) };
}

/**
 * How far groups of `inside` neighbouring cells are apart: the sum of |x·m − y·n|, by the n and m of each group. Groups
 * that occur in neither table are not among them.
 */
export function apartByGroup(
  a: Cells,
  b: Cells,
  inside: number,
  totals: (group: number) => readonly [n: number, m: number],
): Map<number, number> {
  const parts = new Map<number, number>();
  let [group, end, part, n, m] = [-1, 0, 0, 0, 0];
  union(a, b, (x, y, place) => {
    if (place >= end) {
      if (group >= 0) parts.set(group, part);
      group = Math.floor(place / inside);
      end = (group + 1) * inside;
      part = 0;
      [n, m] = totals(group);
    }
    part += Math.abs(x * m - y * n);
  });
  return group < 0 ? parts : parts.set(group, part);
}

/** The sum over all cells: the rows of a table, or their weights. */
export function sum(counts: ArrayLike<number>): number {
  let total = 0;
  for (let i = 0; i < counts.length; i++) total += counts[i] as number;
  return total;
}
