import { invalid, known } from "../options.js";
import type { Answers } from "../tables/answers.js";
import type { NameOf, Schema } from "../tables/schema.js";
import type { Table } from "../tables/table.js";
import type { Workload } from "../tables/workload.js";
import { type Cells, union } from "./cells.js";
import { eachClique, totalOf, workOf } from "./counts.js";
import { sameSchema } from "./kmarginal.js";
import { type EvaluationSettings, Meter } from "./meter.js";
import { grid, listed, significant } from "./text.js";

/** What a workload is compared with: a table, answers that are held, or the cells of every clique. */
export type AnswerSource<S extends Schema = Schema> = Table<S> | Answers<S> | readonly Float64Array[];

export interface WorkloadErrorOptions<S extends Schema = Schema> extends EvaluationSettings {
  truth: Table<S>;
  /** A table, or answers to the workload: measured, of a model, of anything. */
  other: AnswerSource<S>;
  workload: Workload<S>;
  /** Whether cells are divided by the total: a table's by its own, answers by that of the truth. */
  normalize?: boolean;
}

/** How far the cells of one clique are off. */
export interface CliqueError {
  readonly attributes: readonly string[];
  /** The sum of the absolute differences. */
  readonly l1: number;
  /** The root of the sum of their squares. */
  readonly l2: number;
  /** The largest of them. */
  readonly max: number;
}

/** How far a workload is off, in records or shares. It compares with true data: *not private*. */
export class WorkloadError {
  readonly private = false;
  /** The mean over the cliques. */
  readonly l1: number;
  /** The mean over the cliques. */
  readonly l2: number;
  /** The largest difference of any cell. */
  readonly max: number;
  /** In the order of the workload. */
  readonly cliques: readonly CliqueError[];

  /** @internal */
  constructor(cliques: readonly CliqueError[]) {
    const mean = (of: (error: CliqueError) => number) =>
      cliques.reduce((sum, error) => sum + of(error), 0) / Math.max(1, cliques.length);
    this.l1 = mean(({ l1 }) => l1);
    this.l2 = mean(({ l2 }) => l2);
    this.max = cliques.reduce((most, { max }) => Math.max(most, max), 0);
    this.cliques = Object.freeze([...cliques]);
    Object.freeze(this);
  }

  /** The errors as a table. */
  toString(): string {
    const row = (name: string, { l1, l2, max }: Omit<CliqueError, "attributes">) => [
      name,
      ...[l1, l2, max].map(significant),
    ];
    const worst = [...this.cliques].sort((a, b) => b.l1 - a.l1).slice(0, 5);
    const rows = [
      ["", "L1", "L2", "max"],
      row(`${this.cliques.length} cliques`, this),
      ...worst.map((error) => row(listed(error.attributes), error)),
    ];
    return grid(rows);
  }
}

/** How far a table or answers are off in the cells of a workload, clique by clique: in records unless normalised. */
export async function workloadError<S extends Schema>(
  options: WorkloadErrorOptions<S>,
): Promise<WorkloadError> {
  known(options, ["truth", "other", "workload", "normalize", "onProgress", "signal"], "workloadError");
  const { truth, other, workload, normalize = false } = options;
  const meter = new Meter(options);
  meter.begin("workload");
  const table = isTable(other) ? other : undefined;
  if (table) sameSchema([truth, table]);
  const total = normalize ? await totalOf(truth, meter) : 1;
  const totals = { truth: total, other: normalize && table ? await totalOf(table, meter) : total };
  const tables = table ? [truth, table] : [truth];
  meter.expect(workOf(tables.length, workload));
  const found: CliqueError[] = new Array(workload.length);
  await eachClique(tables, workload, meter, async (i, [a, b]) => {
    const cells = b ?? (await cellsOf(other, workload, i, meter));
    found[i] = { attributes: workload.clique(i), ...errorOf(a as Cells, cells, totals) };
  });
  return new WorkloadError(found);
}

const isTable = <S extends Schema>(other: AnswerSource<S>): other is Table<S> => "distinct" in other;

async function cellsOf<S extends Schema>(
  other: AnswerSource<S>,
  list: Workload<S>,
  i: number,
  meter: Meter,
): Promise<Cells> {
  if ("nonzero" in other) {
    const { cells, counts } = await other.nonzero(list.clique(i) as readonly NameOf<S>[], meter.settings);
    return { places: cells, counts };
  }
  const counts = (other as readonly Float64Array[])[i];
  if (counts?.length === list.size(i)) return { counts };
  throw invalid(`the answers to clique ${i} must be ${list.size(i)} numbers`);
}

/** The L1, L2 and largest difference of two cliques, each divided by a total. */
export function errorOf(
  a: Cells,
  b: Cells,
  totals: { truth: number; other: number },
): Omit<CliqueError, "attributes"> {
  const [n, m] = [totals.truth || 1, totals.other || 1];
  let [l1, squares, max] = [0, 0, 0];
  union(a, b, (x, y) => {
    const difference = Math.abs(x * m - y * n);
    l1 += difference;
    squares += difference ** 2;
    max = Math.max(max, difference);
  });
  const scale = n * m;
  return { l1: l1 / scale, l2: Math.sqrt(squares) / scale, max: max / scale };
}
