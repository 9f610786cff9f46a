import type { Schema } from "../../tables/schema.js";

/** Numbers and days with more codes are too many for pairs, where a coarsening is declared. */
const MANY = 40;
/** A coarsening with fewer codes is a question of its own, such as who is of age. */
const ENOUGH = 10;
const ORDERED = new Set(["integer", "number", "date"]);

/**
 * The coarsening of each attribute that has one, both by their places: the first attribute that is derived from
 * many numbers or days, has enough codes and at most half as many. Pairs are counted by it, because every cell has noise of
 * its own; the attribute itself is counted alone, which is cheap, and says where in the bins of the coarsening values lie.
 */
export function coarsenings(schema: Schema): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  for (const [name, { from }] of Object.entries(schema.derive)) {
    const [fine, coarse] = [schema.index(from as never), schema.index(name as never)];
    const type = schema.attributes[from]?.type;
    if (type === undefined || !ORDERED.has(type) || found.has(fine)) continue;
    const [codes, bins] = [schema.size(from as never), schema.size(name as never)];
    if (codes > MANY && bins >= ENOUGH && 2 * bins <= codes) found.set(fine, coarse);
  }
  return found;
}

/** What counting an attribute alone is expected to give. */
export interface Alone {
  readonly cells: number;
  /** The exact variance of each answer. */
  readonly variance: number;
  /** Rows expected, and what the prior is worth. */
  readonly rows: number;
  readonly strength: number;
}

/**
 * Whether answers are nearer to the counts than the prior is: by a sample of `strength` records, the number in one of so many
 * cells is known with a variance of n/k · (1 + n/N).
 */
export function tells({ cells, variance, rows, strength }: Alone): boolean {
  return variance <= (rows / cells) * (1 + rows / strength);
}
