import type { Answers, Preparing, Vault as RawVault, Selecting } from "../../../pkg/simd/marginalia.js";
import { chained, within } from "../digest.js";
import type { Context, Opened } from "../host.js";
import { JSON_BYTES, limitOf, untold, Veiled } from "./privacy.js";

/** What is public of marginals that are candidates, each once per marginal. */
export interface MarginalTerms {
  factors: Uint32Array | undefined;
  penalties: Float64Array | undefined;
  weights: Float64Array | undefined;
  mask: Uint8Array | undefined;
}

/** What is public of cells that are candidates, beside their answers: each once per cell of a block. */
export interface CellTerms {
  penalties: Float64Array | undefined;
  weights: Float64Array | undefined;
  mask: Uint8Array | undefined;
}

/** What is chosen from, and how: the cells of cliques, or cliques with their terms. */
export interface Choosing {
  flat: Uint16Array;
  starts: Uint32Array;
  /** Of cells: the places of those that take part, where not all do. */
  among: Uint32Array | undefined;
  /** As `crates/wasm/src/select.rs` reads it. */
  choice: string;
  terms: MarginalTerms | undefined;
}

/** Makes room for what crosses to Rust. */
function room(ctx: Context, { flat, starts, among, choice, terms }: Choosing): void {
  const lists = terms ? [terms.factors, terms.penalties, terms.weights, terms.mask] : [];
  const bytes = lists.reduce((sum, list) => sum + (list?.byteLength ?? 0), 0);
  ctx.room(
    JSON_BYTES * choice.length + 128 * starts.length + 8 * flat.length + 8 * (among?.length ?? 0) + 4 * bytes,
  );
}

const termsOf = ({ raw }: Context, terms: MarginalTerms | undefined) =>
  terms && new raw.Terms(terms.factors, terms.penalties, terms.weights, terms.mask);

/** Room for a block and its terms, as they cross and as they are scored. */
const blockRoom = (ctx: Context, cells: number): void => ctx.room(64 * cells);

export const select = {
  /** What a selection costs, by the account of a vault; refuses what could not be selected. */
  "selection.price"(ctx: Context, choosing: Choosing): string {
    return ctx.on<Veiled<RawVault>>().openly((vault) => {
      room(ctx, choosing);
      const { flat, starts, among, choice, terms } = choosing;
      return vault.selectionPrice(flat, starts, among, choice, termsOf(ctx, terms), limitOf(ctx.raw));
    });
  },

  /** Counts the candidates, unless they were counted before; charges the account, and begins to select. */
  async "selection.begin"(
    ctx: Context,
    { choosing, spent }: { choosing: Choosing; spent: string },
  ): Promise<Opened<string>> {
    const vault = ctx.on<Veiled<RawVault>>();
    const { flat, starts, among, choice, terms } = choosing;
    const preparing = new Veiled(ctx.raw, () =>
      vault.use((object) => {
        room(ctx, choosing);
        return object.prepare(flat, starts, among, limitOf(ctx.raw));
      }),
    );
    try {
      await untold(ctx, (work) => preparing.use((object: Preparing) => object.step(work)));
      const prepared = new Veiled(ctx.raw, () => preparing.take().finish());
      try {
        const begin = () =>
          vault.use((object) =>
            prepared.use((counts) => object.select(counts, choice, termsOf(ctx, terms), spent)),
          );
        const kept = ctx.keep(new Veiled(ctx.raw, begin));
        return { kept, value: vault.use((object) => object.spent()) };
      } finally {
        prepared.free();
      }
    } finally {
      preparing.free();
    }
  },

  /** Takes the public answers to the next cells. */
  "selection.push"(ctx: Context, block: { answers: Float64Array } & CellTerms): void {
    const { answers, penalties, weights, mask } = block;
    ctx.on<Veiled<Selecting>>().use((selecting) => {
      blockRoom(ctx, answers.length);
      selecting.push(answers, penalties, weights, mask);
    });
  },

  /** The same from answers that the engine holds: counts, or what a model answers. */
  "selection.take"(ctx: Context, block: { from: number; to: number } & CellTerms): void {
    const { from, to, penalties, weights, mask } = block;
    ctx.room(8 * (to - from));
    const answers = ctx.on<Answers>(1).block(from, to);
    ctx.on<Veiled<Selecting>>().use((selecting) => {
      blockRoom(ctx, to - from);
      selecting.push(answers, penalties, weights, mask);
    });
  },

  /** What is selected; all cells must be answered. */
  "selection.finish"(ctx: Context, _: undefined): number {
    const selecting = ctx.on<Veiled<Selecting>>();
    return selecting.use(() => selecting.take().finish());
  },

  /** What a block of public answers is known by, after those before; nothing where some are beyond ±most. */
  async "answers.known"(
    ctx: Context,
    { from, to, most, before }: { from: number; to: number; most: number; before: Uint8Array },
  ): Promise<Uint8Array<ArrayBuffer> | undefined> {
    ctx.room(16 * (to - from));
    const block = ctx.on<Answers>().block(from, to);
    return within(block, most) ? chained(before, block) : undefined;
  },
};
