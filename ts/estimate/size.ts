import { call } from "../engine/index.js";
import type { CallSettings } from "../tables/read.js";
import type { NameOf, Schema } from "../tables/schema.js";
import type { Workload } from "../tables/workload.js";

/** What a graphical model of some cliques takes, known before any memory is taken. */
export interface GraphicalSize<S extends Schema = Schema> {
  /** Of the tables that are held while it is estimated. */
  readonly bytes: number;
  /** About how long the marginals of all its cliques take once; an estimate takes some tens to hundreds of these. */
  readonly seconds: number;
  /** The cells of its largest table. */
  readonly largest: number;
  /** The attributes that meet in the dearest step: to measure these apart, or coarser, makes it cheaper. */
  readonly widest: readonly NameOf<S>[];
}

/** See `estimate.size`. */
export async function graphicalSize<S extends Schema>(
  cliques: Workload<S>,
  settings: CallSettings,
): Promise<GraphicalSize<S>> {
  const { schema, flat, starts } = cliques;
  const args = { schema: schema.normal(), attributes: flat.slice(), starts: starts.slice() };
  const { widest, ...size } = await call("graph.size", args, settings);
  return Object.freeze({ ...size, widest: schema.at(widest) as readonly NameOf<S>[] });
}
