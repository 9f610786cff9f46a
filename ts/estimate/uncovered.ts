import type { CliqueQuery, Measurement } from "../measurement.js";
import { answersOf, product } from "../query.js";
import type { Schema } from "../tables/schema.js";
import { type Gathered, gathered, type Meant, possible } from "./cells.js";

/**
 * Answers about which the prior says nothing: no row of it is in any of their cells, so the model answers 0 whatever is in
 * the table. Beside each stands an interval that holds the true answer with 90 %.
 */
export interface Uncovered {
  /** Their places among the answers, ascending. */
  readonly places: Uint32Array<ArrayBuffer>;
  /** The ends of the intervals, in the units of the answers. */
  readonly low: Float64Array<ArrayBuffer>;
  readonly high: Float64Array<ArrayBuffer>;
}

type Term = readonly [cell: number, factor: number];

/** What the intervals of uncovered answers rest on. */
export interface Ground {
  readonly schema: Schema;
  readonly measurements: readonly Measurement[];
  /** The records of the table, of which those that are asked about are a part. */
  readonly records: number;
  /** How many public records the prior is, and how many of the table's own population it is worth. */
  readonly sample: number;
  readonly worth: number;
}

/** A question about the records that meet a condition. */
export interface CountedQuestion {
  readonly clique: readonly string[];
  readonly query: CliqueQuery;
  readonly answers: number;
  readonly meant: Meant;
  /** Of each cell the public records in it that meet the condition. */
  readonly counts: Float64Array<ArrayBuffer>;
}

/** The half width of a normal interval of 90 %, in standard deviations. */
export const HALF = 1.645;

/**
 * How many records the prior is worth as a sample of the table's population, by what the estimate took it for:
 * n₀ = W·n/(W + n) of the W that it is worth and the n of the table, since both are samples.
 */
export function worthOf(sample: number, strength: number, records: number): number {
  return strength < records ? Math.min(sample, (strength * records) / (records - strength)) : sample;
}

/** The uncovered answers to a question. Such as can only be 0, by the schema or the condition, are not among them. */
export function uncoveredOf(question: CountedQuestion, ground: Ground): Uncovered {
  const { clique, query, answers, meant, counts } = question;
  const shape = clique.map((name) => ground.schema.size(name));
  const can = possible(ground.schema, clique, meant);
  const missed = rareOf(counts, can, ground);
  const measured = ground.measurements.flatMap((one) => gathered(ground.schema, one, clique, meant) ?? []);
  const found: [place: number, low: number, high: number][] = [];
  for (let place = 0; place < answers; place++) {
    const cells = openTerms(termsOf(query, place, shape), counts, can);
    if (cells.length === 0) continue;
    const factors = cells.map(([, factor]) => factor);
    const [down, up] = [Math.min(0, ...factors), Math.max(0, ...factors)];
    const most = missed(cells.length);
    const best = mostPrecise(cells, measured);
    // By the noise alone, so that what was measured has no part in the choice.
    if (best && HALF * best.error < most * (up - down)) {
      const { value, error } = best;
      const [low, high] = [value - HALF * error, value + HALF * error];
      found.push([place, down < 0 ? Math.min(low, down) : Math.max(low, 0), Math.max(high, up)]);
    } else found.push([place, down * most, up * most]);
  }
  return {
    places: Uint32Array.from(found, ([place]) => place),
    low: Float64Array.from(found, ([, low]) => low),
    high: Float64Array.from(found, ([, , high]) => high),
  };
}

/** The cells that an answer adds up, with their factors. */
function termsOf(query: CliqueQuery, answer: number, shape: readonly number[]): Term[] {
  switch (query.type) {
    case "identity":
      return [[answer, 1]];
    case "matrix":
      return [...(query.rows[answer] ?? []).entries()].filter(([, factor]) => factor !== 0);
    case "product": {
      let [all, rest]: [Term[], number] = [[[0, 1]], answer];
      for (const [i, factor] of [...query.factors.entries()].reverse()) {
        const size = shape[i] as number;
        const rows = answersOf(factor, [size]);
        const after = product(shape.slice(i + 1));
        all = termsOf(factor, rest % rows, [size]).flatMap(([code, own]) =>
          all.map(([cell, weight]): Term => [code * after + cell, own * weight]),
        );
        rest = Math.floor(rest / rows);
      }
      return all;
    }
    default: {
      const [first, last] = query.type === "prefix" ? [0, answer] : (query.ranges[answer] as Term);
      return Array.from({ length: last - first + 1 }, (_, i) => [first + i, 1]);
    }
  }
}

/** Those that public rows are missing from, or nothing where some public row is in one of its cells. */
function openTerms(terms: readonly Term[], counts: Float64Array, can: Uint8Array): Term[] {
  return terms.some(([cell]) => (counts[cell] as number) > 0)
    ? []
    : terms.filter(([cell]) => can[cell] === 1);
}

/**
 * How many records there may be in so many cells together that all W public records miss. The larger of two:
 *
 * - Records of share p are missed with probability (1 − p)^W. With 90 % that is no more than p ≤ 1 − 0.1^(1/W), about 2.3/W.
 * - That is so of each cell, and not of those that happen to be missed: where many cells have a share of about 1/W, most
 *   that are missed are of these. What share missed cells have on average the cells tell that one or two public records
 *   are in (Good 1953): f₁/f₀ records of the sample, and 2f₂/f₀ for the mean of squares. By Cantelli's inequality no law
 *   with such a mean and deviation is above mean + 3 deviations in more than one of ten cells.
 *
 * One record at least: so the chance that the table has more than a few public records leave out is kept too.
 */
function rareOf(
  counts: Float64Array,
  can: Uint8Array,
  { records, sample, worth }: Ground,
): (cells: number) => number {
  const seen = [0, 0, 0];
  counts.forEach((count, cell) => {
    const times = Math.round(count);
    if (can[cell] === 1 && times < seen.length) seen[times] = (seen[times] as number) + 1;
  });
  const [none, once, twice] = seen as [number, number, number];
  const rate = records / sample;
  const mean = none > 0 ? (rate * once) / none : 0;
  const square = none > 0 ? (2 * rate ** 2 * twice) / none : 0;
  // That of a sample of the table, and of the table's population about the public one.
  const variance = mean + Math.max(0, square - mean ** 2) + mean * records * (1 / worth - 1 / sample);
  const each = records * -Math.expm1(Math.log(0.1) / worth);
  return (cells) => Math.min(records, Math.max(1, each, cells * mean + 3 * Math.sqrt(cells * variance)));
}

/** A weighted sum of cells by measurements that tell them apart: the mean by the inverse of their variances. */
function mostPrecise(
  cells: readonly Term[],
  measured: readonly Gathered[],
): { value: number; error: number } | undefined {
  let [weights, sum] = [0, 0];
  for (const { sums, values, variance } of measured) {
    const own = cells.reduce((all, [cell, factor]) => all + factor ** 2 * (values[cell] as number), 0);
    if (!(own > 0)) continue;
    const value = cells.reduce((all, [cell, factor]) => all + factor * (sums[cell] as number), 0);
    weights += 1 / (variance * own);
    sum += value / (variance * own);
  }
  return weights > 0 ? { value: sum / weights, error: Math.sqrt(1 / weights) } : undefined;
}
