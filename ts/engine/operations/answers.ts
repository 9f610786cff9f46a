import type { Answers, Table } from "../../../pkg/simd/marginalia.js";
import type { Context, Opened } from "../host.js";
import { finished, sent } from "./objects.js";

export const answers = {
  async "table.count"(
    ctx: Context,
    { flat, starts }: { flat: Uint16Array; starts: Uint32Array },
  ): Promise<Opened<undefined>> {
    // The lists themselves, and a pass for each clique.
    ctx.room(128 * starts.length + 8 * flat.length);
    const room = ctx.raw.memoryLimit() - ctx.raw.memoryUsed();
    const job = new ctx.raw.CountJob(ctx.on<Table>(), flat, starts, room);
    return { kept: ctx.keep(await finished(ctx, job)), value: undefined };
  },

  "answers.clique"(ctx: Context, { i }: { i: number }): Float64Array<ArrayBuffer> {
    return sent(ctx, ctx.on<Answers>().clique(i) as Float64Array<ArrayBuffer>);
  },

  /** All cliques one after another; nothing where some are so large that only their cells that occur are held. */
  "answers.flat"(ctx: Context, _: undefined): Float64Array<ArrayBuffer> | undefined {
    const flat = ctx.on<Answers>().flat() as Float64Array<ArrayBuffer> | undefined;
    return flat && sent(ctx, flat);
  },

  "answers.nonzero"(ctx: Context, { i }: { i: number }): { cells: Float64Array; counts: Float64Array } {
    const both = sent(ctx, ctx.on<Answers>().nonzero(i) as Float64Array<ArrayBuffer>);
    const half = both.length / 2;
    return { cells: both.subarray(0, half), counts: both.subarray(half) };
  },

  /** The attributes of the `k` pairs with the highest mutual information, or of the tree with the highest total. */
  "answers.rank"(ctx: Context, { k }: { k: number | undefined }): Promise<Uint16Array> {
    return finished(ctx, ctx.on<Answers>().rank(k));
  },
};
