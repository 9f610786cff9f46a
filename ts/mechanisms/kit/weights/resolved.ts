import { joined } from "../../../estimate/wire.js";
import type { CliqueQuery } from "../../../measurement.js";
import { invalid } from "../../../options.js";
import { double, Rational } from "../../../privacy/rational.js";
import type { SelectRequest } from "../../../privacy/select/types.js";
import type { NameOf, Schema } from "../../../tables/schema.js";
import { kWay, type Workload, workload } from "../../../tables/workload.js";
import { checkShare, few } from "../candidates.js";
import { MOST_CELLS, type Prepared } from "../prior.js";
import type { Resolved } from "../resolved.js";
import type { PriorlessOptions, Way } from "./options.js";

/** The options of rounds with every default filled in, beside those that every release has. */
export interface ResolvedWeights<S extends Schema> {
  /** The cliques whose cells rounds choose from. */
  readonly candidates: Workload<S>;
  /** How many were left out because they have too many cells. */
  readonly omitted: number;
  /** How weights move. */
  readonly rule: Way["rule"];
  /** As asked for. */
  readonly rounds: number | undefined;
  readonly selectShare: Rational;
  readonly selection: SelectRequest["mechanism"];
  readonly unsupported: boolean;
  /** What a round measures: the cell that it chose, or all cells of its clique. */
  readonly measure: "cells" | "marginals";
}

const MOST_ROUNDS = 1000;
/** Cliques have three attributes unless told, or two where that would be too many. */
const WAYS = 3;
const MOST_CLIQUES = 2 ** 18;
/** What rounds choose from fits into what a selection may take. */
const MOST_CHOICES = 2 ** 26;

/** Checks the options of rounds. */
export function resolveWeights<S extends Schema>(
  options: PriorlessOptions<S>,
  way: Way,
  resolved: Resolved<S>,
): ResolvedWeights<S> {
  const { rounds, selectShare = 0.5, selection, unsupported = false, average = false } = options;
  const { measure = "cells", parts = false, classic = false } = options;
  if (measure !== "cells" && measure !== "marginals") throw invalid('`measure` is "cells" or "marginals"');
  if (measure === "marginals" && average)
    throw invalid("there is an `average` of weights only: measure cells");
  if (rounds !== undefined && !isWhole(rounds, MOST_ROUNDS))
    throw invalid(`\`rounds\` is from 1 to ${MOST_ROUNDS}`);
  checkShare(selectShare);
  if (selection !== undefined && selection !== "exponential" && selection !== "permute-and-flip")
    throw invalid('`selection` is "exponential" or "permute-and-flip"');
  if (![unsupported, average, parts, classic].every((one) => typeof one === "boolean"))
    throw invalid("`unsupported`, `average`, `parts` and `classic` are true or false");
  if (classic && (way.rule === "projected" || measure === "marginals"))
    throw invalid("projections and estimates have all answers again and again: leave out `classic`");
  const list = cliquesOf(options, resolved);
  const rule = classic ? "newest" : way.rule;
  return { ...list, rule, rounds, selectShare: Rational.of(selectShare), selection, unsupported, measure };
}

/** What is asked of the clique of a cell. */
export const queryOf = ({ measure }: Pick<ResolvedWeights<Schema>, "measure">, cell: number): CliqueQuery =>
  measure === "marginals" ? { type: "identity" } : { type: "ranges", ranges: [[cell, cell]] };

/** The most projections of a round, as those of the estimate. */
export const PROJECTIONS = 100;

const isWhole = (value: unknown, most: number): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= most;

/** The cliques that are asked for; or all of so many attributes, or some of them by the seed, those with too many cells left out. */
function cliquesOf<S extends Schema>(
  { ways, sample, parts = false }: PriorlessOptions<S>,
  { schema, attributes, workload: own, seed }: Resolved<S>,
): Pick<ResolvedWeights<S>, "candidates" | "omitted"> {
  if (own) {
    if (ways !== undefined || sample !== undefined)
      throw invalid("`ways` and `sample` say what a `workload` says: give either");
    return parts ? few(partsOf(own), MOST_CELLS) : bounded(own);
  }
  if (ways !== undefined && !isWhole(ways, attributes.length))
    throw invalid("`ways` is a whole number from 1, and there are as many attributes");
  if (sample !== undefined && !isWhole(sample, 2 ** 31)) throw invalid("`sample` is a whole number from 1");
  const names = schema.at(attributes) as NameOf<S>[];
  const all = kWay(schema, sizeOf(names.length, ways), names);
  const some = sample === undefined || sample >= all.length ? all : all.sample(sample, seed);
  return few(parts ? partsOf(some) : some, MOST_CELLS);
}

