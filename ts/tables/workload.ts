import { MarginaliaError } from "../errors.js";
import { invalid } from "../options.js";
import { stream, subset } from "../seed.js";
import { type Attributes, made, type NameOf, type Schema } from "./schema.js";

/** Beyond this many cliques a workload is refused: their list alone would fill the memory. */
const MAX_CLIQUES = 20_000_000;

/**
 * Which marginals are asked for: a list of cliques, each an ordered set of attributes. The cells of a clique
 * are row-major with the last attribute fastest; those of clique 0 come first.
 */
export class Workload<S extends Schema = Schema> {
  readonly schema: S;
  /** Number of cliques. */
  readonly length: number;
  /** Number of cells of all cliques together, known before anything is counted. */
  readonly cells: number;
  /** @internal Clique `i` is `flat[starts[i]..starts[i + 1]]`, as places in `schema.names`. */
  readonly flat: Uint16Array<ArrayBuffer>;
  /** @internal */
  readonly starts: Uint32Array<ArrayBuffer>;

  /** @internal */
  constructor(schema: S, flat: Uint16Array<ArrayBuffer>, starts: Uint32Array<ArrayBuffer>) {
    this.schema = schema;
    this.flat = flat;
    this.starts = starts;
    this.length = starts.length - 1;
    const sizes = schema.sizes;
    let cells = 0;
    for (let i = 0; i < this.length; i++)
      cells += product(sizes, flat, starts[i] as number, starts[i + 1] as number);
    this.cells = cells;
    Object.freeze(this);
  }

  /** The attributes of clique `i`. */
  clique(i: number): readonly NameOf<S>[] {
    return Array.from(this.indices(i), (index) => this.schema.names[index] as NameOf<S>);
  }

  /** The number of codes along each attribute of clique `i`. */
  shape(i: number): readonly number[] {
    const { sizes } = this.schema;
    return Array.from(this.indices(i), (index) => sizes[index] as number);
  }

  /** The number of cells of clique `i`. */
  size(i: number): number {
    return this.shape(i).reduce((cells, size) => cells * size, 1);
  }

  /** The place of a clique, in the order of attributes that it has here; an error when it is not there. */
  place(clique: readonly NameOf<S>[]): number {
    const wanted = clique.map((name) => this.schema.index(name));
    for (let i = 0; i < this.length; i++) {
      const indices = this.indices(i);
      if (indices.length === wanted.length && wanted.every((index, at) => index === indices[at])) return i;
    }
    throw invalid(`the workload has no clique [${clique.join(", ")}] in this order`);
  }

  *[Symbol.iterator](): Generator<readonly NameOf<S>[]> {
    for (let i = 0; i < this.length; i++) yield this.clique(i);
  }

  /** `count` of the cliques, drawn without replacement from a seed, in their order here. */
  sample(count: number, seed: string | number): Workload<S> {
    if (!Number.isInteger(count) || count < 0) throw invalid("`count` must be a whole number of at least 0");
    return this.pick(subset(this.length, count, stream(seed, "workload")));
  }

  /** The cliques that lie wholly within some attributes. */
  within(names: readonly NameOf<S>[]): Workload<S> {
    const allowed = new Set(names.map((name) => this.schema.index(name)));
    const inside = (i: number) => this.indices(i).every((index) => allowed.has(index));
    return this.pick(Array.from({ length: this.length }, (_, i) => i).filter(inside));
  }

  /** Every subset of every clique, the empty one included, once each: smaller ones first, then by place. */
  closure(): Workload<S> {
    const found = new Map<string, number[]>();
    for (let i = 0; i < this.length; i++) {
      const indices = Array.from(this.indices(i)).sort(ascending);
      if (indices.length > 20) throw invalid("a clique of more than 20 attributes has too many subsets");
      for (let subset = 0; subset < 2 ** indices.length; subset++) {
        const part = indices.filter((_, bit) => (subset >> bit) & 1);
        found.set(part.join(), part);
        if (found.size > MAX_CLIQUES) throw tooMany(found.size);
      }
    }
    return flatten(this.schema, [...found.values()].sort(bySizeThenPlace));
  }

