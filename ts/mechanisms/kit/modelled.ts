import type { Model } from "../../estimate/model.js";
import type { EstimateStatus } from "../../estimate/outcome.js";
import type { Measurement } from "../../measurement.js";
import type { LedgerJson } from "../../privacy/ledger/print.js";
import type { LedgerView } from "../../privacy/ledgerView.js";
import type { CallSettings } from "../../tables/read.js";
import type { Schema } from "../../tables/schema.js";
import type { Table } from "../../tables/table.js";
import type { AnyModel } from "./common.js";
import type { Plan, PlanJson } from "./plan.js";
import { AnyReleased, type Printable, type RecordOptions, type ReleasedParts } from "./release.js";
import type { MadeRound } from "./rounds.js";
import { stages } from "./stages.js";

/** What a report needs to know; all of it was released, or follows from what was. */
export interface ReleaseReport<J extends PlanJson = PlanJson> {
  readonly format: "marginalia-release-report";
  readonly version: 1;
  readonly plan: J;
  readonly total: { readonly records: number; readonly standardError: number };
  readonly estimate: {
    readonly status: EstimateStatus;
    /** The estimator, where it is not the calibrated one; what follows is there as far as it knows it. */
    readonly estimator?: string;
    readonly relativeGap?: number;
    /** How far the model is from the prior, in nats. */
    readonly relativeEntropy?: number;
    /** How many records the prior was worth, and by how many standard errors answers contradicted it. */
    readonly strength?: number;
    readonly consistency?: number;
    /** The L1 distance from the answers, as shares of the total, where that is what was made small. */
    readonly loss?: number;
  };
  /** What each round was charged, where that was not known before. */
  readonly rounds?: readonly MadeRound[];
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

/** @internal */
export interface ModelledParts<
  S extends Schema,
  J extends PlanJson,
  P extends Printable<J>,
  L extends Printable<LedgerJson>,
  M extends Model<S> = Model<S>,
> extends ReleasedParts<S, P, L> {
  model: M;
  measurements: readonly Measurement[];
  report: ReleaseReport<J>;
  /** The public rows that the model is on, in its order, with raw numbers where they were kept; none where it is on none. */
  rows?: Table<S>;
}

/** A release of one model, whether it was run or loaded. */
export class Released<
  S extends Schema = Schema,
  J extends PlanJson = PlanJson,
  P extends Printable<J> = Printable<J>,
  L extends Printable<LedgerJson> = Printable<LedgerJson>,
  M extends Model<S> = AnyModel<S>,
> extends AnyReleased<S, P, L, ModelledParts<S, J, P, L>> {
  /** The distribution that was estimated, and the number of records that it stands for; its `kind` says what it has. */
  readonly model: M;
  /** The number of records, as the answers say it. */
  readonly total: number;
  /** The noisy answers that it was estimated from. */
  readonly measurements: readonly Measurement[];
  /** How the estimation went, and how well the answers are met. */
  readonly report: ReleaseReport<J>;

  /** @internal */
  constructor(parts: Omit<ModelledParts<S, J, P, L, M>, "handle">) {
    const { model, measurements, report } = parts;
    super(model.schema, { ...parts, handle: model.handle });
    this.model = model;
    this.total = model.total;
    this.measurements = measurements;
    this.report = report;
    Object.freeze(this);
  }

  protected override async records(options: RecordOptions<S> & { seed: string | number }): Promise<Table<S>> {
    const { method = "controlled", seed, where, signal } = options;
    const { targets } = this.parts;
    const { records } = await import("../../estimate/records.js");
    const make = (model: Model<S>) => {
      const { rows: count = Math.round(model.total) } = options;
      return records({ model, targets }, { count, method, seed }, stages(options)("records"));
    };
    if (where === undefined) return make(this.model);
    using part = await this.model.where(where, { ...(signal && { signal }) });
    return await make(part);
  }

  protected override async bytes(options: CallSettings): Promise<Uint8Array<ArrayBuffer>> {
    const { bytesOf } = await import("../saved/save.js");
    return bytesOf(this.parts, options);
  }
}

type JsonOf<P extends Plan> = ReturnType<P["toJSON"]>;

/**
 * A release: nothing of it is private any more. `model` answers any marginal, `table` and `writeCsv` make records, `save`
 * keeps it. Dispose of it when it is no longer needed (`using`, or `dispose()`).
 */
export class Release<
  S extends Schema = Schema,
  P extends Plan = Plan,
  M extends Model<S> = AnyModel<S>,
> extends Released<S, JsonOf<P>, P & Printable<JsonOf<P>>, LedgerView, M> {}
