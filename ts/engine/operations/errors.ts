import type { Model as RawModel } from "../../../pkg/simd/marginalia.js";
import type { Context } from "../host.js";
import { finished, sent } from "./objects.js";

/** Whose standard errors are asked for, as `crates/wasm/src/errors_of.rs` reads it. */
export interface Spreading {
  /** A list as JSON, and the values of one after another. */
  measurements: string;
  values: Float64Array;
  options: string;
  /** The attributes of a condition, and which of their codes are meant, of one after another. */
  attributes: Uint16Array;
  allowed: Uint8Array;
}

const ROW_BYTES = 80;
const JSON_BYTES = 48;

export const errors = {
  /** On a model: for each answer the variance by the noise, and by what is left open. */
  async "model.errors"(ctx: Context, asked: Spreading): Promise<Float64Array<ArrayBuffer>> {
    const { measurements, values, options, attributes, allowed } = asked;
    const model = ctx.on<RawModel>();
    ctx.room(
      JSON_BYTES * (measurements.length + options.length) + 4 * values.byteLength + 2 * allowed.length,
    );
    const room = ctx.raw.memoryLimit() - ctx.raw.memoryUsed() - ROW_BYTES * (model.rows() + values.length);
    const { SpreadJob } = ctx.raw;
    const job = new SpreadJob(model, measurements, values, options, attributes, allowed, Math.max(0, room));
    return sent(ctx, (await finished(ctx, job)) as Float64Array<ArrayBuffer>);
  },
};
