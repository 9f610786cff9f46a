import { printed } from "../../print.js";
import type { LedgerJson } from "../../privacy/ledger/print.js";
import type { NameOf, Schema } from "../../tables/schema.js";
import { type Workload, workload } from "../../tables/workload.js";
import type { GroupedPlanJson } from "../groups/plan.js";
import { ReleasedGroups, type ReleasedGroupsParts } from "../groups/released.js";
import { type AnyPlanJson, Released, type ReleasedParts, type Told } from "../released.js";

/**
 * A release that was saved before. It has all that the release had but the account itself, of which it has what it said
 * when the release was saved. Dispose of it when it is no longer needed (`using`, or `dispose()`).
 */
export class LoadedRelease<S extends Schema = Schema> extends Released<S, AnyPlanJson> {
  /** What was planned: as data and in words. */
  override readonly plan: Told<AnyPlanJson>;
  /** What had been spent on what: as data and in words. */
  override readonly ledger: Told<LedgerJson>;

  /** @internal */
  constructor(parts: ReleasedParts<S>) {
    super(parts);
    this.plan = parts.plan;
    this.ledger = parts.ledger;
    Object.freeze(this);
  }
}

/**
 * A release of groups that was saved before. It has all that the release had but the account itself, of which it has what it
 * said when the release was saved. Dispose of it when it is no longer needed (`using`, or `dispose()`).
 */
export class LoadedGroupedRelease<S extends Schema = Schema> extends ReleasedGroups<S> {
  /** What was planned: as data and in words. */
  override readonly plan: Told<GroupedPlanJson>;
  /** What had been spent on what: as data and in words. */
  override readonly ledger: Told<LedgerJson>;

  /** @internal */
  constructor(parts: ReleasedGroupsParts<S>) {
    super(parts);
    this.plan = parts.plan;
    this.ledger = parts.ledger;
    Object.freeze(this);
  }
}

/** Data with the words that came with them. */
export function told<T>(json: T, text: string): Told<T> {
  return Object.freeze({ toJSON: () => json, toString: () => printed(text) });
}

/** Cliques that stand in a file. */
export const cliquesOf = <S extends Schema>(
  schema: S,
  cliques: readonly (readonly string[])[],
): Workload<S> => workload(schema, cliques as readonly (readonly NameOf<S>[])[]);
