import { call } from "../../engine/index.js";
import { joined } from "../../estimate/wire.js";
import { double, Rational } from "../../privacy/rational.js";
import { key } from "../../seed.js";
import type { NameOf, Schema } from "../../tables/schema.js";
import type { Table } from "../../tables/table.js";
import { kWay, workload } from "../../tables/workload.js";
import { DRIFT, type ForecastOf, type Scored, scored } from "../kit/forecast.js";
import { MOST_CELLS, noiseOf } from "../kit/prior.js";
import type { Resolved } from "../kit/resolved.js";
import { sharesOf } from "../kit/shares.js";
import type { Choosing, Listed } from "./choosing.js";
import { publicCliques } from "./prior.js";
import type { ResolvedGroups } from "./resolved.js";

/** How a budget is divided, in words. */
const WORDS = {
  even: "evenly, as in the paper",
  "few counts": "with little for counts",
  "no counts": "with nothing for counts",
  "many counts": "with most for counts of the finest groups",
  "finest first": "with most for the workload of the finest groups",
  "coarsest first": "with most for the workload of the coarsest groups",
  "finest alone": "with all for the workload of the finest groups",
  "coarsest, and counts": "for the workload of the coarsest groups, and counts of the finest",
  given: "as asked",
};

/** How a budget is divided among levels, in a few words. */
export type SplitName = keyof typeof WORDS;

export const wordsOf = (name: SplitName): string => WORDS[name];

/** What counts and workload of one level get of a budget, in thousandths of some unit. */
export interface Part {
  readonly count: bigint;
  readonly share: bigint;
}

/** A way to divide a budget among levels. */
export interface Way {
  readonly name: SplitName;
  readonly levels: readonly Part[];
}

/** Parts of one level by its place and the number of levels. */
type Idea = readonly [name: SplitName, part: (level: number, levels: number) => readonly [number, number]];

const FEW = 100;
const ONE = 1000;

/** For one level. */
const SINGLE: readonly Idea[] = [
  ["even", () => [ONE, ONE]],
  ["few counts", () => [FEW, ONE]],
  ["no counts", () => [0, ONE]],
  ["many counts", () => [3 * ONE, ONE]],
];

/** For several: the first is the paper's. */
const SEVERAL: readonly Idea[] = [
  ["even", () => [ONE, ONE]],
  ["few counts", () => [FEW, ONE]],
  ["finest first", (level, levels) => [FEW, Math.round(ONE * 4 ** (level / (levels - 1)))]],
  ["coarsest first", (level, levels) => [FEW, Math.round(ONE * 4 ** (1 - level / (levels - 1)))]],
  ["finest alone", (level, levels) => [0, level === levels - 1 ? ONE : 0]],
  ["many counts", (level, levels) => [level === levels - 1 ? 3 * ONE : FEW, ONE]],
  ["coarsest, and counts", (level, levels) => (level === levels - 1 ? [ONE, 0] : [FEW, 4 * ONE])],
];

/**
 * The ways to divide a budget that a forecast chooses from; one, where nothing is left to choose. What somebody asked for
 * holds in all of them. Algorithm 1 of the paper has the paper's.
 */
export function ways<S extends Schema>(
  { levels, totals, estimator }: ResolvedGroups<S>,
  { total }: Pick<Resolved<S>, "total">,
): Way[] {
  const found: Way[] = [];
  const seen = new Set<string>();
  const free = levels.some(({ count, share }) => count === undefined || share === undefined);
  for (const [name, part] of levels.length === 1 ? SINGLE : SEVERAL) {
    const parts = levels.map((level, i): Part => {
      const [count, share] = part(i, levels.length);
      // Nobody needs to ask what is public.
      const known = total !== undefined && totals === "consistent" && level.keys.length === 0;
      return {
        count: level.count ?? BigInt(known ? 0 : count),
        share: level.share ?? (level.workload?.length === 0 ? 0n : BigInt(share)),
      };
    });
    const text = parts.map(({ count, share }) => `${count} ${share}`).join();
    if (seen.has(text) || !tells(parts, totals)) continue;
    seen.add(text);
    found.push({ name: free ? name : "given", levels: parts });
    if (estimator !== "calibrated") break;
  }
  return found;
}

/** Whether answers say how many records each group has: those of the finest level, or of all where totals do not agree. */
export function tells(parts: readonly Part[], totals: ResolvedGroups<Schema>["totals"]): boolean {
  if (parts.every(({ count, share }) => count + share === 0n)) return false;
  const needed = totals === "consistent" ? parts.slice(-1) : parts;
  return needed.every(({ count, share }) => count > 0n || (totals !== "count" && share > 0n));
}

