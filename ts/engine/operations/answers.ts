import type { Answers } from "../../../pkg/simd/marginalia.js";
import { MarginaliaError } from "../../errors.js";
import type { Context, Job, Opened } from "../host.js";
import { coreTable } from "./crossing.js";
import { finished, sent } from "./objects.js";

export const answers = {
  async "table.count"(
    ctx: Context,
    { flat, starts }: { flat: Uint16Array; starts: Uint32Array },
  ): Promise<Opened<undefined>> {
    // The lists themselves, and a pass for each clique.
    ctx.room(128 * starts.length + 8 * flat.length);
    const table = await coreTable(ctx);
    const room = ctx.raw.memoryLimit() - ctx.raw.memoryUsed();
    const job = new ctx.raw.CountJob(table, flat, starts, room);
    return { kept: ctx.keep(await finished(ctx, job)), value: undefined };
  },

  "answers.clique"(ctx: Context, { i }: { i: number }): Promise<Float64Array<ArrayBuffer>> {
    const answers = ctx.on<Answers>();
    const [from, to] = answers.place(i) as unknown as [number, number];
    return copied(ctx, answers, from, to);
  },

  /** All cliques one after another; nothing where some are so large that only their cells that occur are held. */
  async "answers.flat"(ctx: Context, _: undefined): Promise<Float64Array<ArrayBuffer> | undefined> {
    const answers = ctx.on<Answers>();
    const cells = answers.cells();
    return cells === undefined ? undefined : copied(ctx, answers, 0, cells);
  },

  async "answers.nonzero"(
    ctx: Context,
    { i }: { i: number },
  ): Promise<{ cells: Float64Array; counts: Float64Array }> {
    const answers = ctx.on<Answers>();
    const parts: Float64Array[] = [];
    await ctx.run(pieces(0, answers.held(i), (from, to) => parts.push(answers.nonzero(i, from, to))));
    const [cells, counts] = [room(sum(parts) / 2), room(sum(parts) / 2)];
    let [at, part] = [0, 0];
    await ctx.run({
      step(work) {
        for (const enough = at + work; at <= enough && part < parts.length; part++) {
          const both = parts[part] as Float64Array;
          cells.set(both.subarray(0, both.length / 2), at);
          counts.set(both.subarray(both.length / 2), at);
          at += both.length / 2;
        }
        return part === parts.length;
      },
      done: () => at,
      total: () => cells.length,
    });
    return { cells: sent(ctx, cells), counts: sent(ctx, counts) };
  },

  /** The attributes of the `k` pairs with the highest mutual information, or of the tree with the highest total. */
  "answers.rank"(ctx: Context, { k }: { k: number | undefined }): Promise<Uint16Array> {
    return finished(ctx, ctx.on<Answers>().rank(k));
  },
};

/** Numbers that are copied at once; a smaller copy needs no other. */
const PIECE = 1 << 17;

/** A copy of consecutive cells, made in steps: all at once takes as long as reading some hundred megabytes twice. */
async function copied(
  ctx: Context,
  answers: Answers,
  from: number,
  to: number,
): Promise<Float64Array<ArrayBuffer>> {
  const copy = (start: number, end: number) => answers.block(start, end) as Float64Array<ArrayBuffer>;
  if (to - from <= PIECE) return sent(ctx, copy(from, to));
  const all = room(to - from);
  await ctx.run(pieces(from, to, (start, end) => all.set(copy(start, end), start - from)));
  return sent(ctx, all);
}

/** A job over numbers in pieces. A unit of work is a number. */
function pieces(from: number, to: number, piece: (start: number, end: number) => void): Job {
  let at = from;
  return {
    step(work) {
      for (const enough = Math.min(to, at + work); at < enough; ) {
        const end = Math.min(to, at + PIECE);
        piece(at, end);
        at = end;
      }
      return at === to;
    },
    done: () => at - from,
    total: () => to - from,
  };
}

/** Room for so many numbers, which may be more than there is. */
function room(numbers: number): Float64Array<ArrayBuffer> {
  try {
    return new Float64Array(numbers);
  } catch (cause) {
    const message = `${8 * numbers} bytes for a copy are not available: ask for smaller cliques, or for the cells that are not zero`;
    throw new MarginaliaError("OUT_OF_MEMORY", message, { cause });
  }
}

const sum = (parts: readonly Float64Array[]) => parts.reduce((all, { length }) => all + length, 0);
