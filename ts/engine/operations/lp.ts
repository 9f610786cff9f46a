import create from "glue:lp";
import type { Estimate, TwoStageJob } from "../../../pkg/lp/marginalia_lp.js";
import type { Context } from "../host.js";
import type { Raw, RawLp } from "../raw.js";

/** A problem of the exact two-stage estimate, in fractions of the total. */
export interface TwoStageProblem {
  /** How many cells each marginal has. */
  sizes: Uint32Array;
  /** The cell of each row, marginal after marginal. */
  cells: Uint32Array;
  /** The prior's weight of each row. */
  prior: Float64Array;
  /** The noisy answer of each cell, marginal after marginal. */
  answers: Float64Array;
  /** The weight of each cell in the loss; one by default. */
  weights?: Float64Array | undefined;
  /** What the second stage keeps: the least loss, the answers of one optimum of it, or the noisy answers. */
  target: "loss" | "lp" | "answers";
  /** The relative gap at which it counts as converged. */
  tolerance: number;
  /** At most so many iterations for each stage. */
  iterations: number;
}

/** What crates/lp answers; all gaps are certain, and none is the solver's own. */
export interface TwoStageEstimate {
  status: "converged" | "limit" | "infeasible";
  /** Why no distribution on the support meets the answers, if so. */
  reason: "unsupported" | "negative" | "totals" | "disagree" | undefined;
  /** Weighted L1 distance to the answers of supported cells, and how much less is possible at most. */
  loss: number;
  lossGap: number;
  /** Relative entropy to the prior, and how much less is possible at most without more loss. */
  kl: number;
  klGap: number;
  relativeGap: number;
  /** What cells without support add to the loss. */
  unsupported: number;
  iterations: number;
  /** The mass of each row. */
  q: Float64Array<ArrayBuffer>;
  /** The potential of each cell. */
  u: Float64Array<ArrayBuffer>;
}

const PROGRESS_MS = 100;

/** One instance for each instance of the core: both end together. */
const instances = new WeakMap<Raw, RawLp>();

function instance(ctx: Context, module: WebAssembly.Module): RawLp {
  const started = instances.get(ctx.raw);
  if (started !== undefined) return started;
  const raw = create();
  raw.initSync({ module });
  instances.set(ctx.raw, raw);
  return raw;
}

/** What memory the limit leaves to this module beside the core. */
function bound(ctx: Context, raw: RawLp, problem: TwoStageProblem): void {
  const { sizes, cells, prior, answers, weights } = problem;
  const arrays = [sizes, cells, prior, answers, weights];
  ctx.room(raw.memoryUsed() + arrays.reduce((sum, array) => sum + (array?.byteLength ?? 0), 0));
  raw.setMemoryLimit(ctx.raw.memoryLimit() - ctx.raw.memoryUsed());
}

/** The module, unless it was loaded before, and what ends it between two iterations. */
export interface ExactSolver {
  module: WebAssembly.Module;
  /** Set from outside, where memory is shared: `stop[0]` is not 0. */
  stop?: Int32Array | undefined;
  /** Whether its time is up. */
  late?: () => boolean;
}

/** Solves a problem; nothing where its time was up before. */
export async function solved(
  ctx: Context,
  problem: TwoStageProblem,
  { module, stop, late = () => false }: ExactSolver,
): Promise<TwoStageEstimate | undefined> {
  const raw = instance(ctx, module);
  bound(ctx, raw, problem);
  const settings = new raw.Settings(problem.target, problem.tolerance, problem.iterations);
  const { sizes, cells, prior, answers, weights } = problem;
  let job: TwoStageJob | undefined;
  let estimate: Estimate | undefined;
  try {
    job = new raw.TwoStageJob(sizes, cells, prior, answers, weights, settings);
    const started = job;
    const total = 2 * problem.iterations;
    let [stage, over, reported] = [0, late(), Number.NEGATIVE_INFINITY];
    const watch = (iteration: number): boolean => {
      const now = performance.now();
      if (now - reported >= PROGRESS_MS) {
        ctx.progress(stage * problem.iterations + iteration, total);
        reported = now;
      }
      over ||= late();
      return over || (stop !== undefined && Atomics.load(stop, 0) !== 0);
    };
    await ctx.run({
      step: () => {
        stage = started.done();
        return over || started.step(watch) || over;
      },
      done: () => started.done() * problem.iterations,
      total: () => total,
    });
    if (over) return undefined;
    job = undefined;
    estimate = started.finish();
    return taken(ctx, estimate);
  } finally {
    job?.free();
    estimate?.free();
    settings.free();
  }
}

export const lp = {
  "lp.solve": async (ctx: Context, args: TwoStageProblem & ExactSolver): Promise<TwoStageEstimate> =>
    (await solved(ctx, args, args)) as TwoStageEstimate,
};

function taken(ctx: Context, estimate: Estimate): TwoStageEstimate {
  const figures = Array.from(estimate.figures()) as [number, number, number, number, number, number, number];
  const [loss, lossGap, kl, klGap, relativeGap, unsupported, iterations] = figures;
  const q = estimate.q() as Float64Array<ArrayBuffer>;
  const u = estimate.u() as Float64Array<ArrayBuffer>;
  ctx.transfer(q.buffer, u.buffer);
  const status = estimate.status() as TwoStageEstimate["status"];
  const reason = estimate.reason() as TwoStageEstimate["reason"];
  return { status, reason, loss, lossGap, kl, klGap, relativeGap, unsupported, iterations, q, u };
}
