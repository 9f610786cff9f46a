import type { MarginaliaError } from "../errors.js";

/** The one engine, of all that may follow each other, in which an object lives. */
export interface Owner {
  /** Why it no longer lives. */
  readonly over: MarginaliaError | undefined;
  release(object: number): void;
}

let backstop: FinalizationRegistry<() => void> | undefined;

/**
 * An object in the engine's memory. Dispose of it, or declare it with `using`; a handle that is merely forgotten
 * is released when the garbage collector gets to it, which may be late.
 */
export class Handle implements Disposable {
  /** @internal */
  readonly owner: Owner;
  readonly id: number;
  /** @internal */
  disposed = false;

  constructor(owner: Owner, id: number) {
    this.owner = owner;
    this.id = id;
    backstop ??= new FinalizationRegistry((release) => release());
    backstop.register(this, () => owner.release(id), this);
  }

  /** Whether it can still be used: it was not disposed of, and its engine runs. */
  get alive(): boolean {
    return !this.disposed && this.owner.over === undefined;
  }

  /** Frees the object once the calls that came before are served; harmless the second time, and after `close()`. */
  dispose(): void {
    if (this.disposed) return;
    this.disposed = true;
    backstop?.unregister(this);
    this.owner.release(this.id);
  }

  [Symbol.dispose](): void {
    this.dispose();
  }
}
