import { call } from "../../engine/index.js";
import type { Rational } from "../../privacy/rational.js";
import { aligned } from "../../privacy/table.js";
import { key } from "../../seed.js";
import type { Schema } from "../../tables/schema.js";
import type { Table } from "../../tables/table.js";
import { MOST_CELLS, noiseOf } from "./prior.js";
import type { Resolved } from "./resolved.js";
import type { Stage } from "./stages.js";

/** How a candidate came about. */
export type Family = "one-ways" | "tree" | "top" | "all pairs" | "group pairs" | "given";

const FAMILIES: readonly Family[] = ["one-ways", "tree", "top", "all pairs", "group pairs", "given"];

/** A score, in points of the k-marginal. */
export interface Score {
  readonly score: number;
  /** Of the mean over the draws; absent after one draw. */
  readonly standardError?: number;
}

/** What is expected of a candidate. */
export interface Scored extends Score {
  /** The draws that it took part in: it leaves when it is clearly behind. */
  readonly draws: number;
  /** Whether it is no worse than the best by more than two standard errors. */
  readonly close: boolean;
}

/** What simulations say of such candidates. */
export interface ForecastOf<C extends Scored> {
  readonly chosen: number;
  /** The prior as it is. */
  readonly untouched: Score;
  readonly candidates: readonly C[];
}

/** A workload that might be measured, and what is expected of it. */
export interface Candidate extends Scored {
  readonly family: Family;
  /** How many pairs a candidate of a tree, or of the most informative ones, was to have. */
  readonly pairs?: number;
  /** Shares of the budget go as cells to this power. */
  readonly exponent: number;
  readonly cliques: readonly (readonly string[])[];
}

/** What simulations on public data alone say. It is rough: for choosing, not for promising. */
export type Forecast = ForecastOf<Candidate>;

/** How many of the most informative pairs candidates have. */
const TOPS = [8, 12, 20, 30];
/** Which parts of the tree of pairs that say most for their price candidates have. */
const TREES = [0.5, 0.75, 1];
/** How many of the prior's records agree with the truth of a simulation: years differ. */
export const DRIFT = 0.3;
/** The most rows that a simulation takes, and the most tables that it is judged by: of more, some at random. */
const MOST_ROWS = 20_000;
const MOST_TABLES = 4096;
/** Rows times pairs of a candidate, at most, where these are many: it takes about four bytes and a minute for 10⁸ of them. */
const MOST_LOOKUPS = 2 ** 27;
const COUNT_BYTES = 2 ** 28;
const [PASSES, FINDING] = [24, 40];

/** Candidates from a public table, each simulated on the prior that was made of it. */
export async function forecast<S extends Schema>(
  table: Table<S>,
  prior: Table<S>,
  { resolved, spend }: { resolved: Resolved<S>; spend: Rational },
  stage: Stage,
): Promise<Forecast> {
  const { workload, attributes, group, exponents, priorStrength, expectedRows, draws, seed, schema } =
    resolved;
  const places = workload && [...workload].map((clique) => clique.map((name) => schema.index(name)));
  const options = {
    attributes,
    group: group ?? null,
    cliques: places ?? null,
    tops: TOPS,
    trees: TREES,
    exponents,
    cells: MOST_CELLS,
    limit: COUNT_BYTES,
    strength: priorStrength,
    expected: Math.max(1, Math.round(expectedRows)),
    drift: DRIFT,
    noise: noiseOf(resolved, spend),
    draws,
    mostRows: MOST_ROWS,
    mostTables: MOST_TABLES,
    mostPairs: mostPairs(prior.rows),
    seed: `${key(seed, "forecast")}`,
  };
  const seconds = secondsOf(resolved, Math.min(prior.rows, MOST_ROWS), options.mostPairs);
  const how = { on: [table.handle, prior.handle], ...stage("forecast", seconds) };
  return read(await call("public.design", { options: JSON.stringify(options) }, how), schema.names);
}

