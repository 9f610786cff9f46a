import { realPath } from "../../disk.js";
import { type Fs, fileSystem, system } from "../../node.js";
import { FileCounter } from "./counter.js";
import { createMedium, openMedium } from "./disk.js";
import { Lock } from "./lock.js";
import type { Counter, Medium, Opened, Store } from "./medium.js";
import { ourselves } from "./process.js";
import { failed, invalid } from "./refusals.js";

/** Where a ledger lies: its path, and that of its counter if it is to notice that it was rolled back. */
export type LedgerPlace = string | { path: string; counter?: string };

/** A ledger in a file, in Node, Deno and Bun. Beside it lie, while it is open, `<path>.lock` and drafts. */
export async function fileStore(place: LedgerPlace): Promise<Store> {
  const { path, counter } = typeof place === "string" ? { path: place } : place;
  const fs = await fileSystem();
  if (!fs) throw invalid("there are no files here: keep the ledger in memory, and export it");
  if (typeof path !== "string" || path === "") throw invalid("a ledger needs a path");
  if (counter === undefined) return new FileStore(fs, path, undefined);
  const counted = await realPath(fs, counter);
  if (counted === (await realPath(fs, path)))
    throw invalid("the counter of a ledger must be another file than the ledger");
  return new FileStore(fs, path, new FileCounter(fs, counted));
}

class FileStore implements Store {
  readonly name: string;
  readonly counter: Counter | undefined;
  readonly #fs: Fs;
  /** Without symbolic links, so that a ledger has one lock whatever it is called. */
  #path = "";
  #lock: Lock | undefined;

  constructor(fs: Fs, path: string, counter: Counter | undefined) {
    this.#fs = fs;
    this.name = path;
    this.counter = counter;
  }

  async open(recover: string | undefined): Promise<Opened> {
    const { name } = this;
    try {
      const os = await system();
      if (!os) throw invalid("there are no files here: keep the ledger in memory, and export it");
      this.#path = await realPath(this.#fs, name);
      const us = await ourselves(this.#fs, os);
      this.#lock = await Lock.take(`${this.#path}.lock`, { fs: this.#fs, name, us, recover });
      const medium = await openMedium(this.#fs, this.#path, name);
      return { medium, interrupted: this.#lock.interrupted };
    } catch (cause) {
      await this.close(!this.#lock?.interrupted).catch(() => undefined);
      throw failed(name, "opened", cause);
    }
  }

  create(bytes: Uint8Array): Promise<Medium> {
    return createMedium(this.#fs, this.#path, bytes, this.name);
  }

  async close(clean: boolean): Promise<void> {
    const lock = this.#lock;
    this.#lock = undefined;
    await (clean ? lock?.release() : lock?.abandon());
  }
}
