import { missing, words } from "./failure.js";
import type { ModuleStart } from "./protocol.js";
import type { Glue, PartName, Parts, Raw } from "./raw.js";

interface Pending<R> {
  answer: Promise<R>;
  resolve(raw: R): void;
  reject(thrown: unknown): void;
}

/**
 * A module with models on the engine's side: a further instance beside the core, with a memory of its own, from when an
 * operation first asks for it. It ends with the core, and a trap in it is one of the engine.
 */
export class PartModule<P extends PartName> {
  readonly #name: P;
  readonly #create: Glue[P];
  readonly #need: (part: P) => void;
  #raw: Parts[P] | undefined;
  #pending: Pending<Parts[P]> | undefined;

  /** `need` asks the caller's side, which answers by `receive` or `refuse`. */
  constructor(name: P, create: Glue[P], need: (part: P) => void) {
    this.#name = name;
    this.#create = create;
    this.#need = need;
  }

  /** The instance, where it is there. */
  get raw(): Parts[P] | undefined {
    return this.#raw;
  }

  /** The instance; the first to ask has it loaded, and after a failure the next one. */
  get(): Promise<Parts[P]> {
    if (this.#raw !== undefined) return Promise.resolve(this.#raw);
    if (this.#pending === undefined) {
      this.#pending = pending();
      this.#need(this.#name);
    }
    return this.#pending.answer;
  }

  receive({ module, memory, threads }: ModuleStart): void {
    const waiting = this.#pending;
    this.#pending = undefined;
    try {
      const create = memory === undefined ? this.#create.simd : this.#create.threads;
      if (create === undefined) throw new Error("this engine has no threads");
      const raw = create();
      raw.initSync({ module, memory });
      if (memory !== undefined) raw.poolStart?.(threads);
      this.#raw = raw as Parts[P];
      waiting?.resolve(this.#raw);
    } catch (thrown) {
      waiting?.reject(missing(this.#name, words(thrown), thrown));
    }
  }

  refuse(thrown: unknown): void {
    this.#pending?.reject(thrown);
    this.#pending = undefined;
  }
}

/** The modules with models beside a core. */
export class PartModules {
  readonly model: PartModule<"model">;
  readonly graph: PartModule<"graph">;

  constructor(glue: Glue, need: (part: PartName) => void) {
    this.model = new PartModule("model", glue.model, need);
    this.graph = new PartModule("graph", glue.graph, need);
  }

  /**
   * Tells each instance what the others hold, for one limit is for all. What the core says of itself here is without
   * private rows; never to be called within a call on them.
   */
  balance(core: Raw): void {
    const beside = [this.model.raw, this.graph.raw].filter((raw) => raw !== undefined);
    if (beside.length === 0) return;
    const held = beside.map((raw) => raw.memoryOwn());
    const others = held.reduce((sum, bytes) => sum + bytes, 0);
    const all = core.memoryOwn() + others;
    core.setMemoryBeside(others);
    beside.forEach((raw, i) => {
      raw.setMemoryBeside(all - (held[i] as number));
      raw.setMemoryLimit(core.memoryLimit());
    });
  }
}

function pending<R>(): Pending<R> {
  let [resolve, reject] = [(_: R) => {}, (_: unknown) => {}];
  const answer = new Promise<R>((...settle) => {
    [resolve, reject] = settle;
  });
  // Whoever asked may have been aborted.
  answer.catch(() => {});
  return { answer, resolve, reject };
}
