import type { Condition } from "../../estimate/condition.js";
import type { Method } from "../../estimate/records.js";
import { known } from "../../options.js";
import type { LedgerJson } from "../../privacy/ledger/print.js";
import { refuseOver } from "../../tables/inputs.js";
import type { CallSettings } from "../../tables/read.js";
import type { Schema } from "../../tables/schema.js";
import type { Table } from "../../tables/table.js";
import type { Workload } from "../../tables/workload.js";
import type { WriteOptions, WriteTarget } from "../../tables/write.js";
import type { ReleaseSettings } from "./stages.js";

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
    Omit<WriteOptions, "onProgress" | "seed" | "weight"> {}

/** Something as data and in words. */
export interface Printable<T = unknown> {
  toJSON(): T;
  toString(): string;
}

/** @internal What every release is made of: nothing of it is private. */
export interface ReleasedParts<S extends Schema, P extends Printable, L extends Printable<LedgerJson>> {
  /** What it is disposed of by. */
  handle: { readonly disposed: boolean; dispose(): void };
  targets: Workload<S>;
  seed: string | number;
  plan: P;
  ledger: L;
  /** Frees what the handle does not free. */
  free(): void;
}

/** The options of what a release can do. */
const RECORDS = ["rows", "method", "seed", "where", "signal", "onProgress"];
const WRITE = [...RECORDS, "within", "delimiter", "decimalComma", "derived", "gzip"];
const SAVE = ["signal", "onProgress"];

/** What every release can do, of one model or of groups, whether it was run or loaded. */
export abstract class AnyReleased<
  S extends Schema,
  P extends Printable,
  L extends Printable<LedgerJson>,
  Q extends ReleasedParts<S, P, L> = ReleasedParts<S, P, L>,
> implements Disposable
{
  readonly schema: S;
  /** What was planned: as data and in words. */
  readonly plan: P;
  /** What was spent on what: as data and in words. */
  readonly ledger: L;
  readonly #parts: Q;

  /** @internal */
  constructor(schema: S, parts: Q) {
    this.schema = schema;
    this.plan = parts.plan;
    this.ledger = parts.ledger;
    this.#parts = parts;
  }

  /** @internal */
  protected get parts(): Q {
    return this.#parts;
  }

  protected abstract records(options: RecordOptions<S> & { seed: string | number }): Promise<Table<S>>;
  protected abstract bytes(options: CallSettings): Promise<Uint8Array<ArrayBuffer>>;

  /**
   * Synthetic records as a table, in random order: exactly `rows` of them, of groups in the proportions of their totals; as
   * many as are estimated unless given. With `where` only records that meet it.
   */
  async table(options: RecordOptions<S> = {}): Promise<Table<S>> {
    known(options, RECORDS, "table");
    return this.records({ ...options, seed: options.seed ?? this.#parts.seed });
  }

  /**
   * Writes synthetic records as CSV, each value as the schema declares it: to a path, a Node stream or a web stream. The
   * same seed gives the same bytes.
   */
  async writeCsv(target: WriteTarget, options: ReleaseWriteOptions<S> = {}): Promise<void> {
    known(options, WRITE, "writeCsv");
    await refuseOver(target, this.#parts.ledger);
    const { signal, seed = this.#parts.seed } = options;
    const common = { seed, ...(signal && { signal }) };
    const picked = (of: (name: string) => boolean) =>
      Object.fromEntries(Object.entries(options).filter(([name]) => of(name)));
    using made = await this.table({ ...picked((name) => RECORDS.includes(name)), ...common });
    await made.writeCsv(target, { ...picked((name) => !RECORDS.includes(name)), ...common });
  }

  /**
   * Saves it, from which `load` makes it again anywhere, to the same bits: to a path, a Node stream or a web stream. Only
   * what is released is in it. A file appears under its path when all of it is on the disk.
   */
  async save(target: WriteTarget, options: CallSettings = {}): Promise<void> {
    known(options, SAVE, "save");
    await refuseOver(target, this.#parts.ledger);
    const { saved } = await import("../saved/save.js");
    return saved(() => this.bytes(options), target);
  }

  /** The bytes that {@link save} writes. */
  async toBytes(options: CallSettings = {}): Promise<Uint8Array<ArrayBuffer>> {
    known(options, SAVE, "toBytes");
    return this.bytes(options);
  }

  /** Frees the memory behind it; what was made of it stays. */
  dispose(): void {
    const { handle, free } = this.#parts;
    if (handle.disposed) return;
    handle.dispose();
    free();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }
}
