import type { Model } from "../estimate/model.js";
import type { CalibratedEstimate } from "../estimate/outcome.js";
import type { Measurement } from "../measurement.js";
import { known } from "../options.js";
import type { LedgerView } from "../privacy/ledgerView.js";
import type { Schema } from "../tables/schema.js";
import type { Table } from "../tables/table.js";
import type { Workload } from "../tables/workload.js";
import type { WriteOptions, WriteTarget } from "../tables/write.js";
import type { AdaptivePlan, AdaptivePlanJson } from "./adaptive/plan.js";
import type { ReleaseProgress, ReleaseSettings } from "./options.js";
import type { ReleasePlan, ReleasePlanJson } from "./plan.js";
import type { Prepared } from "./public.js";
import type { Method } from "./records.js";
import { stages } from "./stage.js";

/** How records are made. */
export interface RecordOptions extends ReleaseSettings {
  /** How many; the model's total, rounded, unless given. */
  rows?: number;
  method?: Method;
  /** The same seed gives the same records; that of the run unless given. */
  seed?: string | number;
}

/** How records are written. */
export interface ReleaseWriteOptions
  extends RecordOptions,
    Omit<WriteOptions, "onProgress" | "seed" | "weight"> {
  onProgress?: (progress: ReleaseProgress) => void;
}

/** What a report needs to know; all of it was released, or follows from what was. */
export interface ReleaseReport<J extends ReleasePlanJson | AdaptivePlanJson = ReleasePlanJson> {
  readonly format: "marginalia-release-report";
  readonly version: 1;
  readonly plan: J;
  readonly total: { readonly records: number; readonly standardError: number };
  readonly estimate: {
    readonly status: CalibratedEstimate["status"];
    readonly relativeGap: number;
    /** How far the model is from the prior, in nats. */
    readonly relativeEntropy: number;
    /** How many records the prior was worth, and by how many standard errors answers contradicted it. */
    readonly strength: number;
    readonly consistency?: number;
  };
  readonly measurements: readonly {
    readonly clique: readonly string[];
    /** The expected error of each answer, in records. */
    readonly error: number;
    /** The root of the mean square of what the model misses of the answers that it could meet. */
    readonly misfit: number;
    /** Answers that no row of the prior can meet, and their sum in records. */
    readonly outside: { readonly answers: number; readonly records: number; readonly standardError: number };
  }[];
}

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

const RECORDS = ["rows", "method", "seed", "signal", "onProgress"];
const WRITE = ["within", "delimiter", "decimalComma", "derived", "gzip"];

/**
 * A release: nothing of it is private any more. `model` answers any marginal, `table` and `writeCsv` make records.
 * Dispose of it when it is no longer needed (`using`, or `dispose()`).
 */
export class Release<S extends Schema = Schema, P extends AnyPlan<S> = ReleasePlan<S>> implements Disposable {
  readonly schema: S;
  /** The distribution that was estimated, and the number of records that it stands for. */
  readonly model: Model<S>;
  /** The number of records, as the answers say it. */
  readonly total: number;
  /** The noisy answers that it was estimated from. */
  readonly measurements: readonly Measurement[];
  readonly plan: P;
  /** What was spent on what. */
  readonly ledger: LedgerView;
  /** How the estimation went, and how well the answers are met. */
  readonly report: ReleaseReport<ReturnType<P["toJSON"]>>;
  readonly #parts: ReleaseParts<S, P>;

  /** @internal */
  constructor(parts: ReleaseParts<S, P>) {
    const { plan, estimate, measurements, ledger } = parts;
    this.model = estimate.model;
    this.schema = this.model.schema;
    this.total = this.model.total;
    this.measurements = measurements;
    this.plan = plan;
    this.ledger = ledger;
    this.report = reported(parts);
    this.#parts = parts;
    Object.freeze(this);
  }

  /** Synthetic records as a table: exactly `rows` of them, in random order. */
  async table(options: RecordOptions = {}): Promise<Table<S>> {
    known(options, RECORDS, "table");
    const { rows: count = Math.round(this.total), method = "controlled", seed = this.#parts.seed } = options;
    const { prepared, targets } = this.#parts;
    const { records } = await import("./records.js");
    return records(
      { rows: prepared.table, model: this.model, targets },
      { count, method, seed },
      stages(options),
    );
  }

  /**
   * Writes synthetic records as CSV, each value as the schema declares it: to a path, a Node stream or a web stream. The
   * same seed gives the same bytes.
   */
  async writeCsv(target: WriteTarget, options: ReleaseWriteOptions = {}): Promise<void> {
    known(options, [...RECORDS, ...WRITE], "writeCsv");
    const { rows, method, signal, onProgress, seed = this.#parts.seed, ...written } = options;
    const common = { seed, ...(signal && { signal }) };
    using made = await this.table({
      ...common,
      ...(rows !== undefined && { rows }),
      ...(method !== undefined && { method }),
      ...(onProgress && { onProgress }),
    });
    await made.writeCsv(target, { ...written, ...common });
  }

  /** Frees the memory behind it; what was made of it stays. */
  dispose(): void {
    const { estimate, prepared } = this.#parts;
    if (this.model.handle.disposed) return;
    estimate.dispose();
    prepared.dispose();
  }

  [Symbol.dispose](): void {
    this.dispose();
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
