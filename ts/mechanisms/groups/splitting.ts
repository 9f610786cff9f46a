import { call } from "../../engine/index.js";
import { joined } from "../../estimate/wire.js";
import { double, Rational } from "../../privacy/rational.js";
import { key } from "../../seed.js";
import type { NameOf, Schema } from "../../tables/schema.js";
import type { Table } from "../../tables/table.js";
import { kWay, workload } from "../../tables/workload.js";
import { DRIFT } from "../kit/forecast.js";
import { MOST_CELLS, noiseOf } from "../kit/prior.js";
import { sharesOf } from "../kit/shares.js";
import type { Choosing, Listed } from "./choosing.js";
import { wire } from "./prior.js";
import type { SplitName, Way } from "./splits.js";

/** A way to divide a budget among levels, and what is expected of it, in points of the k-marginal score of the finest groups. */
export interface SplitCandidate {
  readonly name: SplitName;
  /** What counts and workload of each level get, as parts of all. */
  readonly levels: readonly { readonly count: number; readonly share: number }[];
  readonly score: number;
  /** Of the mean over the draws; absent after one draw. */
  readonly standardError?: number;
  /** The draws that it took part in: it leaves when it is clearly behind. */
  readonly draws: number;
  /** Whether it is no worse than the best by more than two standard errors. */
  readonly close: boolean;
}

/** What simulations on public data alone say of ways to divide a budget. It is rough: for choosing, not for promising. */
export interface SplitForecast {
  readonly chosen: number;
  /** Each group as the public table says that it is. */
  readonly untouched: { readonly score: number; readonly standardError?: number };
  readonly candidates: readonly SplitCandidate[];
}

const WORDS: Readonly<Record<SplitName, string>> = {
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

/** How a budget is divided, in words. */
export const wordsOf = (name: SplitName): string => WORDS[name];

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
      public: prepared.counts[i]?.names.map((name) => wire(schema, hierarchy, i, [name])) ?? [],
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
  const [chosen, score, standardError] = flat as unknown as [number, number, number];
  const candidates = ways.map(({ way }, i): SplitCandidate => {
    const [mean, error, draws, close] = flat.subarray(3 + 4 * i) as unknown as [
      number,
      number,
      number,
      number,
    ];
    const all = way.levels.reduce((sum, { count, share }) => sum + count + share, 0n);
    const part = (one: bigint) => Number(one) / Number(all);
    const levels = way.levels.map(({ count, share }) => ({ count: part(count), share: part(share) }));
    return { name: way.name, levels, score: mean, ...errorOf(error), draws, close: close === 1 };
  });
  return { chosen, untouched: { score, ...errorOf(standardError) }, candidates };
}

const errorOf = (error: number) => (Number.isFinite(error) ? { standardError: error } : {});
