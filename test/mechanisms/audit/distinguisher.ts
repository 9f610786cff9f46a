import type { Measurement } from "marginalia";
import { epsilonOf, type Happened } from "./chance.js";
import type { Shown } from "./small.js";

/** Something that a release may show or not. */
export type Event = (one: Shown) => boolean;

/** What is learned of two neighbouring tables: from the first part of the runs, and which to trust from the second. */
type Both = readonly [readonly Shown[], readonly Shown[]];

/** The exact answers of a table to what a release asked, as many as it has values. */
export type Truth = (one: Measurement) => ArrayLike<number>;

const part = ([a, b]: Both, from: number, to: number): Both => {
  const cut = (runs: readonly Shown[]) => runs.slice(from * runs.length, to * runs.length);
  return [cut(a), cut(b)];
};

export function happened(event: Event, [a, b]: Both): Happened {
  const tries = Math.min(a.length, b.length);
  const often = (runs: readonly Shown[]) => runs.slice(0, tries).filter(event).length;
  return { often: [often(a), often(b)], tries };
}

/**
 * A lower bound of ε, by what the laws of the noise say, and by whatever else tells two tables apart best: learned from a
 * fifth of the runs, chosen by another, and tried on those that neither has seen, so that the bound holds but for a chance
 * of α however much was learned.
 */
export function attacked(both: Both, truths: readonly [Truth, Truth], delta: number, alpha: number): number {
  const [first, second, rest] = [part(both, 0, 0.2), part(both, 0.2, 0.4), part(both, 0.4, 1)];
  const cut = (scores: readonly Score[]) => scores.flatMap((score) => thresholds(score, second));
  const attacks = [
    cut([byLaw(first, truths)]),
    [...cut([byLine(first), ...byPlace(first)]), ...byValue(first)],
  ];
  const bounds = attacks.map((events) =>
    epsilonOf(happened(mostTelling(events, second, delta), rest), delta, alpha / attacks.length),
  );
  return Math.max(...bounds);
}

/** The event that seems to tell the most; there are thousands, so that a rough bound has to do. */
function mostTelling(events: readonly Event[], runs: Both, delta: number): Event {
  const hopes = events.map((event) => {
    const {
      often: [a, b],
      tries,
    } = happened(event, runs);
    const ratio = (much: number, little: number) =>
      Math.log(Math.max(1e-9, much + 1 - delta * tries) / (little + 8 + 2 * Math.sqrt(little)));
    return Math.max(ratio(a, b), ratio(b, a), ratio(tries - a, tries - b), ratio(tries - b, tries - a));
  });
  const most = hopes.reduce((so, hope) => Math.max(so, hope), Number.NEGATIVE_INFINITY);
  return events[hopes.indexOf(most)] as Event;
}

type Score = (one: Shown) => number;

/** Events that a score is high, at cuts between which lies a fiftieth of the runs. */
function thresholds(score: Score, [a, b]: Both): Event[] {
  const sorted = [...a, ...b].map(score).sort((x, y) => x - y);
  const cuts = Array.from({ length: 49 }, (_, i) => sorted[Math.floor(((i + 1) * sorted.length) / 50)]);
  return [...new Set(cuts)].map((cut) => (one: Shown) => score(one) >= (cut as number));
}

/**
 * The logarithm of how much likelier the answers are with the second table, by the laws of their noise; and of what was
 * chosen, as often as it was seen to be. Were that all that a release shows, nothing could do better.
 */
function byLaw([a, b]: Both, [truth, other]: readonly [Truth, Truth]): Score {
  const choice = ({ measurements }: Shown) => measurements.map(({ clique }) => clique.join()).join(";");
  const counts = [a, b].map((runs) => {
    const seen = new Map<string, number>();
    for (const one of runs) seen.set(choice(one), (seen.get(choice(one)) ?? 0) + 1);
    return seen;
  }) as [Map<string, number>, Map<string, number>];
  return (one) => {
    const [n, m] = counts.map((seen) => (seen.get(choice(one)) ?? 0) + 0.5) as [number, number];
    let sum = Math.log(m / n);
    for (const measurement of one.measurements) {
      const { noise, values } = measurement;
      const [above = 1, below = 1] = noise.scale.split("/").map(Number);
      const [x, y] = [truth(measurement), other(measurement)];
      const off = (value: number) =>
        noise.law === "laplace" ? (Math.abs(value) * below) / above : (value * value * below) / (2 * above);
      for (const [i, value] of values.entries())
        sum += off(value - (x[i] as number)) - off(value - (y[i] as number));
    }
    return sum;
  };
}

