import type { GraphicalModel } from "../../estimate/graphical.js";
import type { Schema } from "../../tables/schema.js";
import { ALONE, type AloneOptions } from "../kit/common.js";
import { checkOptions, Mechanism, type RunOf } from "../kit/mechanism.js";
import type { Release } from "../kit/modelled.js";
import type { MstPlan } from "./plan.js";

export type { MstPlan, MstPlanJson } from "./plan.js";

/** How {@link mst} works; all has a default. */
export interface MstOptions<S extends Schema = Schema> extends AloneOptions<S> {}

/** How it is run: the seed is that of the last estimate and of records. */
export interface MstRunSettings<S extends Schema = Schema> extends RunOf<MstPlan<S>> {}

/** Synthetic records of a private table from its attributes and a tree of pairs of them. Made by {@link mst}. */
export class Mst<S extends Schema = Schema> extends Mechanism<
  S,
  MstOptions<S>,
  MstPlan<S>,
  Release<S, MstPlan<S>, GraphicalModel<S>>
> {
  protected override steps() {
    return import("./steps.js");
  }
}

/**
 * The release by a tree where nothing is public: a third of the budget measures each attribute, a third chooses the pairs
 * of a tree that are farthest from being independent, and a third measures those, rare values taken together. MST
 * (McKenna and others, 2021). Its charges are all known before; `aim` is closer where the budget is not small.
 *
 * ```ts
 * using mechanism = mst();
 * console.log(`${await mechanism.plan(data)}`);
 * using release = await mechanism.run(data);
 * ```
 */
export function mst<S extends Schema>(options: MstOptions<S> = {}): Mst<S> {
  checkOptions(options, ALONE, "mst");
  return new Mst(options);
}
