import { type Handle, open } from "../../engine/index.js";
import type { Condition } from "../../estimate/condition.js";
import { Model } from "../../estimate/model.js";
import { Prior } from "../../estimate/origin.js";
import type { Measurement } from "../../measurement.js";
import { invalid, known } from "../../options.js";
import type { LedgerJson } from "../../privacy/ledger/print.js";
import { Answers } from "../../tables/answers.js";
import type { CallSettings } from "../../tables/read.js";
import type { NameOf, Schema } from "../../tables/schema.js";
import type { Table } from "../../tables/table.js";
import { type Workload, workload } from "../../tables/workload.js";
import type { WriteTarget } from "../../tables/write.js";
import {
  RECORDS,
  type RecordOptions,
  type ReleaseWriteOptions,
  SAVE,
  type Told,
  WRITE,
  writeTable,
} from "../released.js";
import { stages } from "../stage.js";
import type { GroupedPlanJson } from "./plan.js";
import type { Figures, GroupKey, GroupTree, ReleasedGroup } from "./tree.js";
import { impossible, narrowed, parted, widened } from "./where.js";

/** What a report needs to know; all of it was released, or follows from what was. */
export interface GroupedReport {
  readonly format: "marginalia-grouped-report";
  readonly version: 1;
  readonly plan: GroupedPlanJson;
  readonly total: number;
  /** All groups, each after what it lies within. */
  readonly groups: readonly ReleasedGroup[];
}

/** @internal What a release of groups is made of: nothing of it is private. */
export interface ReleasedGroupsParts<S extends Schema> {
  tree: GroupTree<S>;
  /** The groups in the engine. */
  handle: Handle;
  figures: readonly Figures[];
  measured: readonly (readonly Measurement[])[];
  /** The public rows that all groups share, with raw numbers where they were kept. */
  rows: Table<S>;
  /** The attributes whose public counts moved the priors of groups. */
  local: readonly NameOf<S>[];
  targets: Workload<S>;
  seed: string | number;
  plan: Told<GroupedPlanJson>;
  ledger: Told<LedgerJson>;
  /** Frees what the groups do not free. */
  free(): void;
}

/** How answers of groups are asked for. */
export interface GroupedAnswerSettings<S extends Schema = Schema> extends CallSettings {
  /** Of which group, of any level; of all records unless given. */
  group?: GroupKey<S>;
  /** Only of records that meet this. */
  where?: Condition<S>;
  /** Whether answers are shares of the records instead of records. */
  normalize?: boolean;
}

/** What every release of groups can do, whether it was run or loaded. */
export abstract class ReleasedGroups<S extends Schema = Schema> implements Disposable {
  readonly schema: S;
  /** All groups that the schema declares, each after what it lies within. */
  readonly groups: readonly ReleasedGroup[];
  /** The number of records: the sum of those of the finest groups. */
  readonly total: number;
  /** The noisy answers of each level. */
  readonly measurements: readonly (readonly Measurement[])[];
  /** How the estimation of each group went. */
  readonly report: GroupedReport;
  /** What was planned: as data and in words. */
  abstract readonly plan: Told<GroupedPlanJson>;
  /** What was spent on what: as data and in words. */
  abstract readonly ledger: Told<LedgerJson>;
  readonly #parts: ReleasedGroupsParts<S>;

  /** @internal */
  constructor(parts: ReleasedGroupsParts<S>) {
    const { tree, figures, measured, plan } = parts;
    this.schema = tree.schema;
    this.groups = Object.freeze(figures.map((one, at) => tree.named(at, one)));
    this.measurements = measured;
    this.#parts = parts;
    this.total = tree.leaves().reduce((sum, at) => sum + (figures[at] as Figures).records, 0);
    const format = "marginalia-grouped-report";
    const { total, groups } = this;
    this.report = Object.freeze({ format, version: 1, plan: plan.toJSON(), total, groups });
  }

