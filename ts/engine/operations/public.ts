import type { Context, Opened } from "../host.js";
import { HeldTable, modelTable } from "./crossing.js";
import { finished, sent } from "./objects.js";
import type { Shape } from "./tables.js";

/** A table that was made in the module for models, where it stays until the core needs it. */
export function kept(ctx: Context, table: HeldTable): Opened<Shape> {
  return { kept: ctx.keep(table), value: { rows: table.rows(), weighted: table.weighted() } };
}

/** What is made from public tables and from weights that anybody may see, in the module for models. */
export const publics = {
  /** The distinct rows of a table that are not denied, and rows drawn from its network; `own` are the table's. */
  async "public.prior"(
    ctx: Context,
    { options }: { options: string },
  ): Promise<Opened<Shape & { own: number }>> {
    const raw = await ctx.model();
    const wide = await finished(ctx, raw.publicPrior(await modelTable(ctx), options));
    const own = wide.own();
    const { kept: id, value } = kept(ctx, new HeldTable("model", wide.table(), true));
    return { kept: id, value: { ...value, own } };
  },

  /** On a public table: of each dependency its two attributes, whether it takes raw numbers to know, and whether they follow. */
  async "public.dependencies"(ctx: Context, _: undefined): Promise<Uint16Array<ArrayBuffer>> {
    const raw = await ctx.model();
    return sent(ctx, await finished(ctx, raw.findDependencies(await modelTable(ctx))));
  },

  /** On a public table: what an attribute is for each code of another that it follows from, and its raw numbers. */
  async "public.followed"(
    ctx: Context,
    { from, to, number }: { from: number; to: number; number: boolean },
  ): Promise<Float64Array<ArrayBuffer>> {
    const raw = await ctx.model();
    return sent(ctx, raw.followed(await modelTable(ctx), from, to, number) as Float64Array<ArrayBuffer>);
  },

  /** The rows of a table in all groups, and the share of the pooled weights. */
  async "public.pool"(
    ctx: Context,
    { options }: { options: string },
  ): Promise<Opened<Shape & { alpha: number }>> {
    const raw = await ctx.model();
    const pooled = await finished(ctx, raw.poolRows(await modelTable(ctx), options));
    const alpha = pooled.alpha();
    const { kept: id, value } = kept(ctx, new HeldTable("model", pooled.table()));
    return { kept: id, value: { ...value, alpha } };
  },

  /** On a public table and a prior: candidates for a workload with the forecast of each, as `crates/model-wasm/src/design.rs` writes them. */
  async "public.design"(ctx: Context, { options }: { options: string }): Promise<Float64Array<ArrayBuffer>> {
    const raw = await ctx.model();
    const table = await modelTable(ctx, 0);
    const prior = await modelTable(ctx, 1).catch((thrown) => {
      table.free();
      throw thrown;
    });
    return sent(ctx, await finished(ctx, raw.designWorkload(table, prior, options)));
  },
};
