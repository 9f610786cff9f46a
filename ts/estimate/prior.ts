import { type Handle, open } from "../engine/index.js";
import { invalid, known } from "../options.js";
import type { CallSettings } from "../tables/read.js";
import type { Schema } from "../tables/schema.js";
import type { Table } from "../tables/table.js";

/** What is said of a prior. */
export interface PriorOptions extends CallSettings {
  /** How many public records it is worth, N_pub: unless given, its rows, or the effective size of weighted ones. */
  strength?: number;
  /** What it is known by, for the record of a release. */
  name?: string;
  /** Who vouches that it is public: nothing of it is protected. */
  declaredPublicBy?: string;
}

/** Public rows, each with a weight, from which estimation starts. Made by {@link prior}. */
export class Prior<S extends Schema = Schema> implements Disposable {
  readonly schema: S;
  /** Number of distinct rows of positive weight. */
  readonly rows: number;
  /** The sum of the weights. */
  readonly weight: number;
  /** How many public records it is worth. */
  readonly strength: number;
  readonly name: string | undefined;
  readonly declaredPublicBy: string | undefined;
  /** @internal */
  readonly handle: Handle;

  /** @internal */
  constructor(schema: S, handle: Handle, sizes: { rows: number; weight: number }, options: Said) {
    this.schema = schema;
    this.handle = handle;
    this.rows = sizes.rows;
    this.weight = sizes.weight;
    this.strength = options.strength;
    this.name = options.name;
    this.declaredPublicBy = options.declaredPublicBy;
    Object.freeze(this);
  }

  /** Frees the memory behind it; models on it keep what they need. */
  dispose(): void {
    this.handle.dispose();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }
}

interface Said {
  strength: number;
  name: string | undefined;
  declaredPublicBy: string | undefined;
}

const OPTIONS = ["strength", "name", "declaredPublicBy", "signal", "onProgress"];

/**
 * Makes a prior of a *public* table: its distinct rows, with the share of the table that each stands for.
 *
 * ```ts
 * using before = await prior(survey2018, { name: "survey 2018", declaredPublicBy: "statistics office" });
 * ```
 */
export async function prior<S extends Schema>(
  table: Table<S>,
  options: PriorOptions = {},
): Promise<Prior<S>> {
  if (typeof (table as Partial<Table> | undefined)?.distinct !== "function")
    throw invalid("a prior is made of a table that readTable has read");
  known(options, OPTIONS, "prior");
  const { name, declaredPublicBy, signal, onProgress } = options;
  for (const [key, text] of Object.entries({ name, declaredPublicBy })) {
    if (text !== undefined && typeof text !== "string") throw invalid(`\`${key}\` of a prior is a text`);
  }
  const settings = { ...(signal && { signal }), ...(onProgress && { onProgress }) };
  const strength = options.strength ?? (await sizeOf(table, settings));
  if (!(Number.isFinite(strength) && strength > 0))
    throw invalid("the `strength` of a prior is a number of records above zero, and so is its weight");
  using distinct = await table.distinct(settings);
  const [handle, sizes] = await open("prior.open", undefined, { on: distinct.handle, ...settings });
  return new Prior(table.schema, handle, sizes, { strength, name, declaredPublicBy });
}

/** How many records a table is worth: those that it counts, or Kish's effective size where it weighs them. */
async function sizeOf(table: Table, { signal }: CallSettings): Promise<number> {
  if (table.records !== undefined) return table.records;
  const weights = (await table.weights({ ...(signal && { signal }) })) as Float64Array;
  let [sum, squares] = [0, 0];
  // Divided by the largest, so that no square overflows or vanishes.
  const largest = weights.reduce((most, weight) => Math.max(most, weight), 0);
  for (const weight of weights) {
    sum += weight / largest;
    squares += (weight / largest) ** 2;
  }
  return (sum * sum) / squares;
}
