import { symbolOf } from "../../privacy/budget.js";
import type { MeasurePlanJson, PlannedCharge } from "../../privacy/measurePlan.js";
import type { Rational } from "../../privacy/rational.js";
import type { Schema } from "../../tables/schema.js";
import {
  type Charging,
  estimateOf,
  Plan,
  type PlanJson,
  type PlannedEstimate,
  type PlanParts,
} from "../kit/plan.js";
import type { Prepared } from "../kit/prior.js";
import { errorsInWords, type PlannedRound, roundsTable } from "../kit/rounds.js";
import type { ResolvedAim } from "./resolved.js";
import { SLIGHT, type Spending } from "./schedule.js";

/** The rule by which rounds spend. */
export interface PlannedSchedule {
  /** The most rounds, and what they and what comes before them cost together, at most. */
  readonly rounds: number;
  readonly ceiling: string;
  /** What the first round spends, and by how much later ones spend more once one taught the model too little. */
  readonly first: string;
  readonly factor: string;
  /** A round taught too little that moved what it measured by at most this part of the error that it was to leave. */
  readonly slight: number;
  /** The most cells that the model may be summed over. */
  readonly cells: number;
}

/** A plan as data. */
export interface AimPlanJson
  extends PlanJson,
    Omit<MeasurePlanJson, "format" | "charges" | "selections" | "expectedRows" | "needs"> {
  readonly format: "marginalia-aim-plan";
  readonly mechanism: "aim";
  /** How many cliques rounds choose from, their cells, and how many were left out because they have too many. */
  readonly candidates: { readonly cliques: number; readonly cells: number; readonly omitted: number };
  /** The part of each round that choosing gets. */
  readonly selectShare: string;
  readonly schedule: PlannedSchedule;
  /** What is measured before the first round. */
  readonly start: readonly PlannedCharge[];
  /** The rounds if none of them spends more than the first. */
  readonly rounds: readonly PlannedRound[];
  readonly estimate: PlannedEstimate;
}

/** @internal */
export interface AimParts<S extends Schema> extends PlanParts<S> {
  prepared?: Prepared<S>;
  choices: ResolvedAim<S>;
  spend: Rational;
  spending: Spending;
  start: readonly PlannedCharge[];
  rounds: readonly PlannedRound[];
}

/** What rounds will choose from, the rule by which they spend, and why. Nothing of it depends on private rows. */
export class AimPlan<S extends Schema = Schema> extends Plan<S, AimPlanJson, AimParts<S>> {
  /** What is measured before the first round. */
  readonly start: readonly PlannedCharge[];
  /** The rounds if none of them spends more than the first. */
  readonly rounds: readonly PlannedRound[];

  /** @internal */
  constructor(parts: AimParts<S>) {
    super(parts);
    this.start = Object.freeze([...parts.start]);
    this.rounds = Object.freeze([...parts.rounds]);
    Object.freeze(this);
  }

  get charging(): Charging {
    return {
      ...{
        kind: "rule",
        rounds: this.rounds.length,
        ceiling: this.parts.spend,
        asks: "the rounds may ask for",
      },
      rule: "each round measures what it chose, and all later ones spend more once one moved the model by less than noise would",
    };
  }

  toJSON(): AimPlanJson {
    const { choices, measure, resolved, spend, spending } = this.parts;
    const { candidates, omitted, selectShare, cells } = choices;
    const { format: _, charges: _all, selections: _none, expectedRows: _rows, ...account } = measure.toJSON();
    const own = {
      candidates: { cliques: candidates.length, cells: candidates.cells, omitted },
      selectShare: `${selectShare}`,
      schedule: {
        ...{ rounds: this.rounds.length, ceiling: `${spend}`, first: `${spending.each}` },
        ...{ factor: `${spending.factor}`, slight: SLIGHT, cells },
      },
      start: this.start,
      rounds: this.rounds,
    };
    const head = { format: "marginalia-aim-plan", ...account, mechanism: "aim" } as const;
    return this.json(head, own, estimateOf(resolved));
  }

  /** The plan for people: what is chosen and measured at which cost and error, why, and what it needs. */
  override toString(): string {
    const { measure, resolved, spending } = this.parts;
    const rows = roundsTable(this, symbolOf(measure.toJSON().currency));
    return this.text([
      ...measure.around(rows),
      "",
      `Not known before: which cliques are measured, and in how many rounds. After a round that taught the model too little all later ones ` +
        `spend ${spending.factor} times as much, so that there are fewer: never more than ${this.rounds.length}, and never more is spent.`,
      ...errorsInWords(this.rounds.at(-1) as PlannedRound, resolved.expectedRows),
    ]);
  }
}
