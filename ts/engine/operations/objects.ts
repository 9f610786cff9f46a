import { MarginaliaError } from "../../errors.js";
import type { Context, Job } from "../host.js";

/** A job of the Rust side, which is taken apart by `finish` or else must be freed. */
interface RawJob<T> extends Job {
  finish(): T;
  free(): void;
}

/** Runs a job to its end and takes out what it made; frees it when it does not get there. */
export async function finished<T>(ctx: Context, job: RawJob<T>, unit = 1, silent = false): Promise<T> {
  let over = false;
  try {
    const steps = {
      step: (work: number) => job.step(Math.ceil(work / unit)),
      done: () => job.done(),
      total: () => job.total(),
    };
    await ctx.run(steps, silent);
    over = true;
    return job.finish();
  } finally {
    if (!over) job.free();
  }
}

/** A copy that the engine made, handed over with the result. */
export function sent<T extends { buffer: ArrayBuffer }>(ctx: Context, copy: T): T {
  ctx.transfer(copy.buffer);
  return copy;
}

/** An object of the Rust side that ends when what it made is taken out of it. */
export class Taken<T extends { free(): void }> {
  #object: T | undefined;
  /** Bytes that it cannot do without when it is first used. */
  need: number;

  constructor(object: T, need = 0) {
    this.#object = object;
    this.need = need;
  }

  get object(): T {
    if (!this.#object)
      throw new MarginaliaError("HANDLE_DISPOSED", "it has ended: what it made was taken out of it");
    return this.#object;
  }

  take(): T {
    const { object } = this;
    this.#object = undefined;
    return object;
  }

  free(): void {
    this.#object?.free();
    this.#object = undefined;
  }
}
