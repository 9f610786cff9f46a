import type { Answers, CellAnswers } from "../../tables/answers.js";
import type { NameOf, Schema } from "../../tables/schema.js";
import type { Workload } from "../../tables/workload.js";
import type { Currency } from "../budget.js";
import type { Amount } from "../rational.js";

/**
 * What the public believes the counts to be, in records: a number for each cell of the workload, those of clique 0
 * first. Answers of the engine never leave it; a function gives the cells from one place up to another, and is asked
 * twice for each block: before anything is paid, to see that they make sense, and afterwards.
 */
export type PublicAnswers<S extends Schema = Schema> =
  | Answers<S>
  | CellAnswers
  | Float64Array
  | ((from: number, to: number) => Float64Array | Promise<Float64Array>);

/** What is chosen from, and by which law. All of it is public. */
export interface SelectRequest<S extends Schema = Schema> {
  /** The cliques that are compared, or whose cells are; of edges the one attribute, an integer, number or date. */
  readonly workload: Workload<S>;
  /**
   * `"cells"`: every cell of every clique, by how far its count is from the public answer; `"cliques"`: every clique, by
   * the sum of that over its cells; `"edges"`: every edge of the bins of one attribute, the outer ones too, by how near
   * `quantile` of the values in bins lie below it.
   */
  readonly candidates: "cells" | "cliques" | "edges";
  /** Of edges: the share of values below, a fraction such as `"1/200"` of up to 1000 parts. */
  readonly quantile?: Amount;
  /**
   * Of edges: which of those that are about as near is preferred. Beyond the last value all edges are as near: an upper bound leans to
   * `"lower"` ones, a lower bound to `"upper"` ones. Bins with less than a tenth of an equal share are passed over so.
   */
  readonly lean?: "lower" | "upper";
  /**
   * P ∝ exp(ε·score/2Δ), or permute-and-flip. Unless given: permute-and-flip, which is never worse at the same ε, where
   * the budget is pure and there are no weights; else the exponential mechanism, which has twice the ε for the same ρ.
   */
  readonly mechanism?: "exponential" | "permute-and-flip";
  /** What it may cost, in ε of a pure budget and in ρ of others: the ε of the law follows from it. */
  readonly spend?: Amount;
  /** The ε of the law, in the place of `spend`. */
  readonly epsilon?: Amount;
  /** Of cells: `"absolute"`, where the answers are wrong (unless given), or `"signed"`, where they are too low. */
  readonly difference?: "absolute" | "signed";
  /** Of cliques: what each score is multiplied by, a whole number. */
  readonly factors?: ArrayLike<number>;
  /** Of each candidate: what is subtracted from its score, in records; before it is multiplied. */
  readonly penalties?: ArrayLike<number>;
  /** Of each candidate: what its probability is multiplied by; for the exponential mechanism alone. */
  readonly weights?: ArrayLike<number>;
  /**
   * Of cells: those that are chosen from, by their places among all of the workload, ascending. What else is given for each is given for
   * each of these, and it takes as long as they are many.
   */
  readonly cells?: Uint32Array;
  /** Of each candidate: whether it takes part. */
  readonly mask?: ArrayLike<boolean | number>;
}

export interface SelectOptions<S extends Schema = Schema> extends SelectRequest<S> {
  /** Of cells and cliques: what they are compared with, rounded to 1/256 of a record. Edges have none. Lists that are given must not change while the call lasts. */
  readonly answers?: PublicAnswers<S>;
  /** Sets calls apart that ask for the same; see `MeasureOptions`. */
  readonly label?: string;
  /** Ends the call. What was charged before stays spent. */
  readonly signal?: AbortSignal;
}

/** What was selected: anybody may see it. How good it is, or how good others are, is not told. */
export interface Selected<S extends Schema = Schema> {
  /** The clique that was selected, or that has the cell. */
  readonly clique: readonly NameOf<S>[];
  /** Its place in the workload. */
  readonly place: number;
  /** The cell, by its place in the clique; where cells were the candidates. */
  readonly cell?: number;
  /** The code of each attribute in that cell. */
  readonly codes?: readonly number[];
  /** The edge, counted from the lower end of the first bin; where edges were the candidates. */
  readonly edge?: number;
  /** The ε of the law, as a fraction. */
  readonly epsilon: string;
  /** What was paid for it. */
  readonly cost: { readonly currency: Currency; readonly amount: string };
}

/** What one selection will cost. */
export interface PlannedSelection {
  readonly candidates: "cells" | "cliques" | "edges";
  /** Of edges: the attribute, and the share of values below. */
  readonly attribute?: string;
  readonly quantile?: string;
  /** How many cliques the workload has, and how many cells. */
  readonly cliques: number;
  readonly cells: number;
  /** How many candidates take part. */
  readonly among: number;
  readonly mechanism: "exponential" | "permute-and-flip";
  /** The ε of the law, as a fraction. */
  readonly epsilon: string;
  /** How much one unit can change any score, in records; of edges in parts of them, as many as `quantile` is divided into. */
  readonly sensitivity: string;
  /** In the currency of the plan, as a fraction. */
  readonly cost: string;
  /** Its part of the price of the plan. */
  readonly share: number;
  /**
   * By how much the score of what is selected is below the best one on average, at most, in records: 2Δ/ε·ln of how many
   * take part. Missing where there are weights, which want something else than the best.
   */
  readonly shortfall?: number;
}
