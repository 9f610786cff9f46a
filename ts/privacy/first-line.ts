import { MarginaliaError } from "../errors.js";
import type { Front } from "../tables/front.js";
import { inflate } from "../tables/inflate.js";

/** Nobody names columns at greater length. */
const MOST_BYTES = 1 << 20;

const [LINE_FEED, RETURN] = [0x0a, 0x0d];
const MARK = 0xfeff;
const TURNED_MARK = 0xfffe;

/**
 * Takes a text apart after its first line, byte by byte. Lines without a character are passed over, as whoever reads the
 * line does. A line feed ends it, also within quotes, and a return does that no line feed follows.
 */
class Line {
  readonly #wide: boolean;
  #big: boolean;
  readonly #encoding: string;
  #bytes: number[] = [];
  #begun = false;
  #returned = false;
  /** Whether the last unit was a line feed. */
  #fed = false;
  #units = 0;

  constructor(encoding: string) {
    this.#encoding = encoding;
    this.#wide = encoding.startsWith("utf-16");
    this.#big = encoding === "utf-16be";
  }

  /** The bytes that it takes up to now. */
  get length(): number {
    return this.#bytes.length;
  }

  /** Takes the next byte; true when the line has ended. */
  push(byte: number): boolean {
    if (this.length >= MOST_BYTES) throw overlong();
    const before = this.#bytes.at(-1) ?? 0;
    this.#bytes.push(byte);
    if (!this.#wide) return this.#unit(byte, 1);
    if (this.length % 2 === 1) return false;
    return this.#unit(this.#big ? 256 * before + byte : 256 * byte + before, 2);
  }

  /** The line with its end, which is put there where it lacks one; no bytes where there is no line. */
  bytes(): Uint8Array<ArrayBuffer> {
    if (!this.#begun) return new Uint8Array();
    const end = this.#wide ? (this.#big ? [0, LINE_FEED] : [LINE_FEED, 0]) : [LINE_FEED];
    return Uint8Array.from(this.#fed ? this.#bytes : [...this.#bytes, ...end]);
  }

  #unit(unit: number, width: number): boolean {
    this.#units += 1;
    if (this.#isMark(unit)) return false;
    this.#fed = unit === LINE_FEED;
    if (this.#fed) return this.#begun;
    if (this.#returned) {
      this.#bytes.length -= width; // It is the first of the next line.
      return true;
    }
    if (unit === RETURN) this.#returned = this.#begun;
    else this.#begun = true;
    return false;
  }

  /** Whether a unit belongs to a byte order mark, which may tell the order. */
  #isMark(unit: number): boolean {
    if (!this.#wide) return this.#encoding === "utf-8" && unit === [0xef, 0xbb, 0xbf][this.#units - 1];
    if (this.#units > 1) return false;
    if (unit === TURNED_MARK && this.#encoding === "utf-16") this.#big = true;
    return unit === MARK || this.#big !== (this.#encoding === "utf-16be");
  }
}

/** The first line of a text, and how many of its bytes it takes. */
export interface Head {
  line: Uint8Array<ArrayBuffer>;
  length: number;
}

/** Looks for the first line. Nothing behind it is looked at, but for a line feed after a return. */
export async function firstLine(front: Front, encoding: string, isZipped: boolean): Promise<Head> {
  return isZipped ? zipped(front, encoding) : plain(front, encoding);
}

async function plain(front: Front, encoding: string): Promise<Head> {
  const line = new Line(encoding);
  let at = 0;
  for (;;) {
    for (const byte of front.seen.subarray(at)) {
      at += 1;
      if (line.push(byte)) return { line: line.bytes(), length: line.length };
    }
    if (!(await front.more())) return { line: line.bytes(), length: line.length };
  }
}

/** Begins anew with each further piece, of which few are needed. */
async function zipped(front: Front, encoding: string): Promise<Head> {
  for (;;) {
    const line = new Line(encoding);
    const outcome = inflate(front.seen, (byte) => line.push(byte));
    if (outcome === "enough") return { line: line.bytes(), length: line.length };
    if (await front.more()) continue;
    if (outcome === "ended") return { line: line.bytes(), length: line.length };
    const message = "the gzip data is cut short within the first line: fetch the file again";
    throw new MarginaliaError("GZIP_INVALID", message);
  }
}

function overlong(): MarginaliaError {
  const message =
    "the first line does not end within a MiB, and should name the columns: add a header, or set `format`";
  return new MarginaliaError("COLUMN_MISSING", message);
}
