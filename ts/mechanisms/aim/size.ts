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
  readonly #cliques: readonly (readonly number[])[];
  /** When each attribute is eliminated, and what is left then of what it has been in a clique with, itself too. */
  readonly #turns: readonly number[];
  readonly #around: readonly ReadonlySet<number>[];
  /** Of the cliques. */
  readonly cells: number;

  constructor(sizes: readonly number[], cliques: readonly (readonly number[])[]) {
    this.#sizes = sizes;
    this.#cliques = cliques;
    const beside = sizes.map((_, place) => new Set([place]));
    for (const clique of cliques) join(beside, clique);
    const left = new Map(beside.map((set, place) => [place, this.#cellsOf(set)]));
    const turns = sizes.map(() => 0);
    let sum = 0;
    for (let turn = 0; left.size > 0; turn++) {
      const [next, cells] = [...left].reduce((best, one) => (one[1] < best[1] ? one : best));
      sum += cells;
      turns[next] = turn;
      left.delete(next);
      const others = [...(beside[next] as Set<number>)].filter((other) => other !== next);
      for (const other of others) beside[other]?.delete(next);
      join(beside, others);
      for (const other of others) left.set(other, this.#cellsOf(beside[other] as Set<number>));
    }
    this.#turns = turns;
    this.#around = beside;
    this.cells = sum;
  }

  /** Whether it has so many cells at most with one clique more. */
  fits(clique: readonly number[], most: number): boolean {
    return this.#with(clique) <= most || new ModelSize(this.#sizes, [...this.#cliques, clique]).cells <= most;
  }

  /** Its cells with one clique more, in the same order: what that joins to an attribute goes on to the next one around it. */
  #with(clique: readonly number[]): number {
    let sum = this.cells;
    for (let more = new Set(clique); more.size > 0; ) {
      const next = this.#first(more);
      const around = this.#around[next] as ReadonlySet<number>;
      const joined = new Set([...around, ...more]);
      if (joined.size === around.size) break;
      sum += this.#cellsOf(joined) - this.#cellsOf(around);
      joined.delete(next);
      more = joined;
    }
    return sum;
  }

  #first(places: ReadonlySet<number>): number {
    return [...places].reduce((a, b) => ((this.#turns[b] as number) < (this.#turns[a] as number) ? b : a));
  }

  #cellsOf(places: ReadonlySet<number>): number {
    let cells = 1;
    for (const place of places) cells *= this.#sizes[place] as number;
    return cells;
  }
}

function join(beside: Set<number>[], clique: readonly number[]): void {
  for (const a of clique) for (const b of clique) beside[a]?.add(b);
}
