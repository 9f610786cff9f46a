import { MarginaliaError } from "../errors.js";
import { fromPlain, isTrap, toPlain, words } from "./failure.js";
import { PartModules } from "./module.js";
import type { Operation } from "./operations.js";
import type { FromHost, ToHost } from "./protocol.js";
import { type Call, CallQueue } from "./queue.js";
import type { Glue, PartName, Parts, Raw, RawPool } from "./raw.js";
import { type Pause, runJob } from "./stepper.js";

type Start = Extract<ToHost, { type: "start" }>;
type Join = Extract<ToHost, { type: "join" }>;

/** A long loop that can be left and taken up again. Whoever makes a job frees it, also when `run` throws. */
export interface Job {
  /**
   * Does about `work` units of work and returns true when the job is finished. A unit is one elementary step
   * of 1 to 10 ns on one thread: a byte read, a code encoded, a row counted for one clique.
   */
  step(work: number): boolean;
  /** How much is done, in the units of `total`. */
  done(): number;
  /** How much there is; it may still change. */
  total(): number;
}

/** What an operation is given. It lives as long as the call. */
export interface Context {
  /** The core. */
  readonly raw: Raw;
  /** A module with models, which is loaded when an operation first asks for it. */
  part<P extends PartName>(name: P): Promise<Parts[P]>;
  /** The module for models on rows and products. */
  model(): Promise<Parts["model"]>;
  /** How many objects handles stand for. */
  readonly objects: number;
  /** Keeps an object for later calls and returns its number; taken back when this call fails or is aborted. */
  keep(object: { free(): void }): number;
  /** A kept object; throws HANDLE_DISPOSED. */
  get<T>(id: number): T;
  /** The object that the call is on (`CallOptions.on`), or the one at that place of several. */
  on<T>(place?: number): T;
  /** Frees a kept object. */
  release(id: number): void;
  /** Runs a job in steps, with abort between them and, unless it is to be silent, progress. */
  run(job: Job, silent?: boolean): Promise<void>;
  /** Reports progress from within a step that is long. */
  progress(done: number, total: number): void;
  /**
   * Throws OUT_OF_MEMORY unless so many more bytes are within the limit, which is one for the core and the modules with
   * models together. To be asked before an array crosses to Rust: the bindings copy it into memory that they cannot do without, so that a refusal there is a trap.
   */
  room(bytes: number): void;
  /** Moves buffers to the caller with the result, instead of copying them; never the engine's own memory. */
  transfer(...items: Transferable[]): void;
}

/** What `open` needs of an operation's result: the number of a kept object, and what else there is to say. */
export interface Opened<V> {
  kept: number;
  value: V;
}

export type Post = (message: FromHost, transfer?: Transferable[]) => void;
type Table = Record<string, Operation>;

/**
 * The engine's side of the protocol: holds the instance and its objects and serves calls one at a time, in the
 * order they came; or, where not `inTurn`, each from when it came, in steps that take turns. Runs in a worker, or
 * in the caller's thread where there are none.
 */
export class Host {
  readonly #glue: Glue;
  readonly #operations: Table;
  readonly #post: Post;
  readonly #pause: Pause;
  readonly #inTurn: boolean;
  readonly #queue = new CallQueue();
  readonly #parts: PartModules;
  #raw: (Raw & Partial<RawPool>) | undefined;
  #busy = false;
  #ended = false;

  constructor(glue: Glue, operations: Table, pause: Pause, post: Post, inTurn = true) {
    this.#glue = glue;
    this.#parts = new PartModules(glue, (part) => post({ type: "need", part }));
    this.#operations = operations;
    this.#pause = pause;
    this.#inTurn = inTurn;
    this.#post = post;
  }

  /** Takes one message. Throws only what ends a thread of the pool, so that the worker ends with it. */
  receive(message: ToHost): void {
    if (this.#ended) return;
    switch (message.type) {
      case "start":
        return this.#attempt(() => this.#start(message));
      case "join":
        return this.#attempt(() => this.#join(message))?.poolWork?.();
      case "pool":
        return this.#attempt(() => this.#pool(message.threads));
      case "module":
        return this.#parts[message.part].receive(message);
      case "missing":
        return this.#parts[message.part].refuse(fromPlain(message.error));
      case "abort":
        return this.#abort(message.id);
      case "call":
      case "release":
        this.#queue.add(message);
        void this.#serve();
    }
  }

  /** Nothing is served or posted any more. */
  end(): void {
    this.#ended = true;
    this.#queue.clear();
    this.#raw = undefined;
  }

  #attempt<T>(stage: () => T): T | undefined {
    try {
      return stage();
    } catch (thrown) {
      this.#post({ type: "failed", message: words(thrown) });
      return undefined;
    }
  }

