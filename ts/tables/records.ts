import { MarginaliaError } from "../errors.js";
import type { FullDialect } from "./dialect.js";

const QUOTE = 34;
const RETURN = 13;
const LINE_FEED = 10;

/** A record or line of more characters is none: a quote was left open, or the file is of another kind. */
export const LONGEST_RECORD = 1 << 26;

export const tooLong = (record: number): MarginaliaError =>
  new MarginaliaError("TEXT_INVALID", `record ${record} does not end within ${LONGEST_RECORD} characters`);

const LINE_ENDS = { lf: /\r?\n/, crlf: /\r\n/, any: /\r\n|\n|\r(?!$)/ };

/**
 * Takes the text of a CSV file apart as the engine does, in pieces of any size, where fields are wanted as they are written:
 * `row` is told the fields of each record. A line without a character is a record of one empty field.
 */
export class CsvRecords {
  readonly #delimiter: number;
  readonly #row: (fields: readonly string[]) => void;
  readonly #lineEnd: FullDialect["lineEnd"];
  /** The unfinished line, where lines are records. */
  #rest: string | undefined;
  #records = 0;
  #fields: string[] = [];
  /** Characters of these. */
  #length = 0;
  #field = "";
  /** Whether the next character begins a field, is in one, is in quotes, or follows a quote that may close them. */
  #state: "start" | "plain" | "quoted" | "closing" = "start";
  /** Whether the last character was a return that may be half of a line end. */
  #returned = false;

  constructor(
    { delimiter, records, lineEnd }: Pick<FullDialect, "delimiter" | "records" | "lineEnd">,
    row: (fields: readonly string[]) => void,
  ) {
    this.#delimiter = delimiter.charCodeAt(0);
    this.#lineEnd = lineEnd;
    if (records === "lines") this.#rest = "";
    this.#row = row;
  }

  push(text: string): void {
    if (this.#rest === undefined) return this.#cut(text);
    const lines = (this.#rest + text).split(LINE_ENDS[this.#lineEnd]);
    this.#rest = lines.pop() as string;
    for (const line of lines) this.#line(line);
    if (this.#rest.length > LONGEST_RECORD) throw tooLong(this.#records + 1);
  }

  finish(): void {
    if (this.#rest !== undefined) {
      const line = this.#rest.replace(/\r$/, "");
      if (line !== "") this.#line(line);
      return;
    }
    if (this.#state === "quoted") throw this.#unclosed();
    if (this.#returned || this.#state !== "start" || this.#fields.length > 0) this.#endRow();
  }

  #line(line: string): void {
    for (let at = 0; at < line.length; ) {
      if (this.#state === "quoted") at = this.#quoted(line, at);
      else at = this.#plain(line, at, false);
    }
    if (this.#state === "quoted") throw this.#unclosed();
    this.#endRow();
  }

  #cut(text: string): void {
    for (let at = 0; at < text.length; ) {
      if (this.#returned) at = this.#afterReturn(text, at);
      else if (this.#state === "quoted") at = this.#quoted(text, at);
      else at = this.#plain(text, at, true);
      if (this.#length + this.#field.length > LONGEST_RECORD) throw tooLong(this.#records + 1);
    }
  }

  #afterReturn(text: string, at: number): number {
    this.#returned = false;
    const fed = text.charCodeAt(at) === LINE_FEED;
    if (fed || this.#lineEnd === "any") this.#endRow();
    else this.#add("\r");
    return fed ? at + 1 : at;
  }

  /** Up to the quote that ends a quoted field, or the end of the text. */
  #quoted(text: string, at: number): number {
    const end = text.indexOf('"', at);
    this.#field += end < 0 ? text.slice(at) : text.slice(at, end);
    if (end < 0) return text.length;
    this.#state = "closing";
    return end + 1;
  }

  /** Up to the next character that means something; `ends`: line ends do. */
  #plain(text: string, begin: number, ends: boolean): number {
    let at = begin;
    for (; at < text.length; at++) {
      const letter = text.charCodeAt(at);
      if (letter === this.#delimiter || letter === QUOTE) break;
      if (ends && (letter === RETURN || (letter === LINE_FEED && this.#lineEnd !== "crlf"))) break;
    }
    if (at > begin) this.#add(text.slice(begin, at));
    if (at < text.length) this.#mark(text.charCodeAt(at));
    return at + 1;
  }

  #add(text: string): void {
    this.#field += text;
    this.#state = "plain";
  }

  #mark(letter: number): void {
    if (letter === this.#delimiter) {
      this.#fields.push(this.#field);
      this.#length += this.#field.length + 1;
      this.#field = "";
      this.#state = "start";
    } else if (letter === RETURN) this.#returned = true;
    else if (letter === LINE_FEED) this.#endRow();
    else if (this.#state === "plain") this.#add('"');
    else {
      // It opens a field, or is the second of two.
      if (this.#state === "closing") this.#field += '"';
      this.#state = "quoted";
    }
  }

  #endRow(): void {
    const fields = [...this.#fields, this.#field];
    this.#fields = [];
    this.#length = 0;
    this.#field = "";
    this.#state = "start";
    this.#records += 1;
    this.#row(fields);
  }

  #unclosed(): MarginaliaError {
    const message = `a quote in record ${this.#records + 1} is never closed: close it, or set \`delimiter\` or \`records\``;
    return new MarginaliaError("TEXT_INVALID", message);
  }
}
