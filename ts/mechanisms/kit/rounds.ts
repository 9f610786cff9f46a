import { MarginaliaError } from "../../errors.js";
import type { Prior } from "../../estimate/prior.js";
import type { CliqueQuery, Measurement } from "../../measurement.js";
import type { MeasurePlan, PlannedCharge } from "../../privacy/measurePlan.js";
import { double, Rational, show } from "../../privacy/rational.js";
import { describeNoise } from "../../privacy/request.js";
import type { PlannedSelection } from "../../privacy/select/types.js";
import type { Schema } from "../../tables/schema.js";
import type { Workload } from "../../tables/workload.js";
import type { PlannedStep, PlanParts } from "./plan.js";
import type { Run } from "./run.js";
import type { Watch } from "./stages.js";

/** What measuring one of the candidates would be like. */
export interface PlannedCandidate {
  readonly clique: readonly string[];
  /** How many values there would be. */
  readonly answers: number;
  /** The expected error of all values together, in records: the root of the sum of their squares. */
  readonly totalError: number;
  /** `totalError` in parts of the rows that are expected. */
  readonly relativeError: number;
}

/** What one round does. Which clique it measures is not known before. */
export interface PlannedRound {
  /** From 1. */
  readonly round: number;
  readonly select: PlannedSelection;
  /** The noise of what is chosen, whichever it is. */
  readonly measure: Pick<PlannedCharge, "law" | "scale" | "cost" | "share" | "variance" | "error">;
  /** The candidates with the fewest and with the most cells. */
  readonly smallest: PlannedCandidate;
  readonly largest: PlannedCandidate;
}

/** The steps of a plan, as labels end. */
export const STEP = {
  start: "start",
  select: (round: number) => `round ${round}: select`,
  measure: (round: number) => `round ${round}: measure`,
} as const;

/** The charges of a plan whose rounds cost what they were planned to. */
export function chargesOf({
  start,
  rounds,
}: {
  readonly start: readonly PlannedCharge[];
  readonly rounds: readonly PlannedRound[];
}): PlannedStep[] {
  const later = rounds.flatMap(({ round, select, measure }) => [
    { step: STEP.select(round), costs: [select.cost] },
    { step: STEP.measure(round), costs: [measure.cost], follows: STEP.select(round) },
  ]);
  return [{ step: STEP.start, costs: start.map(({ cost }) => cost) }, ...later];
}

/** What rounds are run with. */
export interface Rounds<S extends Schema, P> {
  readonly plan: P;
  readonly run: Run<S>;
  /** The public start, for estimates. */
  readonly start: Prior<S> | undefined;
  readonly watch: Watch;
}

/** The answers to cliques, each for so much, of every cell unless a query is given; none where they were paid and lost. */
export async function measureIn<S extends Schema>(
  { plan, run, watch }: Rounds<S, { readonly parts: PlanParts<S> }>,
  step: string,
  cliques: Iterable<ReturnType<Workload<S>["clique"]>>,
  spend: Rational,
  query?: CliqueQuery,
): Promise<Measurement[]> {
  if (run.entry(step)?.state === "lost") return [];
  const { law } = plan.parts.resolved;
  const requests = [...cliques].map((clique) => ({ clique, spend, law, ...(query && { query }) }));
  return run.measure(requests, { step, signal: watch.signal, begins: () => watch.begins("measure") });
}

/** The candidate that a round chooses for so much, by what is public of each; none where the choice was paid and lost. */
export async function selectIn<S extends Schema>(
  { run, watch }: Pick<Rounds<S, unknown>, "run" | "watch">,
  round: number,
  request: { readonly workload: Workload<S>; readonly spend: Rational },
  terms: Parameters<Run<S>["select"]>[0] extends () => Promise<infer T>
    ? Omit<T, "workload" | "candidates" | "spend">
    : never,
): Promise<number | undefined> {
  const step = STEP.select(round);
  if (run.entry(step)?.state === "lost") return undefined;
  const ask = async () => {
    watch.begins("select");
    return { ...request, candidates: "cliques" as const, ...terms };
  };
  return run.select(ask, request.workload.length, { step, signal: watch.signal });
}

/** Of rounds that have no answer at all. */
export function lost(): MarginaliaError {
  const message =
    "every charge of this release was paid and its values were lost: what is left of the budget can still be spent, under " +
    "another `label`";
  return new MarginaliaError("BUDGET_EXCEEDED", message);
}

/** What was charged in a round, where that was not known before. */
export interface MadeRound {
  readonly round: number;
  readonly select: Pick<PlannedSelection, "mechanism" | "epsilon" | "among" | "cost" | "share">;
  /** It costs nothing where what was chosen was lost. */
  readonly measure: Pick<PlannedCharge, "law" | "scale" | "cost" | "share">;
}

