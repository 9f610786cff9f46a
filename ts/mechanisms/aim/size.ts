import type { Schema } from "../../tables/schema.js";

/** The attributes that cliques are of in a model, by their places: a derived one follows from its own. */
export function rootsOf(schema: Schema, clique: readonly string[]): number[] {
  const root = (name: string): number => {
    const from = schema.derive[name]?.from;
    return from === undefined ? schema.index(name as never) : root(from);
  };
  return [...new Set(clique.map(root))];
}

/**
 * How many cells a model of some cliques is summed over: attributes are eliminated one after another, the cheapest next, each with
 * all that it has been in a clique with.
 */
export class ModelSize {
  readonly #sizes: readonly number[];
  readonly #beside: readonly ReadonlySet<number>[];
  /** Of the cliques. */
  readonly cells: number;

  constructor(sizes: readonly number[], cliques: Iterable<readonly number[]>) {
    this.#sizes = sizes;
    const beside = sizes.map((_, place) => new Set([place]));
    for (const clique of cliques) join(beside, clique);
    this.#beside = beside;
    this.cells = this.#eliminated(beside);
  }

  /** The same with one clique more. */
  with(clique: readonly number[]): number {
    const known = clique.every((a) => clique.every((b) => this.#beside[a]?.has(b)));
    if (known) return this.cells;
    const beside = [...this.#beside];
    for (const place of clique) beside[place] = new Set(beside[place]);
    join(beside as Set<number>[], clique);
    return this.#eliminated(beside);
  }

  #eliminated(all: readonly ReadonlySet<number>[]): number {
    const beside = all.map((set) => new Set(set));
    const cellsOf = (place: number) => {
      let cells = 1;
      for (const other of beside[place] as Set<number>) cells *= this.#sizes[other] as number;
      return cells;
    };
    const left = new Map(beside.map((_, place) => [place, cellsOf(place)]));
    let sum = 0;
    while (left.size > 0) {
      let [next, cells] = [-1, Number.POSITIVE_INFINITY];
      for (const [place, cost] of left) if (cost < cells) [next, cells] = [place, cost];
      if (next < 0) return Number.POSITIVE_INFINITY;
      sum += cells;
      left.delete(next);
      const others = [...(beside[next] as Set<number>)].filter((other) => other !== next);
      for (const other of others) (beside[other] as Set<number>).delete(next);
      join(beside, others);
      for (const other of others) left.set(other, cellsOf(other));
    }
    return sum;
  }
}

function join(beside: Set<number>[], clique: readonly number[]): void {
  for (const a of clique) for (const b of clique) beside[a]?.add(b);
}
