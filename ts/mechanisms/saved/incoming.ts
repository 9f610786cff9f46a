import { leave } from "../../tables/stages.js";
import { damaged } from "./container.js";

/** The bytes of a file, taken from its beginning to its end. Only what has come is held: nothing is made room for before. */
export class Incoming {
  readonly #iterator: AsyncIterator<Uint8Array>;
  /** What came and was not taken yet. */
  #held: Uint8Array[] = [];
  #length = 0;
  /** How many bytes are still to be taken, where that is known. */
  #left: number | undefined;
  #over = false;

  constructor(pieces: AsyncIterable<Uint8Array>, total: number | undefined) {
    this.#iterator = pieces[Symbol.asyncIterator]();
    this.#left = total;
  }

  /** The next bytes; `short` says what is wrong where there are not so many. */
  async take(count: number, short: string): Promise<Uint8Array<ArrayBuffer>> {
    if (this.#left !== undefined && count > this.#left) throw damaged(`it ${short}`);
    while (this.#length < count && (await this.#more()));
    if (this.#length < count) throw damaged(`it ${short}`);
    const bytes = new Uint8Array(count);
    let [at, used] = [0, 0];
    for (; at < count; used++) {
      const piece = this.#held[used] as Uint8Array;
      const part = piece.subarray(0, count - at);
      bytes.set(part, at);
      at += part.length;
      if (part.length < piece.length) {
        this.#held[used] = piece.subarray(part.length);
        break;
      }
    }
    this.#held.splice(0, used);
    this.#length -= count;
    if (this.#left !== undefined) this.#left -= count;
    return bytes;
  }

  /** Refuses whatever follows. */
  async end(): Promise<void> {
    while (this.#length === 0 && (await this.#more()));
    if (this.#length > 0) throw damaged("something follows its end");
  }

  /** Leaves the rest unread. */
  leave(): void {
    if (!this.#over) leave(this.#iterator);
    this.#over = true;
  }

  async #more(): Promise<boolean> {
    if (this.#over) return false;
    const next = await this.#iterator.next();
    if (next.done) {
      this.#over = true;
      return false;
    }
    this.#held.push(next.value);
    this.#length += next.value.length;
    return true;
  }
}
