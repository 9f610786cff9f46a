import { missing, words } from "./failure.js";
import type { ModuleStart } from "./protocol.js";
import type { Glue, Raw, RawModel } from "./raw.js";

interface Pending {
  answer: Promise<RawModel>;
  resolve(raw: RawModel): void;
  reject(thrown: unknown): void;
}

/**
 * The module for models on the engine's side: a second instance beside the core, with a memory of its own, from when an
 * operation first asks for it. It ends with the core, and a trap in it is one of the engine.
 */
export class ModelModule {
  readonly #create: Glue["model"];
  readonly #need: () => void;
  #raw: RawModel | undefined;
  #pending: Pending | undefined;

  /** `need` asks the caller's side, which answers by `receive` or `refuse`. */
  constructor(create: Glue["model"], need: () => void) {
    this.#create = create;
    this.#need = need;
  }

  /** The instance; the first to ask has it loaded, and after a failure the next one. */
  get(): Promise<RawModel> {
    if (this.#raw !== undefined) return Promise.resolve(this.#raw);
    if (this.#pending === undefined) {
      this.#pending = pending();
      this.#need();
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
      this.#raw = raw;
      waiting?.resolve(raw);
    } catch (thrown) {
      waiting?.reject(missing("model", words(thrown), thrown));
    }
  }

  refuse(thrown: unknown): void {
    this.#pending?.reject(thrown);
    this.#pending = undefined;
  }

  /**
   * Tells both instances what the other holds, for one limit is for both. What the core says of itself here is without
   * private rows; never to be called within a call on them.
   */
  balance(core: Raw): void {
    const model = this.#raw;
    if (model === undefined) return;
    core.setMemoryBeside(model.memoryOwn());
    model.setMemoryBeside(core.memoryOwn());
    model.setMemoryLimit(core.memoryLimit());
  }
}

function pending(): Pending {
  let [resolve, reject] = [(_: RawModel) => {}, (_: unknown) => {}];
  const answer = new Promise<RawModel>((...settle) => {
    [resolve, reject] = settle;
  });
  // Whoever asked may have been aborted.
  answer.catch(() => {});
  return { answer, resolve, reject };
}
