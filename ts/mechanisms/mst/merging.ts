import type { CliqueQuery, Measurement } from "../../measurement.js";

/** A code is rare whose answer is below so many standard deviations of its noise. */
const RARE = 3;
/** Entries of a matrix: one with more takes longer than what it spares is worth. */
const MOST_ENTRIES = 2 ** 20;

/** The class of each code of some attributes: rare ones are one class, and each other is one by itself. */
export class Merging {
  readonly #classes = new Map<string, readonly number[]>();

  /** By the answers to single attributes. */
  constructor(oneWays: readonly Measurement[]) {
    for (const { clique, values, noise } of oneWays) {
      const rare = Array.from(values, (value) => value < RARE * Math.sqrt(noise.variance));
      if (rare.filter(Boolean).length < 2) continue;
      let kept = 1;
      this.#classes.set(
        clique[0] as string,
        rare.map((one) => (one ? 0 : kept++)),
      );
    }
  }

  /** The sums over classes of a clique of such a shape; none where no class has two codes, or a matrix of them has too many entries. */
  query(clique: readonly string[], shape: readonly number[]): CliqueQuery | undefined {
    const classes = clique.map((name, i) => this.#classes.get(name) ?? [...Array(shape[i]).keys()]);
    let of = [0];
    for (const codes of classes) {
      const width = Math.max(...codes) + 1;
      of = of.flatMap((before) => codes.map((code) => before * width + code));
    }
    const sums = Math.max(...of) + 1;
    if (sums === of.length || sums * of.length > MOST_ENTRIES) return undefined;
    const rows = Array.from({ length: sums }, (_, sum) => of.map((one) => (one === sum ? 1 : 0)));
    return { type: "matrix", rows };
  }
}