/** A workload as it is, where rounds can choose among its cells. */
function bounded<S extends Schema>(own: Workload<S>) {
  if (own.cells <= MOST_CHOICES) return { candidates: own, omitted: 0 };
  throw invalid(
    `the \`workload\` has ${own.cells} cells, and rounds choose among ${MOST_CHOICES} at most: leave out its largest cliques, or coarsen their attributes`,
  );
}

/** How many of so many attributes a clique has. */
function sizeOf(attributes: number, ways: number | undefined): number {
  const many = (size: number) => combinations(attributes, size) > MOST_CLIQUES;
  const size = ways ?? Math.min(many(WAYS) ? WAYS - 1 : WAYS, attributes);
  if (!many(size)) return size;
  throw invalid(
    `${attributes} attributes have more than ${MOST_CLIQUES} cliques of ${size}: give fewer \`attributes\` or \`ways\`, or a \`workload\``,
  );
}

function combinations(all: number, some: number): number {
  let count = 1;
  for (let i = 1; i <= Math.min(some, all - some); i++) count = (count * (all - i + 1)) / i;
  return count;
}

/** The cliques, and all within them but that of no attribute. */
const partsOf = <S extends Schema>(cliques: Workload<S>): Workload<S> =>
  workload(
    cliques.schema,
    [...cliques.closure()].filter((clique) => clique.length > 0),
  );

/** The places of the cells of the candidates that any public row lies in. */
export async function supportOf<S extends Schema>(
  { candidates }: ResolvedWeights<S>,
  { table }: Prepared<S>,
  stage: Parameters<Prepared<S>["table"]["answer"]>[1],
): Promise<Uint32Array> {
  const all = joined(await table.answer(candidates, stage));
  const places = Uint32Array.from(all.keys());
  return places.filter((place) => (all[place] as number) > 0);
}

/** What each charge may cost: exact fractions whose sum is the amount. */
export interface Split {
  /** Of the number of rows, where it is not public. */
  readonly count: Rational;
  readonly select: Rational;
  readonly measure: Rational;
}

/** The part of the budget that the number of rows gets, where nobody knows it. */
const COUNT = Rational.ratio(1n, 100n);

/** Every round has the same of what is left, and choosing its part of that. */
export function split(amount: Rational, share: Rational, rounds: number, known: boolean): Split {
  const count = known ? Rational.of(0n) : amount.times(COUNT);
  const each = amount.minus(count).over(Rational.of(BigInt(rounds)));
  const select = each.times(share);
  return { count, select, measure: each.minus(select) };
}

/**
 * How many rounds, from public terms alone: fewer have less noise each, more look at more places. What was best on the Adult table, of
 * 44 thousand rows with public ones of the same and of another population, at ε from 0.1 to 1 and δ = 1/n², was 10 to 30 cells, and 3 to
 * 15 marginals: as the root of ρ^½·n; and so it goes as the root of ε·n of a pure budget.
 */
export function roundsOf<S extends Schema>(
  { rounds, measure }: ResolvedWeights<S>,
  { law, expectedRows }: Resolved<S>,
  spend: Rational,
): number {
  if (rounds !== undefined) return rounds;
  const amount = double(spend, false);
  const root = Math.sqrt(expectedRows * (law === "laplace" ? amount / 100 : Math.sqrt(amount)));
  return Math.max(2, Math.min(Math.round(root * PER_ROOT[measure]), USUAL_ROUNDS));
}

const PER_ROOT = { cells: 0.5, marginals: 0.2 } as const;
const USUAL_ROUNDS = 300;
