import { printed } from "../print.js";
import { grouping } from "../tables/grouping.js";
import type { Correlation } from "./correlation.js";
import { correlationNote, scoreLines } from "./report/score-lines.js";
import type { KMarginal } from "./score.js";
import { fixed, grid, listed, percent } from "./text.js";
import type { Variation } from "./variation.js";

/** What is compared with the true table. */
export type Column = "synthetic" | "public" | "subsample";

/** Something of the synthetic table and of each baseline; `public` only where there is a public table. */
export interface Side<T> {
  readonly synthetic: T;
  readonly public?: T;
  readonly subsample: T;
}

/** The variation of the marginals of one size. */
export interface MarginalScores extends Side<Variation> {
  readonly k: number;
  /** How many were compared. */
  readonly cliques: number;
}

/** Errors of a workload, in shares of the tables. */
export interface WorkloadScores {
  readonly l1: number;
  readonly l2: number;
  readonly max: number;
}

type Parts = Pick<
  Evaluation,
  "columns" | "rows" | "kMarginal" | "scores" | "marginals" | "workload" | "correlation"
>;

const NOTICE = "NOT PRIVATE: this compares with true rows. Keep it where they are kept.";

/**
 * Every score of a synthetic table, beside those of the public table as it is and of a part of the true rows. It compares
 * with true data: *not private*, and no part of a release.
 */
export class Evaluation {
  readonly private = false;
  /** What was compared, in the order of the tables below. */
  readonly columns: readonly Column[];
  /** The number of rows of every table. */
  readonly rows: Readonly<Record<string, number>>;
  /** The k-marginal score of the synthetic table: its pairs, groups and subsamples. */
  readonly kMarginal: KMarginal;
  /** The k-marginal scores of all. */
  readonly scores: Side<number>;
  /** One-, two- and three-way. */
  readonly marginals: readonly MarginalScores[];
  readonly workload: Side<WorkloadScores>;
  readonly correlation: Side<Correlation>;

  /** @internal */
  constructor(parts: Parts) {
    this.columns = Object.freeze([...parts.columns]);
    this.rows = Object.freeze(parts.rows);
    this.kMarginal = parts.kMarginal;
    this.scores = Object.freeze(parts.scores);
    this.marginals = Object.freeze([...parts.marginals]);
    this.workload = Object.freeze(parts.workload);
    this.correlation = Object.freeze(parts.correlation);
    Object.freeze(this);
  }

  /** All scores as one table. */
  toString(): string {
    const { kMarginal } = this;
    const { equivalent } = kMarginal;
    const table = [
      ["", ...this.columns],
      ...scoreLines(this).map(({ name, text }) => [name, ...this.columns.map(text)]),
    ];
    const worst = kMarginal.pairs.slice(0, 3).map(({ attributes }) => listed(attributes));
    const note = correlationNote(this.correlation);
    const near = equivalent ? `; nearest is a subsample of ${percent(equivalent.share)}` : "";
    const score = `k-marginal ${fixed(kMarginal.score, 2)} of 1000, ${grouping(kMarginal.group)}`;
    return printed(
      [
        NOTICE,
        `Compared with ${this.rows.truth} true rows: ${score}${near}.`,
        grid(table),
        `Worst pairs: ${worst.join(", ")}.`,
        ...(note ? [note] : []),
      ].join("\n"),
    );
  }

  /** Everything, as numbers. */
  toJSON(): object {
    const { columns, rows, kMarginal, scores, marginals, workload, correlation } = this;
    const { equivalent } = kMarginal;
    const whole = { ...kMarginal, ...(equivalent ? { equivalent } : {}) };
    return {
      format: "marginalia-evaluation",
      version: 1,
      private: false,
      columns,
      rows,
      scores,
      kMarginal: whole,
      marginals,
      workload,
      correlation,
    };
  }
}
