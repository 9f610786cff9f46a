import { symbolOf } from "../../privacy/budget.js";
import type { MeasurePlanJson, PlannedCharge } from "../../privacy/measurePlan.js";
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
import { chargesOf, errorsInWords, type PlannedRound, roundsTable } from "../kit/rounds.js";
import type { ResolvedRounds, Split } from "./resolved.js";

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
    return {
      ...{ kind: "rule", rounds: this.rounds.length, ceiling: this.price, asks: "the rounds ask for" },
      rule: "each round measures what it chose, by what was answered before it",
      charges: chargesOf(this),
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
    const rows = roundsTable(this, symbolOf(measure.toJSON().currency));
    return this.text([
      ...measure.around(rows),
      "",
      "Not known before: which cliques are measured. Each round chooses by what was answered before it.",
      ...errorsInWords(this.rounds.at(-1) as PlannedRound, resolved.expectedRows),
    ]);
  }
}
