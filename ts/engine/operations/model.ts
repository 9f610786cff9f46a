import type { Model } from "../../../pkg/graph/marginalia_graph.js";
import type { Model as SupportModel } from "../../../pkg/model-simd/marginalia_model.js";
import type { Table } from "../../../pkg/simd/marginalia.js";
import { MarginaliaError } from "../../errors.js";
import type { Context, Opened } from "../host.js";
import type { RawGraph } from "../raw.js";
import { HeldPrior, HeldTable, partOf } from "./crossing.js";
import type { WireMeasurements } from "./estimate.js";
import { finished, sent } from "./objects.js";
import type { Shape } from "./tables.js";

/** A condition on records. */
export interface Flags {
  attributes: Uint16Array;
  /** Which of their codes are meant, of one attribute after another. */
  allowed: Uint8Array;
}

/** What a model is given by: numbers of cells of cliques, or where these are missing of whatever its kind is made of. */
export interface ModelForm {
  kind: string;
  /** The attributes of one clique after another, and where each begins. */
  cliques: { flat: Uint16Array; starts: Uint32Array } | undefined;
  values: Float64Array;
}

/** How records are made: how many, and the tables that controlled rounding keeps. */
export interface RecordsRequest {
  records: number;
  method: string;
  flat: Uint16Array;
  starts: Uint32Array;
  /** A 64-bit number in digits. */
  seed: string;
}

/** Whose standard errors are asked for, as `crates/model-wasm/src/shared/model.rs` reads it. */
export interface ErrorsRequest extends WireMeasurements, Flags {
  options: string;
}

const ROW_BYTES = 80;
const JSON_BYTES = 48;

/** What is left of the memory, which is one for all modules. */
const left = ({ raw }: Context): number => Math.max(0, raw.memoryLimit() - raw.memoryUsed());

/** Records that a model made, where it is. */
function recorded(ctx: Context, model: Model, made: Table): Opened<Shape> {
  const table = new HeldTable(partOf(model.kind()), made);
  return { kept: ctx.keep(table), value: { rows: table.rows(), weighted: false } };
}

