import { utf8 } from "../../bytes.js";
import { MarginaliaError } from "../../errors.js";
import type { Medium, Opened, Store } from "./medium.js";

/**
 * A ledger in memory, for browsers and the edge: it lasts as long as the store unless it is exported. Give
 * what was exported before to continue it; it is checked like a file.
 */
export function memoryStore(exported?: Uint8Array | string): Store {
  const bytes = typeof exported === "string" ? utf8(exported) : exported;
  let medium = bytes && new MemoryMedium(bytes);
  let held = false;
  let interrupted = false;
  return {
    name: "in memory",
    async open(): Promise<Opened> {
      if (held) {
        const message =
          "this ledger in memory is open in another sealed table: close that, or give one of its own";
        throw new MarginaliaError("LEDGER_LOCKED", message);
      }
      held = true;
      return { medium, interrupted };
    },
    async create(first) {
      medium = new MemoryMedium(first);
      return medium;
    },
    async close(clean) {
      held = false;
      interrupted = !clean;
    },
  };
}

/** Bytes in an array that doubles as it fills. */
class MemoryMedium implements Medium {
  #bytes: Uint8Array;
  #size: number;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes.slice();
    this.#size = bytes.length;
  }

  async size(): Promise<number> {
    return this.#size;
  }

  async read(at: number, length: number): Promise<Uint8Array> {
    return this.#bytes.slice(at, at + length);
  }

  async write(at: number, bytes: Uint8Array): Promise<void> {
    const size = at + bytes.length;
    if (size > this.#bytes.length) {
      // With room for what ends a line, or a long one would be copied for that.
      const larger = new Uint8Array(Math.max(size + (size >> 3) + 64, 2 * this.#bytes.length));
      larger.set(this.#bytes.subarray(0, this.#size));
      this.#bytes = larger;
    }
    this.#bytes.set(bytes, at);
    this.#size = size;
  }

  async truncate(length: number): Promise<void> {
    this.#size = length;
  }

  async sync(): Promise<void> {}

  async close(): Promise<void> {}
}
