import type { CliqueQuery, Measurement } from "../../measurement.js";
import { admits } from "../../privacy/request.js";
import type { Neighbours } from "../../privacy/unit.js";

/** A code is rare whose answer is below so many standard deviations of its noise. */
const RARE = 3;
/** Entries of a matrix: one with more takes longer than it is worth. */
const MOST_ENTRIES = 2 ** 20;

/** The class of each code of some attributes: rare ones are one class together, and each other is one by itself. */
export class Merging {
  readonly #classes = new Map<string, readonly number[]>();
  readonly #neighbours: Pick<Neighbours, "relation">;

  /** By the answers to single attributes. */
  constructor(oneWays: readonly Measurement[], neighbours: Pick<Neighbours, "relation">) {
    this.#neighbours = neighbours;
    for (const { clique, values, noise } of oneWays) {
      const rare = Array.from(values, (value) => value < RARE * Math.sqrt(noise.variance));
      let others = 0;
      this.#classes.set(
        `${clique}`,
        rare.map((one) => (one ? 0 : ++others)),
      );
    }
  }

  /** The sums over classes of cells of a clique of such a shape; none where that spares nothing, or its matrix is too large. */
  query(clique: readonly string[], shape: readonly number[]): CliqueQuery | undefined {
    let classes = [""];
    for (const [i, name] of clique.entries()) {
      const codes = this.#classes.get(name) ?? [...Array(shape[i]).keys()];
      classes = classes.flatMap((before) => codes.map((code) => `${before} ${code}`));
    }
    const all = [...new Set(classes)];
    const [cells, sums] = [classes.length, all.length];
    if (sums === cells || sums * cells > MOST_ENTRIES || !admits(cells, sums, this.#neighbours))
      return undefined;
    return { type: "matrix", rows: all.map((sum) => classes.map((one) => (one === sum ? 1 : 0))) };
  }
}
