import { Measurement, type MeasurementJson, measurement } from "../measurement.js";
import type { CallSettings } from "../tables/read.js";
import type { Schema } from "../tables/schema.js";
import type { Workload } from "../tables/workload.js";
import type { GraphicalModel } from "./graphical.js";
import type {
  CalibratedEstimate,
  DescentEstimate,
  Estimate,
  GraphicalEstimate,
  IndependentStep,
  IterativeStep,
  MinimaxEstimate,
  MultiplicativeRound,
  TwoStageEstimate,
} from "./outcome.js";
import type { Prior } from "./prior.js";
import type { ProductModel } from "./product.js";
import type { RuleOptions } from "./rules.js";
import type { GraphicalSize } from "./size.js";
import type { SupportModel } from "./support.js";

/** What every estimator is given. */
export interface EstimateOptions<S extends Schema = Schema> extends CallSettings {
  /** Where it starts from, and stays as near to as the answers allow. */
  prior: Prior<S>;
  /** Noisy answers, from this package or from elsewhere. */
  measurements: readonly MeasurementJson[];
  /** The number of records; unless given, what all measurements together say of it. */
  total?: number;
  /** The seed of all orders and draws. The same seed gives the same bytes, on every runtime. */
  seed?: string | number;
  /** Milliseconds after which the best model so far is the answer. */
  timeLimit?: number;
}

/** How {@link estimate.calibrated} is asked. */
export interface CalibratedOptions<S extends Schema = Schema> extends EstimateOptions<S>, RuleOptions<S> {
  /**
   * Whether distances from answers are squared: `"l2"` unless given, for Laplace noise too, where it is as good and
   * much quicker. `"l1"` is the paper's own, for Laplace noise only.
   */
  loss?: "l2" | "l1";
  /**
   * How many records the prior is worth, n₀: a number; `"harmonic"`, what a prior of N records is worth where it is of
   * the same population as the n private ones, N·n/(N + n); or `"coupledBootstrap"` (default): that too, unless the
   * answers are farther from it than their noise explains, and then what answers with more noise say: less for a prior of
   * another population, more for one whose rows are too few to meet precise answers. Where the answers clearly ask for
   * equal weights of the prior's rows instead of its own, it starts from a mixture of both (`flatness`).
   */
  strength?: number | "harmonic" | "coupledBootstrap";
  /** The relative gap at which it is done; 1e-6 unless given. */
  tolerance?: number;
  /** The most passes over all rows and marginals, with the loss `"l2"`; 20,000 unless given. */
  passes?: number;
  /** Hands out a model whose relative gap is above 0.1 too. */
  keepRefused?: boolean;
}

/** How {@link estimate.calibrated} is asked for a graphical model. */
export interface GraphicalOptions<S extends Schema = Schema>
  extends Omit<EstimateOptions<S>, "prior">,
    RuleOptions<S> {
  /** What the records are. */
  schema: S;
  /**
   * What is public: a prior of the same schema, or one that knows only some of its attributes, such as last year's file without this
   * year's new question. Where nothing is, the model stays near to the product of its own single attributes.
   */
  prior?: Prior;
  /**
   * How many records that is worth, n₀: a number; `"harmonic"`, what a prior of N records is worth where it is of the same
   * population as the n private ones; `"residual"`, what the distance of the answers from the model says; or `"risk"`, where Stein's
   * estimate of the error is least. Unless given, harmonic where there is a prior and the answers are no farther from it than their
   * noise explains; else by the residual where there are thousands of answers, and by the risk where these are few.
   */
  strength?: number | "harmonic" | "residual" | "risk";
  /** The relative gap at which it is done; 1e-3 unless given, beyond which only noise is fitted. */
  tolerance?: number;
  /** The most products with the covariance of the answers; 10,000 unless given. */
  products?: number;
  /** Hands out a model whose relative gap is above 0.1 too. */
  keepRefused?: boolean;
}

