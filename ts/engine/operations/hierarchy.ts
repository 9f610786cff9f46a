import type { GroupPlan, Groups, Job, SharedRows } from "../../../pkg/model-simd/marginalia_model.js";
import type { Context, Opened } from "../host.js";
import { HeldTable, modelTable } from "./crossing.js";
import type { Flags } from "./groups-errors.js";
import { finished, sent, Taken } from "./objects.js";
import { kept } from "./public.js";
import type { Shape } from "./tables.js";

/** How long groups are estimated before what is finished is told. */
const TELL_MS = 200;
/** Bytes of memory for a character of JSON while it is read, and for a number that crosses. */
const JSON_BYTES = 48;
const VALUE_BYTES = 24;

/** A list as JSON, and the values of one after another. */
export interface Counted {
  counts: string;
  values: Float64Array;
}

/** What groups finished, as `crates/model-wasm/src/hierarchy.rs` writes them, and whether they were the last. */
export interface FinishedGroups {
  flat: Float64Array;
  over: boolean;
}

/** Groups within groups. */
export const hierarchy = {
  /** The declared groups of a schema, and what follows from those of the last level in a public table. */
  async "groups.open"(
    ctx: Context,
    { schema, levels, follows }: { schema: string; levels: string; follows: string },
  ): Promise<Opened<Float64Array>> {
    const raw = await ctx.model();
    ctx.room(JSON_BYTES * (schema.length + follows.length));
    const plan = new raw.GroupPlan(schema, levels, follows);
    return { kept: ctx.keep(plan), value: sent(ctx, plan.groups() as Float64Array<ArrayBuffer>) };
  },

  /** On a plan of groups: what parents are worth to the groups of each level, by public counts. */
  "groups.between"(ctx: Context, { counts, values }: Counted): Float64Array {
    ctx.room(JSON_BYTES * counts.length + VALUE_BYTES * values.length);
    return ctx.on<GroupPlan>().between(counts, values);
  },

  /** On a plan of groups and a public table: its rows without what tells groups apart. */
  async "groups.blank"(ctx: Context, { most, seed }: { most: number; seed: string }): Promise<Opened<Shape>> {
    const raw = await ctx.model();
    const table = await modelTable(ctx, 1);
    const job = raw.blankRows(ctx.on<GroupPlan>(0), table, most, seed);
    return kept(ctx, new HeldTable("model", await finished(ctx, job)));
  },

  /** On a plan of groups and the rows that they share. */
  async "groups.share"(ctx: Context, _: undefined): Promise<Opened<{ rows: number }>> {
    const raw = await ctx.model();
    const table = await modelTable(ctx, 1);
    const shared = new raw.SharedRows(ctx.on<GroupPlan>(0), table);
    return { kept: ctx.keep(shared), value: { rows: shared.rows() } };
  },

  /** On shared rows and a public table: ways to divide a budget with the forecast of each, as `crates/model-wasm/src/split.rs` writes them. */
  async "groups.split"(
    ctx: Context,
    { options, values }: { options: string; values: Float64Array },
  ): Promise<Float64Array<ArrayBuffer>> {
    const raw = await ctx.model();
    ctx.room(JSON_BYTES * options.length + VALUE_BYTES * values.length);
    const table = await modelTable(ctx, 1);
    const job = raw.splitBudget(ctx.on<SharedRows>(0), table, options, values);
    return sent(ctx, await finished(ctx, job));
  },

  /** On shared rows. */
  async "groups.begin"(
    ctx: Context,
    { options, values }: { options: string; values: Float64Array },
  ): Promise<Opened<undefined>> {
    const raw = await ctx.model();
    ctx.room(JSON_BYTES * options.length + VALUE_BYTES * values.length);
    const room = raw.memoryLimit() - raw.memoryUsed() - VALUE_BYTES * values.length;
    const job = raw.estimateGroups(ctx.on<SharedRows>(), values, options, Math.max(0, room));
    return { kept: ctx.keep(new Taken(job)), value: undefined };
  },

  /** Goes on for a while, and tells what groups were finished. */
  async "groups.run"(ctx: Context, _: undefined): Promise<FinishedGroups> {
    const { object: job } = ctx.on<Taken<Job<Groups>>>();
    const start = performance.now();
    let over = false;
    await ctx.run({
      step(work) {
        over = job.step(work);
        return over || performance.now() - start >= TELL_MS;
      },
      done: () => job.done(),
      total: () => job.total(),
    });
    return { flat: sent(ctx, job.found()), over };
  },

  /** All groups, estimated. */
  "groups.finish"(ctx: Context, _: undefined): Opened<undefined> {
    return { kept: ctx.keep(ctx.on<Taken<Job<Groups>>>().take().finish()), value: undefined };
  },

  /** On groups: the sum of what some of the last level have. */
  async "groups.answer"(
    ctx: Context,
    { groups, flat, starts }: { groups: Uint32Array; flat: Uint16Array; starts: Uint32Array },
  ): Promise<Opened<undefined>> {
    const raw = await ctx.model();
    ctx.room(128 * starts.length + 8 * flat.length + 16 * groups.length);
    const room = raw.memoryLimit() - raw.memoryUsed();
    const job = raw.answerGroups(ctx.on<Groups>(), groups, flat, starts, room);
    return { kept: ctx.keep(await finished(ctx, job)), value: undefined };
  },

  /** On groups: the model of one of the last level. */
  async "groups.model"(ctx: Context, { group }: { group: number }): Promise<Opened<undefined>> {
    const raw = await ctx.model();
    const model = await finished(ctx, raw.modelOfGroup(ctx.on<Groups>(), group));
    return { kept: ctx.keep(model), value: undefined };
  },

  /** Whole records in the proportions of totals. */
  async "groups.apportion"(
    ctx: Context,
    { totals, records }: { totals: Float64Array; records: number },
  ): Promise<Float64Array> {
    const raw = await ctx.model();
    ctx.room(64 * totals.length);
    return raw.apportioned(totals, records);
  },

  /** On groups: records of some of the last level that meet a condition, so many of each. */
  async "groups.records"(ctx: Context, request: GroupRecording): Promise<Opened<Shape>> {
    const { wanted, method, flat, starts, seed, attributes, allowed } = request;
    const raw = await ctx.model();
    ctx.room(VALUE_BYTES * wanted.length + 128 * starts.length + 8 * flat.length);
    const [on, options] = [ctx.on<Groups>(), JSON.stringify({ method, seed })];
    const job = raw.recordsOfGroups(on, wanted, flat, starts, options, attributes, allowed);
    return kept(ctx, new HeldTable("model", await finished(ctx, job)));
  },
};

/** How records of groups are made: of each its place and how many, and the tables that controlled rounding keeps. */
export interface GroupRecording extends Flags {
  wanted: Float64Array;
  method: string;
  flat: Uint16Array;
  starts: Uint32Array;
  /** A 64-bit number in digits. */
  seed: string;
}
