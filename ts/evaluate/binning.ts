import type { TextColumn } from "./columns.js";

/** What a data dictionary says of a column: values by code, and `min` and `max` where it holds numbers. */
export type Dictionary = Readonly<Record<string, { readonly values?: unknown }>>;

/** From a column's text to what is compared: the number of a bin, or a text that is a value of its own. */
export type Binner = (text: string) => number | string;

/** Numbers that spread over no more than this are compared as they are. */
const NARROW = 20;
const BINS = 20;
const DECIMAL = /^\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?\s*$/i;

/** The number that a text is, if it is one. */
export function numberOf(text: string): number | undefined {
  return DECIMAL.test(text) ? Number(text) : undefined;
}

/** A value as categories are compared: 3, 3.0 and 03 are the same. */
export const canonical: Binner = (text) => {
  const number = numberOf(text);
  return number !== undefined && Number.isInteger(number) ? `${number}` : text;
};

/** How a column is compared: in the bins given, in bins of its own, or value by value. */
export function binnerOf(
  name: string,
  [truth, synthetic]: readonly [TextColumn, TextColumn],
  dictionary: Dictionary,
  bins: Readonly<Record<string, readonly number[]>>,
): Binner {
  const fixed = bins[name];
  if (fixed) return withinEdges(fixed);
  const range = rangeOf(dictionary[name]?.values);
  if (!range || range.max - range.min <= NARROW) return canonical;
  if (name === "DENSITY") return withinEdges(densityEdges(range.max));
  const edges = percentileEdges(truth, synthetic, range.nulls);
  return edges ? beyondEdges(edges) : canonical;
}

/** The range that a dictionary gives a column of numbers, and how many of its codes are none. */
function rangeOf(values: unknown): { min: number; max: number; nulls: number } | undefined {
  if (typeof values !== "object" || values === null || !("min" in values && "max" in values))
    return undefined;
  const { min, max, ...nulls } = values;
  return { min: Number(min), max: Number(max), nulls: Object.keys(nulls).length };
}

/**
 * SDNist's edges: percentiles of the true numbers, the next one up where one falls between two, each once, and the
 * largest. There are 20 bins less one for each code that is no number, and for each side on which the other file goes
 * beyond the true one.
 */
function percentileEdges(truth: TextColumn, synthetic: TextColumn, nulls: number): number[] | undefined {
  const sorted = spectrum(truth);
  const last = sorted.at(-1);
  const first = sorted[0];
  if (!first || !last) return undefined;
  const others = synthetic.texts.map(numberOf).filter((value) => value !== undefined);
  const below = others.some((value) => value < first.value) ? 1 : 0;
  const above = others.some((value) => value > last.value) ? 1 : 0;
  const bins = Math.max(1, BINS - nulls - below - above);
  const edges: number[] = [];
  for (let i = 0; i < bins; i++) {
    const place = Math.ceil(((last.upTo - 1) * (bins === BINS ? 5 * i : (100 * i) / bins)) / 100);
    const { value } = sorted.find(({ upTo }) => upTo > place) ?? last;
    if (value > (edges.at(-1) ?? Number.NEGATIVE_INFINITY)) edges.push(value);
  }
  if (last.value > (edges.at(-1) as number)) edges.push(last.value);
  return edges;
}

/** The different numbers of a column, ascending, each with how many rows have it or a lower one. */
function spectrum(column: TextColumn): { value: number; upTo: number }[] {
  const counts = column.counts();
  const numbers = new Map<number, number>();
  column.texts.forEach((text, i) => {
    const value = numberOf(text);
    if (value !== undefined) numbers.set(value, (numbers.get(value) ?? 0) + (counts[i] as number));
  });
  let upTo = 0;
  return [...numbers]
    .sort(([a], [b]) => a - b)
    .map(([value, count]) => {
      upTo += count;
      return { value, upTo };
    });
}

/** SDNist's edges for `DENSITY`: 0, 150, and the last 13 of 21 points from 10 to 500 above the largest, even in the logarithm. */
export function densityEdges(max: number): number[] {
  const end = Math.log10(max + 500);
  const points = Array.from({ length: 13 }, (_, i) => 10 ** (1 + ((end - 1) * (i + 8)) / 20));
  return [0, 150, ...points];
}

/** Bins that are closed on the right, the first on both sides; what lies beyond has a bin on each side. */
function beyondEdges(edges: readonly number[]): Binner {
  return (text) => {
    const value = numberOf(text);
    if (value === undefined) return text;
    return value === edges[0] ? 1 : firstFrom(edges, value);
  };
}

/** The same, and what lies beyond belongs to the first or last. */
function withinEdges(edges: readonly number[]): Binner {
  return (text) => {
    const value = numberOf(text);
    if (value === undefined) return text;
    return Math.min(edges.length - 1, Math.max(1, firstFrom(edges, value)));
  };
}

/** The place of the first edge that is not below a value. */
function firstFrom(edges: readonly number[], value: number): number {
  let [low, high] = [0, edges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((edges[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
