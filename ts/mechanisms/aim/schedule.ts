import { double, Rational } from "../../privacy/rational.js";

/** A round taught the model too little that moved what it measured by at most this part of the error that it was to leave. */
export const SLIGHT = 0.6;

/** What is public of a schedule. */
export interface Spending {
  /** What each attribute gets before the first round, and the first round. */
  readonly each: Rational;
  /** By how much later rounds spend more, once one has taught the model too little. */
  readonly factor: Rational;
}

/** What rounds spend of an amount. What is left for less than two of them goes into the last one. */
export class Schedule {
  readonly #all: Rational;
  readonly #factor: Rational;
  #each: Rational;
  #left: Rational;

  constructor(all: Rational, { each, factor }: Spending) {
    this.#all = all;
    this.#left = all;
    this.#each = each;
    this.#factor = factor;
  }

  /** The part of the amount that is spent. */
  get spent(): number {
    return double(this.#all.minus(this.#left).over(this.#all), false);
  }

  /** Whether all is spent. */
  get ended(): boolean {
    return this.#left.sign <= 0;
  }

  /** What each of so many attributes gets before the first round. */
  start(attributes: number): Rational {
    this.#left = this.#left.minus(this.#each.times(Rational.of(BigInt(attributes))));
    return this.#each;
  }

  /** What the next round gets. */
  next(): Rational {
    const isLast = this.#left.compare(this.#each.plus(this.#each)) < 0;
    const spend = isLast ? this.#left : this.#each;
    this.#left = this.#left.minus(spend);
    return spend;
  }

  /** Later rounds spend more. */
  grow(): void {
    this.#each = this.#each.times(this.#factor);
  }
}