  /** A group by its labels; an error where the schema declares none of the kind. */
  group(key: GroupKey<S>): ReleasedGroup {
    return this.groups[this.#parts.tree.place(key)] as ReleasedGroup;
  }

  /** Works out the cells of a workload, in records, of one group or all. The answers stay in the engine. */
  async count(
    workload: Workload<S>,
    options: Omit<GroupedAnswerSettings<S>, "normalize" | "where"> = {},
  ): Promise<Answers<S>> {
    known(options, ["group", "signal", "onProgress"], "count");
    const { group, ...how } = options;
    return this.#counted(workload, this.#leaves(group), how);
  }

  /** The answers to a workload as one array for each clique, of one group or all. */
  async answer(
    workload: Workload<S>,
    options: GroupedAnswerSettings<S> = {},
  ): Promise<Float64Array<ArrayBuffer>[]> {
    known(options, ["group", "where", "normalize", "signal", "onProgress"], "answer");
    const { group, where, normalize = false, ...how } = options;
    const all = await this.#answered(workload, this.#leaves(group), where, how);
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
    const { tree, figures, handle } = this.#parts;
    const at = tree.place(key);
    if ((this.groups[at] as ReleasedGroup).level < tree.levels.length - 1)
      throw invalid(
        "only the finest groups have a model of their own: name one, or ask for a marginal of this one",
      );
    const { worth, records } = figures[at] as Figures;
    const [made] = await open("groups.model", { group: at }, { on: handle, ...options });
    const [start, sizes] = await open("model.prior", undefined, { on: made });
    const said = { kind: "model", strength: worth, name: undefined, declaredPublicBy: undefined } as const;
    const prior = new Prior<S>(this.schema, start, { ...sizes, ...said });
    return new Model<S>(made, { prior, total: Math.max(0, records) });
  }

  /**
   * Synthetic records as a table, in random order: `rows` in all, in the proportions of the groups' totals; unless given as
   * many as are estimated. Every group has exactly its number. With `where` of the groups that it means.
   */
  async table(options: RecordOptions<S> = {}): Promise<Table<S>> {
    known(options, RECORDS, "table");
    const { rows, method = "controlled", seed = this.#parts.seed, where } = options;
    const { groupRecords } = await import("./records.js");
    const { handle, targets, figures, plan, tree } = this.#parts;
    const meant = where === undefined ? undefined : parted(tree, tree.leaves(), where);
    if (meant && meant.rest.size > 0)
      throw invalid(
        `records of groups are made for conditions on what tells groups apart, and ${[...meant.rest.keys()].join(", ")} does not: leave it out, and take of the records those that meet it`,
      );
    const leaves = meant?.leaves ?? tree.leaves();
    const records = leaves.map((at) => (figures[at] as Figures).records);
    const agree = plan.toJSON().estimate.totals === "consistent";
    const how = { rows, method, seed, agree };
    return groupRecords({ schema: this.schema, handle, targets, leaves, records }, how, stages(options));
  }

  /** Writes synthetic records as CSV. The same seed gives the same bytes. */
  async writeCsv(target: WriteTarget, options: ReleaseWriteOptions<S> = {}): Promise<void> {
    known(options, WRITE, "writeCsv");
    const { seed = this.#parts.seed } = options;
    await writeTable((how) => this.table(how), target, { ...options, seed });
  }

  /**
   * Saves it, from which `load` makes it again anywhere, to the same bits: to a path, a Node stream or a web stream. The
   * rows that groups share are in it once, and of each group its potentials.
   */
  async save(target: WriteTarget, options: CallSettings = {}): Promise<void> {
    known(options, SAVE, "save");
    const [{ saved }, { bytesOfGroups }] = await this.#saving();
    return saved(() => bytesOfGroups(this.#parts, this.report, options), target);
  }

  /** The bytes that {@link save} writes. */
  async toBytes(options: CallSettings = {}): Promise<Uint8Array<ArrayBuffer>> {
    known(options, SAVE, "toBytes");
    const [, { bytesOfGroups }] = await this.#saving();
    return bytesOfGroups(this.#parts, this.report, options);
  }

  /** Frees the memory behind it; models and tables that were made of it stay. */
  dispose(): void {
    const { handle, free } = this.#parts;
    if (handle.disposed) return;
    handle.dispose();
    free();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  #saving() {
    return Promise.all([import("../saved/save.js"), import("../saved/save-groups.js")]);
  }

  /** The places of the finest groups, all or those within one. */
  #leaves(group: GroupKey<S> | undefined): readonly number[] {
    const { tree } = this.#parts;
    return tree.leaves(group && tree.place(group));
  }

  async #counted(workload: Workload<S>, leaves: readonly number[], how: CallSettings): Promise<Answers<S>> {
    if (workload.schema !== this.schema && workload.schema.normal() !== this.schema.normal())
      throw invalid("the workload is over another schema: make it from the schema of the release");
    const { flat, starts } = workload;
    const args = { groups: Uint32Array.from(leaves), flat, starts };
    const [handle] = await open("groups.answer", args, { on: this.#parts.handle, ...how });
    return new Answers(workload, handle);
  }

  async #answered(
    workload: Workload<S>,
    leaves: readonly number[],
    where: Condition<S> | undefined,
    how: CallSettings,
  ): Promise<Float64Array<ArrayBuffer>[]> {
    if (where === undefined) {
      using answers = await this.#counted(workload, leaves, how);
      return await answers.all();
    }
    const meant = parted(this.#parts.tree, leaves, where);
    using answers = await this.#counted(widened(workload, meant.rest), meant.leaves, how);
    const all = (await answers.all()).map((cells, i) => {
      return narrowed(this.schema, workload.clique(i), cells, meant.rest);
    });
    if (all.some((cells) => !cells.some((cell) => cell > 0))) throw impossible();
    return all;
  }
}

/** Cells as parts of their sum; zeros where there is nobody. */
function shares(cells: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const sum = cells.reduce((so, cell) => so + cell, 0);
  return sum > 0 ? cells.map((cell) => cell / sum) : cells;
}