/** A convex loss of your own, such as the negative log-likelihood of another mechanism's output. */
export interface OwnLoss {
  /** The attributes of each marginal that it is a function of. */
  readonly cliques: readonly (readonly string[])[];
  /**
   * The loss where the cells of these cliques hold so many records, the last attribute fastest, and for each cell its slope: called
   * once or twice an iteration, where the call was made.
   */
  at(counts: readonly Float64Array[]): { value: number; gradient: readonly ArrayLike<number>[] };
  /**
   * K with L(p) ≤ L(q) + ∇L(q)·(p − q) + K/2 ‖p − q‖₁² for all tables of the total, which `dualAveraging` and `interiorGradient`
   * need: of ½Σ(μ − y)²/σ² over the cells of a clique, 1/(2σ²).
   */
  readonly lipschitz?: number;
}

/** How the published estimators of graphical models are asked. */
export interface DescentOptions<S extends Schema = Schema> extends Omit<EstimateOptions<S>, "prior"> {
  /** What the records are. */
  schema: S;
  /** A model to start from, each of whose cliques is within a measured one; unless given, all records are equally likely. */
  start?: GraphicalModel<S>;
  /**
   * What is lowered: `"l2"` unless given, ½Σ(μ − y)²/σ²; `"l1"`, Σ|μ − y|/b of Laplace noise, which takes mirror descent; `"huber"`,
   * the same with squares up to b; or one of your own, to which measurements give the number of records alone.
   */
  loss?: "l2" | "l1" | "huber" | OwnLoss;
  /** The most iterations, each a call of the oracle; 1,000 unless given. */
  iterations?: number;
  /** Where the last quarter of the iterations changed the loss by less than this part of it, it is done; 1e-6 unless given, 0 for never. */
  tolerance?: number;
  /** A loss that is low enough: a number, or `"noise"`, what noise alone makes of it on average. Unless given, none is. */
  until?: "noise" | number;
}

/** The published estimators of graphical models. */
export type Way = "mirrorDescent" | "dualAveraging" | "interiorGradient" | "accelerated";

/** How {@link estimate.mirrorDescent} is asked. */
export interface MirrorDescentOptions<S extends Schema = Schema> extends DescentOptions<S> {
  /**
   * How long steps are: `"search"`, doubled after each, and halved until the loss falls by half of what the gradient promises;
   * `"adaptive"` (default), grown slowly, and halved where the loss does not fall; `"decreasing"`, as 1/√t, which `"l1"` needs
   * and has.
   */
  steps?: "search" | "adaptive" | "decreasing";
}

/** How {@link estimate.iterative} is asked. */
export interface IterativeOptions<S extends Schema = Schema> extends EstimateOptions<S> {
  /** A model on the same prior to start from; the prior itself unless given. */
  start?: SupportModel<S>;
  /** Which measurement comes next: all in shuffled sweeps (default), any at `random`, or the `worst` met. */
  order?: "sweeps" | "random" | "worst";
  /** The most steps, each of one measurement; 20 for each measurement unless given. */
  steps?: number;
  /** The power of a step, above 0 and at most 1, where it is the paper's; 0.3 unless given. */
  damping?: number;
  /** Which of the nearest answers a step takes: that of least relative entropy unless given. */
  choice?: "kl" | "rescale" | "euclidean";
  /** The relative change of the loss from judgement to judgement at which it is done; 1e-4 unless given, 0 for never. */
  tolerance?: number;
  /** Steps from judgement to judgement, each of which is one of the trace: one for each measurement unless given. */
  every?: number;
}

/** How {@link estimate.multiplicativeWeights} is asked. */
export interface MultiplicativeOptions<S extends Schema = Schema> extends EstimateOptions<S> {
  /**
   * How weights move: by `"newest"`, each measurement once, as in the theorems; `"recycled"` (default), by all that are off by half as
   * much as the newest or more; `"projected"`, to what the worst of all say, one after another (PEP).
   */
  rule?: "newest" | "recycled" | "projected";
  /** The most projections of a round; 100 unless given. */
  projections?: number;
  /** Whether the model is the mean of those that rounds began with, as in the theorems; that of the last unless given. */
  average?: boolean;
}

