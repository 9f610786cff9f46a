import { printed } from "../../print.js";
import { describe, symbolOf } from "../../privacy/budget.js";
import type { MeasurePlan, MeasurePlanJson, PlannedCharge } from "../../privacy/plan.js";
import { Rational, show } from "../../privacy/rational.js";
import type { Sealed } from "../../privacy/sealed.js";
import type { PlannedSelection } from "../../privacy/select/types.js";
import { aligned } from "../../privacy/table.js";
import { describeProtected } from "../../privacy/unit.js";
import type { Schema } from "../../tables/schema.js";
import type { Workload } from "../../tables/workload.js";
import {
  estimateOf,
  groupOf,
  inWords,
  type PlannedEstimate,
  type PlannedNeeds,
  type PlannedPrior,
  type PlannedRecords,
} from "../plan.js";
import type { Prepared } from "../public.js";
import type { SettledRounds, Split } from "./settled.js";

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
  extends Omit<MeasurePlanJson, "format" | "charges" | "selections" | "expectedRows"> {
  readonly format: "marginalia-adaptive-plan";
  readonly mechanism: "adaptive";
  /** What its charges are known by in the ledger: each label begins with it. */
  readonly label: string;
  readonly prior: PlannedPrior;
  /** The attributes within whose groups pairs are judged, in reports; none where they are not. */
  readonly group: readonly string[];
  readonly expectedRows: number;
  /** How many cliques rounds choose from, their cells, and how many were left out because they have too many. */
  readonly candidates: { readonly cliques: number; readonly cells: number; readonly omitted: number };
  /** The part of the price that choosing gets. */
  readonly selectShare: string;
  /** What is measured before the first round. */
  readonly start: readonly PlannedCharge[];
  readonly rounds: readonly PlannedRound[];
  readonly estimate: PlannedEstimate;
  readonly records: PlannedRecords;
  readonly needs: PlannedNeeds;
  readonly seed: string;
  readonly reasons: readonly string[];
}

/** @internal */
export interface AdaptiveParts<S extends Schema> {
  /** What made it, and for which table. */
  mechanism: object;
  sealed: Sealed<S>;
  asked: SettledRounds<S>;
  split: Split;
  prepared: Prepared<S>;
  targets: Workload<S>;
  /** Of all charges, with the smallest candidate in the place of what rounds choose. */
  measure: MeasurePlan;
  start: readonly PlannedCharge[];
  rounds: readonly PlannedRound[];
  label: string;
  prior: PlannedPrior;
  needs: PlannedNeeds;
  reasons: readonly string[];
}

/** What rounds will choose from and spend, and why. Nothing of it depends on private rows. */
export class AdaptivePlan<S extends Schema = Schema> {
  /** What is measured before the first round. */
  readonly start: readonly PlannedCharge[];
  readonly rounds: readonly PlannedRound[];
  readonly prior: PlannedPrior;
  /** The attributes within whose groups pairs are judged, in reports; none where they are not. */
  readonly group: readonly string[];
  /** All charges together, in the currency of the budget. */
  readonly price: Rational;
  /** Whether what is left pays for it. */
  readonly fits: boolean;
  /** Why it is as it is. */
  readonly reasons: readonly string[];
  readonly #parts: AdaptiveParts<S>;

  /** @internal */
  constructor(parts: AdaptiveParts<S>) {
    const { measure, start, rounds, prior, reasons } = parts;
    this.start = Object.freeze([...start]);
    this.rounds = Object.freeze([...rounds]);
    this.prior = prior;
    this.group = groupOf(parts.asked.settled);
    this.price = measure.price;
    this.fits = measure.fits;
    this.reasons = Object.freeze([...reasons]);
    this.#parts = parts;
    Object.freeze(this);
  }

  /** @internal */
  get parts(): AdaptiveParts<S> {
    return this.#parts;
  }

  toJSON(): AdaptivePlanJson {
    const { asked, label, targets, needs, measure } = this.#parts;
    const { settled, candidates, omitted, selectShare } = asked;
    const { seed, deny, expectedRows } = settled;
    const {
      charges: _,
      selections: _none,
      format: _other,
      expectedRows: _rows,
      ...account
    } = measure.toJSON();
    return {
      format: "marginalia-adaptive-plan",
      ...account,
      mechanism: "adaptive",
      label,
      prior: this.prior,
      group: this.group,
      expectedRows,
      candidates: { cliques: candidates.length, cells: candidates.cells, omitted },
      selectShare: `${selectShare}`,
      start: this.start,
      rounds: this.rounds,
      estimate: estimateOf(settled),
      records: { method: "controlled", targets: targets.length, denied: deny.length },
      needs,
      seed: `${seed}`,
      reasons: this.reasons,
    };
  }

  /** The plan for people: what is chosen and measured at which cost and error, why, and what it needs. */
  toString(): string {
    const { sealed, needs, measure, asked } = this.#parts;
    const { currency, spent, limit } = measure.toJSON();
    const symbol = symbolOf(currency);
    const amount = (cost: string | Rational) => `${symbol} ${show(Rational.of(cost), true)}`;
    const left = Rational.of(limit).minus(Rational.of(spent));
    const rest = `${symbol} ${show(left.sign > 0 ? left : Rational.of(0n), false)}`;
    const rows = [
      ...startOf(this.start, amount),
      ...runsOf(this.rounds).flatMap((run) => linesOf(run, amount)),
    ];
    return printed(
      [
        `Plan for ${measure.dataset}, with a budget of ${describe(sealed.budget)}`,
        ...describeProtected(sealed),
        "",
        ...aligned([["when", "what is asked", "how", "cost of each", "error of each value"], ...rows]),
        "",
        this.fits
          ? `${amount(this.price)} in all; ${rest} is left before it.`
          : `${amount(this.price)} in all, which is more than the ${rest} that is left.`,
        "",
        "Not known before: which cliques are measured. Each round chooses by what was answered before it.",
        ...errors(this.rounds.at(-1) as PlannedRound, asked.settled.expectedRows),
        "",
        "Why",
        ...this.reasons.map((reason) => `- ${reason}`),
        "",
        inWords(needs),
      ].join("\n"),
    );
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

const lawOf = ({ law, scale }: Pick<PlannedCharge, "law" | "scale">): string => {
  const size = show(Rational.of(scale), false);
  return law === "laplace" ? `discrete Laplace, b = ${size}` : `discrete Gaussian, σ² = ${size}`;
};

const digits = (value: number): string => `${Number(value.toPrecision(value >= 1000 ? 6 : 3))}`;