/** A way to divide a budget among levels, and what is expected of it for the finest groups. */
export interface SplitCandidate extends Scored {
  readonly name: SplitName;
  /** What counts and workload of each level get, as parts of all. */
  readonly levels: readonly { readonly count: number; readonly share: number }[];
}

/** What simulations say of ways to divide a budget, beside each group as the public table says that it is. */
export type SplitForecast = ForecastOf<SplitCandidate>;

/** A way with what each level would measure. */
export interface WayWithLists<S extends Schema> {
  readonly way: Way;
  readonly budgets: readonly { count: Rational; share: Rational }[];
  readonly lists: readonly Listed<S>[];
}

/**
 * What all groups have in common is as good as so many records at most: two years of a million records differ by more than
 * samples of a million do.
 */
const COMMON = 3000;
/** The most public rows, of the finest groups, and of tables that are simulated. */
const MOST_ROWS = 12_000;
const MOST_GROUPS = 16;
const MOST_TABLES = 40;

/** Simulates ways to divide a budget on the public table, with the noise that each would have. */
export async function splitForecast<S extends Schema>(
  table: Table<S>,
  { resolved, hierarchy, prepared, stage }: Choosing<S>,
  ways: readonly WayWithLists<S>[],
): Promise<SplitForecast> {
  const { schema, priorStrength, expectedRows, draws, seed, total } = resolved;
  const place = (name: NameOf<S>) => schema.index(name);
  const options = {
    splits: ways.map(({ budgets, lists }) =>
      budgets.map(({ count, share }, i) => {
        const { list, exponent } = lists[i] as Listed<S>;
        const shares = sharesOf(share, list, exponent);
        return {
          count: double(count, false),
          cliques: [...list].map((clique) => clique.map(place)),
          budgets: shares.map((one) => double(one, false)),
        };
      }),
    ),
    tables: judged(resolved.attributes, schema, `${seed}`),
    // Of a budget of 1: what is spent are parts of it.
    noise: noiseOf(resolved, Rational.of(1)),
    expected: Math.max(1, expectedRows),
    strength: priorStrength,
    levels: hierarchy.levels.map(({ strength }, i) => ({
      public: publicCliques(schema, hierarchy, i, prepared.counts[i]),
      fixed: strength ?? null,
      between: prepared.between[i] as number,
    })),
    totals: hierarchy.totals,
    known: total !== undefined && hierarchy.totals === "consistent",
    drift: DRIFT,
    common: COMMON,
    draws,
    mostRows: MOST_ROWS,
    mostGroups: MOST_GROUPS,
    seed: `${key(seed, "split")}`,
  };
  const values = joined(prepared.counts.flatMap((level) => level?.values ?? []));
  const how = { on: [prepared.shared, table.handle], ...stage("forecast") };
  const flat = await call("groups.split", { options: JSON.stringify(options), values }, how);
  return read(flat, ways);
}

/** Pairs of what is judged, or single attributes where there is no pair. */
function judged(attributes: readonly number[], schema: Schema, seed: string): number[][] {
  const all = [...kWay(schema, Math.min(2, attributes.length), schema.at(attributes))];
  const small = workload(
    schema,
    all.filter((clique) => schema.cells(clique) <= MOST_CELLS),
  );
  const some = small.length <= MOST_TABLES ? small : small.sample(MOST_TABLES, seed);
  const lists = [...some].map((clique) => clique.map((name) => schema.index(name)));
  return lists.length > 0 ? lists : attributes.map((place) => [place]);
}

/** Takes the engine's list apart: `crates/model-wasm/src/split.rs` says what stands where. */
function read<S extends Schema>(flat: Float64Array, ways: readonly WayWithLists<S>[]): SplitForecast {
  const [chosen, score, error] = flat as unknown as [number, number, number];
  const candidates = ways.map(({ way }, i): SplitCandidate => {
    const all = way.levels.reduce((sum, { count, share }) => sum + count + share, 0n);
    const part = (one: bigint) => Number(one) / Number(all);
    const levels = way.levels.map(({ count, share }) => ({ count: part(count), share: part(share) }));
    const [mean, own, draws, close] = flat.subarray(3 + 4 * i) as unknown as readonly number[];
    return { name: way.name, levels, ...scored(mean, own), draws: draws as number, close: close === 1 };
  });
  return { chosen, untouched: scored(score, error), candidates };
}
