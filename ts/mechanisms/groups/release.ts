import { type Handle, open } from "../../engine/index.js";
import { Model } from "../../estimate/model.js";
import { Prior } from "../../estimate/prior.js";
import type { Measurement } from "../../measurement.js";
import { invalid, isObject, known } from "../../options.js";
import type { LedgerView } from "../../privacy/ledgerView.js";
import { Answers } from "../../tables/answers.js";
import type { CallSettings } from "../../tables/read.js";
import type { NameOf, Schema } from "../../tables/schema.js";
import type { Table } from "../../tables/table.js";
import { type Workload, workload } from "../../tables/workload.js";
import type { WriteTarget } from "../../tables/write.js";
import type { RecordOptions, ReleaseWriteOptions } from "../release.js";
import { stages } from "../stage.js";
import type { GroupedPlan, GroupedPlanJson } from "./plan.js";
import type { SharedPrior } from "./public.js";

/** Which group: a label of each attribute of its level. */
export type GroupKey<S extends Schema = Schema> = { readonly [K in NameOf<S>]?: string | null };

/** One group as it was estimated; all of it may be published. */
export interface ReleasedGroup {
  /** The place of its level, from the coarsest. */
  readonly level: number;
  /** Its label of each attribute of its level. */
  readonly by: Readonly<Record<string, string | null>>;
  /** How many records it is estimated to have, which may be below zero, and the standard error of that. */
  readonly records: number;
  readonly standardError: number;
  /** How the estimation ended, and how far it may be from the optimum, as a part of its value. */
  readonly status: "converged" | "limit" | "refused";
  readonly relativeGap: number;
  /** How far it is from its prior, in nats. */
  readonly relativeEntropy: number;
  /** Records, by its answers, in cells where no shared row is. */
  readonly outside: number;
}

/** What a report needs to know; all of it was released, or follows from what was. */
export interface GroupedReport {
  readonly format: "marginalia-grouped-report";
  readonly version: 1;
  readonly plan: GroupedPlanJson;
  readonly total: number;
  /** All groups, each after what it lies within. */
  readonly groups: readonly ReleasedGroup[];
}

/** @internal */
export interface Figures {
  status: ReleasedGroup["status"];
  relativeGap: number;
  relativeEntropy: number;
  records: number;
  variance: number;
  worth: number;
  outside: number;
}

/** @internal */
export interface GroupedParts<S extends Schema> {
  plan: GroupedPlan<S>;
  handle: Handle;
  figures: readonly Figures[];
  measured: readonly (readonly Measurement[])[];
  ledger: LedgerView;
  prepared: SharedPrior<S>;
  targets: Workload<S>;
  seed: string | number;
}

/** How answers of groups are asked for. */
export interface GroupedAnswerSettings<S extends Schema = Schema> extends CallSettings {
  /** Of which group, of any level; of all records unless given. */
  group?: GroupKey<S>;
  /** Whether answers are shares of the records instead of records. */
  normalize?: boolean;
}

const RECORDS = ["rows", "method", "seed", "signal", "onProgress"];
const WRITE = ["within", "delimiter", "decimalComma", "derived", "gzip"];

/**
 * A release of groups within groups: nothing of it is private any more. `groups` says how many records each has,
 * `marginal` answers for any of them or all, `model` is the distribution of one, `table` and `writeCsv` make records.
 * Dispose of it when it is no longer needed (`using`, or `dispose()`).
 */
export class GroupedRelease<S extends Schema = Schema> implements Disposable {
  readonly schema: S;
  /** All groups that the schema declares, each after what it lies within. */
  readonly groups: readonly ReleasedGroup[];
  /** The number of records: the sum of those of the finest groups. */
  readonly total: number;
  /** The noisy answers of each level. */
  readonly measurements: readonly (readonly Measurement[])[];
  readonly plan: GroupedPlan<S>;
  /** What was spent on what. */
  readonly ledger: LedgerView;
  /** How the estimation of each group went. */
  readonly report: GroupedReport;
  readonly #parts: GroupedParts<S>;

  /** @internal */
  constructor(parts: GroupedParts<S>) {
    const { plan, figures, measured, ledger } = parts;
    this.schema = plan.parts.settled.schema;
    this.groups = Object.freeze(figures.map((one, at) => named(plan, at, one)));
    this.plan = plan;
    this.measurements = measured;
    this.ledger = ledger;
    this.#parts = parts;
    this.total = this.#leaves().reduce((sum, at) => sum + (figures[at] as Figures).records, 0);
    const format = "marginalia-grouped-report";
    const { total, groups } = this;
    this.report = Object.freeze({ format, version: 1, plan: plan.toJSON(), total, groups });
    Object.freeze(this);
  }

