/** Numbers that a level holds. */
const CAPACITY = 4096;

/**
 * Quantiles of a stream in bounded memory, without chance (Munro and Paterson 1980): two full buffers of a level become
 * one of the next, of every other of their sorted numbers, by turns the odd and the even ones. Up to `CAPACITY` numbers it is
 * exact; beyond, a rank is off by at most log₂(n / CAPACITY) / (2 · CAPACITY) of n.
 */
export class Sketch {
  #filling = new Float64Array(CAPACITY);
  #filled = 0;
  /** Level `i` holds nothing, or numbers that stand for 2^i each. */
  readonly #levels: (Float64Array | undefined)[] = [];
  readonly #odd: boolean[] = [];

  add(value: number): void {
    this.#filling[this.#filled++] = value;
    if (this.#filled < CAPACITY) return;
    this.#carry(this.#filling.sort());
    this.#filling = new Float64Array(CAPACITY);
    this.#filled = 0;
  }

  /**
   * Where bins begin that hold about as many numbers each, `bins` of them at most: increasing, without the first. A number
   * that would fill a bin has one of its own, and the rest is shared out among the others.
   */
  cuts(bins: number): number[] {
    const all = this.#weighted();
    const total = all.reduce((sum, [, weight]) => sum + weight, 0);
    const heavy = (weight: number) => weight * bins >= total;
    const own = all.filter(([, weight]) => heavy(weight));
    let rest = total - own.reduce((sum, [, weight]) => sum + weight, 0);
    let left = Math.max(1, bins - own.length);
    let held = 0;
    const cuts: number[] = [];
    for (const [i, [value, weight]] of all.entries()) {
      const before = all[i - 1];
      const apart = before !== undefined && (heavy(weight) || heavy(before[1]));
      const full = held > 0 && held + weight / 2 > rest / left;
      if (apart || full) {
        if (cuts.length < bins - 1) cuts.push(value);
        if (held > 0) left = Math.max(1, left - 1);
        rest -= held;
        held = 0;
      }
      if (!heavy(weight)) held += weight;
    }
    return cuts;
  }

  /** All numbers that are held, sorted, each once with how many it stands for. */
  #weighted(): [value: number, weight: number][] {
    const weights = new Map<number, number>();
    const add = (value: number, weight: number) => weights.set(value, (weights.get(value) ?? 0) + weight);
    for (const value of this.#filling.subarray(0, this.#filled)) add(value, 1);
    for (const [level, values] of this.#levels.entries()) {
      for (const value of values ?? []) add(value, 2 ** level);
    }
    return [...weights].sort(([a], [b]) => a - b);
  }

  #carry(full: Float64Array<ArrayBuffer>): void {
    let values = full;
    let level = 0;
    for (let other = this.#levels[0]; other; other = this.#levels[level]) {
      const both = new Float64Array(2 * CAPACITY);
      both.set(values);
      both.set(other, CAPACITY);
      both.sort();
      const odd = this.#odd[level] === true;
      this.#odd[level] = !odd;
      values = Float64Array.from({ length: CAPACITY }, (_, i) => both[2 * i + Number(odd)] as number);
      this.#levels[level] = undefined;
      level++;
    }
    this.#levels[level] = values;
  }
}
