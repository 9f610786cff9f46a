import { type Markup, markup } from "../markup.js";
import { shortened } from "../words.js";
import { at, kept, svg, text, WIDTH } from "./svg.js";

/** A number of a pair of attributes. */
export interface PairValue {
  readonly attributes: readonly [string, string];
  readonly value: number;
}

/** More attributes would leave no room for a number in a cell. */
export const MOST_ATTRIBUTES = 14;
/** For the name at the end of the last row. */
const NAMES = 84;
/** The strongest tint still lets the number in it be read, in light and in dark. */
const STRONGEST = 0.5;

/**
 * The attributes that are drawn, the most different first: by the mean over their pairs. Where there are too many, those
 * that come last are left to the table.
 */
export function ordered(pairs: readonly PairValue[]): string[] {
  const sums = new Map<string, { sum: number; of: number }>();
  for (const { attributes, value } of pairs)
    for (const name of attributes) {
      const { sum, of } = sums.get(name) ?? { sum: 0, of: 0 };
      sums.set(name, { sum: sum + value, of: of + 1 });
    }
  const means = [...sums].map(([name, { sum, of }]) => ({ name, mean: sum / of }));
  means.sort((a, b) => b.mean - a.mean || (a.name < b.name ? -1 : 1));
  return means.slice(0, MOST_ATTRIBUTES).map(({ name }) => name);
}

/** A triangle of cells, one for each pair, tinted from zero on; names stand where row and column meet. */
export function heat(about: string, pairs: readonly PairValue[], words: (value: number) => string): Markup {
  const names = ordered(pairs);
  const side = (WIDTH - NAMES) / Math.max(1, names.length - 1);
  const cell = Math.min(30, side);
  const most = Math.max(0, ...pairs.map(({ value }) => value));
  const place = new Map(names.map((name, i) => [name, i]));
  const cells = pairs.map(({ attributes, value }) => {
    const [one, other] = attributes.map((name) => place.get(name));
    if (one === undefined || other === undefined) return undefined;
    const [column, row] = [Math.min(one, other), Math.max(one, other)];
    const tint = most > 0 ? (STRONGEST * value) / most : 0;
    const [x, y] = [cell * column, cell * row];
    return markup`<rect class="cell" data-a="${names[column]}" data-b="${names[row]}" data-value="${kept(value)}" x="${at(x)}" y="${at(y)}" width="${at(cell)}" height="${at(cell)}" fill-opacity="${at(tint)}"/>${text({ x: x + cell / 2, y: y + cell / 2 + 3, as: "axis" }, words(value))}`;
  });
  const labels = names.map((name, i) => {
    const room = Math.floor((WIDTH - cell * i - 4) / 6.2);
    return text({ x: cell * i + 4, y: cell * i + cell / 2 + 4 }, shortened(name, room));
  });
  const shown = cells.flatMap((one) => (one ? [one, markup`\n`] : []));
  return svg({ about, height: cell * names.length, marks: [...shown, ...labels] });
}