  #start({ module, memory, memoryLimit, name }: Start): void {
    this.#raw = this.#glue.core();
    this.#raw.initSync({ module, memory });
    this.#raw.setMemoryLimit(memoryLimit);
    this.#raw.nameInstance(name);
    this.#post({ type: "ready" });
  }

  #join({ module, memory, of }: Join): Partial<RawPool> | undefined {
    const raw = of === undefined ? this.#glue.core() : this.#glue.model.threads?.();
    raw?.initSync({ module, memory });
    this.#post({ type: "ready" });
    return raw;
  }

  #pool(threads: number): void {
    this.#raw?.poolStart?.(threads);
    this.#post({ type: "pooled" });
  }

  #abort(id: number): void {
    if (this.#queue.abort(id)) this.#post({ type: "error", id, error: ABORTED });
  }

  async #serve(): Promise<void> {
    if (this.#busy && this.#inTurn) return;
    this.#busy = true;
    for (let next = this.#queue.next(); next !== undefined && !this.#ended; next = this.#queue.next()) {
      if (next.type === "call") await this.#answer(next);
      else this.#tidy(() => this.#queue.release(next.object));
    }
    this.#busy = false;
  }

  async #answer(call: Call): Promise<void> {
    const transfer: Transferable[] = [];
    try {
      const operation = this.#operations[call.name];
      if (operation === undefined) throw new Error(`there is no operation ${call.name}`);
      this.#parts.balance(this.#raw as Raw);
      const value = await operation(this.#context(call, transfer), call.args as never);
      if (!this.#ended) this.#post({ type: "result", id: call.id, value }, transfer);
    } catch (thrown) {
      this.#fail(call, thrown);
    } finally {
      this.#tidy(() => this.#queue.done(call));
    }
  }

  #fail(call: Call, thrown: unknown): void {
    if (isTrap(thrown)) return this.#lose(thrown);
    this.#tidy(() => {
      for (const id of call.kept) this.#queue.free(id);
    });
    if (!this.#ended) this.#post({ type: "error", id: call.id, error: toPlain(thrown) });
  }

  /** Frees objects, which must not fail. */
  #tidy(freeing: () => void): void {
    try {
      freeing();
    } catch (thrown) {
      this.#lose(thrown);
    }
  }

  #lose(thrown: unknown): void {
    if (this.#ended) return;
    this.end();
    this.#post({ type: "lost", message: words(thrown) });
  }

  #context(call: Call, transfer: Transferable[]): Context {
    const [queue, raw] = [this.#queue, this.#raw as Raw];
    const stepper = this.#stepper(call);
    return {
      raw,
      part: (name) => this.#loaded(call, name),
      model: () => this.#loaded(call, "model"),
      get objects() {
        return queue.objects;
      },
      keep: (object) => queue.keep(object, call),
      get: (id) => queue.get(id),
      on: (place = 0) => queue.get(call.on[place]),
      release: (id) => queue.free(id),
      run: (job, silent) => runJob(job, silent ? { ...stepper, progress: () => {} } : stepper),
      progress: stepper.progress,
      room: (bytes) => checkRoom(raw, bytes),
      transfer: (...items) => void transfer.push(...items),
    };
  }

  /** A module with models. An abort ends the waiting for it, and not the loading, which others may wait for. */
  async #loaded<P extends PartName>(call: Call, name: P): Promise<Parts[P]> {
    if (call.aborted) throw ABORTED;
    const woken = new Promise<void>((wake) => {
      call.wake = wake;
    });
    const raw = await Promise.race([this.#parts[name].get() as Promise<Parts[P]>, woken]);
    call.wake = undefined;
    if (raw === undefined || call.aborted || this.#ended) throw ABORTED;
    this.#parts.balance(this.#raw as Raw);
    return raw;
  }

  #stepper(call: Call) {
    return {
      check: () => {
        if (call.aborted || this.#ended) throw ABORTED;
        this.#parts.balance(this.#raw as Raw);
      },
      progress: (done: number, total: number) => this.#post({ type: "progress", id: call.id, done, total }),
      pause: this.#pause,
      now: () => performance.now(),
    };
  }
}

function checkRoom(raw: Raw, bytes: number): void {
  if (raw.memoryUsed() + bytes <= raw.memoryLimit()) return;
  const remedy = "raise `memoryLimit`, or dispose what is not needed";
  throw new MarginaliaError("OUT_OF_MEMORY", `${bytes} more bytes are not available: ${remedy}`);
}

/** The caller's side puts its own error in the place of this one, with the signal's reason as the cause. */
const ABORTED = { code: "ABORTED", message: "the call was aborted by its signal" } as const;
