import { concat, utf8 } from "../../bytes.js";
import type { Medium } from "./medium.js";

const NEWLINE = 10;
const end = /* @__PURE__ */ utf8("\n");
const BLOCK = 1 << 20;

/** One line, without its newline, and where it begins. Only the last one may be unfinished. */
export interface Line {
  at: number;
  bytes: Uint8Array;
  finished: boolean;
}

/**
 * Lines that are only ever added. A line is written and synced, then its newline is written and synced. So the
 * newline is a commit mark: where one is on the disk, all bytes before it are, in whatever order the disk
 * wrote its pages. A line without one was being written when everything stopped, and nobody was told that it
 * is there.
 */
export class Log {
  readonly #medium: Medium;
  #size: number;

  constructor(medium: Medium, size: number) {
    this.#medium = medium;
    this.#size = size;
  }

  get size(): number {
    return this.#size;
  }

  /** Returns once the line survives a loss of power. */
  async append(line: Uint8Array): Promise<void> {
    await this.#medium.write(this.#size, line);
    await this.#medium.sync();
    await this.finish(line.length);
  }

  /** Ends a line whose `length` bytes are there and synced. */
  async finish(length: number): Promise<void> {
    await this.#medium.write(this.#size + length, end);
    await this.#medium.sync();
    this.#size += length + 1;
  }
}

/** The lines of a medium, a block at a time: memory holds the longest line and no more. */
export async function* lines(medium: Medium): AsyncGenerator<Line> {
  const size = await medium.size();
  let parts: Uint8Array[] = [];
  let begin = 0;
  for (let at = 0; at < size; at += BLOCK) {
    let block = await medium.read(at, Math.min(BLOCK, size - at));
    for (let cut = block.indexOf(NEWLINE); cut >= 0; cut = block.indexOf(NEWLINE)) {
      const bytes = concat([...parts, block.subarray(0, cut)]);
      yield { at: begin, bytes, finished: true };
      begin += bytes.length + 1;
      parts = [];
      block = block.subarray(cut + 1);
    }
    if (block.length > 0) parts.push(block);
  }
  if (parts.length > 0) yield { at: begin, bytes: concat(parts), finished: false };
}
