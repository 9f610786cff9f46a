import type { Iterate } from "../../../pkg/model-simd/marginalia_model.js";
import type { Context, Opened } from "../host.js";
import type { HeldPrior } from "./crossing.js";
import type { WireMeasurements } from "./estimate.js";
import { finished, sent } from "./objects.js";

const JSON_BYTES = 48;

/** Rounds of multiplicative weights. */
export const weights = {
  /** On a prior: its weights before any round, which answer the cells of a workload that a row lies in; gives the places of these. */
  async "weights.begin"(
    ctx: Context,
    { flat, starts, options }: { flat: Uint16Array; starts: Uint32Array; options: string },
  ): Promise<Opened<Uint32Array>> {
    ctx.room(JSON_BYTES * options.length + 128 * starts.length + 8 * flat.length);
    const { Iterate } = await ctx.model();
    const left = Math.max(0, ctx.raw.memoryLimit() - ctx.raw.memoryUsed());
    const job = Iterate.begin(
      ctx.on<HeldPrior>().model,
      flat as Uint16Array<ArrayBuffer>,
      starts,
      options,
      left,
    );
    const iterate = await finished(ctx, job);
    return { kept: ctx.keep(iterate), value: iterate.places() };
  },

  /** A copy of what all of these are answered. */
  "weights.block"(ctx: Context, _: undefined): Float64Array<ArrayBuffer> {
    const iterate = ctx.on<Iterate>();
    const cells = iterate.cells();
    ctx.room(8 * cells);
    return sent(ctx, iterate.block(0, cells) as Float64Array<ArrayBuffer>);
  },

  /** A round for each measurement of a table of so many records. */
  "weights.meet"(
    ctx: Context,
    { measurements, values, records }: WireMeasurements & { records: number },
  ): void {
    ctx.room(JSON_BYTES * measurements.length + 16 * values.length);
    ctx.on<Iterate>().meet(measurements, values, records);
  },
};
