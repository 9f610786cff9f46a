import { symbolOf } from "../../privacy/budget.js";
import type { MeasurePlanJson, PlannedCharge } from "../../privacy/measurePlan.js";
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
import { chargesOf, errorsInWords, type PlannedRound, roundsTable } from "../kit/rounds.js";
import type { ResolvedMst, Split } from "./resolved.js";

/** A plan as data. */
export interface MstPlanJson
  extends PlanJson,
    Omit<MeasurePlanJson, "format" | "charges" | "selections" | "expectedRows" | "needs"> {
  readonly format: "marginalia-mst-plan";
  readonly mechanism: "mst";
  /** How many pairs rounds choose from, their cells, and how many were left out because they have too many. */
  readonly candidates: { readonly cliques: number; readonly cells: number; readonly omitted: number };
  /** What is measured before the first round. */
  readonly start: readonly PlannedCharge[];
  /** One for each pair of the tree. */
  readonly rounds: readonly PlannedRound[];
  readonly estimate: PlannedEstimate;
}

/** @internal */
export interface MstParts<S extends Schema> extends PlanParts<S> {
  prepared?: Prepared<S>;
  choices: ResolvedMst<S>;
  split: Split;
  start: readonly PlannedCharge[];
  rounds: readonly PlannedRound[];
}

/** What the tree is chosen from, what all of it costs, and why. Nothing of it depends on private rows. */
export class MstPlan<S extends Schema = Schema> extends Plan<S, MstPlanJson, MstParts<S>> {
  /** What is measured before the first round. */
  readonly start: readonly PlannedCharge[];
  /** One for each pair of the tree. */
  readonly rounds: readonly PlannedRound[];

  /** @internal */
  constructor(parts: MstParts<S>) {
    super(parts);
    this.start = Object.freeze([...parts.start]);
    this.rounds = Object.freeze([...parts.rounds]);
    Object.freeze(this);
  }

  get charging(): Charging {
    return {
      ...{ kind: "rule", rounds: this.rounds.length, ceiling: this.price, asks: "the tree asks for" },
      rule: "each round chooses a pair that joins what is not joined yet, and measures it",
      charges: chargesOf(this),
    };
  }

  toJSON(): MstPlanJson {
    const { choices, measure, resolved } = this.parts;
    const { candidates, omitted } = choices;
    const { format: _, charges: _all, selections: _none, expectedRows: _rows, ...account } = measure.toJSON();
    const own = {
      candidates: { cliques: candidates.length, cells: candidates.cells, omitted },
      start: this.start,
      rounds: this.rounds,
    };
    const head = { format: "marginalia-mst-plan", ...account, mechanism: "mst" } as const;
    return this.json(head, own, estimateOf(resolved));
  }

  /** The plan for people: what is chosen and measured at which cost and error, why, and what it needs. */
  override toString(): string {
    const { measure, resolved } = this.parts;
    const rows = roundsTable(this, symbolOf(measure.toJSON().currency));
    return this.text([
      ...measure.around(rows),
      "",
      "Not known before: which pairs are measured, and which rare values of them together.",
      ...errorsInWords(this.rounds.at(-1) as PlannedRound, resolved.expectedRows),
    ]);
  }
}
