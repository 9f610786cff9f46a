import type { Schema } from "../../tables/schema.js";
import type { Charging } from "../kit/plan.js";
import type { Prepared } from "../kit/prior.js";
import { chargesOf } from "../kit/rounds.js";
import { type RoundsParts, RoundsPlan, type RoundsPlanJson } from "../kit/roundsPlan.js";
import type { ResolvedMst, Split } from "./resolved.js";

/** A plan as data, with a round for each pair of the tree. */
export interface MstPlanJson extends RoundsPlanJson {
  readonly format: "marginalia-mst-plan";
  readonly mechanism: "mst";
}

/** @internal */
export interface MstParts<S extends Schema> extends RoundsParts<S> {
  prepared?: Prepared<S>;
  choices: ResolvedMst<S>;
  split: Split;
}

/** What the tree is chosen from, a round for each of its pairs, what all of it costs, and why. Nothing of it depends on private rows. */
export class MstPlan<S extends Schema = Schema> extends RoundsPlan<S, MstPlanJson, MstParts<S>> {
  /** @internal */
  constructor(parts: MstParts<S>) {
    super(parts);
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
    return this.data("mst", {});
  }

  protected override get open(): string {
    return "which pairs are measured, and which rare values of them together.";
  }
}
