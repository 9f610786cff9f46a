import type { Rational } from "../../../privacy/rational.js";
import type { SelectRequest } from "../../../privacy/select/types.js";
import type { Schema } from "../../../tables/schema.js";
import type { Charging } from "../plan.js";
import type { Prepared } from "../prior.js";
import { chargesOf } from "../rounds.js";
import { type RoundsParts, RoundsPlan, type RoundsPlanJson } from "../roundsPlan.js";
import type { Way } from "./options.js";
import type { ResolvedWeights, Split } from "./resolved.js";

/** A plan as data. */
export interface WeightsPlanJson extends RoundsPlanJson {
  readonly mechanism: Way["name"];
  /** The part of each round that choosing gets. */
  readonly selectShare: string;
  /** How weights move, and what they are at first. */
  readonly rule: Way["rule"];
  readonly begins: Way["start"];
  readonly average: boolean;
  readonly measures: "cells" | "marginals";
  /** How many cells of the candidates a public row lies in, and whether others are chosen too. */
  readonly supported: { readonly cells: number; readonly chosenAlone: boolean };
}

/** @internal */
export interface WeightsParts<S extends Schema> extends RoundsParts<S> {
  way: Way;
  prepared: Prepared<S>;
  choices: ResolvedWeights<S>;
  average: boolean;
  split: Split;
  /** The cells that are chosen from, where they are not all. */
  cells: Uint32Array | undefined;
  supported: number;
  selection: SelectRequest<S> & { readonly spend: Rational };
}

/** What rounds will choose from and spend, and why. Nothing of it depends on private rows. */
export class WeightsPlan<S extends Schema = Schema> extends RoundsPlan<S, WeightsPlanJson, WeightsParts<S>> {
  /** @internal */
  constructor(parts: WeightsParts<S>) {
    super(parts);
    Object.freeze(this);
  }

  get charging(): Charging {
    const [count, ...rounds] = chargesOf(this);
    return {
      ...{ kind: "rule", rounds: this.rounds.length, ceiling: this.price, asks: "the rounds ask for" },
      rule: "each round measures the cell that it chose, by what was answered before it",
      charges: this.start.length > 0 && count ? [count, ...rounds] : rounds,
    };
  }

  toJSON(): WeightsPlanJson {
    const { way, choices, average, supported } = this.parts;
    const { selectShare, unsupported, rule } = choices;
    const own = {
      ...{ selectShare: `${selectShare}`, rule, begins: way.start, average, measures: choices.measure },
      supported: { cells: supported, chosenAlone: !unsupported },
    };
    return { ...this.data(way.name, own), format: `marginalia-${way.file}-plan` };
  }

  protected override get open(): string {
    return "which cells are measured. Each round chooses by what was answered before it.";
  }
}
