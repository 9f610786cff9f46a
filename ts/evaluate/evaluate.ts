import { invalid, known } from "../options.js";
import type { NameOf, Schema } from "../tables/schema.js";
import type { Table } from "../tables/table.js";
import { kWay, type Workload } from "../tables/workload.js";
import type { Cells } from "./cells.js";
import { type Association, association, Correlation, type PairCorrelation, pairOf } from "./correlation.js";
import { eachClique, totalOf, workOf } from "./counts.js";
import { errorOf } from "./errors.js";
import {
  type Column,
  Evaluation,
  type MarginalScores,
  type Side,
  type WorkloadScores,
} from "./evaluation.js";
import { choosePairs, distances, sameSchema, scoreOf, workOfDistances } from "./kmarginal.js";
import { type EvaluationSettings, Meter } from "./meter.js";
import { type KMarginal, scoreTables, sides } from "./score.js";
import { codedColumns, sampledRows, schemaOfCodes, tableOfCodes } from "./subsample.js";
import { cliquesOf, variations } from "./variation.js";

export interface EvaluateOptions<S extends Schema = Schema> extends EvaluationSettings {
  /** The true table. */
  truth: Table<S>;
  synthetic: Table<S>;
  /** What anybody could have published without the true table: the public file as it is. */
  public?: Table<S>;
  /** Those of the file unless given. */
  attributes?: readonly NameOf<S>[];
  /** Attributes that make groups, as for `kMarginal`. */
  group?: NameOf<S> | readonly NameOf<S>[];
  /** Whose L1, L2 and largest error is told; all pairs unless given. */
  workload?: Workload<S>;
  /** The cliques that a release measured, such as `release.measurements` has: correlations of their pairs are told apart. */
  measured?: readonly (readonly NameOf<S>[])[];
  /** The most triples of attributes that are compared; where there are more, so many are drawn. 500 unless given. */
  triples?: number;
  /**
   * The share of the true rows in the baseline; a half unless given. A half is as far from the true rows as these are,
   * by chance, from all people they were drawn from.
   */
  subsample?: number;
  /** What everything that is drawn is drawn from; 0 unless given. */
  seed?: string | number;
}

const OPTIONS = [
  "truth",
  "synthetic",
  "public",
  "attributes",
  "group",
  "workload",
  "measured",
  "triples",
  "subsample",
  "seed",
  "onProgress",
  "signal",
];

/** The tables that are compared with the true one, by what they are called. */
type Others = readonly (readonly [Column, Table])[];

interface Task {
  truth: Table;
  others: Others;
  names: readonly string[];
  measured: readonly (readonly string[])[] | undefined;
  meter: Meter;
}

/**
 * Compares a synthetic table with the true one by every score, and beside it the public table as it is and a part of
 * the true rows: without these two, no score says whether it is good.
 *
 * ```ts
 * const evaluation = await evaluate({ truth, synthetic, public: survey2018 });
 * console.log(`${evaluation}`);
 * ```
 */
export async function evaluate<S extends Schema>(options: EvaluateOptions<S>): Promise<Evaluation> {
  known(options, OPTIONS, "evaluate");
  const { truth, synthetic, public: free, seed = 0, subsample = 0.5, triples = 500 } = options;
  const whole: Others = [["synthetic", synthetic], ...(free ? [["public", free] as const] : [])];
  sameSchema([truth, ...whole.map(([, table]) => table)]);
  const names = options.attributes ?? Object.keys(truth.schema.attributes);
  if (names.length < 2) throw invalid("an evaluation needs at least two attributes");
  const meter = new Meter(options);
  const workload = options.workload ?? kWay(truth.schema, 2, names as NameOf<S>[]);
  const list = [1, 2, 3].map((k) =>
    cliquesOf(truth.schema, k, { attributes: names, ...mostOf(k, triples), seed }),
  );
  const group = sides(names, options.group).group;
  const used = [...new Set([...names, ...group, ...[...workload].flat()])];
  using part = await partOf(truth, used, subsample, { seed, meter });
  const others: Others = [...whole, ["subsample", part]];
  const { measured } = options;
  for (const name of measured?.flat() ?? []) truth.schema.index(name);
  const task: Task = { truth, others, names, measured, meter };
  const count = others.length + 1;
  meter.expect([...list, workload].reduce((sum, of) => sum + workOf(count, of), 0));
  const marginals: MarginalScores[] = [];
  const correlations: Correlation[] = [];
  for (const [i, of] of list.entries()) {
    meter.begin(`${i + 1}-way`);
    marginals.push(await marginalScores(task, i + 1, of, i === 1 ? correlations : undefined));
  }
  meter.begin("workload");
  const errors = await workloadScores(task, workload);
  const scored = await kMarginals(task, group, seed);
  return new Evaluation({
    columns: others.map(([name]) => name),
    rows: Object.fromEntries([["truth", truth.rows], ...others.map(([name, { rows }]) => [name, rows])]),
    ...scored,
    marginals,
    workload: errors,
    correlation: byColumn(others, correlations),
  });
}

