import type { EstimateJob, Model, PriorBase } from "../../../pkg/model-simd/marginalia_model.js";
import type { Context, Opened } from "../host.js";
import type { RawModel } from "../raw.js";
import { HeldTable, modelTable } from "./crossing.js";
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

  /** To the end, or until so many milliseconds have passed. */
  async run(ctx: Context, timeLimit: number, silent = false): Promise<void> {
    const { object: job, times } = this;
    const start = performance.now();
    const steps = {
      step(work: number) {
        const over = job.step(work);
        const [judgements, now] = [job.judgements(), performance.now() - start];
        while (times.length < judgements) times.push(now);
        return over || now >= timeLimit;
      },
      done: () => job.done(),
      total: () => 0,
    };
    await ctx.run(steps, silent);
  }

  /** The best model so far. */
  end(ctx: Context): Opened<Outcome> {
    const { times } = this;
    const estimated = this.take().finish();
    const figures = sent(ctx, estimated.figures() as Float64Array<ArrayBuffer>);
    const trace = sent(ctx, estimated.trace() as Float64Array<ArrayBuffer>);
    const missing = sent(ctx, estimated.missing() as Float64Array<ArrayBuffer>);
    const status = estimated.status() as Outcome["status"];
    return { kept: ctx.keep(estimated.model()), value: { status, figures, trace, times, missing } };
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

/** On a prior. */
async function calibrated(ctx: Context, asked: Asked): Promise<Estimating> {
  const raw = await ctx.model();
  const prior = ctx.on<PriorBase>();
  const room = roomFor(ctx, raw, asked, prior.rows());
  const { measurements, values, options } = asked;
  return new Estimating(raw.EstimateJob.calibrated(prior, measurements, values, options, room));
}

/** On a model, from which it starts. */
async function iterative(ctx: Context, asked: Asked): Promise<Estimating> {
  const raw = await ctx.model();
  const start = ctx.on<Model>();
  const room = roomFor(ctx, raw, asked, start.rows());
  const { measurements, values, options } = asked;
  return new Estimating(raw.EstimateJob.iterative(start, measurements, values, options, room));
}

const opened = (ctx: Context, estimating: Estimating): Opened<undefined> => {
  return { kept: ctx.keep(estimating), value: undefined };
};

/** All of an estimation that nobody watches or stops. */
async function whole(ctx: Context, estimating: Estimating): Promise<Opened<Outcome>> {
  try {
    await estimating.run(ctx, Number.POSITIVE_INFINITY, true);
    return estimating.end(ctx);
  } finally {
    estimating.free();
  }
}

export const estimates = {
  /** On a table. */
  async "prior.open"(ctx: Context, _: undefined): Promise<Opened<{ rows: number; weight: number }>> {
    const raw = await ctx.model();
    const prior = new raw.PriorBase(await modelTable(ctx));
    return { kept: ctx.keep(prior), value: { rows: prior.rows(), weight: prior.weight() } };
  },

  /** On a prior. */
  async "model.open"(ctx: Context, { total }: { total: number }): Promise<Opened<undefined>> {
    const raw = await ctx.model();
    return { kept: ctx.keep(raw.Model.ofPrior(ctx.on<PriorBase>(), total)), value: undefined };
  },

  "calibrated.open": async (ctx: Context, asked: Asked) => opened(ctx, await calibrated(ctx, asked)),
  "calibrated.whole": async (ctx: Context, asked: Asked) => whole(ctx, await calibrated(ctx, asked)),
  "iterative.open": async (ctx: Context, asked: Asked) => opened(ctx, await iterative(ctx, asked)),
  "iterative.whole": async (ctx: Context, asked: Asked) => whole(ctx, await iterative(ctx, asked)),

  /** On an estimation, which can still be finished when this was aborted. */
  "estimate.run": (ctx: Context, { timeLimit }: { timeLimit: number }): Promise<void> =>
    ctx.on<Estimating>().run(ctx, timeLimit),

  "estimate.finish": (ctx: Context, _: undefined): Opened<Outcome> => ctx.on<Estimating>().end(ctx),

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

  "model.table"(ctx: Context, _: undefined): Opened<{ rows: number }> {
    const table = new HeldTable("model", ctx.on<Model>().table());
    return { kept: ctx.keep(table), value: { rows: table.rows() } };
  },
};