/** How {@link estimate.twoStage} is asked. */
export interface TwoStageOptions<S extends Schema = Schema> extends EstimateOptions<S> {
  /**
   * What the second stage keeps: the least `"loss"` (default), which many answers may have; the answers of one optimum of
   * the linear program, `"lp"`, as the paper words it; or the given `"answers"` themselves, with the status `infeasible`
   * where no model meets them.
   */
  target?: "loss" | "lp" | "answers";
  /**
   * False leaves the second stage out: of all models with the least loss it gives some one, whatever its entropy. Takes a small
   * part of the time, and 10⁵ rows with as many answers in a minute.
   */
  entropy?: boolean;
  /** The relative gap, of the loss and of the entropy, at which it is done; 1e-6 unless given. */
  tolerance?: number;
  /** What solves both stages: `"exact"` or the `"interior"` point; what suits the size unless given. */
  solver?: "exact" | "interior";
  /** Hands out a model whose relative gap is above 0.1 too. */
  keepRefused?: boolean;
}

/** How {@link estimate.minimax} is asked. */
export interface MinimaxOptions<S extends Schema = Schema> extends EstimateOptions<S> {
  /** How far above the least the error may be, as a share of the total; 1e-4 unless given. */
  tolerance?: number;
}

/** How {@link estimate.step} is asked. */
export interface StepOptions<S extends Schema = Schema> extends CallSettings {
  /** Where it starts from. */
  prior: Prior<S>;
  /** A model on the same prior to start from; the prior itself unless given. */
  start?: SupportModel<S>;
  /** What is to be met. */
  measurement: MeasurementJson;
  /** Which of the nearest answers it takes: that of least relative entropy unless given. */
  choice?: "kl" | "rescale" | "euclidean";
  /** The number of records; unless given, what the measurement says of it. */
  total?: number;
}

/** How {@link estimate.independent} is asked. */
export interface IndependentOptions<S extends Schema = Schema> extends Omit<EstimateOptions<S>, "prior"> {
  /** What the records are, where there is no prior. */
  schema?: S;
  /** Gives the shares of attributes that no measurement has; these are equal without. */
  prior?: Prior<S>;
}

/** Checks measurements: here, so that what estimators load later has nothing that other programs would then load too. */
export type Admit = (list: readonly MeasurementJson[]) => Measurement[];
const admitted: Admit = (list) => list.map((one) => (one instanceof Measurement ? one : measurement(one)));

function calibrated<S extends Schema>(options: CalibratedOptions<S>): Promise<CalibratedEstimate<S>>;
function calibrated<S extends Schema>(options: GraphicalOptions<S>): Promise<GraphicalEstimate<S>>;
async function calibrated<S extends Schema>(options: CalibratedOptions<S> | GraphicalOptions<S>) {
  if (Object(options).schema !== undefined)
    return (await import("./graphical.js")).graphical(options as GraphicalOptions<S>, admitted);
  return (await import("./calibrated.js")).calibrated(options as CalibratedOptions<S>, admitted);
}

const way =
  (name: Way) =>
  async <S extends Schema>(options: DescentOptions<S>): Promise<DescentEstimate<S>> =>
    (await import("./descent.js")).descent(name, options, admitted);

