import { MarginaliaError } from "../errors.js";
import type { Schema } from "../tables/schema.js";
import type { GraphicalModel } from "./graphical.js";
import type { Model } from "./model.js";
import type { SupportModel } from "./support.js";

/**
 * How an estimation ended: within its tolerance; out of passes or steps, or at the end of what rounding allows; stopped
 * by its time limit; too far from the optimum to be used; or with answers to be met that no model can meet.
 */
export type EstimateStatus = "converged" | "limit" | "stopped" | "refused" | "infeasible";

/** How good a model is at worst, in nats: the optimum lies between `bound` and `value`. */
export interface Certificate {
  /** `value − bound`, as a sum of terms of which none is negative. KL(q‖q*) is not above it. */
  readonly gap: number;
  /** The gap as a part of the value. */
  readonly relativeGap: number;
  /** What is minimised: the misfit and the relative entropy, in units of the prior's strength. */
  readonly value: number;
  /** No model has a lower value. */
  readonly bound: number;
  /** KL(q‖p): how far the model is from the prior. */
  readonly relativeEntropy: number;
}

/** A judgement on the way of {@link estimate.calibrated}. */
export interface CalibratedStep {
  /** Passes over all rows and marginals so far. */
  readonly passes: number;
  readonly value: number;
  readonly gap: number;
  readonly relativeEntropy: number;
  /** Since the start. */
  readonly milliseconds: number;
}

/** A judgement on the way of {@link estimate.iterative}. */
export interface IterativeStep {
  /** Steps so far, each of one measurement. */
  readonly steps: number;
  /** The L1 distance of the model's answers from all answers, as shares of the total. */
  readonly loss: number;
  readonly relativeEntropy: number;
  /** Since the start. */
  readonly milliseconds: number;
}

/** A round of {@link estimate.multiplicativeWeights}. */
export interface MultiplicativeRound {
  /** Rounds so far, each of one measurement. */
  readonly rounds: number;
  /** How far off its answers the model was when it began, at most, as a share. */
  readonly off: number;
  readonly relativeEntropy: number;
  /** Since the start. */
  readonly milliseconds: number;
}

/** How good the model of {@link estimate.twoStage} is at worst. Losses are L1 distances of shares of the total. */
export interface TwoStageCertificate {
  /** The distance of the model's answers from those of all cells that rows of the prior lie in. */
  readonly loss: number;
  /** No model on the prior's rows has a loss below `loss − lossGap`. */
  readonly lossGap: number;
  /** KL(q‖p): how far the model is from the prior. */
  readonly relativeEntropy: number;
  /** No model with this loss or less has a relative entropy below `relativeEntropy − entropyGap`; all of it without a second stage. */
  readonly entropyGap: number;
  /** The larger of both gaps, each as a part of its value; without a second stage, that of the loss. */
  readonly relativeGap: number;
  /** What cells without a row add to the loss, whatever the model. */
  readonly unsupported: number;
}

/** A judgement on the way of {@link estimate.twoStage}. */
export interface TwoStageStep {
  /** Passes over all rows and marginals so far; of the exact solver, its iterations. */
  readonly passes: number;
  readonly loss: number;
  readonly relativeEntropy: number;
  /** Since the start. */
  readonly milliseconds: number;
}

/**
 * Why no model on the prior's rows meets all answers, the first that applies: one that is not zero belongs to a cell
 * without a row; one is negative; those of a measurement do not add up to the total; measurements contradict each other,
 * or the rows do not allow all of them.
 */
export type Unmet = "unsupported" | "negative" | "totals" | "disagree";

/** What a measurement says about cells that no row of the prior lies in: it took no part in the estimate. */
export interface Outside {
  readonly clique: readonly string[];
  /** Answers that no row can meet. */
  readonly answers: number;
  /** Their sum, in records, and the variance of its noise. */
  readonly records: number;
  readonly variance: number;
}

/** What belongs to an estimate, whatever the estimator. */
export interface EstimateParts<Step, M extends Model> {
  status: EstimateStatus;
  trace: readonly Step[];
  total: { readonly records: number; readonly variance: number };
  outside: readonly Outside[];
  model: M;
  kept: boolean;
}

