import { sha256, utf8 } from "../bytes.js";
import { aborted } from "../engine/failure.js";
import { unlessAborted } from "../tables/stages.js";
import type { ReadAs } from "./readAs.js";

/** What is asked, and of what: all of it is public. */
interface ChargeKey {
  readonly verb: string;
  readonly request: string;
  readonly label: string;
}

/** What a charge is recognised by, but for its number: what is asked, its label, and how rows are read. */
export async function keyOf({ verb, request, label }: ChargeKey, readAs: ReadAs): Promise<string> {
  const unusual = Object.keys(readAs).length > 0 ? [readAs] : [];
  const hash = await sha256(utf8(JSON.stringify([label, request, ...unusual])));
  return `${verb} ${hash.slice(0, 32)}`;
}

/**
 * The calls on one account, one after another; and how many of the same have been answered. The n-th of them has the
 * number n: so two in one program are two draws, and each finds its own values again when the program is run once
 * more. One that failed leaves its number to the next.
 */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();
  readonly #counts = new Map<string, number>();

  /** Does the work when those before are done; a signal that fires before ends the wait. */
  take<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    const before = this.#last;
    const turn = async () => {
      await unlessAborted(before, signal);
      if (signal?.aborted) throw aborted(signal);
      return work();
    };
    const done = turn();
    this.#last = Promise.allSettled([before, done]);
    return done;
  }

  /** Returns when all calls so far are done. */
  async last(): Promise<void> {
    await this.#last;
  }

  /** The number of the next call of the same. */
  next(base: string): number {
    return (this.#counts.get(base) ?? 0) + 1;
  }

  /** Such a call was answered. */
  done(base: string): void {
    this.#counts.set(base, (this.#counts.get(base) ?? 0) + 1);
  }
}
