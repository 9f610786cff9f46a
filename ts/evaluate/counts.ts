import type { Answers } from "../tables/answers.js";
import type { NameOf, Schema } from "../tables/schema.js";
import type { Table } from "../tables/table.js";
import { type Workload, workload } from "../tables/workload.js";
import { type Cells, sum } from "./cells.js";
import type { Meter } from "./meter.js";

/** Cliques up to this size are copied whole, many at once. */
const SMALL = 1 << 16;
/** The most cells of a table that are held at once: 16 MB, which are walked over in some hundredths of a second. */
const MOST = 1 << 21;
/** The engine holds a clique as a list of cells when it has more of them than this many times the rows. */
const DENSE_FACTOR = 8;

/** Told of the cells of clique `i` in every table, in the order of the tables. */
export type VisitClique = (i: number, cells: readonly Cells[]) => void | Promise<void>;

/**
 * Counts a workload in several tables whose attributes have the same codes, and shows clique after clique, small ones first. However large the
 * workload is, only a part of its cells is held at once. The cells are only good during the visit.
 */
export async function eachClique(
  tables: readonly Table[],
  list: Workload,
  meter: Meter,
  visit: VisitClique,
): Promise<void> {
  const places = Array.from({ length: list.length }, (_, i) => i);
  const rows = Math.max(...tables.map((table) => table.rows), 1);
  const small = (i: number) => list.size(i) <= SMALL;
  const held = (i: number) => Math.min(list.size(i), DENSE_FACTOR * rows);
  for (const batch of batches(places.filter(small), (i) => list.size(i)))
    await inOne(tables, list, batch, meter, visit);
  for (const batch of batches(
    places.filter((i) => !small(i)),
    held,
  ))
    await oneByOne(tables, list, batch, meter, visit);
}

/** How much work `eachClique` tells a meter of. */
export function workOf(tables: number, list: Workload): number {
  return tables * list.length;
}

/** Runs of cliques whose cells together are few enough to be held. */
function* batches(places: readonly number[], cells: (i: number) => number): Generator<number[]> {
  let batch: number[] = [];
  let filled = 0;
  for (const i of places) {
    if (batch.length > 0 && filled + cells(i) > MOST) {
      yield batch;
      [batch, filled] = [[], 0];
    }
    batch.push(i);
    filled += cells(i);
  }
  if (batch.length > 0) yield batch;
}

/** Some cliques over a table's own schema, which may be that of the codes alone. */
function part(list: Workload, places: readonly number[], { schema }: Table): Workload {
  const cliques = places.map((i) => list.clique(i));
  return workload(schema, cliques);
}

/** Small cliques: every table's cells come in one copy. */
async function inOne(
  tables: readonly Table[],
  list: Workload,
  places: readonly number[],
  meter: Meter,
  visit: VisitClique,
): Promise<void> {
  const all: Float64Array[][] = [];
  for (const table of tables) {
    using answers = await table.count(part(list, places, table), meter.part(places.length));
    all.push(await answers.all(meter.settings));
    meter.add(places.length);
  }
  for (const [at, i] of places.entries()) {
    await visit(
      i,
      all.map((cells) => ({ counts: cells[at] as Float64Array })),
    );
    await meter.breathe();
  }
}

/** Large cliques: only cells that occur are copied, of one clique after another. */
async function oneByOne(
  tables: readonly Table[],
  list: Workload,
  places: readonly number[],
  meter: Meter,
  visit: VisitClique,
): Promise<void> {
  const answers: Answers[] = [];
  try {
    for (const table of tables) {
      answers.push(await table.count(part(list, places, table), meter.part(places.length)));
      meter.add(places.length);
    }
    for (const [at, i] of places.entries()) {
      await visit(i, await cellsOf(answers, at, meter));
      await meter.breathe();
    }
  } finally {
    for (const one of answers) one.dispose();
  }
}

async function cellsOf(answers: readonly Answers[], i: number, meter: Meter): Promise<Cells[]> {
  const cells: Cells[] = [];
  for (const one of answers) {
    const { cells: places, counts } = await one.nonzero(i, meter.settings);
    cells.push({ places, counts });
  }
  return cells;
}

/** The rows of a table, or their weights together. */
export async function totalOf(table: Table, meter: Meter): Promise<number> {
  if (!table.weighted) return table.rows;
  // By an attribute rather than by the empty clique: the sum is then that of the cells that are compared.
  return sum(await table.marginal([table.schema.names[0] as NameOf<Schema>], meter.settings));
}
