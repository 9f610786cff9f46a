// Draws that are the same to the bit on every machine: a seeded generator, integer weights, and no function
// of Math whose last digit an engine may choose.

import seedrandom from "seedrandom";

/** Draws from one stream of random numbers, which its name alone determines. */
export class Draw {
  #next;

  constructor(name) {
    this.#next = seedrandom(name);
  }

  /** A whole number, each of 0 … n − 1 as likely as another. */
  below(n) {
    return Math.floor(this.#next() * n);
  }

  /** A whole number from `low` to `high`, both included. */
  between(low, high) {
    return low + this.below(high - low + 1);
  }

  /** Whether something happens that does so `perMille` times in a thousand. */
  happens(perMille) {
    return this.below(1000) < perMille;
  }

  /** An index, as likely as its weight. */
  index(weights) {
    const place = this.below(weights.reduce((sum, weight) => sum + weight, 0));
    let passed = 0;
    return weights.findIndex((weight) => {
      passed += weight;
      return place < passed;
    });
  }

  /** A value between the quantiles that `knots` lists at equal steps of probability. */
  quantile(knots) {
    const place = this.#next() * (knots.length - 1);
    const knot = Math.floor(place);
    return knots[knot] + (place - knot) * (knots[knot + 1] - knots[knot]);
  }
}

/** Weights times per cents, rounded up so that what is possible stays so. */
export const tilt = (weights, percents) =>
  weights.map((weight, i) => Math.ceil((weight * percents[i]) / 100));

/** The index of the last of the increasing `starts` that is not above `value`. */
export const bracket = (starts, value) => starts.findLastIndex((start) => start <= value);
