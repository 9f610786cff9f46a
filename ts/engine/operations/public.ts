import type { Table } from "../../../pkg/model-simd/marginalia_model.js";
import type { Context, Opened } from "../host.js";
import { brought, crossed } from "./crossing.js";
import { finished, sent } from "./objects.js";
import type { Shape } from "./tables.js";

/** A table that was made there, as one of the core. */
async function kept(ctx: Context, made: Table): Promise<Opened<Shape>> {
  const table = await brought(ctx, made);
  return { kept: ctx.keep(table), value: { rows: table.rows(), weighted: table.weighted() } };
}

/** What is made from public tables and from weights that anybody may see, in the module for models. */
export const publics = {
  /** The distinct rows of a table that are not denied, and rows drawn from its network. */
  async "public.prior"(ctx: Context, { options }: { options: string }): Promise<Opened<Shape>> {
    const raw = await ctx.model();
    const job = new raw.PriorJob(await crossed(ctx, ctx.on<Table>(), raw), options);
    return kept(ctx, await finished(ctx, job));
  },

  /** On a public table: of each dependency its two attributes, whether it takes raw numbers to know, and whether they follow. */
  async "public.dependencies"(ctx: Context, _: undefined): Promise<Uint16Array<ArrayBuffer>> {
    const raw = await ctx.model();
    return sent(ctx, await finished(ctx, raw.findDependencies(await crossed(ctx, ctx.on<Table>(), raw))));
  },

  /** On a public table: what an attribute is for each code of another that it follows from, and its raw numbers. */
  async "public.followed"(
    ctx: Context,
    { from, to, number }: { from: number; to: number; number: boolean },
  ): Promise<Float64Array<ArrayBuffer>> {
    const raw = await ctx.model();
    const table = await crossed(ctx, ctx.on<Table>(), raw);
    return sent(ctx, raw.followed(table, from, to, number) as Float64Array<ArrayBuffer>);
  },

  /** The rows of a table in all groups, and the share of the pooled weights. */
  async "public.pool"(
    ctx: Context,
    { options }: { options: string },
  ): Promise<Opened<Shape & { alpha: number }>> {
    const raw = await ctx.model();
    const job = new raw.PoolingJob(await crossed(ctx, ctx.on<Table>(), raw), options);
    let alpha = 0;
    const made = await finished(ctx, {
      step: (work) => job.step(work),
      done: () => job.done(),
      total: () => job.total(),
      free: () => job.free(),
      finish: () => {
        alpha = job.alpha();
        return job.finish();
      },
    });
    const { kept: id, value } = await kept(ctx, made);
    return { kept: id, value: { ...value, alpha } };
  },

  /** On a public table and a prior: candidates for a workload with the forecast of each, as `crates/model-wasm/src/design.rs` writes them. */
  async "public.design"(ctx: Context, { options }: { options: string }): Promise<Float64Array<ArrayBuffer>> {
    const raw = await ctx.model();
    const table = await crossed(ctx, ctx.on<Table>(0), raw);
    const prior = await crossed(ctx, ctx.on<Table>(1), raw).catch((thrown) => {
      table.free();
      throw thrown;
    });
    const job = new raw.DesignJob(table, prior, options);
    return sent(ctx, (await finished(ctx, job)) as Float64Array<ArrayBuffer>);
  },

  /** Records of the rows of a table, by the weights of a model on them. */
  async "public.records"(
    ctx: Context,
    { weights, records, method, flat, starts, seed }: Recording,
  ): Promise<Opened<Shape>> {
    const raw = await ctx.model();
    const base = await crossed(ctx, ctx.on<Table>(), raw);
    ctx.room(8 * weights.length + 128 * starts.length + 8 * flat.length);
    const job = new raw.RecordsJob(base, weights, records, method, flat, starts, seed);
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
