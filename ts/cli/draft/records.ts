import { MarginaliaError } from "../../errors.js";

const QUOTE = 34;
const RETURN = 13;
const LINE = 10;

/** Characters of one field, at most: a quote that is never closed would take the rest of the file. */
const MOST_CHARACTERS = 1 << 24;

/**
 * Takes the text of a CSV file apart (RFC 4180), in pieces of any size: `row` is told the fields of each line. Blank lines
 * are no rows of a table with several columns.
 */
export class Records {
  readonly #delimiter: number;
  readonly #row: (fields: readonly string[]) => void;
  #fields: string[] = [];
  #field = "";
  /** Whether the field is within quotes, after a quote that may close them, or neither. */
  #state: "plain" | "quoted" | "closing" = "plain";
  #afterReturn = false;

  constructor(delimiter: string, row: (fields: readonly string[]) => void) {
    this.#delimiter = delimiter.charCodeAt(0);
    this.#row = row;
  }

  push(text: string): void {
    for (let at = 0; at < text.length; ) {
      at = this.#state === "quoted" ? this.#quoted(text, at) : this.#plain(text, at);
      if (this.#field.length > MOST_CHARACTERS) throw unclosed();
    }
  }

  finish(): void {
    if (this.#state === "quoted") throw unclosed();
    if (this.#field !== "" || this.#fields.length > 0 || this.#state === "closing") this.#endRow();
  }

  /** Up to the quote that ends a quoted field, or the end of the text. */
  #quoted(text: string, at: number): number {
    const end = text.indexOf('"', at);
    this.#field += end < 0 ? text.slice(at) : text.slice(at, end);
    if (end < 0) return text.length;
    this.#state = "closing";
    return end + 1;
  }

  /** Up to the next character that means something. */
  #plain(text: string, begin: number): number {
    let at = begin;
    for (; at < text.length; at++) {
      const letter = text.charCodeAt(at);
      const means = letter === this.#delimiter || letter === QUOTE || letter === LINE || letter === RETURN;
      if (means) break;
    }
    if (at > begin) {
      this.#field += text.slice(begin, at);
      this.#state = "plain";
      this.#afterReturn = false;
    }
    if (at < text.length) this.#mark(text.charCodeAt(at));
    return at + 1;
  }

  #mark(letter: number): void {
    const after = this.#afterReturn;
    this.#afterReturn = letter === RETURN;
    if (letter === this.#delimiter) {
      this.#fields.push(this.#field);
      this.#field = "";
      this.#state = "plain";
    } else if (letter === QUOTE) this.#quote();
    else if (letter === RETURN || !after) this.#endRow();
  }

  /** Opens quotes at the beginning of a field, stands for itself when doubled within, and anywhere else. */
  #quote(): void {
    const doubled = this.#state === "closing";
    if (doubled || this.#field !== "") this.#field += '"';
    if (doubled || this.#field === "") this.#state = "quoted";
  }

  #endRow(): void {
    const fields = [...this.#fields, this.#field];
    this.#fields = [];
    this.#field = "";
    this.#state = "plain";
    this.#row(fields);
  }
}

function unclosed(): MarginaliaError {
  return new MarginaliaError(
    "TEXT_INVALID",
    "a quote of the file is never closed: mend it, or choose the delimiter",
  );
}
