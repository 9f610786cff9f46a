import type { Groups, SharedRows } from "../../../pkg/model-simd/marginalia_model.js";
import { MarginaliaError } from "../../errors.js";
import type { Context, Opened } from "../host.js";
import { finished, sent } from "./objects.js";

/** What is kept of groups beside their figures. */
export interface KeptGroups {
  /** Of each level how many potentials the prior of a group has, and the group itself. */
  lengths: Uint32Array;
  /** Of each group how many steps of Algorithm 1 make it again; 0 where it has potentials. */
  steps: Float64Array;
  /** The potentials of all groups: of each those of its prior and then its own. */
  numbers: Float64Array<ArrayBuffer>;
}

/** Groups that are to be put together again. */
export interface GroupsToRestore {
  /** As `crates/model-wasm/src/groups_saved.rs` reads them, and the values of the measurements in them. */
  options: string;
  values: Float64Array;
  /** Of each group its total, the variance, what it is worth as a prior and its steps. */
  figures: Float64Array;
  numbers: Float64Array;
}

/** Groups that cross at once, and numbers of what is kept of each in figures. */
const GROUPS = 64;
const FIGURES = 4;
const JSON_BYTES = 48;

/** Groups that are saved and loaded. */
export const groupsSaved = {
  /** On groups. */
  async "groups.kept"(ctx: Context, _: undefined): Promise<KeptGroups> {
    const groups = ctx.on<Groups>();
    const steps = groups.steps() as Float64Array<ArrayBuffer>;
    const pieces: Float64Array[] = [];
    let at = 0;
    await ctx.run({
      step() {
        pieces.push(groups.numbers(at, GROUPS));
        at = Math.min(steps.length, at + GROUPS);
        return at === steps.length;
      },
      done: () => at,
      total: () => steps.length,
    });
    const numbers = new Float64Array(pieces.reduce((sum, { length }) => sum + length, 0));
    let to = 0;
    for (const piece of pieces) {
      numbers.set(piece, to);
      to += piece.length;
    }
    const lengths = groups.lengths() as Uint32Array<ArrayBuffer>;
    return { lengths: sent(ctx, lengths), steps: sent(ctx, steps), numbers: sent(ctx, numbers) };
  },

  /** On shared rows. */
  async "groups.restore"(
    ctx: Context,
    { options, values, figures, numbers }: GroupsToRestore,
  ): Promise<Opened<undefined>> {
    const raw = await ctx.model();
    const need = JSON_BYTES * options.length + 3 * values.byteLength + 2 * numbers.byteLength;
    ctx.room(need + 8 * figures.byteLength);
    const room = raw.memoryLimit() - raw.memoryUsed() - need;
    const job = raw.restoreGroups(ctx.on<SharedRows>(), values, options, Math.max(0, room));
    const restorer = await finished(ctx, job, 1, true);
    const all = figures.length / FIGURES;
    let [group, at, over] = [0, 0, false];
    try {
      await ctx.run({
        step() {
          const next = Math.min(all, group + GROUPS);
          const end = at + restorer.numbers(next - group);
          if (end > numbers.length) throw unfit();
          restorer.push(figures.subarray(FIGURES * group, FIGURES * next), numbers.subarray(at, end));
          [group, at] = [next, end];
          return group === all;
        },
        done: () => group,
        total: () => all,
      });
      if (at < numbers.length) throw unfit();
      over = true;
      return { kept: ctx.keep(restorer.finish()), value: undefined };
    } finally {
      if (!over) restorer.free();
    }
  },
};

const unfit = () =>
  new MarginaliaError("OPTION_INVALID", "groups have another number of potentials than their cells");
