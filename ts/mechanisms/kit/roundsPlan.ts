import { symbolOf } from "../../privacy/budget.js";
import type { MeasurePlanJson, PlannedCharge } from "../../privacy/measurePlan.js";
import type { Schema } from "../../tables/schema.js";
import type { Workload } from "../../tables/workload.js";
import { estimateOf, Plan, type PlanJson, type PlannedEstimate, type PlanParts } from "./plan.js";
import { errorsInWords, type PlannedRound, roundsTable } from "./rounds.js";

type Account = Omit<MeasurePlanJson, "format" | "charges" | "selections" | "expectedRows" | "needs">;

/** A plan of rounds as data. */
export interface RoundsPlanJson extends PlanJson, Account {
  /** How many cliques rounds choose from, their cells, and how many were left out because they have too many. */
  readonly candidates: { readonly cliques: number; readonly cells: number; readonly omitted: number };
  /** What is measured before the first round. */
  readonly start: readonly PlannedCharge[];
  readonly rounds: readonly PlannedRound[];
  readonly estimate: PlannedEstimate;
}

/** @internal */
export interface RoundsParts<S extends Schema> extends PlanParts<S> {
  choices: { readonly candidates: Workload<S>; readonly omitted: number };
  start: readonly PlannedCharge[];
  rounds: readonly PlannedRound[];
}

/** What rounds will choose from and spend, and why. Nothing of it depends on private rows. */
export abstract class RoundsPlan<
  S extends Schema,
  J extends RoundsPlanJson,
  P extends RoundsParts<S>,
> extends Plan<S, J, P> {
  /** What is measured before the first round. */
  readonly start: readonly PlannedCharge[];
  readonly rounds: readonly PlannedRound[];

  /** @internal */
  constructor(parts: P) {
    super(parts);
    this.start = Object.freeze([...parts.start]);
    this.rounds = Object.freeze([...parts.rounds]);
  }

  /** What follows from answers, in words. */
  protected abstract get open(): string;

  /** The plan as data, with what only plans of its kind say. */
  protected data<M extends string, O extends object>(mechanism: M, more: O) {
    const { choices, measure, resolved } = this.parts;
    const { candidates, omitted } = choices;
    const { format: _, charges: _all, selections: _none, expectedRows: _rows, ...account } = measure.toJSON();
    const head = { format: `marginalia-${mechanism}-plan` as const, ...account, mechanism };
    const own = {
      candidates: { cliques: candidates.length, cells: candidates.cells, omitted },
      ...more,
      start: this.start,
      rounds: this.rounds,
    };
    return this.json(head, own, estimateOf(resolved));
  }

  /** The plan for people: what is chosen and measured at which cost and error, why, and what it needs. */
  override toString(): string {
    const { measure, resolved } = this.parts;
    const rows = roundsTable(this, symbolOf(measure.toJSON().currency));
    const errors = errorsInWords(this.rounds.at(-1) as PlannedRound, resolved.expectedRows);
    return this.text([...measure.around(rows), "", `Not known before: ${this.open}`, ...errors]);
  }
}
