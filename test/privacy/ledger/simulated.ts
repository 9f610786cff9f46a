import type { Medium, Opened, Store } from "../../../ts/privacy/ledger/index.js";

const PAGE = 64;

/** The power is gone: nothing works any more. */
export class PowerLoss extends Error {}

/**
 * A disk that writes pages when it likes: a page that was not synced may be on it after a loss of power, or may
 * hold zeros, whatever became of the others. Time stops after a number of operations.
 */
export class Disk {
  /** What survives a loss of power. */
  #durable: Uint8Array | undefined;
  #now: Uint8Array | undefined;
  #left = Number.POSITIVE_INFINITY;
  #failing = false;
  /** Whether the last to hold it ended without giving it up. */
  #held = false;
  operations = 0;

  /** The power goes after this many more operations; or from then on they fail, without a loss. */
  stopAfter(operations: number, how: "loss" | "failure" = "loss"): void {
    this.#left = operations;
    this.#failing = how === "failure";
  }

  #step(): void {
    if (this.#left <= 0)
      throw this.#failing ? Object.assign(new Error("EIO"), { code: "EIO" }) : new PowerLoss();
    this.#left--;
    this.operations++;
  }

  /** The power returns. `survived` decides for each page that was written and not synced. */
  restart(survived: () => boolean): void {
    this.#left = Number.POSITIVE_INFINITY;
    const [durable, now] = [this.#durable, this.#now];
    if (!durable || !now) return;
    // The length of the file is written with or without what is in it.
    const after = new Uint8Array(survived() ? now.length : durable.length);
    for (let at = 0; at < after.length; at += PAGE) {
      const kept = survived() ? now : durable;
      after.set(kept.subarray(at, Math.min(at + PAGE, after.length)), at);
    }
    this.#durable = after;
    this.#now = after;
  }

  store(): Store {
    return {
      name: "simulated",
      open: async (): Promise<Opened> => {
        this.#step();
        const interrupted = this.#held;
        this.#held = true;
        return { medium: this.#now && this.#medium(), interrupted };
      },
      create: async (bytes) => {
        this.#step();
        this.#durable = bytes.slice();
        this.#now = bytes.slice();
        return this.#medium();
      },
      close: async (clean) => {
        this.#step();
        this.#held = !clean;
      },
    };
  }

  #medium(): Medium {
    const bytes = () => this.#now as Uint8Array;
    return {
      size: async () => bytes().length,
      read: async (at, length) => bytes().slice(at, at + length),
      write: async (at, piece) => {
        // Half of it, when time stops in its middle.
        const whole = this.#left > 0;
        const part = whole ? piece : piece.subarray(0, piece.length >> 1);
        const grown = new Uint8Array(at + part.length);
        grown.set(bytes());
        grown.set(part, at);
        this.#now = grown;
        this.#step();
      },
      truncate: async (length) => {
        this.#step();
        this.#now = bytes().slice(0, length);
      },
      sync: async () => {
        this.#step();
        this.#durable = bytes().slice();
      },
      close: async () => this.#step(),
    };
  }
}
