import type { Groups } from "../../../pkg/model-simd/marginalia_model.js";
import type { Context } from "../host.js";
import { finished, sent } from "./objects.js";

/** A condition on attributes that are none of groups. */
export interface Flags {
  attributes: Uint16Array;
  /** Which of their codes are meant, of one attribute after another. */
  allowed: Uint8Array;
}

/** Whose standard errors are asked for, as `crates/model-wasm/src/groups_errors.rs` reads it. */
export interface GroupsSpreading extends Flags {
  /** The measurements of each level as JSON, and the values of one after another. */
  levels: string;
  values: Float64Array;
  options: string;
  /** The answers, where they are shares. */
  shares: Float64Array;
}

/** Bytes for a row of what is kept of an answer at a level, for a cell of a marginal, and for a character of JSON. */
const ROW_BYTES = 96;
const CELL_BYTES = 32;
const JSON_BYTES = 48;

/** What is asked of groups beside their answers. */
export const groupsErrors = {
  /** On groups: for each answer the variance by the noise, and by what is left open. */
  async "groups.errors"(ctx: Context, request: GroupsSpreading): Promise<Float64Array<ArrayBuffer>> {
    const { levels, values, options, shares, attributes, allowed } = request;
    const raw = await ctx.model();
    const on = ctx.on<Groups>();
    const json = JSON_BYTES * (levels.length + options.length);
    const rows = ROW_BYTES * on.rows() * (on.levels() + 1);
    ctx.room(json + rows + CELL_BYTES * (values.length + shares.length) + 2 * allowed.length);
    const job = raw.groupErrors(on, levels, values, options, shares, attributes, allowed);
    return sent(ctx, await finished(ctx, job));
  },

  /** On groups: which part of each of some of the last level meets a condition. */
  async "groups.parts"(
    ctx: Context,
    { groups, attributes, allowed }: Flags & { groups: Uint32Array },
  ): Promise<Float64Array<ArrayBuffer>> {
    const raw = await ctx.model();
    const on = ctx.on<Groups>();
    ctx.room(16 * on.rows() + 24 * groups.length + 2 * allowed.length);
    return sent(ctx, await finished(ctx, raw.partsOfGroups(on, groups, attributes, allowed)));
  },

  /** On groups: of each level how far its priors are trusted, and by how many standard errors answers contradicted them. */
  "groups.judged"(ctx: Context, _: undefined): Float64Array<ArrayBuffer> {
    return sent(ctx, ctx.on<Groups>().judged() as Float64Array<ArrayBuffer>);
  },
};
