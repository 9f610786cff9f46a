import { type Markup, markup } from "../markup.js";
import { figure } from "../words.js";
import { at, kept, scale, svg, text, WIDTH } from "./svg.js";

/** A number with its interval. */
export interface Spread {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

const [HEIGHT, LEFT, EDGE] = [170, 46, 8];

/**
 * Many numbers with their intervals beside each other, in the given order: too many to be named. All intervals are one mark,
 * and all numbers another, so that thousands take some ten bytes each.
 */
export function spread(about: string, rows: readonly Spread[]): Markup {
  const low = Math.min(0, ...rows.map((row) => row.low));
  const high = Math.max(0, ...rows.map((row) => row.high));
  const y = scale([low, high], [HEIGHT - EDGE, EDGE]);
  const step = (WIDTH - LEFT - EDGE) / Math.max(1, rows.length);
  const x = (i: number) => tenth(LEFT + step * (i + 0.5));
  const intervals = rows.map((row, i) => `M${x(i)} ${tenth(y(row.low))}V${tenth(y(row.high))}`).join("");
  const points = rows.map((row, i) => `M${x(i)} ${tenth(y(row.value))}h0`).join("");
  const values = rows.map(({ value }) => kept(Number(value.toPrecision(4)))).join(" ");
  const width = at(Math.max(0.3, Math.min(4, 0.6 * step)));
  const marks = [
    ...axis(low, high, y),
    markup`<path class="spread" stroke-width="${width}" d="${intervals}"/>`,
    markup`<path class="points" data-series="points" data-value="${rows.length}" data-values="${values}" d="${points}"/>`,
  ];
  return svg({ about, height: HEIGHT, marks });
}

const tenth = (value: number): string => `${Number(value.toFixed(1))}`;

/** Lines at zero and at the ends, each with its number. */
function axis(low: number, high: number, y: (value: number) => number): Markup[] {
  const marks = [...new Set([low, 0, high / 2, high])];
  return marks.map((value) => {
    const words = figure(Math.round(value));
    const line = markup`<path class="zero" d="M${LEFT} ${at(y(value))}H${WIDTH - EDGE}"/>`;
    // Close to zero there is no room for two numbers.
    const near = value !== 0 && Math.abs(y(value) - y(0)) < 12;
    return near ? line : markup`${line}${text({ x: 2, y: y(value) + 4, as: "value" }, words)}`;
  });
}
