import type {
  PriorBase,
  TwoStageTask as RawTask,
  TwoStageJob,
} from "../../../pkg/model-simd/marginalia_model.js";
import type { Context, Opened } from "../host.js";
import { sent, Taken } from "./objects.js";

/** Measurements and options as the engine reads them. */
export interface TwoStageAsked {
  measurements: string;
  values: Float64Array;
  options: string;
}

/** A problem as the exact solver takes it. */
export interface SmallProblem {
  sizes: Uint32Array<ArrayBuffer>;
  cells: Uint32Array<ArrayBuffer>;
  prior: Float64Array<ArrayBuffer>;
  answers: Float64Array<ArrayBuffer>;
}

/** What came of two stages, in numbers; `ts/estimate/two-stage.ts` gives them names. */
export interface TwoStageOutcome {
  status: "converged" | "limit" | "stopped" | "refused";
  reason: "unsupported" | "negative" | "totals" | "disagree" | undefined;
  figures: Float64Array;
  trace: Float64Array;
  /** When each judgement was made, in milliseconds since the first step. */
  times: number[];
}

/** Two stages, and when their judgements were made. */
class Solving extends Taken<TwoStageJob> {
  readonly times: number[] = [];

  note(since: number): void {
    const { object, times } = this;
    const judgements = object.judgements();
    while (times.length < judgements) times.push(performance.now() - since);
  }
}

/** Bytes for each row, value and character of JSON beside the cells of rows. */
const ROW_BYTES = 160;
const VALUE_BYTES = 240;
const JSON_BYTES = 48;

export const twoStage = {
  /** On a prior: finds the cells of all rows. */
  async "twoStage.open"(ctx: Context, asked: TwoStageAsked): Promise<Opened<Float64Array>> {
    const prior = ctx.on<PriorBase>();
    const { measurements, values, options } = asked;
    ctx.room(JSON_BYTES * measurements.length + 2 * values.byteLength);
    const raw = await ctx.model();
    const left = raw.memoryLimit() - raw.memoryUsed();
    const room = Math.max(0, left - ROW_BYTES * prior.rows() - VALUE_BYTES * values.length);
    const task = new raw.TwoStageTask(prior, measurements, values, options, room);
    const kept = ctx.keep(task);
    await ctx.run({
      step: (work) => task.step(work),
      done: () => task.done(),
      total: () => task.total(),
    });
    return { kept, value: sent(ctx, task.about() as Float64Array<ArrayBuffer>) };
  },

  /** On a task: what the exact solver takes. */
  "twoStage.small"(ctx: Context, _: undefined): SmallProblem {
    const small = ctx.on<RawTask>().small();
    const problem = {
      sizes: small.sizes() as Uint32Array<ArrayBuffer>,
      cells: small.cells() as Uint32Array<ArrayBuffer>,
      prior: small.prior() as Float64Array<ArrayBuffer>,
      answers: small.answers() as Float64Array<ArrayBuffer>,
    };
    small.free();
    for (const array of Object.values(problem)) ctx.transfer(array.buffer);
    return problem;
  },

  /** On a task: the model of weights that the exact solver found. */
  "twoStage.model"(ctx: Context, { weights }: { weights: Float64Array }): Opened<undefined> {
    ctx.room(2 * weights.byteLength);
    return { kept: ctx.keep(ctx.on<RawTask>().model(weights)), value: undefined };
  },

  /** On a task: the interior point, which has done nothing yet. */
  "twoStage.begin"(ctx: Context, _: undefined): Opened<undefined> {
    return { kept: ctx.keep(new Solving(ctx.on<RawTask>().solve())), value: undefined };
  },

  /** To the end, or until so many milliseconds have passed. What was aborted can still be finished. */
  async "twoStage.run"(ctx: Context, { timeLimit }: { timeLimit: number }): Promise<void> {
    const solving = ctx.on<Solving>();
    const { object: job } = solving;
    const start = performance.now();
    await ctx.run({
      step(work) {
        const over = job.step(work);
        solving.note(start);
        return over || performance.now() - start >= timeLimit;
      },
      done: () => job.done(),
      total: () => 0,
    });
  },

  /** The best model so far. */
  "twoStage.finish"(ctx: Context, _: undefined): Opened<TwoStageOutcome> {
    const solving = ctx.on<Solving>();
    const { times } = solving;
    const found = solving.take().finish();
    const value = {
      status: found.status() as TwoStageOutcome["status"],
      reason: found.reason() as TwoStageOutcome["reason"],
      figures: sent(ctx, found.figures() as Float64Array<ArrayBuffer>),
      trace: sent(ctx, found.trace() as Float64Array<ArrayBuffer>),
      times,
    };
    return { kept: ctx.keep(found.model()), value };
  },
};
