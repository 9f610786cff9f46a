import { realPath } from "../../disk.js";
import { type Fs, fileSystem, system } from "../../node.js";
import type { Input } from "../../tables/inputs.js";
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
  const inputs = ledgerFiles(place);
  if (counter === undefined) return new FileStore(fs, path, inputs);
  const counted = await realPath(fs, counter);
  if (counted === (await realPath(fs, path)))
    throw invalid("the counter of a ledger must be another file than the ledger");
  return new FileStore(fs, path, inputs, new FileCounter(fs, counted));
}

/** All files that a ledger is kept in, with those that lie beside it while it is open. */
export function ledgerFiles(place: LedgerPlace): Input[] {
  const { path, counter } = typeof place === "string" ? { path: place } : place;
  const named = (what: string, ...paths: string[]) => paths.map((source) => ({ source, what }));
  return [
    ...named("the account", path, `${path}.new`),
    ...named("the lock of the account", `${path}.lock`),
    ...(counter === undefined ? [] : named("the counter of the account", counter, `${counter}.new`)),
  ];
}

class FileStore implements Store {
  readonly name: string;
  readonly counter: Counter | undefined;
  readonly inputs: readonly Input[];
  readonly #fs: Fs;
  /** Without symbolic links, so that a ledger has one lock whatever it is called. */
  #path = "";
  #lock: Lock | undefined;

  constructor(fs: Fs, path: string, inputs: readonly Input[], counter?: Counter) {
    this.#fs = fs;
    this.name = path;
    this.counter = counter;
    this.inputs = inputs;
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