  private indices(i: number): Uint16Array {
    if (!Number.isInteger(i) || i < 0 || i >= this.length) {
      throw invalid(`there is no clique ${i}: the workload has ${this.length}`);
    }
    return this.flat.subarray(this.starts[i], this.starts[i + 1]);
  }

  private pick(chosen: readonly number[]): Workload<S> {
    return flatten(
      this.schema,
      chosen.map((i) => this.indices(i)),
    );
  }
}

/** The cliques given, each as a list of attribute names in the order that its cells shall have. */
export function workload<S extends Schema>(schema: S, cliques: Iterable<readonly NameOf<S>[]>): Workload<S> {
  const lists: number[][] = [];
  made(schema);
  for (const clique of cliques) {
    if (new Set(clique).size < clique.length)
      throw invalid(`the clique ${clique.join(", ")} names an attribute twice`);
    lists.push(clique.map((name) => schema.index(name)));
  }
  return flatten(schema, lists);
}

/**
 * All sets of `k` attributes, or of `k` of those named, each in the order of the schema. Derived attributes take part
 * only when they are named.
 */
export function kWay<S extends Schema>(schema: S, k: number, names?: readonly NameOf<S>[]): Workload<S> {
  const from = names ?? (Object.keys(made(schema).attributes) as NameOf<S>[]);
  const indices = from.map((name) => schema.index(name)).sort(ascending);
  if (new Set(indices).size < indices.length) throw invalid("an attribute is named twice");
  if (!Number.isInteger(k) || k < 0) throw invalid("`k` must be a whole number of at least 0");
  const count = choose(indices.length, k);
  if (count * Math.max(k, 1) > MAX_CLIQUES) throw tooMany(count);
  const flat = new Uint16Array(count * k);
  const chosen = Array.from({ length: k }, (_, i) => i);
  for (let clique = 0; clique < count; clique++) {
    for (let i = 0; i < k; i++) flat[clique * k + i] = indices[chosen[i] as number] as number;
    advance(chosen, indices.length);
  }
  return new Workload(
    schema,
    flat,
    Uint32Array.from({ length: count + 1 }, (_, i) => i * k),
  );
}

/** The next set of places below `n` in lexicographic order. */
function advance(chosen: number[], n: number): void {
  const k = chosen.length;
  let last = k - 1;
  while (last >= 0 && chosen[last] === n - k + last) last--;
  if (last < 0) return;
  const next = (chosen[last] as number) + 1;
  for (let i = last; i < k; i++) chosen[i] = next + i - last;
}

function choose(n: number, k: number): number {
  if (k > n) return 0;
  let count = 1;
  for (let i = 1; i <= k; i++) count = (count * (n - k + i)) / i;
  return Math.round(count);
}

function flatten<S extends Schema<Attributes, string>>(
  schema: S,
  cliques: readonly ArrayLike<number>[],
): Workload<S> {
  const starts = new Uint32Array(cliques.length + 1);
  cliques.forEach((clique, i) => {
    starts[i + 1] = (starts[i] as number) + clique.length;
  });
  const flat = new Uint16Array(starts[cliques.length] as number);
  cliques.forEach((clique, i) => {
    flat.set(clique, starts[i]);
  });
  return new Workload(schema, flat, starts);
}

function product(sizes: readonly number[], flat: Uint16Array, from: number, to: number): number {
  let cells = 1;
  for (let i = from; i < to; i++) cells *= sizes[flat[i] as number] as number;
  return cells;
}

const ascending = (a: number, b: number): number => a - b;

function bySizeThenPlace(a: readonly number[], b: readonly number[]): number {
  if (a.length !== b.length) return a.length - b.length;
  const i = a.findIndex((index, place) => index !== b[place]);
  return i < 0 ? 0 : (a[i] as number) - (b[i] as number);
}

function tooMany(count: number): MarginaliaError {
  const message = `${count} cliques are too many to list: take fewer attributes, a smaller k, or a sample`;
  return new MarginaliaError("MODEL_TOO_LARGE", message);
}