/** What an estimator answers: a model, and how good it is. */
export class Estimate<S extends Schema = Schema, Step = unknown, M extends Model<S> = SupportModel<S>>
  implements Disposable
{
  readonly status: EstimateStatus;
  /** Judgements on the way, in order. */
  readonly trace: readonly Step[];
  /** The number of records, as it was given (variance 0) or as all measurements together say it. */
  readonly total: { readonly records: number; readonly variance: number };
  /** For each measurement, what it says about cells that no row lies in. */
  readonly outside: readonly Outside[];
  readonly #model: M;
  readonly #kept: boolean;

  /** @internal */
  constructor({ status, trace, total, outside, model, kept }: EstimateParts<Step, M>) {
    this.status = status;
    this.trace = trace;
    this.total = total;
    this.outside = outside;
    this.#model = model;
    this.#kept = kept;
  }

  /**
   * The model: the best on the way. Of a refused estimate it is handed out only where `keepRefused` was given, and
   * asking for it fails with ESTIMATE_REFUSED otherwise.
   */
  get model(): M {
    if (this.status === "refused" && !this.#kept) throw refused();
    return this.#model;
  }

  /** Frees the memory behind the model. */
  dispose(): void {
    this.#model.dispose();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }
}

/** What calibrated estimation answers. */
export class CalibratedEstimate<S extends Schema = Schema> extends Estimate<S, CalibratedStep> {
  readonly certificate: Certificate;
  /** How many records the prior was worth, n₀. */
  readonly strength: number;
  /**
   * By how many standard errors the answers are farther from the prior than their noise and its sampling error explain,
   * where the strength was chosen by that: above 3 the answers said what the prior is worth.
   */
  readonly consistency: number | undefined;
  /**
   * The share of equal weights that took the place of the prior's, 0 to 1: above 0 only where the strength was chosen by the
   * answers, and they clearly asked for more than half, to mend half of what was wrong. The certificate's relative entropy is to
   * the prior so flattened.
   */
  readonly flatness: number;

  /** @internal */
  constructor(
    parts: EstimateParts<CalibratedStep, SupportModel<S>>,
    own: { certificate: Certificate; strength: number; consistency: number | undefined; flatness: number },
  ) {
    super(parts);
    this.certificate = own.certificate;
    this.strength = own.strength;
    this.consistency = own.consistency;
    this.flatness = own.flatness;
  }
}

/** A judgement on the way of {@link estimate.calibrated} without a prior. */
export interface GraphicalStep {
  /** Products with the covariance of the answers so far, each the work of two gradients. */
  readonly products: number;
  readonly value: number;
  readonly gap: number;
  readonly relativeEntropy: number;
  /** Since the start. */
  readonly milliseconds: number;
}

/** What calibrated estimation answers of a graphical model. */
export class GraphicalEstimate<S extends Schema = Schema> extends Estimate<
  S,
  GraphicalStep,
  GraphicalModel<S>
> {
  readonly certificate: Certificate;
  /** How many records the product of the model's own single attributes was worth, n₀. */
  readonly strength: number;
  /** How many parameters the fit has, in effect; undefined where the strength was given. */
  readonly freedom: number | undefined;
  /** Σ (y − m)²/σ² over all answers: about as many as there are, less the freedom. */
  readonly residual: number;
  /** The number of answers. */
  readonly answers: number;

  /** @internal */
  constructor(
    parts: EstimateParts<GraphicalStep, GraphicalModel<S>>,
    own: Pick<GraphicalEstimate, "certificate" | "strength" | "freedom" | "residual" | "answers">,
  ) {
    super(parts);
    this.certificate = own.certificate;
    this.strength = own.strength;
    this.freedom = own.freedom;
    this.residual = own.residual;
    this.answers = own.answers;
  }
}

/** A judgement on the way of a published estimator of graphical models, such as {@link estimate.mirrorDescent}. */
export interface DescentStep {
  /** Calls of the oracle after the first: all marginals of the model, once. */
  readonly iterations: number;
  /** The loss of the marginals it has then: of a model, or of a mean of such where the estimator has momentum. */
  readonly loss: number;
  /** Since the start. */
  readonly milliseconds: number;
}

/** What the published estimators of graphical models answer. How far its loss is above the least, none of them knows. */
export class DescentEstimate<S extends Schema = Schema> extends Estimate<S, DescentStep, GraphicalModel<S>> {
  /** The loss of the model. */
  readonly loss: number;
  /** What noise alone would make of the truth on average: a loss below that fits noise. Undefined of a loss of your own. */
  readonly noise: number | undefined;
  readonly iterations: number;

  /** @internal */
  constructor(
    parts: EstimateParts<DescentStep, GraphicalModel<S>>,
    own: Pick<DescentEstimate, "loss" | "noise" | "iterations">,
  ) {
    super(parts);
    this.loss = own.loss;
    this.noise = own.noise;
    this.iterations = own.iterations;
  }
}

/** What can solve a two-stage estimate: primal-dual hybrid gradients, `"pdhg"`, its first stage alone. */
export type TwoStageSolver = "exact" | "interior" | "pdhg";

/** What two-stage estimation answers. */
export class TwoStageEstimate<S extends Schema = Schema> extends Estimate<S, TwoStageStep> {
  readonly certificate: TwoStageCertificate;
  /** Why no model meets all answers, if so. */
  readonly unmet: Unmet | undefined;
  /** What solved it: the exact solver, for small problems, or the interior point; the loss alone, a hybrid gradient. */
  readonly solver: TwoStageSolver;

  /** @internal */
  constructor(
    parts: EstimateParts<TwoStageStep, SupportModel<S>>,
    own: { certificate: TwoStageCertificate; unmet: Unmet | undefined; solver: TwoStageSolver },
  ) {
    super(parts);
    this.certificate = own.certificate;
    this.unmet = own.unmet;
    this.solver = own.solver;
  }
}

/** How good the model of {@link estimate.minimax} is at worst: largest distances of any cell, as shares of the total. */
export interface MinimaxCertificate {
  /** Of the model. */
  readonly error: number;
  /** No model on the prior's rows has a lower one. */
  readonly bound: number;
  /** `error − bound`. */
  readonly gap: number;
  /** Of the prior as it is. */
  readonly start: number;
}

/** A cell that the prior's rows cannot answer better: all of a list together are why the error is not less. */
export interface Obstacle {
  readonly clique: readonly string[];
  /** One of each attribute of the clique. */
  readonly values: readonly (string | null)[];
  /** Its part of the proof, of about 1 in all; below zero where any mixture has too much there. */
  readonly weight: number;
  /** What was answered, and what the best mixture has, as shares of the total. */
  readonly answer: number;
  readonly mixture: number;
}

/** A judgement of {@link estimate.minimax}, which makes one, at its end. */
export interface MinimaxStep {
  /** Passes over all rows and marginals. */
  readonly passes: number;
  readonly error: number;
  readonly gap: number;
  /** Since the start. */
  readonly milliseconds: number;
}

/** The best mixture of the rows of a prior, and why there is no better one. */
export class MinimaxEstimate<S extends Schema = Schema> extends Estimate<S, MinimaxStep> {
  readonly certificate: MinimaxCertificate;
  /** Which answers the rows cannot give, those that weigh most first; 32 at most. */
  readonly obstacles: readonly Obstacle[];

  /** @internal */
  constructor(
    parts: EstimateParts<MinimaxStep, SupportModel<S>>,
    certificate: MinimaxCertificate,
    obstacles: readonly Obstacle[],
  ) {
    super(parts);
    this.certificate = Object.freeze(certificate);
    this.obstacles = Object.freeze(obstacles.map((one) => Object.freeze(one)));
  }
}

/** What an aborted estimation is rejected with: `partial` is the best estimate until then, if there was one. */
export interface EstimateAborted<S extends Schema = Schema> extends MarginaliaError {
  readonly code: "ABORTED";
  readonly partial?: Estimate<S>;
}

/** A judgement of {@link estimate.independent}, which makes one. */
export interface IndependentStep {
  /** How far the shares of all attributes are from what the answers say of them, by L1 distances: noise below zero. */
  readonly loss: number;
  /** Since the start. */
  readonly milliseconds: number;
}

function refused(): MarginaliaError {
  const message =
    "the model is so far from the optimum that it is no estimate: give more time or passes, a larger `strength`, or " +
    "look at the measurements; `keepRefused: true` hands it out all the same";
  return new MarginaliaError("ESTIMATE_REFUSED", message);
}
