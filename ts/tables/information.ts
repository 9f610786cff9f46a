import { invalid, known } from "../options.js";
import type { CallSettings } from "./read.js";
import type { NameOf, Schema } from "./schema.js";
import type { Table } from "./table.js";
import { kWay, type Workload, workload } from "./workload.js";

/** What the choice of pairs can be told. */
export interface PairOptions<S extends Schema> extends CallSettings {
  /** The attributes to choose from; those of the file unless given. */
  attributes?: readonly NameOf<S>[];
}

/**
 * The `k` pairs of attributes with the highest mutual information, most informative first. The table must be
 * *public*: which pairs are chosen tells something about its rows.
 */
export async function topPairs<S extends Schema>(
  table: Table<S>,
  k: number,
  options: PairOptions<S> = {},
): Promise<Workload<S>> {
  if (!Number.isInteger(k) || k < 0) {
    throw invalid("`k` must be a whole number of at least 0");
  }
  return choose(table, Math.min(k, 2 ** 31), options);
}

/**
 * The pairs of the tree over all attributes that has the highest total mutual information (Chow and Liu, 1968),
 * most informative first. The table must be *public*: which pairs are chosen tells something about its rows.
 */
export function mutualInformationTree<S extends Schema>(
  table: Table<S>,
  options: PairOptions<S> = {},
): Promise<Workload<S>> {
  return choose(table, "tree", options);
}

async function choose<S extends Schema>(
  table: Table<S>,
  k: number | "tree",
  { attributes, ...settings }: PairOptions<S>,
): Promise<Workload<S>> {
  known(settings, ["signal", "onProgress"], "the choice of pairs");
  using answers = await table.count(kWay(table.schema, 2, attributes), settings);
  const flat = await answers.informative(k, settings);
  const name = (at: number) => table.schema.names[flat[at] as number] as NameOf<S>;
  const pairs = Array.from({ length: flat.length / 2 }, (_, i) => [name(2 * i), name(2 * i + 1)]);
  return workload(table.schema, pairs);
}
