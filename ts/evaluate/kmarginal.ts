import { invalid } from "../options.js";
import type { NameOf, Schema } from "../tables/schema.js";
import type { Table } from "../tables/table.js";
import { workload } from "../tables/workload.js";
import { apartByGroup, type Cells } from "./cells.js";
import { eachClique, totalOf } from "./counts.js";
import { type Group, groupsOf, type LabelsOf } from "./groups.js";
import type { Meter } from "./meter.js";
import { drawnPairs, everyPair, type Pairs } from "./pairs.js";

/** From this many attributes on, the score is over pairs that are drawn. */
const MANY = 30;
const DRAWN = 200;

/** What is scored. */
export interface Scored<S extends Schema = Schema> {
  readonly truth: Table<S>;
  readonly synthetic: Table<S>;
  /** The attributes whose pairs are scored, without those of the groups. */
  readonly names: readonly NameOf<S>[];
  readonly group: readonly NameOf<S>[];
  readonly labels: LabelsOf;
}

/** How far a pair of attributes is off. */
export interface PairScore {
  readonly attributes: readonly [string, string];
  /** The sum over all cells of the difference of shares, from 0 to 2. */
  readonly distance: number;
}

/** How well one group is met. */
export interface GroupScore {
  readonly group: readonly (string | null)[];
  /** The group's share of the true rows. */
  readonly share: number;
  readonly score: number;
}

/** Distances of a table from the true one. */
export interface Distances {
  /** The mean over the pairs, each as often as it was drawn. */
  readonly mean: number;
  readonly pairs: readonly PairScore[];
  readonly groups: readonly GroupScore[];
}

/** Which pairs a score is over: unless told, all of fewer than 30 attributes, else 200 that are drawn. */
export function choosePairs(
  names: readonly string[],
  pairs: "all" | number | undefined,
  seed: string | number,
): Pairs {
  if (pairs === "all" || (pairs === undefined && names.length < MANY)) return everyPair(names);
  return drawnPairs(names, pairs ?? DRAWN, seed);
}

/** From 0 for tables that have no cell in common to 1000 for tables whose shares are the same. */
export const scoreOf = (distance: number): number => (2 - distance) * 500;

/** The work that `distances` tells a meter of. */
export function workOfDistances(pairs: Pairs, group: readonly string[]): number {
  return 2 * (pairs.pairs.length + (group.length > 0 ? 1 : 0));
}

/**
 * The distance of every pair: cells are of (groups, a, b) and shares of the whole table. Differences are added up as
 * |x·n′ − y·n| and divided once, so that counts give the same bits in any order of rows and equal tables exactly 0.
 */
export async function distances<S extends Schema>(
  { truth, synthetic, group, labels }: Scored<S>,
  { pairs, times, drawn }: Pairs,
  meter: Meter,
): Promise<Distances> {
  const tables = [truth, synthetic] as const;
  const totals = [await totalOf(truth, meter), await totalOf(synthetic, meter)] as const;
  const [total, other] = totals;
  const groups = group.length > 0 ? await groupsOf(tables, group, labels, meter) : new Map<number, Group>();
  const losses = new Map([...groups].map(([place]) => [place, 0]));
  const { schema } = truth;
  const list = workload(
    schema,
    pairs.map(([a, b]) => [...group, a as NameOf<S>, b as NameOf<S>]),
  );
  const found: PairScore[] = new Array(pairs.length);
  await eachClique(tables, list, meter, (i, [a, b]) => {
    const attributes = pairs[i] as readonly [string, string];
    const inside = schema.size(attributes[0] as NameOf<S>) * schema.size(attributes[1] as NameOf<S>);
    const parts = apartByGroup(a as Cells, b as Cells, inside, () => totals);
    found[i] = { attributes, distance: distanceOf(parts, total, other) };
    addLosses(losses, groups, parts, { other, times: times[i] as number });
  });
  const sum = found.reduce((all, { distance }, i) => all + distance * (times[i] as number), 0);
  const scored = [...groups].filter(([, { truth }]) => truth > 0);
  return {
    mean: sum / drawn,
    pairs: found,
    groups: scored.map(([place, { key, truth }]) => {
      const score = (1 - (losses.get(place) as number) / drawn) * 1000;
      return { group: key, share: truth / total, score };
    }),
  };
}

/** A table without rows is as far from one with rows as can be. */
function distanceOf(parts: Map<number, number>, n: number, m: number): number {
  if (n === 0 || m === 0) return n === m ? 0 : 2;
  let sum = 0;
  for (const part of parts.values()) sum += part;
  return sum / (n * m);
}

/** Of each group the part of its true share that is off, at most all of it. */
function addLosses(
  losses: Map<number, number>,
  groups: ReadonlyMap<number, Group>,
  parts: ReadonlyMap<number, number>,
  { other, times }: { other: number; times: number },
): void {
  for (const [place, { truth }] of groups) {
    const part = other === 0 ? 1 : Math.min(1, (parts.get(place) ?? 0) / (truth * other));
    losses.set(place, (losses.get(place) as number) + times * part);
  }
}

/** The mean score over the pairs that an attribute is in. */
export function scoresByAttribute(pairs: readonly PairScore[]): Record<string, number> {
  const sums = new Map<string, [sum: number, count: number]>();
  for (const { attributes, distance } of pairs) {
    for (const name of attributes) {
      const [sum, count] = sums.get(name) ?? [0, 0];
      sums.set(name, [sum + distance, count + 1]);
    }
  }
  return Object.fromEntries([...sums].map(([name, [sum, count]]) => [name, scoreOf(sum / count)]));
}

/** Refuses tables of two schemas, whose codes mean different things. */
export function sameSchema(tables: readonly Table[]): void {
  const [first, ...others] = tables;
  const same = ({ schema }: Table) => schema === first?.schema || schema.normal() === first?.schema.normal();
  if (!others.every(same)) throw invalid("the tables must be of one schema: read them with the same one");
}