  /** A group by its labels; an error where the schema declares none of the kind. */
  group(key: GroupKey<S>): ReleasedGroup {
    return this.groups[this.#place(key)] as ReleasedGroup;
  }

  /** Works out the cells of a workload, in records, of one group or all. The answers stay in the engine. */
  async count(
    workload: Workload<S>,
    options: Omit<GroupedAnswerSettings<S>, "normalize"> = {},
  ): Promise<Answers<S>> {
    known(options, ["group", "signal", "onProgress"], "count");
    const { group, ...how } = options;
    if (workload.schema !== this.schema && workload.schema.normal() !== this.schema.normal())
      throw invalid("the workload is over another schema: make it from the schema of the release");
    const groups = Uint32Array.from(this.#leaves(group && this.#place(group)));
    const { flat, starts } = workload;
    const [handle] = await open(
      "groups.answer",
      { groups, flat, starts },
      { on: this.#parts.handle, ...how },
    );
    return new Answers(workload, handle);
  }

  /** The answers to a workload as one array for each clique, of one group or all. */
  async answer(
    workload: Workload<S>,
    { normalize = false, ...options }: GroupedAnswerSettings<S> = {},
  ): Promise<Float64Array<ArrayBuffer>[]> {
    using answers = await this.count(workload, options);
    const all = await answers.all();
    return normalize ? all.map(shares) : all;
  }

  /** The cells of one clique, of one group or all: row-major, the last attribute fastest. */
  async marginal(
    clique: readonly NameOf<S>[],
    options: GroupedAnswerSettings<S> = {},
  ): Promise<Float64Array<ArrayBuffer>> {
    const [cells] = await this.answer(workload(this.schema, [clique]), options);
    return cells as Float64Array<ArrayBuffer>;
  }

  /** The model of one of the finest groups, on rows that have its labels. */
  async model(key: GroupKey<S>, options: CallSettings = {}): Promise<Model<S>> {
    known(options, ["signal", "onProgress"], "model");
    const at = this.#place(key);
    const { level } = this.groups[at] as ReleasedGroup;
    if (level < this.plan.levels.length - 1)
      throw invalid(
        "only the finest groups have a model of their own: name one, or ask for a marginal of this one",
      );
    const figures = this.#parts.figures[at] as Figures;
    const [handle] = await open("groups.model", { group: at }, { on: this.#parts.handle, ...options });
    const [start, sizes] = await open("model.prior", undefined, { on: handle });
    const said = { strength: figures.worth, name: undefined, declaredPublicBy: undefined };
    const prior = new Prior<S>(this.schema, start, sizes, said);
    return new Model<S>(handle, { prior, total: Math.max(0, figures.records) });
  }

  /**
   * Synthetic records as a table, in random order: `rows` in all, in the proportions of the groups' totals; unless given as
   * many as are estimated. Every group has exactly its number.
   */
  async table(options: RecordOptions = {}): Promise<Table<S>> {
    known(options, RECORDS, "table");
    const { rows, method = "controlled", seed = this.#parts.seed } = options;
    const { groupRecords } = await import("./records.js");
    const { handle, targets, figures, plan } = this.#parts;
    const leaves = this.#leaves();
    const records = leaves.map((at) => (figures[at] as Figures).records);
    const agree = plan.parts.asked.totals === "consistent";
    const how = { rows, method, seed, agree };
    return groupRecords({ schema: this.schema, handle, targets, leaves, records }, how, stages(options));
  }

  /** Writes synthetic records as CSV. The same seed gives the same bytes. */
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

  /** Frees the memory behind it; models and tables that were made of it stay. */
  dispose(): void {
    const { handle, prepared } = this.#parts;
    if (handle.disposed) return;
    handle.dispose();
    prepared.dispose();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  /** The places of the finest groups, all or those within one. */
  #leaves(within?: number): number[] {
    const { groups } = this.#parts.prepared;
    const last = this.plan.levels.length - 1;
    const lies = (at: number | undefined): boolean =>
      at !== undefined && (at === within || lies(groups[at]?.parent));
    const all = groups.flatMap(({ level }, at) => (level === last ? [at] : []));
    return within === undefined ? all : all.filter(lies);
  }

  #place(key: GroupKey<S>): number {
    if (!isObject(key)) throw invalid("a group is named by a label of each attribute of its level");
    const names = Object.keys(key).sort();
    const level = this.plan.levels.findIndex(({ by }) => [...by].sort().join() === names.join());
    if (level < 0)
      throw invalid(
        `no level has groups by ${names.join(" × ") || "nothing"}: there are ${this.plan.levels.map(({ by }) => by.join(" × ") || "all").join(", ")}`,
      );
    const wanted = key as Readonly<Record<string, string | null>>;
    const is = (one: ReleasedGroup) =>
      one.level === level && names.every((name) => one.by[name] === wanted[name]);
    const at = this.groups.findIndex(is);
    if (at < 0) throw invalid("the schema declares no such group: labels are in schema.labels(…)");
    return at;
  }
}

/** Cells as parts of their sum; zeros where there is nobody. */
function shares(cells: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const sum = cells.reduce((so, cell) => so + cell, 0);
  return sum > 0 ? cells.map((cell) => cell / sum) : cells;
}

/** A group in words and numbers. */
export function named<S extends Schema>(plan: GroupedPlan<S>, at: number, figures: Figures): ReleasedGroup {
  const { prepared, settled } = plan.parts;
  const { level, codes } = prepared.groups[at] as SharedPrior<S>["groups"][number];
  const names = plan.levels[level]?.by ?? [];
  const label = (name: string, i: number) => settled.schema.labels(name as never)[codes[i] as number] ?? null;
  const { status, relativeGap, relativeEntropy, records, variance, outside } = figures;
  return Object.freeze({
    level,
    by: Object.freeze(Object.fromEntries(names.map((name, i) => [name, label(name, i)]))),
    records,
    standardError: Math.sqrt(variance),
    status,
    relativeGap,
    relativeEntropy,
    outside,
  });
}
