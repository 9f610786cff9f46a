import { parseDay } from "../../tables/dates.js";
import { Sketch } from "./sketch.js";

/** Different texts that are kept of a column, and the length up to which they are. */
export const MOST_TEXTS = 4096;
const LONGEST = 200;
/** Different texts beside numbers or days that are kept. */
const MOST_STRAYS = 8;

const NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;
const PADDED = /^-?0\d/;

/** Texts among numbers or days: which, and whether there were more than are kept. */
export interface Strays {
  readonly texts: Set<string>;
  count: number;
  more: boolean;
}

/** What is remembered of the numbers of a column. */
export interface Numbers {
  count: number;
  min: number;
  max: number;
  /** Whether all are whole and exact. */
  whole: boolean;
  /** Whether each is above the one before it. */
  rising: boolean;
  /** Digits after the point, at most. */
  decimals: number;
  readonly quantiles: Sketch;
  readonly strays: Strays;
}

/** What is remembered of the days of a column. */
export interface Days {
  count: number;
  min: string;
  max: string;
  readonly strays: Strays;
}

/** What a public column holds, in memory that does not grow with it. */
export class Column {
  readonly name: string;
  rows = 0;
  empty = 0;
  /** How often each text stands there, of the first that were met. */
  readonly texts = new Map<string, number>();
  /** Whether there were other texts. */
  more = false;
  characters = 0;
  readonly numbers: Numbers = {
    count: 0,
    min: Number.POSITIVE_INFINITY,
    max: Number.NEGATIVE_INFINITY,
    whole: true,
    rising: true,
    decimals: 0,
    quantiles: new Sketch(),
    strays: strays(),
  };
  readonly days: Days = { count: 0, min: "9999-12-31", max: "0001-01-01", strays: strays() };
  #last = Number.NEGATIVE_INFINITY;
  readonly #comma: boolean;

  constructor(name: string, decimalComma: boolean) {
    this.name = name;
    this.#comma = decimalComma;
  }

  add(text: string): void {
    this.rows++;
    if (text === "") {
      this.empty++;
      return;
    }
    this.characters += text.length;
    const known = this.texts.get(text);
    if (known !== undefined) this.texts.set(text, known + 1);
    else if (this.texts.size < MOST_TEXTS && text.length <= LONGEST) this.texts.set(text, 1);
    else this.more = true;
    this.#number(text);
    this.#day(text);
  }

  /** Rows up to this one that did not name the column have no value in it. */
  absent(rows: number): void {
    this.empty += Math.max(0, rows - this.rows);
    this.rows = Math.max(rows, this.rows);
  }

  /** Rows with a text. */
  get filled(): number {
    return this.rows - this.empty;
  }

  #number(raw: string): void {
    // With so many texts beside them the numbers no longer matter.
    if (this.numbers.strays.more) return;
    const text = this.#comma ? raw.replace(",", ".") : raw;
    const value = NUMBER.test(text) && !PADDED.test(text) ? Number(text) : Number.NaN;
    const { numbers } = this;
    if (!Number.isFinite(value)) return stray(numbers.strays, raw);
    numbers.count++;
    numbers.min = Math.min(numbers.min, value);
    numbers.max = Math.max(numbers.max, value);
    numbers.whole &&= Number.isSafeInteger(value);
    numbers.rising &&= value > this.#last;
    this.#last = value;
    const digits = /\.(\d+)$/.exec(text)?.[1]?.replace(/0+$/, "").length ?? 0;
    numbers.decimals = Math.max(numbers.decimals, digits);
    numbers.quantiles.add(value);
  }

  #day(text: string): void {
    const { days } = this;
    if (days.strays.more) return;
    if (parseDay(text) === undefined) return stray(days.strays, text);
    days.count++;
    if (text < days.min) days.min = text;
    if (text > days.max) days.max = text;
  }
}

function strays(): Strays {
  return { texts: new Set(), count: 0, more: false };
}

function stray(kept: Strays, text: string): void {
  kept.count++;
  if (kept.texts.has(text)) return;
  if (kept.texts.size < MOST_STRAYS && text.length <= LONGEST) kept.texts.add(text);
  else kept.more = true;
}
