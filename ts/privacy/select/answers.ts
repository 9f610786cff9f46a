import { chained, within } from "../../engine/digest.js";
import { aborted } from "../../engine/failure.js";
import { type CallOptions, call, type Handle } from "../../engine/index.js";
import type { CellTerms } from "../../engine/operations/select.js";
import { invalid } from "../../options.js";
import { Answers, CellAnswers } from "../../tables/answers.js";
import type { Workload } from "../../tables/workload.js";
import { MOST, type ResolvedSelection } from "./resolve.js";
import type { PublicAnswers } from "./types.js";

/** Cells that go to the engine at once: a megabyte of answers. */
const BLOCK = 2 ** 17;

type Range = readonly [from: number, to: number];

/** Public answers on their way to a selection, block by block. */
export class SelectionAnswers {
  readonly #resolved: ResolvedSelection;
  readonly #answers: PublicAnswers;

  /** Refuses what are no answers to the workload. */
  constructor(resolved: ResolvedSelection, answers: PublicAnswers | undefined) {
    this.#resolved = resolved;
    this.#answers = answers as PublicAnswers;
    const cells = cellsIn(resolved);
    if (answers instanceof Float64Array || answers instanceof CellAnswers) {
      if (answers.length !== cells) throw invalid(`give \`answers\` once for each of ${cells} cells`);
    } else if (typeof answers !== "function") {
      if (!(answers instanceof Answers)) throw invalid(`\`answers\` are ${KINDS}`);
      if (resolved.cells || !isSame(answers.workload, resolved.workload))
        throw invalid("the `answers` are those to another workload: count the one that is chosen from");
    }
  }

  /** What the answers are known by. Refuses numbers that make no sense. */
  async known(signal: AbortSignal | undefined): Promise<Uint8Array> {
    let before = new Uint8Array(0);
    for (const range of this.#ranges()) {
      const after = await this.#after(before, range, signal);
      if (!after) throw invalid("`answers` are numbers of records, and at most 2^42");
      before = after;
    }
    return before;
  }

  /** Gives all of them to a selection. */
  async push(selecting: Handle, signal: AbortSignal | undefined): Promise<void> {
    for (const range of this.#ranges()) {
      const [from, to] = range;
      const terms = this.#terms(range);
      if (isHeld(this.#answers)) {
        const options: CallOptions = { on: [selecting, this.#answers.handle], signal };
        await call("selection.take", { from, to, ...terms }, options);
      } else {
        const answers = await this.#block(range, signal);
        const transfer = [answers.buffer];
        await call("selection.push", { answers, ...terms }, { on: selecting, signal, transfer });
      }
    }
  }

  *#ranges(): Generator<Range> {
    const cells = cellsIn(this.#resolved);
    for (let from = 0; from < cells; from += BLOCK) yield [from, Math.min(from + BLOCK, cells)];
  }

  async #after(
    before: Uint8Array,
    range: Range,
    signal: AbortSignal | undefined,
  ): Promise<Uint8Array<ArrayBuffer> | undefined> {
    if (isHeld(this.#answers)) {
      const [from, to] = range;
      return call("answers.known", { from, to, most: MOST, before }, { on: this.#answers.handle, signal });
    }
    const block = await this.#block(range, signal);
    return within(block, MOST) ? chained(before, block) : undefined;
  }

  /** A copy of the answers to some cells. */
  async #block([from, to]: Range, signal: AbortSignal | undefined): Promise<Float64Array<ArrayBuffer>> {
    if (signal?.aborted) throw aborted(signal);
    const answers = this.#answers;
    if (answers instanceof Float64Array) return Float64Array.from(answers.subarray(from, to));
    const block = await (answers as Exclude<PublicAnswers, Answers | CellAnswers | Float64Array>)(from, to);
    if (block instanceof Float64Array && block.length === to - from) return Float64Array.from(block);
    throw invalid(`\`answers(${from}, ${to})\` must give a Float64Array of ${to - from} numbers`);
  }

  /** What else is public of the cells of a block. */
  #terms([from, to]: Range): CellTerms {
    const { candidates, terms } = this.#resolved;
    if (candidates === "cliques") return { penalties: undefined, weights: undefined, mask: undefined };
    const { penalties, weights, mask } = terms;
    return {
      penalties: penalties?.slice(from, to),
      weights: weights?.slice(from, to),
      mask: mask?.slice(from, to),
    };
  }
}

/** How many cells are chosen from. */
const cellsIn = ({ workload, cells }: ResolvedSelection): number => cells?.length ?? workload.cells;

const isHeld = (answers: PublicAnswers): answers is Answers | CellAnswers =>
  answers instanceof Answers || answers instanceof CellAnswers;

const KINDS = "what table.count(workload) gives, a Float64Array, or a function of two places that gives one";

function isSame(one: Workload, other: Workload): boolean {
  if (one === other) return true;
  const alike = (a: ArrayLike<number>, b: ArrayLike<number>) => {
    let same = a.length === b.length;
    for (let i = 0; same && i < a.length; i++) same = a[i] === b[i];
    return same;
  };
  const lists = alike(one.starts, other.starts) && alike(one.flat, other.flat);
  return lists && one.schema.normal() === other.schema.normal();
}