/** What models of all kinds can be asked for. */
export const models = {
  /** On a prior: itself as a model. */
  async "model.open"(ctx: Context, { total }: { total: number }): Promise<Opened<undefined>> {
    const raw = await ctx.model();
    return { kept: ctx.keep(raw.Model.ofPrior(ctx.on<HeldPrior>().model, total)), value: undefined };
  },

  async "model.answer"(
    ctx: Context,
    { flat, starts }: { flat: Uint16Array; starts: Uint32Array },
  ): Promise<Opened<undefined>> {
    ctx.room(128 * starts.length + 8 * flat.length);
    const job = ctx.on<Model>().answer(flat as Uint16Array<ArrayBuffer>, starts, left(ctx));
    return { kept: ctx.keep(await finished(ctx, job)), value: undefined };
  },

  async "model.records"(ctx: Context, request: RecordsRequest): Promise<Opened<Shape>> {
    const { records, method, flat, starts, seed } = request;
    ctx.room(128 * starts.length + 8 * flat.length);
    const model = ctx.on<Model>();
    return recorded(ctx, model, await finished(ctx, model.records(records, method, flat, starts, seed)));
  },

  /** Rows with what is missing drawn: codes of one attribute after another, −1 where one is missing. */
  async "model.complete"(
    ctx: Context,
    { codes, method, seed }: { codes: Int32Array; method: string; seed: string },
  ): Promise<Opened<Shape>> {
    ctx.room(4 * codes.byteLength);
    const model = ctx.on<Model>();
    const job = model.complete(codes as Int32Array<ArrayBuffer>, method, seed, left(ctx));
    return recorded(ctx, model, await finished(ctx, job));
  },

  /** The answers to products of queries, which are rows of matrices of some attributes. */
  async "model.products"(
    ctx: Context,
    request: { attributes: Uint16Array; rows: Float64Array; starts: Uint32Array; combined: boolean },
  ): Promise<Float64Array<ArrayBuffer>> {
    const { attributes, rows, starts, combined } = request;
    ctx.room(4 * rows.byteLength);
    const job = ctx.on<Model>().products(attributes, rows, starts, combined, left(ctx));
    return sent(ctx, await finished(ctx, job));
  },

  /** The part that meets a condition. */
  "model.part"(ctx: Context, { attributes, allowed }: Flags): Opened<{ total: number }> {
    const model = ctx.on<Model>();
    ctx.room(16 * model.size());
    const part = model.part(attributes, allowed);
    if (part) return { kept: ctx.keep(part), value: { total: part.total() } };
    const message = "no record can meet this condition: the model gives no weight to any row that does";
    throw new MarginaliaError("CONDITION_IMPOSSIBLE", message);
  },

  "model.form"(ctx: Context, _: undefined): ModelForm {
    const model = ctx.on<Model>();
    ctx.room(16 * model.size());
    const form = model.form();
    const [flat, starts] = [form.flat(), form.starts()];
    const values = sent(ctx, form.values() as Float64Array<ArrayBuffer>);
    return { kind: model.kind(), cliques: flat && { flat, starts }, values };
  },

  /** On a prior where the kind is on rows, and otherwise by a schema. */
  async "model.restore"(
    ctx: Context,
    { kind, schema, cliques, values, total }: ModelForm & { total: number; schema?: string },
  ): Promise<Opened<undefined>> {
    ctx.room(
      2 * values.byteLength + (cliques ? 128 * cliques.starts.length : 0) + 16 * (schema?.length ?? 0),
    );
    const { flat, starts = new Uint32Array() } = cliques ?? {};
    if (schema !== undefined) {
      // What is used of it here, either module has.
      const raw = (await ctx.part(partOf(kind))) as RawGraph;
      const job = raw.restoreModel(kind, schema, flat, starts, values, total, left(ctx));
      return { kept: ctx.keep(await finished(ctx, job)), value: undefined };
    }
    const raw = await ctx.model();
    const prior = ctx.on<HeldPrior>().model;
    const room = Math.max(0, left(ctx) - 40 * prior.rows());
    const job = raw.restoreModelOn(prior, kind, flat, starts, values, total, room);
    return { kept: ctx.keep(await finished(ctx, job)), value: undefined };
  },

  /** For each answer the variance by the noise, and by what is left open. */
  async "model.errors"(ctx: Context, request: ErrorsRequest): Promise<Float64Array<ArrayBuffer>> {
    const { measurements, values, options, attributes, allowed } = request;
    const model = ctx.on<Model>();
    const json = JSON_BYTES * (measurements.length + options.length);
    ctx.room(json + 4 * values.byteLength + 2 * allowed.length);
    const room = Math.max(0, left(ctx) - ROW_BYTES * (model.size() + values.length));
    const job = model.standardErrors(measurements, values, options, attributes, allowed, room);
    return sent(ctx, await finished(ctx, job));
  },
};

/** What only models on the rows of a prior can be asked for. */
export const supportModels = {
  /** The prior that it is on. */
  "model.prior"(ctx: Context, _: undefined): Opened<{ rows: number; weight: number }> {
    const prior = ctx.on<SupportModel>().prior();
    return { kept: ctx.keep(new HeldPrior(prior)), value: { rows: prior.rows(), weight: prior.weight() } };
  },

  "model.weights"(ctx: Context, _: undefined): Float64Array<ArrayBuffer> {
    return sent(ctx, ctx.on<SupportModel>().weights() as Float64Array<ArrayBuffer>);
  },

  "model.relativeEntropy"(ctx: Context, _: undefined): number {
    return ctx.on<SupportModel>().relativeEntropy();
  },

  "model.effectiveSize"(ctx: Context, { records }: { records: number }): number {
    return ctx.on<SupportModel>().effectiveSize(records);
  },

  "model.table"(ctx: Context, _: undefined): Opened<{ rows: number }> {
    const table = new HeldTable("model", ctx.on<SupportModel>().table());
    return { kept: ctx.keep(table), value: { rows: table.rows() } };
  },
};
