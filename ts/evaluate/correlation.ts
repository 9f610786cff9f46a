import { known } from "../options.js";
import { printed } from "../print.js";
import type { NameOf, Schema } from "../tables/schema.js";
import type { Table } from "../tables/table.js";
import { kWay } from "../tables/workload.js";
import { type Cells, occurring } from "./cells.js";
import { eachClique, workOf } from "./counts.js";
import { sameSchema } from "./kmarginal.js";
import { type EvaluationSettings, Meter } from "./meter.js";
import { grid, listed, significant } from "./text.js";

/** How strongly two attributes go together. */
export interface Association {
  /** Cramér's V as it is read off the table, from 0 to 1. */
  readonly v: number;
  /** The same less what chance adds to it in as many independent rows (Bergsma 2013). */
  readonly corrected: number;
}

/** Cramér's V of a pair of attributes in two tables, and the same without the bias that as many independent rows have. */
export interface PairCorrelation {
  readonly attributes: readonly string[];
  readonly truth: number;
  readonly synthetic: number;
  readonly corrected: { readonly truth: number; readonly synthetic: number };
}

/** How far the correlations of some pairs are off. */
export interface CorrelationError {
  /** How many pairs. */
  readonly count: number;
  /** The mean of the absolute difference of V. */
  readonly mean: number;
  /** The mean of the difference itself: below zero where the table has weaker correlations than the true one. */
  readonly shift: number;
  /** The mean of the absolute difference of V without its bias. */
  readonly corrected: number;
}

/**
 * How far correlations are off. It compares with true data: *not private*.
 *
 * Tables are compared as they are, as all other scores here do. Chance adds to the V of any table of few rows; the
 * correction takes away what it adds to independent rows, which synthetic records are not: they have the chance of the
 * public rows that they were made of, however many they are. So `corrected` compares public tables with each other,
 * and says of records what somebody comes to who takes them for independent.
 */
export class Correlation implements CorrelationError {
  readonly private = false;
  readonly count: number;
  readonly mean: number;
  readonly shift: number;
  readonly corrected: number;
  /** Of the pairs that a release measured, and of all others; where it was told. */
  readonly measured?: CorrelationError;
  readonly others?: CorrelationError;
  /** The pair that is furthest off. */
  readonly worst: PairCorrelation | undefined;
  readonly pairs: readonly PairCorrelation[];

  /** @internal `measured` are the cliques of a release. */
  constructor(pairs: readonly PairCorrelation[], measured?: readonly (readonly string[])[]) {
    this.pairs = Object.freeze([...pairs]);
    ({ count: this.count, mean: this.mean, shift: this.shift, corrected: this.corrected } = offOf(pairs));
    if (measured) {
      const within = ({ attributes }: PairCorrelation) =>
        measured.some((clique) => attributes.every((name) => clique.includes(name)));
      this.measured = offOf(pairs.filter(within));
      this.others = offOf(pairs.filter((pair) => !within(pair)));
    }
    this.worst = [...pairs].sort((a, b) => off(b) - off(a))[0];
    Object.freeze(this);
  }

  /** The correlations as a table. */
  toString(): string {
    const worst = [...this.pairs].sort((a, b) => off(b) - off(a)).slice(0, 5);
    const rows = worst.map((pair) => [
      listed(pair.attributes),
      significant(pair.truth),
      significant(pair.synthetic),
    ]);
    const head = `Cramér's V is off by ${significant(this.mean)}, the mean over ${this.pairs.length} pairs`;
    return printed([head, grid([["", "truth", "synthetic"], ...rows])].join("\n"));
  }
}

function offOf(pairs: readonly PairCorrelation[]): CorrelationError {
  const mean = (of: (pair: PairCorrelation) => number) =>
    pairs.reduce((sum, pair) => sum + of(pair), 0) / Math.max(1, pairs.length);
  return Object.freeze({
    count: pairs.length,
    mean: mean(off),
    shift: mean(({ truth, synthetic }) => synthetic - truth),
    corrected: mean(({ corrected: { truth, synthetic } }) => Math.abs(synthetic - truth)),
  });
}

const off = ({ truth, synthetic }: PairCorrelation): number => Math.abs(truth - synthetic);

export interface CorrelationOptions<S extends Schema = Schema> extends EvaluationSettings {
  truth: Table<S>;
  synthetic: Table<S>;
  /** Those of the file unless given. */
  attributes?: readonly NameOf<S>[];
}

/** Cramér's V of all pairs of attributes in two tables. */
export async function correlation<S extends Schema>(options: CorrelationOptions<S>): Promise<Correlation> {
  known(options, ["truth", "synthetic", "attributes", "onProgress", "signal"], "correlation");
  const { truth, synthetic, attributes } = options;
  sameSchema([truth, synthetic]);
  const meter = new Meter(options);
  const pairs = kWay(truth.schema, 2, attributes);
  meter.expect(workOf(2, pairs));
  meter.begin("correlation");
  const found: PairCorrelation[] = new Array(pairs.length);
  await eachClique([truth, synthetic], pairs, meter, (i, cells) => {
    const columns = pairs.shape(i)[1] as number;
    const [truth, synthetic] = cells.map((one) => association(one, columns)) as [Association, Association];
    found[i] = pairOf(pairs.clique(i), truth, synthetic);
  });
  return new Correlation(found);
}

/** The same pair in two tables. */
export const pairOf = (
  attributes: readonly string[],
  truth: Association,
  synthetic: Association,
): PairCorrelation => ({
  attributes,
  truth: truth.v,
  synthetic: synthetic.v,
  corrected: { truth: truth.corrected, synthetic: synthetic.corrected },
});

/**
 * Cramér's V, √(φ²/(min(r, c) − 1)), and with Bergsma's correction (J. Korean Stat. Soc. 42, 2013): φ² = χ²/n less its mean
 * under independence, (r−1)(c−1)/(n−1), by r̃ and c̃ that shrink alike. Rows and columns that do not occur do not count; n
 * is the sum of the weights. A pair of which one attribute has a single value has no correlation: 0.
 */
export function association(cells: Cells, columns: number): Association {
  const [across, down] = [new Map<number, number>(), new Map<number, number>()];
  let n = 0;
  occurring(cells, (count, place) => {
    add(across, Math.floor(place / columns), count);
    add(down, place % columns, count);
    n += count;
  });
  const [r, c] = [across.size, down.size];
  if (r < 2 || c < 2 || n <= 1) return { v: 0, corrected: 0 };
  let phi = -1;
  occurring(cells, (count, place) => {
    const a = across.get(Math.floor(place / columns)) as number;
    phi += count ** 2 / (a * (down.get(place % columns) as number));
  });
  const shrunk = (k: number) => k - (k - 1) ** 2 / (n - 1);
  const chance = ((r - 1) * (c - 1)) / (n - 1);
  const corrected = ratio(phi - chance, Math.min(shrunk(r), shrunk(c)) - 1);
  return { v: ratio(phi, Math.min(r, c) - 1), corrected };
}

/** The root of a ratio, kept between 0 and 1. */
const ratio = (above: number, below: number): number =>
  below <= 0 ? 0 : Math.min(1, Math.sqrt(Math.max(0, above) / below));

function add(sums: Map<number, number>, place: number, count: number): void {
  sums.set(place, (sums.get(place) ?? 0) + count);
}
