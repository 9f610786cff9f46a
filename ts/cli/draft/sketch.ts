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

  /** The numbers below which 1, 2, … parts of `parts` lie: increasing, each once. */
  quantiles(parts: number): number[] {
    const all = Array.from(this.#filling.subarray(0, this.#filled), (value) => ({ value, weight: 1 }));
    for (const [level, values] of this.#levels.entries()) {
      for (const value of values ?? []) all.push({ value, weight: 2 ** level });
    }
    all.sort((a, b) => a.value - b.value);
    const total = all.reduce((sum, { weight }) => sum + weight, 0);
    const found: number[] = [];
    let below = 0;
    let part = 1;
    for (const { value, weight } of all) {
      below += weight;
      for (; part < parts && below * parts > part * total; part++) found.push(value);
    }
    return [...new Set(found)];
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
