import type { Schema } from "../../tables/schema.js";
import type { Charging, PlannedPrior } from "../kit/plan.js";
import type { Prepared } from "../kit/prior.js";
import { chargesOf } from "../kit/rounds.js";
import { type RoundsParts, RoundsPlan, type RoundsPlanJson } from "../kit/roundsPlan.js";
import type { ResolvedRounds, Split } from "./resolved.js";

/** A plan as data. */
export interface AdaptivePlanJson extends RoundsPlanJson {
  readonly format: "marginalia-adaptive-plan";
  readonly mechanism: "adaptive";
  readonly prior: PlannedPrior;
  /** The part of the price that choosing gets. */
  readonly selectShare: string;
}

/** @internal */
export interface AdaptiveParts<S extends Schema> extends RoundsParts<S> {
  prepared: Prepared<S>;
  prior: PlannedPrior;
  choices: ResolvedRounds<S>;
  split: Split;
}

/** What rounds will choose from and spend, and why. Nothing of it depends on private rows. */
export class AdaptivePlan<S extends Schema = Schema> extends RoundsPlan<
  S,
  AdaptivePlanJson,
  AdaptiveParts<S>
> {
  readonly prior: PlannedPrior;

  /** @internal */
  constructor(parts: AdaptiveParts<S>) {
    super(parts);
    this.prior = parts.prior;
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
    const data = this.data("adaptive", { selectShare: `${this.parts.choices.selectShare}` });
    return { ...data, prior: this.prior };
  }

  protected override get open(): string {
    return "which cliques are measured. Each round chooses by what was answered before it.";
  }
}
