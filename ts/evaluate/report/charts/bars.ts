import { type Markup, markup } from "../markup.js";
import { shortened } from "../words.js";
import { at, kept, type Series, scale, svg, text, WIDTH, whisker } from "./svg.js";

/** A bar from zero, with its interval if it has one. */
export interface Bar {
  readonly series: Series;
  readonly value: number;
  readonly low?: number;
  readonly high?: number;
  /** What is written at its end. */
  readonly words: string;
}

export interface BarRow {
  readonly label: string;
  readonly bars: readonly Bar[];
  /** A mark across the bars, and what it stands for. */
  readonly tick?: { readonly value: number; readonly words: string };
}

const [LABEL, BAR, GAP] = [16, 13, 8];
/** Where bars end at the latest; their words stand behind. */
const LONGEST = 212;
const LETTERS = 56;

/** Horizontal bars that begin at zero, each with its number at its end, one group under each label. */
export function bars(about: string, rows: readonly BarRow[]): Markup {
  const most = Math.max(0, ...rows.flatMap(({ bars: own, tick }) => [...own.map(end), tick?.value ?? 0]));
  const x = scale([0, most], [0, LONGEST]);
  let y = 0;
  const marks: Markup[] = [];
  for (const row of rows) {
    marks.push(group(row, x, y));
    y += LABEL + BAR * row.bars.length + GAP;
  }
  marks.push(markup`<path class="zero" d="M.5 0V${at(y - GAP / 2)}"/>`);
  return svg({ about, width: WIDTH, height: y, marks });
}

const end = ({ value, high = value }: Bar): number => Math.max(value, high);

function group({ label, bars: own, tick }: BarRow, x: (value: number) => number, y: number): Markup {
  const top = y + LABEL;
  const drawn = own.map((one, i) => bar(one, { label, tick }, x, top + BAR * i));
  const across = tick && mark(tick.value, label, x, [top - 1, top + BAR * own.length - 1]);
  return markup`<g>${text({ x: 4, y: y + 12 }, shortened(label, LETTERS))}${drawn}${across}</g>\n`;
}

function bar(
  { series, value, low, high, words }: Bar,
  { label, tick }: Pick<BarRow, "label"> & { tick: BarRow["tick"] },
  x: (value: number) => number,
  y: number,
): Markup {
  const [data, long] = [kept(value), Math.max(0, x(value))];
  const interval =
    low === undefined || high === undefined
      ? undefined
      : markup`<g data-low="${kept(low)}" data-high="${kept(high)}">${whisker(x(low), x(high), y + 5)}</g>`;
  const after = Math.max(long, x(high ?? 0), x(tick?.value ?? 0)) + 5;
  const rect = markup`<rect class="bar ${series}" data-row="${label}" data-series="${series}" data-value="${data}" x="0" y="${at(y)}" width="${at(long)}" height="10"/>`;
  return markup`${rect}${interval}${text({ x: after, y: y + 9, as: "value" }, words)}`;
}

function mark(
  value: number,
  row: string,
  x: (value: number) => number,
  [from, to]: readonly [number, number],
) {
  return markup`<path class="tick" data-row="${row}" data-series="tick" data-value="${kept(value)}" d="M${at(x(value))} ${at(from)}V${at(to)}"/>`;
}
