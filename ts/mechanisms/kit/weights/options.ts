import type { SupportModel } from "../../../estimate/support.js";
import type { NameOf, Schema } from "../../../tables/schema.js";
import type { Workload } from "../../../tables/workload.js";
import { type CommonOptions, COMMON as NAMES } from "../common.js";
import { checkOptions, Mechanism, type RunOf } from "../mechanism.js";
import type { Release } from "../modelled.js";
import type { WeightsPlan } from "./plan.js";

/** What one of these mechanisms is: its name, how weights move, and what they are at first. */
export interface Way {
  readonly name: "pmwPub" | "mwem" | "pepPub";
  readonly file: "pmw-pub" | "mwem" | "pep-pub";
  readonly rule: "newest" | "recycled" | "projected";
  readonly start: "public" | "uniform";
}

/** How releases by multiplicative weights work; all but the prior has a default. */
export interface WeightsOptions<S extends Schema = Schema>
  extends Omit<CommonOptions<S>, "group" | "pool" | "workload" | "estimator"> {
  /** The cliques whose cells rounds choose from: all of `ways` attributes unless given. */
  workload?: Workload<S> | readonly (readonly NameOf<S>[])[];
  /** How many attributes a clique has where no `workload` is given; 3 unless given, or all where there are fewer. */
  ways?: number;
  /** How many of these cliques, by the seed; all unless given. */
  sample?: number;
  /** Whether cliques within these are chosen from too; they are not unless given. Few answers then tell what many cells have in common. */
  parts?: boolean;
  /**
   * What a round measures: the `"cells"` that it chose (default); or their whole `"marginals"`, which costs no more where rows come or go,
   * and by which each model is the calibrated estimate of all answers so far.
   */
  measure?: "cells" | "marginals";
  /** T: how often a cell is chosen and measured; by how much noise there will be, unless given. */
  rounds?: number;
  /** The part of each round that choosing gets; a half unless given, as in the paper. */
  selectShare?: number;
  /** The law of choices; unless given the exponential mechanism in zCDP, and permute-and-flip of a pure budget. */
  selection?: "exponential" | "permute-and-flip";
  /** Whether cells without a public row, which no model answers but by 0, are chosen too, as in the paper; they are not unless given. */
  unsupported?: boolean;
  /** Whether each answer is met once, as in the theorems; unless given earlier ones are met again where the model is off them, as the authors do. */
  classic?: boolean;
  /** Whether the model is the mean of those that rounds began with, as in the theorem; that of the last round unless given. */
  average?: boolean;
}

/** The same where all rows that the schema allows may be weighed. */
export type PriorlessOptions<S extends Schema = Schema> = Omit<WeightsOptions<S>, "prior"> &
  Partial<Pick<WeightsOptions<S>, "prior">>;

/** The names of the options. */
const OWN = [
  "ways",
  "sample",
  "parts",
  "measure",
  "rounds",
  "selectShare",
  "selection",
  "unsupported",
  "classic",
  "average",
] as const;
const NONE = ["group", "pool", "estimator"];

const ADVICE = "one of the same schema, such as another year, region or a public sample, read by readTable";

/** How a release is run: the seed is that of the estimates and of records. */
export interface WeightsRunSettings<S extends Schema = Schema> extends RunOf<WeightsPlan<S>> {}

/**
 * Synthetic records of a private table, by rounds that choose and measure one cell each and move the weights of public rows. It keeps
 * what it makes of the public table: dispose of it when it is no longer needed (`using`, or `dispose()`).
 */
export class Weights<S extends Schema = Schema> extends Mechanism<
  S,
  PriorlessOptions<S>,
  WeightsPlan<S>,
  Release<S, WeightsPlan<S>, SupportModel<S>>
> {
  readonly way: Way;

  /** @internal */
  constructor(way: Way, options: PriorlessOptions<S>) {
    const names = [...NAMES.filter((name) => !NONE.includes(name)), ...OWN];
    checkOptions(options, names, way.name, way.start === "public" ? ADVICE : undefined);
    super(options);
    this.way = way;
  }

  protected override steps() {
    return import("./steps.js");
  }
}