/**
 * About how long it takes, at a nanosecond for each row of a marginal that is looked up: each candidate's are gone through some
 * times in each draw, and those that it is judged by while they are found.
 */
function secondsOf(
  { attributes, workload, exponents, draws }: Resolved<Schema>,
  rows: number,
  most: number,
): number {
  const pairs = (attributes.length * (attributes.length - 1)) / 2;
  const [largest, others] = workload ? [workload.length, 0] : [Math.min(pairs, most), attributes.length];
  const marginals = largest + (TOPS.length + TREES.length) * others;
  const passes = PASSES * draws * exponents.length * marginals + FINDING * Math.min(pairs, MOST_TABLES);
  return (rows * passes) / 1e9;
}

/** The most pairs of a candidate on so many rows. */
const mostPairs = (rows: number): number => Math.max(MOST_TABLES, Math.floor(MOST_LOOKUPS / rows));

/** Takes the engine's list apart: `crates/model-wasm/src/design.rs` says what stands where. */
function read(flat: Float64Array, names: readonly string[]): Forecast {
  let at = 0;
  const next = () => flat[at++] as number;
  const [chosen, score, error] = [next(), next(), next()];
  const candidates: Candidate[] = [];
  while (at < flat.length) {
    const [family, pairs, exponent] = [FAMILIES[next()] as Family, next(), next()];
    const [mean, own, draws, close, cliques] = [next(), next(), next(), next() === 1, next()];
    const clique = () => Array.from({ length: next() }, () => names[next()] as string);
    candidates.push({
      family,
      ...(pairs > 0 && { pairs }),
      exponent,
      cliques: Array.from({ length: cliques }, clique),
      ...scored(mean, own),
      draws,
      close,
    });
  }
  return { chosen, untouched: scored(score, error), candidates };
}

/** A score as the engine tells it; its error is no number after one draw. */
export const scored = (score = 0, standardError = Number.NaN): Score =>
  Number.isFinite(standardError) ? { score, standardError } : { score };

/** The candidate that a plan is of. */
export const chosen = ({ candidates, chosen: best }: Forecast): Candidate => candidates[best] as Candidate;

/** Whether all pairs are too many to be a candidate, where pairs are. */
export const leftOut = ({ candidates }: Forecast): boolean =>
  candidates.some(({ family }) => family === "top") &&
  !candidates.some(({ family }) => family === "all pairs");

/** A candidate in words. */
export function nameOf({ family, pairs, exponent, cliques }: Candidate): string {
  const what = {
    "one-ways": "each attribute",
    tree: `a tree of ${pairs} cheap pairs, the rest alone`,
    top: `the ${pairs} most informative pairs`,
    "all pairs": "all pairs",
    "group pairs": "all pairs with the group",
    given: `the ${cliques.length} marginals asked for`,
  }[family];
  if (cliques.length === 1) return what;
  return exponent === 0 ? `${what}, equal shares` : `${what}, shares as cells^${exponent}`;
}

/** A score with its standard error, in words. */
function points({ score, standardError }: Score): string {
  return standardError === undefined ? score.toFixed(1) : `${score.toFixed(1)} ± ${standardError.toFixed(1)}`;
}

/** A forecast for people: in two columns their heads, what nothing is, and each candidate. */
export function forecastTable(
  { candidates, chosen: best, untouched }: ForecastOf<Scored>,
  title: string,
  [head = [], nothing = [], ...rows]: readonly (readonly string[])[],
): string[] {
  const mark = ({ close }: Scored, i: number) => (i === best ? "→" : close ? "≈" : "");
  return [
    `${title}, from public data alone and rough (→ chosen, ≈ as good within its error)`,
    ...aligned([
      ["", ...head, "points of 1000"],
      ["", ...nothing, points(untouched)],
      ...candidates.map((one, i) => [mark(one, i), ...(rows[i] ?? []), points(one)]),
    ]),
    "",
  ];
}
