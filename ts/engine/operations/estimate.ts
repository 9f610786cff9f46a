import type { EstimateJob, Model, SmallProblem } from "../../../pkg/graph/marginalia_graph.js";
import { MarginaliaError } from "../../errors.js";
import type { Context, Opened } from "../host.js";
import type { RawGraph } from "../raw.js";
import { type HeldPrior, partOf } from "./crossing.js";
import { type ExactSolver, solved } from "./lp.js";
import { Taken } from "./objects.js";

/** Measurements as the engine reads them: a list as JSON, and the values of one after another. */
export interface WireMeasurements {
  measurements: string;
  values: Float64Array<ArrayBuffer>;
}

/** What is estimated by which estimator, on a prior and perhaps on a model to start from, or on nothing but a schema. */
export interface EstimateRequest extends WireMeasurements {
  /** The estimator, its options and what all are given, as `crates/model-wasm/src/shared/estimate.rs` reads it. */
  options: string;
  /** The kind of the models that it gives. */
  kind: string;
  /** The normal form of the schema, where there is no prior, or it may know a part of it only. */
  schema?: string;
  /** Whether there is a prior, the first object that the call is on. */
  onPrior: boolean;
  /** Whether it starts from a model, the object that the call is on after the prior. */
  started: boolean;
}

/** How good a model is at worst, by its estimator; `crates/estimate/src/estimators/mod.rs` says what it means. */
export type WireCertificate =
  | {
      estimator: "calibrated";
      gap: number;
      relativeGap: number;
      value: number;
      bound: number;
      relativeEntropy: number;
      strength: number;
      consistency: number | null;
      flatness: number;
    }
  | { estimator: "iterative"; loss: number }
  | { estimator: "multiplicativeWeights"; loss: number; rounds: number }
  | {
      estimator: "twoStage";
      loss: number;
      lossGap: number;
      relativeEntropy: number;
      entropyGap: number;
      relativeGap: number;
      unsupported: number;
      unmet: "unsupported" | "negative" | "totals" | "disagree" | null;
      solver: "exact" | "interior" | "pdhg";
    }
  | { estimator: "minimax"; error: number; bound: number; start: number; proof: number[] }
  | { estimator: "independent"; loss: number }
  | {
      estimator: "graphical";
      gap: number;
      relativeGap: number;
      value: number;
      bound: number;
      relativeEntropy: number;
      strength: number;
      freedom: number | null;
      residual: number;
      answers: number;
    }
  | {
      estimator: "mirrorDescent" | "dualAveraging" | "interiorGradient" | "accelerated";
      loss: number;
      noise: number | null;
      iterations: number;
    };

/** The caller's own loss of counts, and its slopes. */
export interface WireLoss {
  value: number;
  gradient: Float64Array<ArrayBuffer>;
}

/** The outcome of an estimation, all but the model. */
export interface Outcome {
  status: "converged" | "limit" | "stopped" | "refused" | "infeasible";
  total: { records: number; variance: number };
  certificate: WireCertificate;
  trace: { at: number; value: number; gap: number | null; relativeEntropy: number }[];
  missing: { answers: number; records: number }[];
  /** When each judgement was made, in milliseconds since the first step. */
  times: number[];
}

/** An estimation, when its judgements were made, and a problem that another solver is to take. */
class Estimating extends Taken<EstimateJob> {
  readonly times: number[] = [];
  #problem: SmallProblem | undefined;

  /** To the end, or until so many milliseconds have passed; false where only the exact solver can go on, which is not there, and
   * counts where only the caller can, with a loss of these. */
  async run(
    ctx: Context,
    timeLimit: number,
    lp?: ExactSolver,
    silent = false,
  ): Promise<boolean | Float64Array<ArrayBuffer>> {
    const { object: job, times } = this;
    const start = performance.now();
    const late = () => performance.now() - start >= timeLimit;
    const note = () => {
      const now = performance.now() - start;
      for (const judgements = job.judgements(); times.length < judgements; ) times.push(now);
    };
    let counts: Float64Array | undefined;
    for (let over = false; !over; ) {
      if (this.#problem) {
        if (!lp) return false;
        await this.#solve(ctx, this.#problem, { ...lp, late });
        note();
      }
      const step = (work: number) => {
        over = job.step(work);
        note();
        this.#problem = job.outside();
        counts = job.counts();
        over ||= this.#problem === undefined && late();
        return over || this.#problem !== undefined || counts !== undefined;
      };
      await ctx.run({ step, done: () => job.done(), total: () => 0 }, silent);
      if (counts && !over) return counts as Float64Array<ArrayBuffer>;
    }
    return true;
  }

