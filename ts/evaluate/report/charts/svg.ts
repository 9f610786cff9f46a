import { type Markup, markup } from "../markup.js";

/** The width of every chart in its own units: that of a phone, so that text needs no shrinking there. */
export const WIDTH = 360;

/** What a bar or dot stands for; each has a fill of its own besides its colour, and is named beside it. */
export type Series = "public" | "synthetic" | "private" | "subsample" | "plain";

/** A chart: what it shows in one sentence, and its marks. Its numbers stand in the table below it, too. */
export interface Drawing {
  readonly about: string;
  readonly width?: number;
  readonly height: number;
  readonly marks: readonly Markup[];
}

export function svg({ about, width = WIDTH, height, marks }: Drawing): Markup {
  return markup`<svg viewBox="0 0 ${at(width)} ${at(height)}" role="img" aria-label="${about}">${marks}</svg>`;
}

/** A coordinate, to a hundredth. */
export const at = (value: number): string => `${Number(value.toFixed(2))}`;

/** A number as a chart keeps it, so that it can be read back. */
export const kept = (value: number): string => `${value}`;

export interface TextPlace {
  readonly x: number;
  readonly y: number;
  readonly as?: "label" | "value" | "axis" | "end";
}

export const text = ({ x, y, as = "label" }: TextPlace, words: string): Markup =>
  markup`<text x="${at(x)}" y="${at(y)}" class="${as}">${words}</text>`;

/** A straight scale from numbers to a stretch of the chart; where there is nothing to show, all lies at its start. */
export function scale([low, high]: readonly [number, number], [from, to]: readonly [number, number]) {
  const per = high > low ? (to - from) / (high - low) : 0;
  return (value: number): number => from + (Math.min(high, Math.max(low, value)) - low) * per;
}

/** A line with ends, for an interval; it is set off from what lies behind it. */
export function whisker(x0: number, x1: number, y: number): Markup {
  const [a, b] = [at(x0), at(x1)];
  const path = `M${a} ${at(y)}H${b}M${a} ${at(y - 3)}v6M${b} ${at(y - 3)}v6`;
  return markup`<path class="halo" d="${path}"/><path class="whisker" d="${path}"/>`;
}
