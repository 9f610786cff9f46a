import type { CalibratedEstimate } from "../estimate/outcome.js";
import type { Measurement } from "../measurement.js";
import type { LedgerView } from "../privacy/sealed.js";
import type { Schema } from "../tables/schema.js";
import type { Workload } from "../tables/workload.js";
import type { ReleasePlan } from "./plan.js";
import type { Prepared } from "./public.js";
import { Released, type ReleaseReport } from "./released.js";

/** @internal */
export interface ReleaseParts<S extends Schema> {
  plan: ReleasePlan<S>;
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
export class Release<S extends Schema = Schema> extends Released<S> {
  override readonly plan: ReleasePlan<S>;
  /** What was spent on what. */
  override readonly ledger: LedgerView;

  /** @internal */
  constructor(parts: ReleaseParts<S>) {
    const { plan, estimate, measurements, ledger, prepared, targets, seed } = parts;
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

function reported<S extends Schema>({
  plan,
  estimate,
  measurements,
  misfits,
}: ReleaseParts<S>): ReleaseReport {
  const { status, certificate, strength, consistency, total, outside } = estimate;
  const { relativeGap, relativeEntropy } = certificate;
  return Object.freeze({
    format: "marginalia-release-report",
    version: 1,
    plan: plan.toJSON(),
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
