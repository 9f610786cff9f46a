import { MarginaliaError } from "../errors.js";
import type { FullDialect } from "../tables/dialect.js";
import type { Front } from "../tables/front.js";
import { inflate } from "../tables/inflate.js";

/** Nobody names columns at greater length. */
const MOST_BYTES = 1 << 20;

const [LINE_FEED, RETURN] = [0x0a, 0x0d];
const MARK = 0xfeff;
const TURNED_MARK = 0xfffe;

/** What says where the first line ends. */
type How = Pick<FullDialect, "encoding" | "lineEnd">;

/**
 * Takes a text apart after its first line, byte by byte. Lines without a character are passed over, as whoever reads the
 * line does. Where a line ends, quotes do not matter; a return or line feed that ends none is refused at once, because who
 * looked on for the end might find it among the rows.
 */
class Line {
  readonly #wide: boolean;
  #big: boolean;
  readonly #encoding: string;
  readonly #lineEnd: How["lineEnd"];
  #bytes: number[] = [];
  #begun = false;
  /** Whether the last unit was a return, and whether it was a line feed. */
  #returned = false;
  #fed = false;
  #units = 0;

  constructor({ encoding, lineEnd }: How) {
    this.#encoding = encoding;
    this.#lineEnd = lineEnd;
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
    const end = this.#fed ? [] : this.#returned ? [LINE_FEED] : [RETURN, LINE_FEED];
    const units = end.map((unit) => (this.#wide ? (this.#big ? [0, unit] : [unit, 0]) : [unit]));
    return Uint8Array.from([...this.#bytes, ...units.flat()]);
  }

  #unit(unit: number, width: number): boolean {
    this.#units += 1;
    if (this.#isMark(unit)) return false;
    const after = this.#returned;
    this.#returned = unit === RETURN;
    this.#fed = unit === LINE_FEED;
    if (this.#fed) {
      if (!after && this.#lineEnd === "crlf") throw bare();
      return this.#begun;
    }
    if (after) {
      if (this.#lineEnd !== "any") throw bare();
      if (this.#begun) {
        this.#bytes.length -= width; // It is the first of the next line.
        this.#returned = true;
        return true;
      }
    }
    this.#begun ||= unit !== RETURN;
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
export async function firstLine(front: Front, how: How, isZipped: boolean): Promise<Head> {
  return isZipped ? zipped(front, how) : plain(front, how);
}

async function plain(front: Front, how: How): Promise<Head> {
  const line = new Line(how);
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
async function zipped(front: Front, how: How): Promise<Head> {
  for (;;) {
    const line = new Line(how);
    const outcome = inflate(front.seen, (byte) => line.push(byte));
    if (outcome === "enough") return { line: line.bytes(), length: line.length };
    if (await front.more()) continue;
    if (outcome === "ended") return { line: line.bytes(), length: line.length };
    const message = "the gzip data is cut short within the first line: fetch the file again";
    throw new MarginaliaError("GZIP_INVALID", message);
  }
}

function bare(): MarginaliaError {
  const message =
    'the first line holds a return or line feed that ends no record: set `lineEnd` to what ends records: "any" where ' +
    'returns do, "crlf" where only both do, "lf" otherwise';
  return new MarginaliaError("TEXT_INVALID", message);
}

function overlong(): MarginaliaError {
  const message =
    "the first line does not end within a MiB, and should name the columns: add a header, or set `format`";
  return new MarginaliaError("COLUMN_MISSING", message);
}
