import type { Handle } from "../../engine/index.js";
import type { Measurement } from "../../measurement.js";
import type { LedgerView } from "../../privacy/ledgerView.js";
import type { Schema } from "../../tables/schema.js";
import type { Workload } from "../../tables/workload.js";
import type { GroupedPlan } from "./plan.js";
import type { SharedPrior } from "./public.js";
import { ReleasedGroups } from "./released.js";
import { type Figures, GroupTree, type ReleasedGroup } from "./tree.js";
import type { LevelTrust } from "./trust.js";

export type { GroupedAnswerSettings, GroupedErrorSettings, GroupedReport } from "./released.js";
export type { Figures, GroupKey, ReleasedGroup } from "./tree.js";
export type { LevelTrust } from "./trust.js";

/** @internal */
export interface GroupedParts<S extends Schema> {
  plan: GroupedPlan<S>;
  handle: Handle;
  figures: readonly Figures[];
  trust: readonly (LevelTrust | null)[];
  measured: readonly (readonly Measurement[])[];
  ledger: LedgerView;
  prepared: SharedPrior<S>;
  targets: Workload<S>;
  seed: string | number;
}

/**
 * A release of groups within groups: nothing of it is private any more. `groups` says how many records each has,
 * `marginal` answers for any of them or all, `model` is the distribution of one, `table` and `writeCsv` make records, `save`
 * keeps it. Dispose of it when it is no longer needed (`using`, or `dispose()`).
 */
export class GroupedRelease<S extends Schema = Schema> extends ReleasedGroups<S> {
  override readonly plan: GroupedPlan<S>;
  /** What was spent on what. */
  override readonly ledger: LedgerView;

  /** @internal */
  constructor(parts: GroupedParts<S>) {
    const { plan, handle, figures, trust, measured, ledger, prepared, targets, seed } = parts;
    super({
      ...{ tree: treeOf(plan), handle, figures, trust, measured, targets, seed, plan, ledger },
      rows: prepared.rows,
      local: prepared.counts.find((counts) => counts !== undefined)?.names ?? [],
      free: () => prepared.dispose(),
    });
    this.plan = plan;
    this.ledger = ledger;
    Object.freeze(this);
  }
}

const treeOf = <S extends Schema>({ levels, parts: { settled, prepared } }: GroupedPlan<S>): GroupTree<S> =>
  new GroupTree(
    settled.schema as S,
    levels.map(({ by }) => by),
    prepared,
  );

/** A group in words and numbers. */
export const named = <S extends Schema>(plan: GroupedPlan<S>, at: number, figures: Figures): ReleasedGroup =>
  treeOf(plan).named(at, figures);
