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

/** How strongly two attributes go together in two tables: Cramér's V without its bias, from 0 to 1. */
export interface PairCorrelation {
  readonly attributes: readonly string[];
  readonly truth: number;
  readonly synthetic: number;
}

/** How far correlations are off. It compares with true data: *not private*. */
export class Correlation {
  readonly private = false;
  /** The mean over the pairs of the absolute difference. */
  readonly mean: number;
  /** The pair that is furthest off. */
  readonly worst: PairCorrelation | undefined;
  readonly pairs: readonly PairCorrelation[];

  /** @internal */
  constructor(pairs: readonly PairCorrelation[]) {
    this.pairs = Object.freeze([...pairs]);
    this.mean = pairs.reduce((sum, pair) => sum + off(pair), 0) / Math.max(1, pairs.length);
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
  const asked = kWay(truth.schema, 2, attributes);
  meter.expect(workOf(2, asked));
  meter.begin("correlation");
  const found: PairCorrelation[] = new Array(asked.length);
  await eachClique([truth, synthetic], asked, meter, (i, cells) => {
    const columns = asked.shape(i)[1] as number;
    const [of, other] = cells.map((one) => cramersV(one, columns));
    found[i] = { attributes: asked.clique(i), truth: of as number, synthetic: other as number };
  });
  return new Correlation(found);
}

/**
 * Cramér's V with Bergsma's correction (J. Korean Stat. Soc. 42, 2013): φ² = χ²/n less its mean under independence,
 * (r−1)(c−1)/(n−1), by r̃ and c̃ that shrink alike. Rows and columns that do not occur do not count; n is the sum of the
 * weights. A pair of which one attribute has a single value has no correlation: 0.
 */
export function cramersV(cells: Cells, columns: number): number {
  const [across, down] = [new Map<number, number>(), new Map<number, number>()];
  let n = 0;
  occurring(cells, (count, place) => {
    add(across, Math.floor(place / columns), count);
    add(down, place % columns, count);
    n += count;
  });
  const [r, c] = [across.size, down.size];
  if (r < 2 || c < 2 || n <= 1) return 0;
  let phi = -1;
  occurring(cells, (count, place) => {
    const a = across.get(Math.floor(place / columns)) as number;
    phi += count ** 2 / (a * (down.get(place % columns) as number));
  });
  const corrected = Math.max(0, phi - ((r - 1) * (c - 1)) / (n - 1));
  const shrunk = (k: number) => k - (k - 1) ** 2 / (n - 1);
  const least = Math.min(shrunk(r), shrunk(c)) - 1;
  return least <= 0 ? 0 : Math.min(1, Math.sqrt(corrected / least));
}

function add(sums: Map<number, number>, place: number, count: number): void {
  sums.set(place, (sums.get(place) ?? 0) + count);
}
