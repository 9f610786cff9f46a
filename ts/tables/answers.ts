import { type CallOptions, call, type Handle } from "../engine/index.js";
import { known } from "../options.js";
import type { CallSettings } from "./read.js";
import type { NameOf, Schema } from "./schema.js";
import type { Workload } from "./workload.js";

/** The answers to a workload, held by the engine: one number, in records, for each cell. */
export class Answers<S extends Schema = Schema> implements Disposable {
  readonly workload: Workload<S>;
  readonly #handle: Handle;

  /** @internal */
  constructor(workload: Workload<S>, handle: Handle) {
    this.workload = workload;
    this.#handle = handle;
  }

  /** A copy of the cells of clique `i`, or of a clique by name: row-major, the last attribute fastest. */
  async clique(
    clique: number | readonly NameOf<S>[],
    options: CopySettings = {},
  ): Promise<Float64Array<ArrayBuffer>> {
    return call("answers.clique", { i: place(this.workload, clique) }, copying(this.#handle, options));
  }

  /** A copy of the cells of every clique, in order: views of one buffer. */
  async all(options: CopySettings = {}): Promise<Float64Array<ArrayBuffer>[]> {
    const { length } = this.workload;
    const flat = await call("answers.flat", undefined, copying(this.#handle, options));
    if (!flat) return Promise.all(Array.from({ length }, (_, i) => this.clique(i, options)));
    const parts: Float64Array<ArrayBuffer>[] = [];
    for (let i = 0, at = 0; i < length; i++) {
      const end = at + this.workload.size(i);
      parts.push(flat.subarray(at, end));
      at = end;
    }
    return parts;
  }

  /** Only the cells of a clique that are not zero: their places, increasing, and what they hold. */
  async nonzero(
    clique: number | readonly NameOf<S>[],
    options: CopySettings = {},
  ): Promise<{ cells: Float64Array; counts: Float64Array }> {
    return call("answers.nonzero", { i: place(this.workload, clique) }, copying(this.#handle, options));
  }

  /** @internal The attributes of the `k` pairs with the highest mutual information, or of the tree with the highest total. */
  informative(k: number | "tree", { signal }: CallSettings): Promise<Uint16Array> {
    const args = { k: k === "tree" ? undefined : k };
    return call("answers.rank", args, { on: this.#handle, ...(signal && { signal }) });
  }

  /** @internal What the engine knows it by. */
  get handle(): Handle {
    return this.#handle;
  }

  /** Frees the memory behind it. */
  dispose(): void {
    this.#handle.dispose();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }
}

/** @internal Answers to some cells of a workload, in records, which an object of the engine holds. */
export class CellAnswers {
  constructor(
    readonly handle: Handle,
    readonly length: number,
  ) {}
}

/** What a copy out of the engine can be told. */
export type CopySettings = Pick<CallSettings, "signal">;

/** How the engine is asked for a copy of an object. */
export function copying(on: Handle, options: CopySettings): CallOptions {
  known(options, ["signal"], "a copy");
  return { on, ...options };
}

/** The place of a clique that is named exactly as the workload has it, so that its cells mean what one thinks. */
function place<S extends Schema>(workload: Workload<S>, clique: number | readonly NameOf<S>[]): number {
  if (typeof clique !== "number") return workload.place(clique);
  workload.size(clique); // Throws where there is no such clique.
  return clique;
}
