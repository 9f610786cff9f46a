import { type Markup, markup } from "../markup.js";
import { figure } from "../words.js";
import { at, scale, svg, text, WIDTH } from "./svg.js";

/** A number with its interval. */
export interface Spread {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

const [HEIGHT, LEFT, EDGE] = [170, 46, 8];
/** Lines with numbers are not nearer to each other. */
const APART = 14;

/**
 * Many numbers with their intervals beside each other, in the given order: too many to be named. All intervals are one mark,
 * and all numbers another, so that thousands take some tens of bytes each. The scale is straight around zero, as far as
 * intervals reach there, and goes by powers of ten beyond: so the interval of a small number is seen beside a large one.
 */
export function spread(about: string, rows: readonly Spread[]): Markup {
  const reaches = rows.map(({ low, high }) => (high - low) / 2).sort((a, b) => a - b);
  const unit = Math.max(1, reaches[Math.floor(reaches.length / 2)] ?? 1);
  const bent = (value: number) => Math.asinh(value / unit);
  const low = Math.min(0, ...rows.map((row) => row.low));
  const high = Math.max(0, ...rows.map((row) => row.high));
  const place = scale([bent(low), bent(high)], [HEIGHT - EDGE, EDGE]);
  const y = (value: number) => tenth(place(bent(value)));
  const step = (WIDTH - LEFT - EDGE) / Math.max(1, rows.length);
  const x = (i: number) => tenth(LEFT + step * (i + 0.5));
  const intervals = rows.map((row, i) => `M${x(i)} ${y(row.low)}V${y(row.high)}`).join("");
  const points = rows.map((row, i) => `M${x(i)} ${y(row.value)}h0`).join("");
  const width = at(Math.max(0.3, Math.min(4, 0.6 * step)));
  const marks = [
    ...axis(low, high, (value) => place(bent(value))),
    markup`<path class="spread" stroke-width="${width}" d="${intervals}"/>`,
    markup`<path class="points" data-series="points" data-value="${rows.length}" d="${points}"/>`,
  ];
  return svg({ about, height: HEIGHT, marks });
}

const tenth = (value: number): string => `${Number(value.toFixed(1))}`;

/** Lines at zero and at powers of ten, each with its number. */
function axis(low: number, high: number, y: (value: number) => number): Markup[] {
  const powers = Array.from({ length: 12 }, (_, i) => 10 ** (11 - i));
  const marks = [0];
  for (const value of [...powers, ...powers.map((power) => -power)]) {
    const free = marks.every((other) => Math.abs(y(value) - y(other)) >= APART);
    if (value >= low && value <= high && free) marks.push(value);
  }
  return marks.map((value) => {
    const line = markup`<path class="zero" d="M${LEFT} ${at(y(value))}H${WIDTH - EDGE}"/>`;
    return markup`${line}${text({ x: 2, y: y(value) + 4 }, figure(value))}`;
  });
}