const figure = ({ leaves }: Shown, at: string): number => {
  const leaf = leaves.get(at);
  return typeof leaf === "number" ? leaf : Number.NaN;
};

/** Places whose figures differ from run to run. */
function places([a, b]: Both): string[] {
  const all = [...a, ...b];
  const names = new Set(all.flatMap(({ leaves }) => [...leaves.keys()]));
  const first = all[0] as Shown;
  return [...names].filter((at) => all.some(({ leaves }) => leaves.get(at) !== first.leaves.get(at)));
}

/** Every figure by itself; one that is missing is small. */
const byPlace = (both: Both): Score[] =>
  places(both).map((at) => (one) => {
    const value = figure(one, at);
    return Number.isNaN(value) ? -1e300 : value;
  });

/** For every place, the figures and texts that were seen more often with one table than with the other. */
function byValue(both: Both): Event[] {
  return places(both).flatMap((at) => {
    const seen = new Map<number | string | undefined, number>();
    for (const [which, runs] of both.entries())
      for (const { leaves } of runs)
        seen.set(leaves.get(at), (seen.get(leaves.get(at)) ?? 0) + 2 * which - 1);
    return [1, 3].flatMap((by) =>
      [1, -1].map((side) => {
        const own = new Set([...seen].filter(([, more]) => side * more >= by).map(([value]) => value));
        return ({ leaves }: Shown) => own.has(leaves.get(at));
      }),
    );
  });
}

/** Fisher's discriminant of all figures together: the line on which the two tables lie farthest apart. */
function byLine(both: Both): Score {
  const [a, b] = both;
  const all = [...a, ...b];
  const names = places(both).filter((at) => all.every((one) => !Number.isNaN(figure(one, at))));
  const mean = (runs: readonly Shown[], at: string) =>
    runs.reduce((sum, one) => sum + figure(one, at), 0) / runs.length;
  const middle = names.map((at) => mean(all, at));
  const spread = names.map((at, i) =>
    Math.sqrt(all.reduce((sum, one) => sum + (figure(one, at) - (middle[i] as number)) ** 2, 0) / all.length),
  );
  const scaled = (one: Shown) =>
    names.map((at, i) => (figure(one, at) - (middle[i] as number)) / (spread[i] as number));
  const rows = all.map(scaled);
  // A tenth more on the diagonal: many figures say the same.
  const matrix = names.map((_, i) => {
    const line = names.map((_, j) =>
      rows.reduce((sum, row) => sum + (row[i] as number) * (row[j] as number), 0),
    );
    return line.map((sum, j) => sum / rows.length + (i === j ? 0.1 : 0));
  });
  const apart = names.map((at, i) => (mean(b, at) - mean(a, at)) / (spread[i] as number));
  const slope = solved(matrix, apart);
  return (one) => scaled(one).reduce((sum, x, i) => sum + x * (slope[i] as number), 0);
}

/** The solution of a symmetric, positive definite system, by elimination. */
function solved(matrix: number[][], right: number[]): number[] {
  const n = right.length;
  const [m, x] = [matrix.map((row) => [...row]), [...right]];
  for (let k = 0; k < n; k++) {
    const pivot = m[k] as number[];
    for (let i = k + 1; i < n; i++) {
      const row = m[i] as number[];
      const by = (row[k] as number) / (pivot[k] as number);
      for (let j = k; j < n; j++) row[j] = (row[j] as number) - by * (pivot[j] as number);
      x[i] = (x[i] as number) - by * (x[k] as number);
    }
  }
  for (let k = n - 1; k >= 0; k--) {
    const row = m[k] as number[];
    let sum = x[k] as number;
    for (let j = k + 1; j < n; j++) sum -= (row[j] as number) * (x[j] as number);
    x[k] = sum / (row[k] as number);
  }
  return x;
}
