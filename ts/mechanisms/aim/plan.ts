import type { Rational } from "../../privacy/rational.js";
import type { Schema } from "../../tables/schema.js";
import type { Charging } from "../kit/plan.js";
import type { Prepared } from "../kit/prior.js";
import { type RoundsParts, RoundsPlan, type RoundsPlanJson } from "../kit/roundsPlan.js";
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

/** A plan as data: its rounds are those if none of them spends more than the first. */
export interface AimPlanJson extends RoundsPlanJson {
  readonly format: "marginalia-aim-plan";
  readonly mechanism: "aim";
  /** The part of each round that choosing gets. */
  readonly selectShare: string;
  readonly schedule: PlannedSchedule;
}

/** @internal */
export interface AimParts<S extends Schema> extends RoundsParts<S> {
  prepared?: Prepared<S>;
  choices: ResolvedAim<S>;
  spend: Rational;
  spending: Spending;
}

/**
 * What rounds will choose from, the rule by which they spend, and why: its rounds are those if none of them spends more than the
 * first. Nothing of it depends on private rows.
 */
export class AimPlan<S extends Schema = Schema> extends RoundsPlan<S, AimPlanJson, AimParts<S>> {
  /** @internal */
  constructor(parts: AimParts<S>) {
    super(parts);
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
    const { choices, spend, spending } = this.parts;
    const { selectShare, cells } = choices;
    return this.data("aim", {
      selectShare: `${selectShare}`,
      schedule: {
        ...{ rounds: this.rounds.length, ceiling: `${spend}`, first: `${spending.each}` },
        ...{ factor: `${spending.factor}`, slight: SLIGHT, cells },
      },
    });
  }

  protected override get open(): string {
    return (
      "which cliques are measured, and in how many rounds. After a round that taught the model too little all later ones " +
      `spend ${this.parts.spending.factor} times as much, so that there are fewer: never more than ${this.rounds.length}, and never more is spent.`
    );
  }
}
