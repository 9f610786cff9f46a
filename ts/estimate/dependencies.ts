import { call } from "../engine/index.js";
import { invalid } from "../options.js";
import type { CallSettings } from "../tables/read.js";
import type { Schema } from "../tables/schema.js";
import type { Table } from "../tables/table.js";

/** Whether records keep what all rows of the public table keep: that attributes follow from others. */
export type KeepDependencies = "keep" | "ignore";

/** An attribute that follows from another in all public rows. */
export interface PlannedDependency {
  readonly from: string;
  readonly to: string;
}

/** The same by places, as the engine finds it. */
export interface Dependency {
  readonly from: number;
  readonly to: number;
  /** Whether it takes the raw numbers of `from` to know it, and whether those of `to` follow too. */
  readonly byNumber: boolean;
  readonly number: boolean;
}

/** As the engine takes them. */
export const flatDependencies = (list: readonly Dependency[]): number[] =>
  list.flatMap(({ from, to, byNumber, number }) => [from, to, Number(byNumber), Number(number)]);

/** What an attribute is for each code of another, by names. */
export interface Followed extends PlannedDependency {
  readonly codes: readonly number[];
  /** Its raw number for each; null where it has none, or where it does not follow. */
  readonly numbers: readonly (number | null)[];
}

/** Refuses what is neither. */
export function checkDependencies(value: KeepDependencies | undefined = "keep"): KeepDependencies {
  if (value === "keep" || value === "ignore") return value;
  throw invalid("`dependencies` is keep or ignore");
}

/** The dependencies of a public table that are to be kept. `crates/estimate/src/priors/dependencies` says which are taken for some. */
export async function dependenciesOf(
  table: Table,
  wanted: KeepDependencies | undefined,
  settings: CallSettings,
): Promise<readonly Dependency[]> {
  if (checkDependencies(wanted) === "ignore") return [];
  const flat = await call("public.dependencies", undefined, { on: table.handle, ...settings });
  return Array.from({ length: flat.length / 4 }, (_, i): Dependency => {
    const [from, to, byNumber, number] = flat.subarray(4 * i) as unknown as [number, number, number, number];
    return { from, to, byNumber: byNumber === 1, number: number === 1 };
  });
}

/** What follows from codes of some attributes, with what it is for each. */
export async function followedOf(
  table: Table,
  list: readonly Dependency[],
  from: readonly string[],
): Promise<readonly Followed[]> {
  const { names } = table.schema;
  const name = (place: number) => names[place] as string;
  const all: Followed[] = [];
  for (const one of list) {
    const known = from.includes(name(one.to)) || all.some(({ to }) => to === name(one.to));
    if (known || one.byNumber || !from.includes(name(one.from))) continue;
    const { from: of, to, number } = one;
    const flat = await call("public.followed", { from: of, to, number }, { on: table.handle });
    const size = flat.length / 2;
    const numbers = Array.from(flat.subarray(size), (value) => (Number.isNaN(value) ? null : value));
    all.push({ from: name(of), to: name(to), codes: Array.from(flat.subarray(0, size)), numbers });
  }
  return all;
}

/** By names, without those that follow from two others. */
export function namedDependencies(
  { names }: Schema,
  list: readonly Dependency[],
): readonly PlannedDependency[] {
  const says = (from: number, to: number) => list.some((one) => one.from === from && one.to === to);
  const between = (from: number, to: number) =>
    list.some((one) => {
      const via = one.to;
      return one.from === from && via !== to && says(via, to) && !says(via, from) && !says(to, via);
    });
  const pairs = new Set<string>();
  const own = list.filter(({ from, to }) => {
    const known = between(from, to) || pairs.has(`${from} ${to}`);
    pairs.add(`${from} ${to}`);
    return !known;
  });
  return own.map(({ from, to }) => ({ from: names[from] as string, to: names[to] as string }));
}

/** What a plan says of them; nothing where there are none. */
export function dependenciesInWords(list: readonly PlannedDependency[]): string[] {
  if (list.length === 0) return [];
  const says = ({ from, to }: PlannedDependency) => list.some((one) => one.from === to && one.to === from);
  const words = list
    .filter(
      (one, i) => !says(one) || list.findIndex(({ from, to }) => from === one.to && to === one.from) > i,
    )
    .map((one) => (says(one) ? `${one.from} and ${one.to} from each other` : `${one.to} from ${one.from}`));
  return [
    `Dependencies: in every public row these follow: ${words.join(", ")}. No record breaks that, unless \`dependencies\` is ignore.`,
  ];
}
