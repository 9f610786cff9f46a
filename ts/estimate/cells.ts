import type { Measurement } from "../measurement.js";
import type { Schema } from "../tables/schema.js";
import type { Flagged } from "./condition.js";

/** Which codes of attributes a condition means; all of an attribute that is not there. */
export type Meant = ReadonlyMap<string, Uint8Array>;

/** A condition by names. Where it names an attribute twice both are meant. */
export function meantBy(schema: Schema, { attributes, allowed }: Flagged): Meant {
  const meant = new Map<string, Uint8Array>();
  let at = 0;
  for (const place of attributes) {
    const [name, size] = [schema.names[place] as string, schema.sizes[place] as number];
    const before = meant.get(name);
    const flags = allowed.slice(at, at + size);
    meant.set(name, before ? flags.map((flag, code) => flag & (before[code] as number)) : flags);
    at += size;
  }
  return meant;
}

/** The code of an attribute for each code of the attribute of the file that it follows from in the end. */
interface Root {
  readonly root: string;
  readonly codes: readonly number[];
}

type Roots = (name: string) => Root;

const rooted = /* @__PURE__ */ new WeakMap<Schema, Roots>();

/** What derived attributes follow from; worked out once, since every question asks it of every measurement. */
function rootsOf(schema: Schema): Roots {
  const roots = rooted.get(schema) ?? findRoots(schema);
  rooted.set(schema, roots);
  return roots;
}

function findRoots(schema: Schema): Roots {
  const { attributes } = JSON.parse(schema.normal()) as {
    attributes: readonly { type: string; from?: string; codes?: readonly number[] }[];
  };
  const known = new Map<string, Root>();
  const find = (name: string): Root => {
    const { from, codes } = attributes[schema.index(name)] as (typeof attributes)[number];
    if (from === undefined || codes === undefined) {
      const size = schema.sizes[schema.index(name)] as number;
      return { root: name, codes: Array.from({ length: size }, (_, code) => code) };
    }
    const above = of(from);
    return { root: above.root, codes: above.codes.map((code) => codes[code] as number) };
  };
  const of = (name: string): Root => {
    const one = known.get(name) ?? find(name);
    known.set(name, one);
    return one;
  };
  return of;
}

const product = (sizes: readonly number[]) => sizes.reduce((all, size) => all * size, 1);

/** The codes of each cell of attributes of these sizes, the last one fastest, in one array that changes. */
export function* codesOf(sizes: readonly number[]): Generator<readonly number[]> {
  const codes = sizes.map(() => 0);
  for (let cell = 0, cells = product(sizes); cell < cells; cell++) {
    yield codes;
    for (let i = sizes.length - 1; i >= 0; i--) {
      codes[i] = (codes[i] as number) + 1;
      if ((codes[i] as number) < (sizes[i] as number)) break;
      codes[i] = 0;
    }
  }
}

/** For each cell of a clique 1 where a record that meets a condition can be in it, by what the schema declares. */
export function possible(schema: Schema, clique: readonly string[], meant: Meant): Uint8Array<ArrayBuffer> {
  const roots = rootsOf(schema);
  const sizeOf = (name: string) => schema.sizes[schema.index(name)] as number;
  const sizes = clique.map(sizeOf);
  const families = new Set([...clique, ...meant.keys()].map((name) => roots(name).root));
  const checks = [...families].map((root) => {
    const places = clique.flatMap((name, i) => (roots(name).root === root ? [i] : []));
    const conditions = [...meant].filter(([name]) => roots(name).root === root);
    const allowed = new Uint8Array(product(places.map((i) => sizes[i] as number)));
    const index = (code: (i: number) => number) =>
      places.reduce((cell, i) => cell * (sizes[i] as number) + code(i), 0);
    for (let code = 0; code < sizeOf(root); code++) {
      const met = conditions.every(([name, flags]) => flags[roots(name).codes[code] as number] === 1);
      if (met) allowed[index((i) => roots(clique[i] as string).codes[code] as number)] = 1;
    }
    return (codes: readonly number[]) => allowed[index((i) => codes[i] as number)] === 1;
  });
  const can = new Uint8Array(product(sizes));
  let cell = 0;
  for (const codes of codesOf(sizes)) can[cell++] = Number(checks.every((holds) => holds(codes)));
  return can;
}

/** The cells of a clique, by those of the same with the attributes of a condition: of these the ones that are meant. */
export function narrowed(
  schema: Schema,
  clique: readonly string[],
  cells: Float64Array,
  meant: Meant,
): Float64Array<ArrayBuffer> {
  const more = [...meant.keys()].filter((name) => !clique.includes(name));
  const names = [...clique, ...more];
  const sizes = names.map((name) => schema.sizes[schema.index(name)] as number);
  const flags = names.map((name) => meant.get(name));
  const beyond = product(sizes.slice(clique.length));
  const sums = new Float64Array(cells.length / beyond);
  for (let cell = 0; cell < cells.length; cell++) {
    let [left, is] = [cell, true];
    for (let i = names.length - 1; i >= 0 && is; i--) {
      const size = sizes[i] as number;
      is = flags[i]?.[left % size] !== 0;
      left = Math.floor(left / size);
    }
    if (is) {
      const to = Math.floor(cell / beyond);
      sums[to] = (sums[to] as number) + (cells[cell] as number);
    }
  }
  return sums;
}

/** What a measurement says of each cell of a clique, among records that meet a condition, and of how many of its values. */
export interface Gathered {
  readonly sums: Float64Array;
  readonly values: Float64Array;
  /** Of each value. */
  readonly variance: number;
}

/** The same; nothing where the measurement does not tell these cells apart. */
export function gathered(
  schema: Schema,
  { clique: measured, query, values, noise }: Measurement,
  clique: readonly string[],
  meant: Meant,
): Gathered | undefined {
  const roots = rootsOf(schema);
  const sizeOf = (name: string) => schema.sizes[schema.index(name)] as number;
  const source = (name: string): ((codes: readonly number[]) => number) | undefined => {
    const own = measured.indexOf(name);
    if (own >= 0) return (codes) => codes[own] as number;
    const { root, codes: of } = roots(name);
    const at = measured.indexOf(root);
    return at < 0 ? undefined : (codes) => of[codes[at] as number] as number;
  };
  const wanted = clique.map(source);
  const conditions = [...meant].map(([name, flags]) => ({ code: source(name), flags }));
  if (query.type !== "identity" || wanted.includes(undefined) || conditions.some(({ code }) => !code))
    return undefined;
  const sizes = clique.map(sizeOf);
  const [sums, number] = [new Float64Array(product(sizes)), new Float64Array(product(sizes))];
  let at = 0;
  for (const codes of codesOf(measured.map(sizeOf))) {
    const value = values[at++] as number;
    if (!conditions.every(({ code, flags }) => flags[code?.(codes) as number] === 1)) continue;
    const cell = wanted.reduce((all, code, i) => all * (sizes[i] as number) + (code?.(codes) as number), 0);
    sums[cell] = (sums[cell] as number) + value;
    number[cell] = (number[cell] as number) + 1;
  }
  return { sums, values: number, variance: noise.variance };
}
