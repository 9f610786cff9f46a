import type { Condition } from "../estimate/condition.js";
import type { Model } from "../estimate/model.js";
import type { CalibratedEstimate } from "../estimate/outcome.js";
import type { Measurement } from "../measurement.js";
import { known } from "../options.js";
import type { LedgerJson } from "../privacy/ledger/print.js";
import { refuseOver } from "../tables/inputs.js";
import type { CallSettings } from "../tables/read.js";
import type { Schema } from "../tables/schema.js";
import type { Table } from "../tables/table.js";
import type { Workload } from "../tables/workload.js";
import type { WriteOptions, WriteTarget } from "../tables/write.js";
import type { AdaptivePlanJson } from "./adaptive/plan.js";
import type { ReleaseProgress, ReleaseSettings } from "./options.js";
import type { ReleasePlanJson } from "./plan.js";
import type { Method } from "./records.js";
import { stages } from "./stage.js";

/** How records are made. */
export interface RecordOptions<S extends Schema = Schema> extends ReleaseSettings {
  /** How many; the model's total, rounded, unless given. */
  rows?: number;
  method?: Method;
  /** The same seed gives the same records; that of the run unless given. */
  seed?: string | number;
  /** Only records that meet this: as many as the model has, unless `rows` says otherwise. */
  where?: Condition<S>;
}

/** How records are written. */
export interface ReleaseWriteOptions<S extends Schema = Schema>
  extends RecordOptions<S>,
    Omit<WriteOptions, "onProgress" | "seed" | "weight"> {
  onProgress?: (progress: ReleaseProgress) => void;
}

/** What a plan of any mechanism says. */
export type AnyPlanJson = ReleasePlanJson | AdaptivePlanJson;

/** What a report needs to know; all of it was released, or follows from what was. */
export interface ReleaseReport<J extends AnyPlanJson = ReleasePlanJson> {
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

/** Something as data and in words. */
export interface Told<T> {
  toJSON(): T;
  toString(): string;
}

/** @internal What a release is made of: nothing of it is private. */
export interface ReleasedParts<S extends Schema, J extends AnyPlanJson = AnyPlanJson> {
  model: Model<S>;
  measurements: readonly Measurement[];
  report: ReleaseReport<J>;
  /** The public rows that the model is on, in its order, with raw numbers where they were kept. */
  rows: Table<S>;
  targets: Workload<S>;
  seed: string | number;
  plan: Told<J>;
  ledger: Told<LedgerJson>;
  /** Frees what the model does not free. */
  free(): void;
}

/** The options of what a release of any kind can do. */
export const RECORDS = ["rows", "method", "seed", "where", "signal", "onProgress"];
export const WRITE = [...RECORDS, "within", "delimiter", "decimalComma", "derived", "gzip"];
export const SAVE = ["signal", "onProgress"];

/** Writes the records that a release of any kind makes; one seed is for making and for writing them. */
export async function writeTable<S extends Schema>(
  make: (options: RecordOptions<S>) => Promise<Table<S>>,
  target: WriteTarget,
  {
    rows,
    method,
    where,
    signal,
    onProgress,
    seed,
    ...written
  }: ReleaseWriteOptions<S> & { seed: string | number },
): Promise<void> {
  const common = { seed, ...(signal && { signal }) };
  using made = await make({
    ...common,
    ...(rows !== undefined && { rows }),
    ...(method !== undefined && { method }),
    ...(where !== undefined && { where }),
    ...(onProgress && { onProgress }),
  });
  await made.writeCsv(target, { ...written, ...common });
}

/** What every release can do, whether it was run or loaded. */
export abstract class Released<S extends Schema = Schema, J extends AnyPlanJson = ReleasePlanJson>
  implements Disposable
{
  readonly schema: S;
  /** The distribution that was estimated, and the number of records that it stands for. */
  readonly model: Model<S>;
  /** The number of records, as the answers say it. */
  readonly total: number;
  /** The noisy answers that it was estimated from. */
  readonly measurements: readonly Measurement[];
  /** How the estimation went, and how well the answers are met. */
  readonly report: ReleaseReport<J>;
  /** What was planned: as data and in words. */
  abstract readonly plan: Told<J>;
  /** What was spent on what: as data and in words. */
  abstract readonly ledger: Told<LedgerJson>;
  readonly #parts: ReleasedParts<S, J>;

  /** @internal */
  constructor(parts: ReleasedParts<S, J>) {
    this.model = parts.model;
    this.schema = this.model.schema;
    this.total = this.model.total;
    this.measurements = parts.measurements;
    this.report = parts.report;
    this.#parts = parts;
  }

  /** Synthetic records as a table: exactly `rows` of them, in random order. */
  async table(options: RecordOptions<S> = {}): Promise<Table<S>> {
    known(options, RECORDS, "table");
    const { method = "controlled", seed = this.#parts.seed, where, signal } = options;
    const { rows, targets } = this.#parts;
    const { records } = await import("./records.js");
    const make = (model: Model<S>) => {
      const { rows: count = Math.round(model.total) } = options;
      return records({ rows, model, targets }, { count, method, seed }, stages(options));
    };
    if (where === undefined) return make(this.model);
    using part = await this.model.where(where, { ...(signal && { signal }) });
    return await make(part);
  }

  /**
   * Writes synthetic records as CSV, each value as the schema declares it: to a path, a Node stream or a web stream. The
   * same seed gives the same bytes.
   */
  async writeCsv(target: WriteTarget, options: ReleaseWriteOptions<S> = {}): Promise<void> {
    known(options, WRITE, "writeCsv");
    const { seed = this.#parts.seed } = options;
    await refuseOver(target, this.#parts.ledger);
    await writeTable((how) => this.table(how), target, { ...options, seed });
  }

  /**
   * Saves it, from which `load` makes it again anywhere, to the same bits: to a path, a Node stream or a web stream. Only
   * what is released is in it. A file appears under its path when all of it is on the disk.
   */
  async save(target: WriteTarget, options: CallSettings = {}): Promise<void> {
    known(options, SAVE, "save");
    await refuseOver(target, this.#parts.ledger);
    const { bytesOf, saved } = await import("./saved/save.js");
    return saved(() => bytesOf(this.#parts, options), target);
  }

  /** The bytes that {@link save} writes. */
  async toBytes(options: CallSettings = {}): Promise<Uint8Array<ArrayBuffer>> {
    known(options, SAVE, "toBytes");
    const { bytesOf } = await import("./saved/save.js");
    return bytesOf(this.#parts, options);
  }

  /** Frees the memory behind it; what was made of it stays. */
  dispose(): void {
    if (this.model.handle.disposed) return;
    this.model.dispose();
    this.#parts.free();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }
}
