import type { Model, PriorBase } from "../../../pkg/model-simd/marginalia_model.js";
import type { Context, Opened } from "../host.js";
import { HeldTable, modelTable } from "./crossing.js";
import { finished } from "./objects.js";

export interface Sizes {
  rows: number;
  weight: number;
}

function opened(ctx: Context, prior: PriorBase): Opened<Sizes> {
  return { kept: ctx.keep(prior), value: { rows: prior.rows(), weight: prior.weight() } };
}

/** Priors that are made of other things than the rows of a table, in the module for models. */
export const priors = {
  /** On a table. */
  async "prior.open"(ctx: Context, _: undefined): Promise<Opened<Sizes>> {
    const raw = await ctx.model();
    return opened(ctx, new raw.PriorBase(await modelTable(ctx)));
  },

  /** On a model of any kind that has rows, or few enough that are possible. */
  async "prior.ofModel"(ctx: Context, _: undefined): Promise<Opened<Sizes>> {
    const raw = await ctx.model();
    const room = Math.max(0, raw.memoryLimit() - raw.memoryUsed());
    return opened(ctx, await finished(ctx, ctx.on<Model>().asPrior(room)));
  },

  /** On a table of distinct rows: the same weight for each. */
  async "prior.uniform"(ctx: Context, _: undefined): Promise<Opened<Sizes>> {
    const raw = await ctx.model();
    return opened(ctx, raw.PriorBase.uniformOn(await modelTable(ctx)));
  },

  /** The same weight for each row that a schema allows. */
  async "prior.full"(ctx: Context, { schema }: { schema: string }): Promise<Opened<Sizes>> {
    ctx.room(16 * schema.length);
    const raw = await ctx.model();
    const job = raw.fullTable(schema, Math.max(0, raw.memoryLimit() - raw.memoryUsed()));
    return opened(ctx, new raw.PriorBase(await finished(ctx, job)));
  },

  /** On priors: their mixture. */
  async "prior.mix"(ctx: Context, { shares }: { shares: readonly number[] }): Promise<Opened<Sizes>> {
    const raw = await ctx.model();
    const parts = shares.map((_, place) => ctx.on<PriorBase>(place));
    const mixing = new raw.Mixing(parts[0] as PriorBase);
    for (const [place, part] of parts.entries()) mixing.add(part, shares[place] as number);
    return opened(ctx, new raw.PriorBase(await finished(ctx, mixing.mixed())));
  },

  /** On a prior: its rows with their shares. */
  "prior.table"(ctx: Context, _: undefined): Opened<{ rows: number }> {
    const table = new HeldTable("model", ctx.on<PriorBase>().table());
    return { kept: ctx.keep(table), value: { rows: table.rows() } };
  },
};
