import type { PoolingJob, Table as RawTable } from "../../../pkg/simd/marginalia.js";
import type { Context, Opened } from "../host.js";
import { finished, sent } from "./objects.js";
import type { Shape } from "./tables.js";

const shape = (table: RawTable): Shape => ({ rows: table.rows(), weighted: table.weighted() });

const kept = (ctx: Context, table: RawTable): Opened<Shape> => ({
  kept: ctx.keep(table),
  value: shape(table),
});

/** What is made from public tables and from weights that anybody may see. */
export const publics = {
  /** The distinct rows of a table that are not denied, and rows drawn from its network. */
  async "public.prior"(ctx: Context, { options }: { options: string }): Promise<Opened<Shape>> {
    return kept(ctx, await finished(ctx, new ctx.raw.PriorJob(ctx.on<RawTable>(), options)));
  },

  /** The rows of a table in all groups, and the share of the pooled weights. */
  async "public.pool"(
    ctx: Context,
    { options }: { options: string },
  ): Promise<Opened<Shape & { alpha: number }>> {
    const job: PoolingJob = new ctx.raw.PoolingJob(ctx.on<RawTable>(), options);
    let alpha = 0;
    const table = await finished(ctx, {
      step: (work) => job.step(work),
      done: () => job.done(),
      total: () => job.total(),
      free: () => job.free(),
      finish: () => {
        alpha = job.alpha();
        return job.finish();
      },
    });
    return { kept: ctx.keep(table), value: { ...shape(table), alpha } };
  },

  /** On a public table and a prior: candidates for a workload with the forecast of each, as `design.rs` writes them. */
  async "public.design"(ctx: Context, { options }: { options: string }): Promise<Float64Array<ArrayBuffer>> {
    const job = new ctx.raw.DesignJob(ctx.on<RawTable>(0), ctx.on<RawTable>(1), options);
    return sent(ctx, (await finished(ctx, job)) as Float64Array<ArrayBuffer>);
  },

  /** Records of the rows of a table, by the weights of a model on them. */
  async "public.records"(
    ctx: Context,
    { weights, records, method, flat, starts, seed }: Recording,
  ): Promise<Opened<Shape>> {
    ctx.room(8 * weights.length + 128 * starts.length + 8 * flat.length);
    const base = ctx.on<RawTable>();
    const job = new ctx.raw.RecordsJob(base, weights, records, method, flat, starts, seed);
    return kept(ctx, await finished(ctx, job));
  },
};

/** How records are made: how many, and the tables that controlled rounding keeps. */
export interface Recording {
  weights: Float64Array;
  records: number;
  method: string;
  flat: Uint16Array;
  starts: Uint32Array;
  /** A 64-bit number in digits. */
  seed: string;
}
