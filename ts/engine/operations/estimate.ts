import type {
  EstimateJob,
  PriorBase,
  Model as RawModel,
  Table as RawTable,
} from "../../../pkg/simd/marginalia.js";
import type { Context, Opened } from "../host.js";
import { finished, sent, Taken } from "./objects.js";

/** Measurements as the engine reads them: a list as JSON, and the values of one after another. */
export interface Asked {
  measurements: string;
  values: Float64Array;
  options: string;
}

/** What came of an estimation, in numbers; `ts/estimate/outcome.ts` gives them names. */
export interface Outcome {
  status: "converged" | "limit" | "stopped" | "refused";
  figures: Float64Array;
  trace: Float64Array;
  /** When each judgement was made, in milliseconds since the first step. */
  times: number[];
  missing: Float64Array;
}

/** An estimation, and when its judgements were made. */
class Estimating extends Taken<EstimateJob> {
  readonly times: number[] = [];

  note(since: number): void {
    const { object, times } = this;
    const judgements = object.judgements();
    while (times.length < judgements) times.push(performance.now() - since);
  }
}

/** Bytes that an estimator holds for each row beside what the cells of rows take, for each value, and for a character
 * of JSON while it is read. */
const ROW_BYTES = 120;
const VALUE_BYTES = 160;
const JSON_BYTES = 48;

/** What is left of the memory for the cells of rows. */
function roomFor(ctx: Context, { measurements, values }: Asked, rows: number): number {
  ctx.room(JSON_BYTES * measurements.length + 2 * values.byteLength);
  const left = ctx.raw.memoryLimit() - ctx.raw.memoryUsed();
  return Math.max(0, left - ROW_BYTES * rows - VALUE_BYTES * values.length);
}

export const estimates = {
  /** On a table. */
  "prior.open"(ctx: Context, _: undefined): Opened<{ rows: number; weight: number }> {
    const prior = new ctx.raw.PriorBase(ctx.on<RawTable>());
    return { kept: ctx.keep(prior), value: { rows: prior.rows(), weight: prior.weight() } };
  },

  /** On a prior. */
  "model.open"(ctx: Context, { total }: { total: number }): Opened<undefined> {
    return { kept: ctx.keep(ctx.raw.Model.ofPrior(ctx.on<PriorBase>(), total)), value: undefined };
  },

  /** On a prior. */
  "calibrated.open"(ctx: Context, asked: Asked): Opened<undefined> {
    const prior = ctx.on<PriorBase>();
    const room = roomFor(ctx, asked, prior.rows());
    const { measurements, values, options } = asked;
    const job = ctx.raw.EstimateJob.calibrated(prior, measurements, values, options, room);
    return { kept: ctx.keep(new Estimating(job)), value: undefined };
  },

  /** On a model, from which it starts. */
  "iterative.open"(ctx: Context, asked: Asked): Opened<undefined> {
    const start = ctx.on<RawModel>();
    const room = roomFor(ctx, asked, start.rows());
    const { measurements, values, options } = asked;
    const job = ctx.raw.EstimateJob.iterative(start, measurements, values, options, room);
    return { kept: ctx.keep(new Estimating(job)), value: undefined };
  },

  /** To the end, or until so many milliseconds have passed. An estimation that was aborted can still be finished. */
  async "estimate.run"(ctx: Context, { timeLimit }: { timeLimit: number }): Promise<void> {
    const estimating = ctx.on<Estimating>();
    const { object: job } = estimating;
    const start = performance.now();
    await ctx.run({
      step(work) {
        const over = job.step(work);
        estimating.note(start);
        return over || performance.now() - start >= timeLimit;
      },
      done: () => job.done(),
      total: () => 0,
    });
  },

  /** The best model so far. */
  "estimate.finish"(ctx: Context, _: undefined): Opened<Outcome> {
    const estimating = ctx.on<Estimating>();
    const { times } = estimating;
    const estimated = estimating.take().finish();
    const figures = sent(ctx, estimated.figures() as Float64Array<ArrayBuffer>);
    const trace = sent(ctx, estimated.trace() as Float64Array<ArrayBuffer>);
    const missing = sent(ctx, estimated.missing() as Float64Array<ArrayBuffer>);
    const status = estimated.status() as Outcome["status"];
    return { kept: ctx.keep(estimated.model()), value: { status, figures, trace, times, missing } };
  },

  /** On a model. */
  async "model.answer"(
    ctx: Context,
    { flat, starts }: { flat: Uint16Array; starts: Uint32Array },
  ): Promise<Opened<undefined>> {
    ctx.room(128 * starts.length + 8 * flat.length);
    const room = ctx.raw.memoryLimit() - ctx.raw.memoryUsed();
    const job = new ctx.raw.AnswerJob(ctx.on<RawModel>(), flat, starts, room);
    return { kept: ctx.keep(await finished(ctx, job)), value: undefined };
  },

  "model.weights"(ctx: Context, _: undefined): Float64Array<ArrayBuffer> {
    return sent(ctx, ctx.on<RawModel>().weights() as Float64Array<ArrayBuffer>);
  },

  "model.relativeEntropy"(ctx: Context, _: undefined): number {
    return ctx.on<RawModel>().relativeEntropy();
  },

  "model.effectiveSize"(ctx: Context, { records }: { records: number }): number {
    return ctx.on<RawModel>().effectiveSize(records);
  },

  "model.table"(ctx: Context, _: undefined): Opened<{ rows: number }> {
    const table = ctx.on<RawModel>().table();
    return { kept: ctx.keep(table), value: { rows: table.rows() } };
  },
};
