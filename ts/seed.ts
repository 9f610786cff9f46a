import type { PRNG } from "seedrandom";
// The package's index would bring six more generators along.
import seedrandom from "seedrandom/seedrandom.js";

/**
 * Everything after the noise takes its randomness from here: a stream for a seed and a path, so that what one
 * part draws never depends on the order in which parts run.
 */
export function stream(seed: string | number, ...path: readonly (string | number)[]): PRNG {
  return seedrandom(JSON.stringify([`${seed}`, ...path]));
}

/** A 64-bit key for a stream of draws in Rust. */
export function key(seed: string | number, ...path: readonly (string | number)[]): bigint {
  const draws = stream(seed, ...path);
  const word = () => BigInt(draws.int32() >>> 0);
  return (word() << 32n) | word();
}

/** `count` of the numbers below `n`, in increasing order, each set of them equally likely. */
export function subset(n: number, count: number, draws: PRNG): number[] {
  const moved = new Map<number, number>();
  const chosen: number[] = [];
  for (let i = 0; i < Math.min(n, count); i++) {
    const j = i + Math.floor(draws.double() * (n - i));
    chosen.push(moved.get(j) ?? j);
    moved.set(j, moved.get(i) ?? i);
  }
  return chosen.sort((a, b) => a - b);
}
