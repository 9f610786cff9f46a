import { symbolOf } from "../../privacy/budget.js";
import type { MeasurePlanJson, PlannedCharge } from "../../privacy/measurePlan.js";
import { Rational, show } from "../../privacy/rational.js";
import { describeNoise } from "../../privacy/request.js";
import type { PlannedSelection } from "../../privacy/select/types.js";
import type { Schema } from "../../tables/schema.js";
import {
  type Charging,
  estimateOf,
  Plan,
  type PlanJson,
  type PlannedEstimate,
  type PlannedPrior,
  type PlanParts,
} from "../kit/plan.js";
import type { Prepared } from "../kit/prior.js";
import type { ResolvedRounds, Split } from "./resolved.js";

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

/** A plan as data. */
export interface AdaptivePlanJson
  extends PlanJson,
    Omit<MeasurePlanJson, "format" | "charges" | "selections" | "expectedRows" | "needs"> {
  readonly format: "marginalia-adaptive-plan";
  readonly mechanism: "adaptive";
  readonly prior: PlannedPrior;
  /** How many cliques rounds choose from, their cells, and how many were left out because they have too many. */
  readonly candidates: { readonly cliques: number; readonly cells: number; readonly omitted: number };
  /** The part of the price that choosing gets. */
  readonly selectShare: string;
  /** What is measured before the first round. */
  readonly start: readonly PlannedCharge[];
  readonly rounds: readonly PlannedRound[];
  readonly estimate: PlannedEstimate;
}

/** @internal */
export interface AdaptiveParts<S extends Schema> extends PlanParts<S> {
  prepared: Prepared<S>;
  prior: PlannedPrior;
  choices: ResolvedRounds<S>;
  split: Split;
  start: readonly PlannedCharge[];
  rounds: readonly PlannedRound[];
}

/** The steps of a plan, as labels end. */
export const STEP = {
  start: "start",
  select: (round: number) => `round ${round}: select`,
  measure: (round: number) => `round ${round}: measure`,
} as const;

/** What rounds will choose from and spend, and why. Nothing of it depends on private rows. */
export class AdaptivePlan<S extends Schema = Schema> extends Plan<S, AdaptivePlanJson, AdaptiveParts<S>> {
  readonly prior: PlannedPrior;
  /** What is measured before the first round. */
  readonly start: readonly PlannedCharge[];
  readonly rounds: readonly PlannedRound[];

  /** @internal */
  constructor(parts: AdaptiveParts<S>) {
    super(parts);
    this.prior = parts.prior;
    this.start = Object.freeze([...parts.start]);
    this.rounds = Object.freeze([...parts.rounds]);
    Object.freeze(this);
  }

  get charging(): Charging {
    const rounds = this.rounds.flatMap(({ round, select, measure }) => [
      { step: STEP.select(round), costs: [select.cost] },
      { step: STEP.measure(round), costs: [measure.cost], follows: STEP.select(round) },
    ]);
    return {
      ...{ kind: "rule", rounds: this.rounds.length, ceiling: this.price, asks: "the rounds ask for" },
      rule: "each round measures what it chose, by what was answered before it",
      charges: [{ step: STEP.start, costs: this.start.map(({ cost }) => cost) }, ...rounds],
    };
  }

  toJSON(): AdaptivePlanJson {
    const { choices, measure, resolved } = this.parts;
    const { candidates, omitted, selectShare } = choices;
    const { format: _, charges: _all, selections: _none, expectedRows: _rows, ...account } = measure.toJSON();
    const own = {
      candidates: { cliques: candidates.length, cells: candidates.cells, omitted },
      selectShare: `${selectShare}`,
      start: this.start,
      rounds: this.rounds,
    };
    const head = { format: "marginalia-adaptive-plan", ...account, mechanism: "adaptive" } as const;
    return { ...this.json(head, own, estimateOf(resolved)), prior: this.prior };
  }

  /** The plan for people: what is chosen and measured at which cost and error, why, and what it needs. */
  override toString(): string {
    const { measure, resolved } = this.parts;
    const symbol = symbolOf(measure.toJSON().currency);
    const amount = (cost: string) => `${symbol} ${show(Rational.of(cost), true)}`;
    const rows = [
      ...startOf(this.start, amount),
      ...runsOf(this.rounds).flatMap((run) => linesOf(run, amount)),
    ];
    return this.text([
      ...measure.around([["when", "what is asked", "how", "cost of each", "error of each value"], ...rows]),
      "",
      "Not known before: which cliques are measured. Each round chooses by what was answered before it.",
      ...errors(this.rounds.at(-1) as PlannedRound, resolved.expectedRows),
    ]);
  }
}

type Amount = (cost: string) => string;

function startOf(start: readonly PlannedCharge[], amount: Amount): string[][] {
  return start.map(({ clique, law, scale, cost, error }) => [
    "before",
    clique.join(" × "),
    lawOf({ law, scale }),
    amount(cost),
    `± ${digits(error)}`,
  ]);
}

/** Rounds that do the same, from the first of them to the last. */
type Run = readonly [first: PlannedRound, last: PlannedRound];

function runsOf(rounds: readonly PlannedRound[]): Run[] {
  const runs: [PlannedRound, PlannedRound][] = [];
  const same = ({ round: _, ...rest }: PlannedRound) => JSON.stringify(rest);
  for (const round of rounds) {
    const run = runs.at(-1);
    if (run && same(run[0]) === same(round)) run[1] = round;
    else runs.push([round, round]);
  }
  return runs;
}

function linesOf([first, last]: Run, amount: Amount): string[][] {
  const { select, measure } = first;
  const when = first === last ? `round ${first.round}` : `rounds ${first.round} to ${last.round}`;
  const law = select.mechanism === "exponential" ? "exponential mechanism" : select.mechanism;
  const chosen = `${law}, ε = ${show(Rational.of(select.epsilon), true)}`;
  const short = select.shortfall === undefined ? "" : `≤ ${digits(select.shortfall)} below the best`;
  return [
    [when, `one of ${select.among} cliques`, chosen, amount(select.cost), short],
    ["", "the one that was chosen", lawOf(measure), amount(measure.cost), `± ${digits(measure.error)}`],
  ];
}

/** How far off the smallest and the largest candidate would be. */
function errors({ smallest, largest }: PlannedRound, expected: number): string[] {
  const line = (which: string, { clique, answers, totalError, relativeError }: PlannedCandidate) =>
    `The ${which}, ${clique.join(" × ")}, has ${answers} values: ± ${digits(totalError)} of all, ` +
    `${digits(100 * relativeError)} % of ${digits(expected)} rows.`;
  return [line("smallest", smallest), line("largest", largest)];
}

const lawOf = ({ law, scale }: Pick<PlannedCharge, "law" | "scale">): string =>
  describeNoise({ law, scale: Rational.of(scale) });

const digits = (value: number): string => `${Number(value.toPrecision(value >= 1000 ? 6 : 3))}`;
