import type { NameOf, Schema } from "../../tables/schema.js";
import { kWay, type Workload, workload } from "../../tables/workload.js";
import { coarsenings } from "./coarsenings.js";
import { MOST_CELLS, type Prepared } from "./prior.js";
import type { Resolved } from "./resolved.js";

/** Up to so many tables are kept all; of more, about a half, and no fewer. */
const MOST_TARGETS = 60;

/** The tables that records keep: those that are measured, and those that are judged. */
export function targetsOf<S extends Schema>(
  resolved: Resolved<S>,
  prepared: Prepared<S> | undefined,
  measured: readonly (readonly NameOf<S>[])[] = [],
): Workload<S> {
  const { schema, attributes, group } = resolved;
  const names = schema.at(attributes.filter((place) => place !== group));
  const first = schema.at(group === undefined ? [] : [group]);
  const most = (tables: number) => Math.max(MOST_TARGETS, Math.ceil(tables / 2));
  if (resolved.targets) return resolved.targets;
  const kept = keptOf(resolved, { names, first, measured, rows: prepared?.table.rows ?? 1, most });
  return workload(schema, [...kept, ...finer(resolved, kept)]);
}

/** The same tables with an attribute in place of its coarsening, so that records keep both. */
function finer<S extends Schema>({ schema, fine = [] }: Resolved<S>, kept: Workload<S>): NameOf<S>[][] {
  const coarser = coarsenings(schema);
  return fine.flatMap((place) => {
    const [name, coarsened] = schema.at([place, coarser.get(place) as number]) as [NameOf<S>, NameOf<S>];
    return [...kept]
      .filter((clique) => clique.includes(coarsened))
      .map((clique) => clique.map((one) => (one === coarsened ? name : one)))
      .filter((clique) => schema.cells(clique) <= MOST_CELLS);
  });
}

/** What is measured, and pairs of what is judged, with what comes first in each, as many as memory and their number allow. */
export function keptOf<S extends Schema>(
  { schema, seed }: Resolved<S>,
  kept: {
    names: readonly NameOf<S>[];
    first: readonly NameOf<S>[];
    measured: readonly (readonly NameOf<S>[])[];
    /** Of which each table needs four bytes. */
    rows: number;
    most: (tables: number) => number;
  },
): Workload<S> {
  const { names, first, rows, most } = kept;
  const all = [...kWay(schema, Math.min(2, names.length), names)].map((pair) => [...first, ...pair]);
  const pairs = all.filter((clique) => schema.cells(clique) <= MOST_CELLS);
  const limit = Math.floor(Math.max(4, Math.min(most(pairs.length), 2 ** 26 / rows)));
  const upTo = (cliques: readonly (readonly NameOf<S>[])[], number: number) =>
    cliques.length <= number ? cliques : workload(schema, cliques).sample(number, `${seed}`);
  const measured = [...upTo(distinct(kept.measured.filter(({ length }) => length > 1)), limit)];
  const others = pairs.filter((pair) => !measured.some((one) => pair.every((name) => one.includes(name))));
  return workload(schema, [...measured, ...upTo(others, limit - measured.length)]);
}

/** Cliques that have not come before, whatever the order of their attributes. */
function distinct<N extends string>(cliques: readonly (readonly N[])[]): (readonly N[])[] {
  return [...new Map(cliques.map((clique) => [JSON.stringify([...clique].sort()), clique])).values()];
}
