import type { Model, PriorBase } from "../../../pkg/model-simd/marginalia_model.js";
import type { Context, Opened } from "../host.js";
import { HeldPrior, HeldTable, modelTable } from "./crossing.js";
import { finished } from "./objects.js";

export interface Sizes {
  rows: number;
  weight: number;
}

/** What a graphical model takes. */
export interface GraphSize {
  bytes: number;
  seconds: number;
  largest: number;
  /** The attributes, by their places. */
  widest: number[];
}

/** Bytes for a character of JSON while it is read. */
const JSON_BYTES = 48;

function opened(ctx: Context, prior: PriorBase): Opened<Sizes> {
  return { kept: ctx.keep(new HeldPrior(prior)), value: { rows: prior.rows(), weight: prior.weight() } };
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
    const room = Math.max(0, ctx.raw.memoryLimit() - ctx.raw.memoryUsed());
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
    const parts = shares.map((_, place) => ctx.on<HeldPrior>(place).model);
    const mixing = new raw.Mixing(parts[0] as PriorBase);
    for (const [place, part] of parts.entries()) mixing.add(part, shares[place] as number);
    return opened(ctx, new raw.PriorBase(await finished(ctx, mixing.mixed())));
  },

  /** On a prior: the same without the rows that break a rule. */
  "prior.ruled"(ctx: Context, { rules }: { rules: string }): Opened<Sizes> {
    const prior = ctx.on<HeldPrior>().model;
    ctx.room(JSON_BYTES * rules.length + 40 * prior.rows());
    return opened(ctx, prior.ruled(rules));
  },

  /** Refuses rules of a schema that contradict each other. */
  async "rules.check"(ctx: Context, { schema, rules }: { schema: string; rules: string }): Promise<void> {
    const raw = await ctx.part("graph");
    ctx.room(JSON_BYTES * (schema.length + rules.length));
    raw.checkRules(schema, rules, Math.max(0, raw.memoryLimit() - raw.memoryUsed()));
  },

  /** What a graphical model of some cliques takes. */
  async "graph.size"(
    ctx: Context,
    { schema, attributes, starts }: { schema: string; attributes: Uint16Array; starts: Uint32Array },
  ): Promise<GraphSize> {
    const raw = await ctx.part("graph");
    ctx.room(JSON_BYTES * schema.length + 40 * attributes.length);
    return JSON.parse(raw.sizeOf(schema, attributes, starts));
  },

  /** On a prior: its rows with their shares. */
  "prior.table"(ctx: Context, _: undefined): Opened<{ rows: number }> {
    const table = new HeldTable("model", ctx.on<HeldPrior>().model.table());
    return { kept: ctx.keep(table), value: { rows: table.rows() } };
  },
};
