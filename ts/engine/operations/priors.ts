import type { PriorBase, Table as RawTable } from "../../../pkg/simd/marginalia.js";
import type { Context, Opened } from "../host.js";
import { finished } from "./objects.js";

export interface Sizes {
  rows: number;
  weight: number;
}

function opened(ctx: Context, prior: PriorBase): Opened<Sizes> {
  return { kept: ctx.keep(prior), value: { rows: prior.rows(), weight: prior.weight() } };
}

/** Of a table that nothing else needs. */
function ofTable(ctx: Context, table: RawTable): Opened<Sizes> {
  try {
    return opened(ctx, new ctx.raw.PriorBase(table));
  } finally {
    table.free();
  }
}

/** Priors that are made of other things than the rows of a table. */
export const priors = {
  /** On a table of distinct rows: the same weight for each. */
  "prior.uniform": (ctx: Context, _: undefined): Opened<Sizes> =>
    opened(ctx, ctx.raw.PriorBase.uniformOn(ctx.on<RawTable>())),

  /** The same weight for each row that a schema allows. */
  async "prior.full"(ctx: Context, { schema }: { schema: string }): Promise<Opened<Sizes>> {
    ctx.room(16 * schema.length);
    const left = ctx.raw.memoryLimit() - ctx.raw.memoryUsed();
    const job = new ctx.raw.FullTableJob(schema, Math.max(0, left));
    return ofTable(ctx, await finished(ctx, job, 10));
  },

  /** On priors: their mixture. */
  async "prior.mix"(ctx: Context, { shares }: { shares: readonly number[] }): Promise<Opened<Sizes>> {
    const parts = shares.map((_, place) => ctx.on<PriorBase>(place));
    const job = new ctx.raw.MixingJob(parts[0] as PriorBase);
    try {
      for (const [place, part] of parts.entries()) job.add(part, shares[place] as number);
    } catch (error) {
      job.free();
      throw error;
    }
    return ofTable(ctx, await finished(ctx, job, 10));
  },

  /** On a prior: its rows with their shares. */
  "prior.table"(ctx: Context, _: undefined): Opened<{ rows: number }> {
    const table = ctx.on<PriorBase>().table();
    return { kept: ctx.keep(table), value: { rows: table.rows() } };
  },
};