/** Triples may be drawn; pairs and single attributes never are. */
const mostOf = (k: number, triples: number) => ({ most: k < 3 ? Number.MAX_SAFE_INTEGER : triples });

/** A part of the true rows, with the attributes that are compared. */
async function partOf(
  truth: Table,
  names: readonly string[],
  share: number,
  { seed, meter }: { seed: string | number; meter: Meter },
): Promise<Table> {
  meter.begin("subsample");
  const rows = await sampledRows(truth.rows, share, { seed, meter });
  const coded = await codedColumns(truth, names, meter);
  return tableOfCodes(coded, schemaOfCodes(coded), meter, rows);
}

/** The variation of all cliques of a size; of pairs also the correlations, from the same cells. */
async function marginalScores(
  { truth, others, measured, meter }: Task,
  k: number,
  list: Workload,
  correlations: Correlation[] | undefined,
): Promise<MarginalScores> {
  const tables = others.map(([, table]) => table);
  const pairs: PairCorrelation[][] = others.map(() => new Array(list.length));
  const correlate = (i: number, cells: readonly Cells[]) => {
    const columns = list.shape(i)[1] as number;
    const [of, ...rest] = cells.map((one) => association(one, columns));
    for (const [at, other] of rest.entries())
      (pairs[at] as PairCorrelation[])[i] = pairOf(list.clique(i), of as Association, other);
  };
  const found = await variations(truth, tables, list, meter, correlations ? correlate : undefined);
  correlations?.push(...pairs.map((list) => new Correlation(list, measured)));
  return { k, cliques: list.length, ...byColumn(others, found) };
}

/** The errors of a workload, in shares of each table. */
async function workloadScores({ truth, others, meter }: Task, list: Workload): Promise<Side<WorkloadScores>> {
  const total = await totalOf(truth, meter);
  const totals: number[] = [];
  for (const [, table] of others) totals.push(await totalOf(table, meter));
  const sums = others.map(() => ({ l1: 0, l2: 0, max: 0 }));
  await eachClique([truth, ...others.map(([, table]) => table)], list, meter, (_, [first, ...cells]) => {
    for (const [at, sum] of sums.entries()) {
      const found = errorOf(first as Cells, cells[at] as Cells, {
        truth: total,
        other: totals[at] as number,
      });
      sum.l1 += found.l1 / list.length;
      sum.l2 += found.l2 / list.length;
      sum.max = Math.max(sum.max, found.max);
    }
  });
  return byColumn(others, sums);
}

/** The score of the synthetic table with all its parts, and those of the baselines. */
async function kMarginals(
  { truth, others, names, meter }: Task,
  group: readonly string[],
  seed: string | number,
): Promise<{ kMarginal: KMarginal; scores: Side<number> }> {
  const labels = (name: string) => truth.schema.labels(name);
  const scored = { truth, labels, names: names.filter((name) => !group.includes(name)), group };
  const [, synthetic] = others[0] as Others[number];
  const kMarginal = await scoreTables({ ...scored, synthetic }, { seed }, meter);
  const scores: number[] = [kMarginal.score];
  const pairs = choosePairs(scored.names, undefined, seed);
  meter.expect(workOfDistances(pairs, group) * (others.length - 1));
  meter.begin("k-marginal of baselines");
  for (const [, other] of others.slice(1)) {
    const { mean } = await distances({ ...scored, synthetic: other }, pairs, meter);
    scores.push(scoreOf(mean));
  }
  return { kMarginal, scores: byColumn(others, scores) };
}

function byColumn<T>(others: Others, values: readonly T[]): Side<T> {
  return Object.fromEntries(others.map(([name], i) => [name, values[i] as T])) as unknown as Side<T>;
}
