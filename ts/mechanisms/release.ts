import type { CalibratedEstimate } from "../estimate/outcome.js";
import type { Measurement } from "../measurement.js";
import type { LedgerView } from "../privacy/ledgerView.js";
import type { Schema } from "../tables/schema.js";
import type { Workload } from "../tables/workload.js";
import type { AdaptivePlan } from "./adaptive/plan.js";
import type { ReleasePlan } from "./plan.js";
import type { Prepared } from "./public.js";
import { Released, type ReleaseReport, type Told } from "./released.js";

/** A plan of any mechanism. */
export type AnyPlan<S extends Schema> = ReleasePlan<S> | AdaptivePlan<S>;

/** @internal */
export interface ReleaseParts<S extends Schema, P extends AnyPlan<S> = AnyPlan<S>> {
  plan: P;
  estimate: CalibratedEstimate<S>;
  measurements: readonly Measurement[];
  ledger: LedgerView;
  prepared: Prepared<S>;
  targets: Workload<S>;
  misfits: readonly number[];
  seed: string | number;
}

/**
 * A release: nothing of it is private any more. `model` answers any marginal, `table` and `writeCsv` make records, `save`
 * keeps it. Dispose of it when it is no longer needed (`using`, or `dispose()`).
 */
export class Release<S extends Schema = Schema, P extends AnyPlan<S> = ReleasePlan<S>> extends Released<
  S,
  ReturnType<P["toJSON"]>
> {
  override readonly plan: P & Told<ReturnType<P["toJSON"]>>;
  /** What was spent on what. */
  override readonly ledger: LedgerView;

  /** @internal */
  constructor(parts: ReleaseParts<S, P>) {
    const { estimate, measurements, ledger, prepared, targets, seed } = parts;
    const plan = parts.plan as P & Told<ReturnType<P["toJSON"]>>;
    super({
      model: estimate.model,
      measurements,
      report: reported(parts),
      rows: prepared.table,
      targets,
      seed,
      plan,
      ledger,
      free: () => prepared.dispose(),
    });
    this.plan = plan;
    this.ledger = ledger;
    Object.freeze(this);
  }
}

function reported<S extends Schema, P extends AnyPlan<S>>({
  plan,
  estimate,
  measurements,
  misfits,
}: ReleaseParts<S, P>): ReleaseReport<ReturnType<P["toJSON"]>> {
  const { status, certificate, strength, consistency, total, outside } = estimate;
  const { relativeGap, relativeEntropy } = certificate;
  return Object.freeze({
    format: "marginalia-release-report",
    version: 1,
    plan: plan.toJSON() as ReturnType<P["toJSON"]>,
    total: { records: estimate.model.total, standardError: Math.sqrt(total.variance) },
    estimate: {
      status,
      relativeGap,
      relativeEntropy,
      strength,
      ...(consistency !== undefined && { consistency }),
    },
    measurements: measurements.map(({ clique, noise }, i) => {
      const { answers = 0, records = 0, variance = 0 } = outside[i] ?? {};
      return {
        clique,
        error: Math.sqrt(noise.variance),
        misfit: misfits[i] as number,
        outside: { answers, records, standardError: Math.sqrt(variance) },
      };
    }),
  });
}