/** The rounds as the ledger has them. */
export function madeRounds<S extends Schema>(
  run: Run<S>,
  { price }: { readonly price: Rational },
): MadeRound[] {
  const made: MadeRound[] = [];
  for (let round = 1; ; round++) {
    const [select, measure] = [run.entry(STEP.select(round)), run.entry(STEP.measure(round))];
    if (select === undefined) return made;
    const paid = (cost: string) => ({ cost, share: double(Rational.of(cost).over(price), false) });
    const { selection } = select.details as unknown as {
      selection: Omit<MadeRound["select"], "cost" | "share">;
    };
    const { mechanism, epsilon, among } = selection;
    const [charge = { law: "laplace" as const, scale: "0" }] =
      (Object(measure?.details) as { measurements?: readonly Pick<PlannedCharge, "law" | "scale">[] })
        .measurements ?? [];
    made.push({
      round,
      select: { mechanism, epsilon, among, ...paid(select.cost) },
      measure: { law: charge.law, scale: charge.scale, ...paid(measure?.cost ?? "0") },
    });
  }
}

/** The places of the candidates with the fewest cells and with the most. */
export function extremes(candidates: Workload): [smallest: number, largest: number] {
  let [smallest, largest] = [0, 0];
  for (let i = 1; i < candidates.length; i++) {
    if (candidates.size(i) < candidates.size(smallest)) smallest = i;
    if (candidates.size(i) > candidates.size(largest)) largest = i;
  }
  return [smallest, largest];
}

/** A round for each selection of a plan; their measurements are the last of it, of so many answers each. */
export function plannedRounds(
  { charges, selections }: MeasurePlan,
  candidates: Workload,
  expectedRows: number,
  answersOf: (place: number) => number = (place) => candidates.size(place),
): PlannedRound[] {
  const ends = extremes(candidates);
  const before = charges.length - selections.length;
  return selections.map((select, i) => {
    const { law, scale, cost, share, variance, error } = charges[before + i] as PlannedCharge;
    const candidate = (place: number): PlannedCandidate => {
      const answers = answersOf(place);
      const totalError = Math.sqrt(variance * answers);
      const clique = Object.freeze([...candidates.clique(place)]);
      return Object.freeze({ clique, answers, totalError, relativeError: totalError / expectedRows });
    };
    return Object.freeze({
      ...{ round: i + 1, select },
      measure: Object.freeze({ law, scale, cost, share, variance, error }),
      smallest: candidate(ends[0]),
      largest: candidate(ends[1]),
    });
  });
}

/** What comes before the rounds, and the rounds, as a table for people. */
export function roundsTable(
  { start, rounds }: { start: readonly PlannedCharge[]; rounds: readonly PlannedRound[] },
  symbol: string,
): string[][] {
  const amount = (cost: string) => `${symbol} ${show(Rational.of(cost), true)}`;
  const head = ["when", "what is asked", "how", "cost of each", "error of each value"];
  return [head, ...linesOfStart(start, amount), ...runsOf(rounds).flatMap((run) => linesOf(run, amount))];
}

type Amount = (cost: string) => string;

function linesOfStart(start: readonly PlannedCharge[], amount: Amount): string[][] {
  return start.map(({ clique, law, scale, cost, error }) => [
    "before",
    clique.join(" × "),
    lawOf({ law, scale }),
    amount(cost),
    `± ${digits(error)}`,
  ]);
}

/** Rounds that do the same, from the first of them to the last. */
type Alike = readonly [first: PlannedRound, last: PlannedRound];

function runsOf(rounds: readonly PlannedRound[]): Alike[] {
  const runs: [PlannedRound, PlannedRound][] = [];
  const same = ({ round: _, ...rest }: PlannedRound) => JSON.stringify(rest);
  for (const round of rounds) {
    const run = runs.at(-1);
    if (run && same(run[0]) === same(round)) run[1] = round;
    else runs.push([round, round]);
  }
  return runs;
}

function linesOf([first, last]: Alike, amount: Amount): string[][] {
  const { select, measure } = first;
  const when = first === last ? `round ${first.round}` : `rounds ${first.round} to ${last.round}`;
  const law = select.mechanism === "exponential" ? "exponential mechanism" : select.mechanism;
  const chosen = `${law}, ε = ${show(Rational.of(select.epsilon), true)}`;
  const short = select.shortfall === undefined ? "" : `≤ ${digits(select.shortfall)} below the best`;
  return [
    [when, `one of ${select.among} ${select.candidates}`, chosen, amount(select.cost), short],
    ["", "the one that was chosen", lawOf(measure), amount(measure.cost), `± ${digits(measure.error)}`],
  ];
}

/** How far off the smallest and the largest candidate would be. */
export function errorsInWords(
  { select, measure, smallest, largest }: PlannedRound,
  expected: number,
): string[] {
  if (select.candidates === "cells")
    return [
      `Each cell is measured with ± ${digits(measure.error)}, ${digits((100 * measure.error) / expected)} % of ${digits(expected)} rows.`,
    ];
  const line = (which: string, { clique, answers, totalError, relativeError }: PlannedCandidate) =>
    `The ${which}, ${clique.join(" × ")}, has ${answers} values: ± ${digits(totalError)} of all, ` +
    `${digits(100 * relativeError)} % of ${digits(expected)} rows.`;
  return [line("smallest", smallest), line("largest", largest)];
}

const lawOf = ({ law, scale }: Pick<PlannedCharge, "law" | "scale">): string =>
  describeNoise({ law, scale: Rational.of(scale) });

const digits = (value: number): string => `${Number(value.toPrecision(value >= 1000 ? 6 : 3))}`;
