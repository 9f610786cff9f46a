import { MarginaliaError } from "../errors.js";

const QUOTE = 34;
const NEWLINE = 10;
const RETURN = 13;

/** A record or line of more characters is none: a quote was left open, or the file is of another kind. */
export const LONGEST_ROW = 2 ** 26;

export const tooLong = (row: number): MarginaliaError =>
  new MarginaliaError("TEXT_INVALID", `record ${row} does not end within ${LONGEST_ROW} characters`);

/** Cuts CSV text (RFC 4180) that comes in pieces into records of fields. Blank lines are none. */
export class CsvRecords {
  readonly #delimiter: number;
  #text = "";
  /** Where the record that is being read goes on. */
  #at = 0;
  #records = 0;

  constructor(delimiter: string) {
    this.#delimiter = delimiter.charCodeAt(0);
  }

  /** The records that are complete with this piece. */
  *push(piece: string): Generator<string[]> {
    this.#text = this.#text.slice(this.#at) + piece;
    this.#at = 0;
    if (this.#text.length - piece.length > LONGEST_ROW) throw tooLong(this.#records + 1);
    yield* this.#complete(false);
  }

  /** The last record, which may lack its end of line. */
  *end(): Generator<string[]> {
    yield* this.#complete(true);
  }

  *#complete(last: boolean): Generator<string[]> {
    for (let record = this.#record(last); record; record = this.#record(last)) {
      if (record.length === 1 && record[0] === "") continue;
      this.#records += 1;
      yield record;
    }
  }

  /** The next record; nothing when the text ends before it does. */
  #record(last: boolean): string[] | undefined {
    if (this.#at >= this.#text.length) return undefined;
    const fields: string[] = [];
    let at = this.#at;
    for (;;) {
      const end = this.#text.charCodeAt(at) === QUOTE ? this.#afterQuotes(at, last) : this.#after(at);
      if (end >= this.#text.length && !last) return undefined;
      fields.push(this.#field(at, end));
      if (this.#text.charCodeAt(end) !== this.#delimiter) {
        this.#at = end + 1;
        return fields;
      }
      at = end + 1;
    }
  }

  /** Where a field that begins at `at` ends: at a delimiter, at the end of the line, or with the text. */
  #after(at: number): number {
    for (let end = at; end < this.#text.length; end++) {
      const code = this.#text.charCodeAt(end);
      if (code === this.#delimiter || code === NEWLINE) return end;
    }
    return this.#text.length;
  }

  #afterQuotes(at: number, last: boolean): number {
    for (let from = at + 1; ; ) {
      const quote = this.#text.indexOf('"', from);
      if (quote < 0) {
        if (!last) return this.#text.length;
        const message = `a quote in record ${this.#records + 1} is never closed`;
        throw new MarginaliaError("TEXT_INVALID", message);
      }
      if (this.#text.charCodeAt(quote + 1) !== QUOTE) return this.#after(quote + 1);
      from = quote + 2;
    }
  }

  #field(from: number, end: number): string {
    const bare = this.#text.charCodeAt(end) !== this.#delimiter && this.#text.charCodeAt(end - 1) === RETURN;
    const text = this.#text.slice(from, bare && end > from ? end - 1 : end);
    if (text.charCodeAt(0) !== QUOTE) return text;
    return text.slice(1, text.lastIndexOf('"')).replaceAll('""', '"');
  }
}