/** Estimators: from noisy answers and a prior to a model. None reads private rows, so none costs anything. */
export const estimate = {
  /**
   * Weighs every answer by its own noise, and the prior by what it is worth: the default of this package. Minimises
   * the squares of what the model misses, each over twice its variance, plus the relative entropy to the prior times
   * its strength. Takes measurements of every cell of a clique.
   *
   * With a `schema` it gives a {@link GraphicalModel} of the measured cliques, on domains of any size, which stays near to a prior
   * where there is one, and otherwise to the product of its own single attributes. It takes any measurement then.
   *
   * ```ts
   * const { model, certificate } = await estimate.calibrated({ prior: before, measurements });
   * const { model: graph } = await estimate.calibrated({ schema: people, measurements });
   * ```
   */
  calibrated,

  /**
   * Meets one measurement after another, each with the least relative entropy to what was before: Algorithm 1 of Tao,
   * Bater and Machanavajjhala. The paper's own settings are `order: "random"`, `choice: "rescale"`, `damping: 1`,
   * `tolerance: 0` and two steps for each measurement. Takes measurements of disjoint sets of cells.
   */
  async iterative<S extends Schema>(options: IterativeOptions<S>): Promise<Estimate<S, IterativeStep>> {
    return (await import("./iterative.js")).iterative(options, admitted);
  },

  /**
   * Multiplicative weights: a round for each measurement, in their order, moves the weights of the rows that it counts (MWEM; PMW-Pub,
   * Algorithm 1). For few answers that were chosen where the model is wrong; none of them is met exactly.
   */
  async multiplicativeWeights<S extends Schema>(
    options: MultiplicativeOptions<S>,
  ): Promise<Estimate<S, MultiplicativeRound>> {
    return (await import("./multiplicative.js")).multiplicativeWeights(options, admitted);
  },

  /**
   * Meets the answers as nearly as any model on the prior's rows can, by the L1 distance of all cells alike; and of all
   * models that do, takes the one of least relative entropy to the prior: what the same paper's algorithm is on the way to.
   * It fits noise too, so that `estimate.calibrated` is nearly always nearer to the truth. Takes measurements of every
   * cell of a clique. Small problems are solved exactly by a module of its own, which is loaded with the first of them.
   */
  async twoStage<S extends Schema>(options: TwoStageOptions<S>): Promise<TwoStageEstimate<S>> {
    return (await import("./two-stage.js")).twoStage(options, admitted);
  },

  /**
   * The best mixture of the prior's rows (Liu and others, 2021, Definition 2.1): the weights of them whose worst answer is least wrong.
   * Its error is what no mechanism on these rows gets below, whatever the budget, and `obstacles` are the answers that they cannot
   * give. It judges a public table; of a release it is a poor model, which fits noise. Takes measurements of every cell of a clique.
   */
  async minimax<S extends Schema>(options: MinimaxOptions<S>): Promise<MinimaxEstimate<S>> {
    return (await import("./minimax.js")).minimax(options, admitted);
  },

  /**
   * Takes every attribute for itself: its shares by all measurements that have it, summed over their others and weighted by
   * their precision, at the nearest that shares can be. Knows nothing of pairs, which shows what a model is worth that does. Takes
   * measurements of every cell of a clique; gives a {@link ProductModel}.
   */
  async independent<S extends Schema>(
    options: IndependentOptions<S>,
  ): Promise<Estimate<S, IndependentStep, ProductModel<S>>> {
    return (await import("./independent.js")).independent(options, admitted);
  },

  /**
   * What a graphical model of some cliques takes, before any memory is taken: what is measured with them can be estimated without a
   * prior where it is little.
   *
   * ```ts
   * const { bytes, seconds, widest } = await estimate.size(kWay(people, 3));
   * ```
   */
  async size<S extends Schema>(cliques: Workload<S>, settings: CallSettings = {}): Promise<GraphicalSize<S>> {
    return (await import("./size.js")).graphicalSize(cliques, settings);
  },

  /**
   * Algorithm 1 of McKenna, Sheldon and Miklau (2019): θ ← θ − η∇L(μ) for the potentials of a graphical model of the measured
   * cliques. Of all models with the least loss it comes to the one of largest entropy, noise and all: `estimate.calibrated` is nearly
   * always nearer to the truth. Takes any measurement.
   *
   * ```ts
   * const { model, loss } = await estimate.mirrorDescent({ schema: people, measurements, until: "noise" });
   * ```
   */
  mirrorDescent: way("mirrorDescent") as <S extends Schema>(
    options: MirrorDescentOptions<S>,
  ) => Promise<DescentEstimate<S>>,

  /**
   * Algorithm 2 of the same paper: accelerated dual averaging, with the least Lipschitz constant for which its bound holds. Where the
   * others of its kind end with the mean of marginals, this and the next two give the model that has these.
   */
  dualAveraging: way("dualAveraging"),

  /** The improved interior gradients of Auslender and Teboulle (2006), with the same constant. */
  interiorGradient: way("interiorGradient"),

  /**
   * Accelerated Bregman gradients, which find their constant on the way: the fastest of the four. Squared losses begin with a few sweeps
   * of exact steps, each of which counts as an iteration.
   */
  accelerated: way("accelerated"),

  /** Meets one measurement: Definition 3.1 of the same paper. */
  async step<S extends Schema>(options: StepOptions<S>): Promise<Estimate<S, IterativeStep>> {
    return (await import("./iterative.js")).step(options, admitted);
  },
};
