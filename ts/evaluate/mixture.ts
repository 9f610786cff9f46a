import { minimax } from "../estimate/minimax.js";
import type { MinimaxEstimate, Obstacle } from "../estimate/outcome.js";
import { prior } from "../estimate/prior.js";
import { Measurement } from "../measurement.js";
import { invalid, known } from "../options.js";
import type { Schema } from "../tables/schema.js";
import type { Table } from "../tables/table.js";
import type { Workload } from "../tables/workload.js";
import { sum } from "./cells.js";
import { sameSchema } from "./kmarginal.js";
import { type EvaluationSettings, Meter } from "./meter.js";
import { grid, listed, percent } from "./text.js";

export interface BestMixtureOptions<S extends Schema = Schema> extends EvaluationSettings {
  /** The true table, or a public one that was held out. */
  truth: Table<S>;
  /** The public table whose rows are mixed. */
  public: Table<S>;
  /** Whose cells are compared. */
  workload: Workload<S>;
  /** How far above the least the error may be, as a share of the rows; 1e-5 unless given. */
  tolerance?: number;
  /** Milliseconds after which the best so far is the answer. */
  timeLimit?: number;
}

/**
 * How near the rows of a public table can come to a true one, however they are weighted: the largest difference of any cell, as a share of
 * the rows. It compares with true data: *not private* unless these are public.
 */
export class BestMixture {
  readonly private = false;
  /** The least is between `bound` and `error`, which one mixture has. */
  readonly error: number;
  readonly bound: number;
  /** Of the public table as it is. */
  readonly start: number;
  /** Which answers its rows cannot give: together they are why the error is not less. */
  readonly obstacles: readonly Obstacle[];
  /** Cells of the workload that no public row is in, and the share of the true rows that is in them, on average over the cliques. */
  readonly absent: { readonly cells: number; readonly share: number };

  /** @internal */
  constructor({ certificate, obstacles, outside, total }: MinimaxEstimate) {
    const { error, bound, start } = certificate;
    this.error = error;
    this.bound = bound;
    this.start = start;
    this.obstacles = obstacles;
    const [cells, records] = [outside.map((one) => one.answers), outside.map((one) => one.records)];
    const share = add(records) / (Math.max(1, total.records) * outside.length);
    this.absent = Object.freeze({ cells: add(cells), share });
    Object.freeze(this);
  }

  /** The error and what it is due to, for people. */
  toString(): string {
    const gap = this.error - this.bound;
    const rows = this.obstacles.slice(0, 5).map(({ clique, values, answer, mixture }) => {
      return [`${listed(clique)} = ${listed(values)}`, percent(answer), percent(mixture)];
    });
    return [
      `The worst cell of the best mixture is off by ${percent(this.error)} of the rows (no mixture does better by more than ` +
        `${gap.toExponential(0)}); of the public table as it is, by ${percent(this.start)}.`,
      `${this.absent.cells} cells have no public row; ${percent(this.absent.share)} of the true rows are in them, on average.`,
      "What cannot be mended by weights:",
      grid([["", "true", "best mixture"], ...rows]),
    ].join("\n");
  }
}

/**
 * Judges a public table by a true one, or by a public one that was held out: what no mechanism that weighs its rows gets below, and which
 * cells are why.
 *
 * ```ts
 * const mixture = await bestMixture({ truth, public: survey2018, workload: kWay(people, 3) });
 * console.log(`${mixture}`);
 * ```
 */
export async function bestMixture<S extends Schema>(options: BestMixtureOptions<S>): Promise<BestMixture> {
  known(options, OPTIONS, "bestMixture");
  const { truth, public: free, workload, tolerance = 1e-5, timeLimit, signal, onProgress } = options;
  if (!truth || !free || !workload) throw invalid("bestMixture needs { truth, public, workload }");
  sameSchema([truth, free]);
  const meter = new Meter(options);
  meter.expect(workload.length);
  meter.begin("truth");
  using answers = await truth.count(workload, meter.part(workload.length));
  const counts = await answers.all(meter.settings);
  meter.begin("mixtures");
  using rows = await prior(free, meter.settings);
  const measurements = counts.map((values, i) => exact(workload, i, values));
  const total = counts[0] ? sum(counts[0]) : 0;
  const progress = onProgress && (({ done }: { done: number }) => onProgress({ phase: "mixtures", done }));
  const rest = {
    ...(signal && { signal }),
    ...(progress && { onProgress: progress }),
    ...(timeLimit !== undefined && { timeLimit }),
  };
  using estimate = await minimax(
    { prior: rows, measurements, total, tolerance, ...rest },
    () => measurements,
  );
  return new BestMixture(estimate);
}

const OPTIONS = ["truth", "public", "workload", "tolerance", "timeLimit", "signal", "onProgress"];

/** Counts without noise, as an estimator takes them; the variance has no part in this one. */
function exact(workload: Workload, i: number, values: Float64Array): Measurement {
  const noise = { law: "gaussian", scale: "1", variance: 1 } as const;
  const query = { type: "identity" } as const;
  const [clique, shape] = [workload.clique(i), workload.shape(i)];
  return new Measurement({ version: 1, clique, query, shape, values, noise, relation: "add-remove" }, values);
}

const add = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