  /** What it had found when its time was up is not known: then, and where it has no room, the job goes on without. */
  async #solve(ctx: Context, problem: SmallProblem, lp: ExactSolver): Promise<void> {
    const { object: job } = this;
    try {
      const found = await solved(ctx, taken(problem), lp);
      if (!found) return job.unanswered();
      const { q, status, reason = null, kl: relativeEntropy, klGap: entropyGap, ...figures } = found;
      const { loss, lossGap, relativeGap, unsupported, iterations } = figures;
      const said = { loss, lossGap, relativeEntropy, entropyGap, relativeGap, unsupported, iterations };
      const [converged, infeasible] = [status === "converged", status === "infeasible"];
      job.resume(JSON.stringify({ ...said, converged, infeasible, unmet: reason }), q);
    } catch (error) {
      // What the module throws is a plain object.
      const large = (error as { code?: unknown } | undefined)?.code === "OUT_OF_MEMORY";
      if (!large || problem.required()) throw error;
      job.unanswered();
    } finally {
      problem.free();
      this.#problem = undefined;
    }
  }

  /** The best model so far. */
  end(ctx: Context): Opened<{ kind: string; outcome: Outcome }> {
    const { times } = this;
    const estimated = this.take().finish();
    const outcome = { ...(estimated.outcome() as unknown as Omit<Outcome, "times">), times };
    const model = estimated.model();
    return { kept: ctx.keep(model), value: { kind: model.kind(), outcome } };
  }

  override free(): void {
    this.#problem?.free();
    this.#problem = undefined;
    super.free();
  }
}

const taken = (small: SmallProblem) => ({
  sizes: small.sizes(),
  cells: small.cells(),
  prior: small.prior(),
  answers: small.answers(),
  target: small.target() as "loss" | "lp" | "answers",
  tolerance: small.tolerance(),
  iterations: ITERATIONS,
});

/** Iterations of each stage of the exact solver; more never helped. */
const ITERATIONS = 200;

/** Bytes that an estimator holds for each row beside what the cells of rows take, for each value, and for a character
 * of JSON while it is read. */
const ROW_BYTES = 120;
const VALUE_BYTES = 160;
const JSON_BYTES = 48;

/** What is left of it for the cells of rows. */
function roomFor(ctx: Context, request: EstimateRequest, rows: number): number {
  const { raw } = ctx;
  const { measurements, values, schema = "" } = request;
  ctx.room(JSON_BYTES * (measurements.length + schema.length) + 2 * values.byteLength);
  return Math.max(0, raw.memoryLimit() - raw.memoryUsed() - ROW_BYTES * rows - VALUE_BYTES * values.length);
}

async function begun(ctx: Context, request: EstimateRequest): Promise<Estimating> {
  const part = partOf(request.kind);
  // What is used of it here, either module has.
  const { EstimateJob: job } = (await ctx.part(part)) as RawGraph;
  const { measurements, values, options, schema } = request;
  if (!request.onPrior) {
    const room = roomFor(ctx, request, 0);
    if (!request.started)
      return new Estimating(job.onSchema(schema ?? "", measurements, values, options, room));
    const start = ctx.on<Model>();
    if (partOf(start.kind()) !== part) throw unfit(start.kind());
    return new Estimating(job.onStart(start, measurements, values, options, room));
  }
  const held = ctx.on<HeldPrior>();
  const prior = part === "graph" ? await held.graph(ctx) : held.model;
  const room = roomFor(ctx, request, prior.rows());
  if (schema !== undefined)
    return new Estimating(job.onKnown(prior, schema, measurements, values, options, room));
  if (!request.started) return new Estimating(job.onPrior(prior, measurements, values, options, room));
  return new Estimating(job.onModel(prior, ctx.on<Model>(1), measurements, values, options, room));
}

const unfit = (kind: string) =>
  new MarginaliaError(
    "MODEL_UNSUPPORTED",
    `a model of the kind ${kind} cannot be what this estimator starts from`,
  );

export const estimates = {
  async "estimate.open"(ctx: Context, request: EstimateRequest): Promise<Opened<undefined>> {
    return { kept: ctx.keep(await begun(ctx, request)), value: undefined };
  },

  /** All of an estimation that nobody watches or stops. */
  async "estimate.whole"(ctx: Context, request: EstimateRequest) {
    const estimating = await begun(ctx, request);
    try {
      await estimating.run(ctx, Number.POSITIVE_INFINITY, undefined, true);
      return estimating.end(ctx);
    } finally {
      estimating.free();
    }
  },

  /** On an estimation, which can still be finished when this was aborted; false where it goes on with an exact solver only, and
   * counts where it does with a loss of these. */
  "estimate.run": (
    ctx: Context,
    { timeLimit, lp, loss }: { timeLimit: number; lp?: ExactSolver; loss?: WireLoss | undefined },
  ): Promise<boolean | Float64Array<ArrayBuffer>> => {
    const estimating = ctx.on<Estimating>();
    if (loss) estimating.object.evaluated(loss.value, loss.gradient);
    return estimating.run(ctx, timeLimit, lp);
  },

  "estimate.finish": (ctx: Context, _: undefined) => ctx.on<Estimating>().end(ctx),
};
