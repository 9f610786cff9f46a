import type { EstimateJob, Model, PriorBase, Table } from "../../../pkg/model-simd/marginalia_model.js";
import type { Context, Opened } from "../host.js";
import type { RawModel } from "../raw.js";
import { brought, crossed } from "./crossing.js";
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

/** What is left of the memory, which is one for both modules. */
const left = (raw: RawModel): number => raw.memoryLimit() - raw.memoryUsed();

/** What is left of it for the cells of rows. */
function roomFor(ctx: Context, raw: RawModel, { measurements, values }: Asked, rows: number): number {
  ctx.room(JSON_BYTES * measurements.length + 2 * values.byteLength);
  return Math.max(0, left(raw) - ROW_BYTES * rows - VALUE_BYTES * values.length);
}

export const estimates = {
  /** On a table. */
  async "prior.open"(ctx: Context, _: undefined): Promise<Opened<{ rows: number; weight: number }>> {
    const raw = await ctx.model();
    const prior = new raw.PriorBase(await crossed(ctx, ctx.on<Table>(), raw));
    return { kept: ctx.keep(prior), value: { rows: prior.rows(), weight: prior.weight() } };
  },

  /** On a prior. */
  async "model.open"(ctx: Context, { total }: { total: number }): Promise<Opened<undefined>> {
    const raw = await ctx.model();
    return { kept: ctx.keep(raw.Model.ofPrior(ctx.on<PriorBase>(), total)), value: undefined };
  },

  /** On a prior. */
  async "calibrated.open"(ctx: Context, asked: Asked): Promise<Opened<undefined>> {
    const raw = await ctx.model();
    const prior = ctx.on<PriorBase>();
    const room = roomFor(ctx, raw, asked, prior.rows());
    const { measurements, values, options } = asked;
    const job = raw.EstimateJob.calibrated(prior, measurements, values, options, room);
    return { kept: ctx.keep(new Estimating(job)), value: undefined };
  },

  /** On a model, from which it starts. */
  async "iterative.open"(ctx: Context, asked: Asked): Promise<Opened<undefined>> {
    const raw = await ctx.model();
    const start = ctx.on<Model>();
    const room = roomFor(ctx, raw, asked, start.rows());
    const { measurements, values, options } = asked;
    const job = raw.EstimateJob.iterative(start, measurements, values, options, room);
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
    const raw = await ctx.model();
    ctx.room(128 * starts.length + 8 * flat.length);
    const job = new raw.AnswerJob(ctx.on<Model>(), flat, starts, left(raw));
    return { kept: ctx.keep(await finished(ctx, job)), value: undefined };
  },

  "model.weights"(ctx: Context, _: undefined): Float64Array<ArrayBuffer> {
    return sent(ctx, ctx.on<Model>().weights() as Float64Array<ArrayBuffer>);
  },

  "model.relativeEntropy"(ctx: Context, _: undefined): number {
    return ctx.on<Model>().relativeEntropy();
  },

  "model.effectiveSize"(ctx: Context, { records }: { records: number }): number {
    return ctx.on<Model>().effectiveSize(records);
  },

  async "model.table"(ctx: Context, _: undefined): Promise<Opened<{ rows: number }>> {
    const table = await brought(ctx, ctx.on<Model>().table());
    return { kept: ctx.keep(table), value: { rows: table.rows() } };
  },
};
