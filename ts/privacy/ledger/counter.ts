import { fromUtf8, utf8 } from "../../bytes.js";
import type { Fs } from "../../node.js";
import { createMedium, openMedium } from "./disk.js";
import { Log, lines } from "./log.js";
import type { Counter, Mark, Medium } from "./medium.js";
import { damaged } from "./refusals.js";

/**
 * A counter in a file of its own, best on another disk or in another backup than the ledger. Each line is a mark,
 * and the last one counts. It is written after the ledger and before anything is drawn or shown, so it is never
 * ahead of the ledger unless the ledger went back.
 */
export class FileCounter implements Counter {
  readonly #fs: Fs;
  readonly #path: string;
  #log: Log | undefined;
  #medium: Medium | undefined;
  #last: Mark | undefined;

  constructor(fs: Fs, path: string) {
    this.#fs = fs;
    this.#path = path;
  }

  async read(): Promise<Mark | undefined> {
    if (this.#medium) return this.#last;
    const medium = await openMedium(this.#fs, this.#path, this.#path);
    if (!medium) return undefined;
    this.#medium = medium;
    let size = 0;
    let cut = false;
    for await (const { at, bytes, finished } of lines(medium)) {
      cut = !finished;
      if (finished) this.#last = markOf(bytes, this.#path);
      if (finished) size = at + bytes.length + 1;
    }
    if (!this.#last) throw damaged(this.#path, "(a counter) is empty");
    // A mark that was cut short belongs to a record that nobody has acted upon.
    if (cut) await medium.truncate(size);
    this.#log = new Log(medium, size);
    return this.#last;
  }

  async write(mark: Mark): Promise<void> {
    const last = this.#last;
    if (last?.records === mark.records && last.hash === mark.hash) return;
    const line = utf8(JSON.stringify(mark));
    if (this.#log) await this.#log.append(line);
    else await this.#begin(line);
    this.#last = mark;
  }

  async #begin(line: Uint8Array): Promise<void> {
    const first = utf8(`${fromUtf8(line)}\n`);
    this.#medium = await createMedium(this.#fs, this.#path, first, this.#path);
    this.#log = new Log(this.#medium, first.length);
  }

  async close(): Promise<void> {
    const medium = this.#medium;
    this.#medium = undefined;
    this.#log = undefined;
    this.#last = undefined;
    await medium?.close();
  }
}

const FORM = /^\{"account":"([0-9a-f]{16})","records":([1-9]\d*),"hash":"([0-9a-f]{64})"\}$/;

function markOf(bytes: Uint8Array, path: string): Mark {
  const [, account, records, hash] = FORM.exec(String.fromCharCode(...bytes)) ?? [];
  if (!account || !hash) throw damaged(path, "(a counter) is damaged");
  return { account, records: Number(records), hash };
}
