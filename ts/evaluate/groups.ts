import type { NameOf, Schema } from "../tables/schema.js";
import type { Table } from "../tables/table.js";
import { workload } from "../tables/workload.js";
import { occurring } from "./cells.js";
import { eachClique } from "./counts.js";
import type { Meter } from "./meter.js";

/** The values of an attribute as they are to be shown, by code. */
export type LabelsOf = (name: string) => readonly (string | null)[];

/** One combination of values of the group attributes that occurs in either table. */
export interface Group {
  /** Its value of each group attribute. */
  readonly key: readonly (string | null)[];
  /** What each table holds of it: rows, or their weights. */
  readonly truth: number;
  readonly synthetic: number;
}

/** The groups by the place of their cell in a table over the group attributes, in ascending order. */
export async function groupsOf<S extends Schema>(
  tables: readonly [Table<S>, Table<S>],
  names: readonly NameOf<S>[],
  labels: LabelsOf,
  meter: Meter,
): Promise<Map<number, Group>> {
  const list = workload(tables[0].schema, [names]);
  const [found, other] = [new Map<number, Group>(), new Map<number, number>()];
  await eachClique(tables, list, meter, (_, [truth, synthetic]) => {
    if (!truth || !synthetic) return;
    const counts = new Map<number, number>();
    occurring(truth, (count, place) => counts.set(place, count));
    occurring(synthetic, (count, place) => other.set(place, count));
    for (const place of [...new Set([...counts.keys(), ...other.keys()])].sort((a, b) => a - b)) {
      const key = keyOf(place, names, labels);
      found.set(place, { key, truth: counts.get(place) ?? 0, synthetic: other.get(place) ?? 0 });
    }
  });
  return found;
}

/** The labels of a cell over some attributes. */
export function keyOf(place: number, names: readonly string[], labels: LabelsOf): (string | null)[] {
  let rest = place;
  const key = [...names].reverse().map((name) => {
    const of = labels(name);
    const label = of[rest % of.length] ?? null;
    rest = Math.floor(rest / of.length);
    return label;
  });
  return key.reverse();
}
