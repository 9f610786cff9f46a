import { type Markup, markup } from "../markup.js";
import { shortened } from "../words.js";
import { at, kept, scale, svg, text, whisker } from "./svg.js";

/** A number with its interval, which may lie on either side of zero. */
export interface Dot {
  readonly label: string;
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly words: string;
}

const [ROW, LONGEST, LETTERS] = [32, 212, 52];

/** Dots with intervals beside a line at zero. */
export function dots(about: string, rows: readonly Dot[]): Markup {
  const low = Math.min(0, ...rows.map((row) => row.low));
  const high = Math.max(0, ...rows.map((row) => row.high));
  const x = scale([low, high], [6, LONGEST]);
  const height = ROW * rows.length;
  return svg({ about, height, marks: rows.map((row, i) => drawn(row, x, ROW * i)) });
}

function drawn({ label, value, low, high, words }: Dot, x: (value: number) => number, y: number): Markup {
  const zero = markup`<path class="zero" d="M${at(x(0))} ${at(y + 15)}v14"/>`;
  const dot = markup`<circle class="dot" data-row="${label}" data-series="dot" data-value="${kept(value)}" data-low="${kept(low)}" data-high="${kept(high)}" cx="${at(x(value))}" cy="${at(y + 22)}" r="3.5"/>`;
  return markup`<g>${text({ x: 4, y: y + 12 }, shortened(label, LETTERS))}${zero}${whisker(x(low), x(high), y + 22)}${dot}${text({ x: x(high) + 7, y: y + 26, as: "value" }, words)}</g>\n`;
}
