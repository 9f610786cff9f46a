import { invalid } from "../options.js";
import { stream } from "../seed.js";

/** Pairs of attributes that a score is the mean over; each as often as it was drawn. */
export interface Pairs {
  readonly pairs: readonly (readonly [string, string])[];
  readonly times: readonly number[];
  /** How many were drawn, repetitions included. */
  readonly drawn: number;
}

/** Every pair of some attributes, once. */
export function everyPair(names: readonly string[]): Pairs {
  const pairs = names.flatMap((a, i) => names.slice(i + 1).map((b) => [a, b] as const));
  if (pairs.length === 0)
    throw invalid("a score over pairs needs at least two attributes besides the groups");
  return { pairs, times: pairs.map(() => 1), drawn: pairs.length };
}

/** `count` pairs of two different attributes, each drawn anew from all, so that one may come again. */
export function drawnPairs(names: readonly string[], count: number, seed: string | number): Pairs {
  if (!Number.isInteger(count) || count < 1)
    throw invalid('`pairs` must be "all" or a whole number of at least 1');
  const all = everyPair(names).pairs;
  const draws = stream(seed, "pairs");
  const times = new Map<number, number>();
  for (let i = 0; i < count; i++) {
    const place = Math.floor(draws.double() * all.length);
    times.set(place, (times.get(place) ?? 0) + 1);
  }
  const places = [...times.keys()].sort((a, b) => a - b);
  return {
    pairs: places.map((place) => all[place] as readonly [string, string]),
    times: places.map((place) => times.get(place) as number),
    drawn: count,
  };
}
