import { type Markup, markup } from "../markup.js";
import { percent, shortened } from "../words.js";
import { at, kept, svg, text } from "./svg.js";

export interface ShareRow {
  readonly label: string;
  /** The first of two parts of a whole, from 0 to 1. */
  readonly share: number;
}

const [ROW, LONGEST, LETTERS] = [36, 356, 52];
/** Below this there is no room for words in a part. */
const ROOM = 0.25;

/** Bars of the same length, each divided in two parts that are named within. */
export function shares(about: string, parts: readonly [string, string], rows: readonly ShareRow[]): Markup {
  const marks = rows.map((row, i) => divided(row, parts, ROW * i));
  return svg({ about, height: ROW * rows.length, marks });
}

function divided({ label, share }: ShareRow, [first, second]: readonly [string, string], y: number): Markup {
  const cut = Math.min(1, Math.max(0, share)) * LONGEST;
  const part = (series: string, value: number, x: number, width: number) =>
    markup`<rect class="bar ${series}" data-row="${label}" data-series="${series}" data-value="${kept(value)}" x="${at(x)}" y="${at(y + 16)}" width="${at(width)}" height="14"/>`;
  const inner = (words: string, value: number, x: number, as: "inner" | "outer") =>
    value < ROOM
      ? undefined
      : markup`<text x="${at(x)}" y="${at(y + 27)}" class="${as}">${words} ${percent(value)}</text>`;
  return markup`<g>${text({ x: 0, y: y + 12 }, shortened(label, LETTERS))}${part("synthetic", share, 0, cut)}${part("public", 1 - share, cut, LONGEST - cut)}${inner(first, share, 5, "inner")}${inner(second, 1 - share, cut + 5, "outer")}</g>\n`;
}
