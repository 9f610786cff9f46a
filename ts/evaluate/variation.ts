import { invalid, known } from "../options.js";
import type { NameOf, Schema } from "../tables/schema.js";
import type { Table } from "../tables/table.js";
import { kWay, type Workload } from "../tables/workload.js";
import { type Cells, union } from "./cells.js";
import { eachClique, totalOf, workOf } from "./counts.js";
import { sameSchema } from "./kmarginal.js";
import { type EvaluationSettings, Meter } from "./meter.js";
import { grid, listed, percent, significant } from "./text.js";

/** Beyond this many cliques, some are drawn. */
const MOST = 500;

/** Combinations of values that only one of two tables has. */
export interface Combinations {
  /** How many, of all cliques together. */
  readonly combinations: number;
  /** The share of that table's rows that have one, the mean over the cliques. */
  readonly share: number;
}

/** How far a clique's shares are apart. */
export interface CliqueVariation {
  readonly attributes: readonly string[];
  /** Half the sum of the absolute differences of shares, from 0 to 1. */
  readonly variation: number;
  /** Combinations of the other table that the true one lacks, and the share of its rows that have one. */
  readonly fabricated: Combinations;
  /** Combinations of the true table that the other lacks, and the share of the true rows that have one. */
  readonly suppressed: Combinations;
}

/** How far the marginals of some size are apart. It compares with true data: *not private*. */
export class Variation {
  readonly private = false;
  /** The mean over the cliques of the total variation. */
  readonly mean: number;
  /** The clique that is furthest apart. */
  readonly worst: CliqueVariation | undefined;
  readonly fabricated: Combinations;
  readonly suppressed: Combinations;
  readonly cliques: readonly CliqueVariation[];

  /** @internal */
  constructor(cliques: readonly CliqueVariation[]) {
    const mean = (of: (clique: CliqueVariation) => number) =>
      cliques.reduce((sum, clique) => sum + of(clique), 0) / Math.max(1, cliques.length);
    const all = (of: (clique: CliqueVariation) => Combinations): Combinations => ({
      combinations: cliques.reduce((sum, clique) => sum + of(clique).combinations, 0),
      share: mean((clique) => of(clique).share),
    });
    this.mean = mean(({ variation }) => variation);
    this.worst = cliques.reduce<CliqueVariation | undefined>(
      (worst, clique) => (worst && worst.variation >= clique.variation ? worst : clique),
      undefined,
    );
    this.fabricated = all(({ fabricated }) => fabricated);
    this.suppressed = all(({ suppressed }) => suppressed);
    this.cliques = Object.freeze([...cliques]);
    Object.freeze(this);
  }

  /** The variation as a table. */
  toString(): string {
    const { worst, fabricated, suppressed } = this;
    const said = ({ combinations, share }: Combinations) =>
      `${combinations} combinations, ${percent(share)} of the rows`;
    return grid([
      [`mean of ${this.cliques.length} cliques`, significant(this.mean)],
      ["worst", worst ? `${significant(worst.variation)} ${listed(worst.attributes)}` : "none"],
      ["fabricated", said(fabricated)],
      ["suppressed", said(suppressed)],
    ]);
  }
}

export interface VariationOptions<S extends Schema = Schema> extends EvaluationSettings {
  truth: Table<S>;
  synthetic: Table<S>;
  /** How many attributes a clique has; 2 unless given. */
  k?: number;
  /** Those of the file unless given. */
  attributes?: readonly NameOf<S>[];
  /** Where there are more cliques, so many are drawn; 500 unless given. */
  most?: number;
  /** What cliques are drawn from; 0 unless given. */
  seed?: string | number;
}

const OPTIONS = ["truth", "synthetic", "k", "attributes", "most", "seed", "onProgress", "signal"];

/** The total variation of all cliques of a size, or of some that are drawn, and combinations that only one table has. */
export async function totalVariation<S extends Schema>(options: VariationOptions<S>): Promise<Variation> {
  known(options, OPTIONS, "totalVariation");
  const { truth, synthetic, k = 2, attributes, most, seed } = options;
  sameSchema([truth, synthetic]);
  const meter = new Meter(options);
  const list = cliquesOf(truth.schema, k, { attributes, most, seed });
  meter.expect(workOf(2, list));
  meter.begin(`${k}-way`);
  const [found] = await variations(truth, [synthetic], list, meter);
  return found as Variation;
}

/** All cliques of a size, or some of them. */
export function cliquesOf(
  schema: Schema,
  k: number,
  choice: {
    attributes?: readonly string[] | undefined;
    most?: number | undefined;
    seed?: string | number | undefined;
  },
): Workload {
  const { attributes, most = MOST, seed = 0 } = choice;
  if (!Number.isInteger(most) || most < 1) throw invalid("`most` must be a whole number of at least 1");
  const all = kWay(schema, k, attributes);
  return all.length > most ? all.sample(most, seed) : all;
}

/** Told of the cells of a clique in the true table and in all others. */
export type Also = (i: number, cells: readonly Cells[]) => void;

/** The variation of several tables from the true one, which is counted once. */
export async function variations(
  truth: Table,
  others: readonly Table[],
  list: Workload,
  meter: Meter,
  also?: Also,
): Promise<Variation[]> {
  const totals: number[] = [];
  for (const table of [truth, ...others]) totals.push(await totalOf(table, meter));
  const found: CliqueVariation[][] = others.map(() => new Array(list.length));
  await eachClique([truth, ...others], list, meter, (i, [first, ...cells]) => {
    const attributes = list.clique(i);
    for (const [at, other] of cells.entries()) {
      const n: [number, number] = [totals[0] as number, totals[at + 1] as number];
      (found[at] as CliqueVariation[])[i] = { attributes, ...variationOf(first as Cells, other, n) };
    }
    also?.(i, [first as Cells, ...cells]);
  });
  return found.map((cliques) => new Variation(cliques));
}

function variationOf(a: Cells, b: Cells, [n, m]: [number, number]): Omit<CliqueVariation, "attributes"> {
  let apart = 0;
  let [made, lost] = [0, 0];
  let [madeCount, lostCount] = [0, 0];
  union(a, b, (x, y) => {
    apart += Math.abs(x * m - y * n);
    if (x === 0) {
      made += y;
      madeCount += 1;
    } else if (y === 0) {
      lost += x;
      lostCount += 1;
    }
  });
  const empty = n === m ? 0 : 1;
  return {
    variation: n === 0 || m === 0 ? empty : apart / (2 * n * m),
    fabricated: { combinations: madeCount, share: m === 0 ? 0 : made / m },
    suppressed: { combinations: lostCount, share: n === 0 ? 0 : lost / n },
  };
}
