import { type Handle, open } from "../../engine/index.js";
import { narrowed } from "../../estimate/cells.js";
import type { Condition } from "../../estimate/condition.js";
import { Prior } from "../../estimate/origin.js";
import { type CliqueQuestion, checkErrorsOf, EACH, questioned } from "../../estimate/questions.js";
import type { ErrorsOf, WithErrors } from "../../estimate/spread.js";
import { SupportModel } from "../../estimate/support.js";
import type { CliqueQuery, Measurement } from "../../measurement.js";
import { invalid, known } from "../../options.js";
import type { LedgerJson } from "../../privacy/ledger/print.js";
import type { LedgerView } from "../../privacy/ledgerView.js";
import { Answers } from "../../tables/answers.js";
import type { CallSettings } from "../../tables/read.js";
import type { NameOf, Schema } from "../../tables/schema.js";
import type { Table } from "../../tables/table.js";
import { type Workload, workload } from "../../tables/workload.js";
import { AnyReleased, type Printable, type RecordOptions, type ReleasedParts } from "../kit/release.js";
import { stages } from "../kit/stages.js";
import type { GroupedPlan, GroupedPlanJson } from "./plan.js";
import type { Figures, GroupKey, GroupTree, LevelTrust, ReleasedGroup } from "./tree.js";
import { impossible, type Parted, parted, widened } from "./where.js";

/** What a report needs to know; all of it was released, or follows from what was. */
export interface GroupedReport {
  readonly format: "marginalia-grouped-report";
  readonly version: 1;
  readonly plan: GroupedPlanJson;
  readonly total: number;
  /**
   * Of each level how far the priors of its groups were trusted; null where answers were not asked: the strength was given,
   * nothing was measured, or Algorithm 1 forgets it. Missing where it was saved before this was kept.
   */
  readonly trust?: readonly (LevelTrust | null)[];
  /** All groups, each after what it lies within. */
  readonly groups: readonly ReleasedGroup[];
}

/** @internal */
export interface GroupedParts<
  S extends Schema,
  P extends Printable<GroupedPlanJson> = Printable<GroupedPlanJson>,
  L extends Printable<LedgerJson> = Printable<LedgerJson>,
> extends ReleasedParts<S, P, L> {
  tree: GroupTree<S>;
  /** The groups in the engine. */
  handle: Handle;
  figures: readonly Figures[];
  trust: readonly (LevelTrust | null)[] | undefined;
  measured: readonly (readonly Measurement[])[];
  /** The public rows that all groups share, with raw numbers where they were kept. */
  rows: Table<S>;
  /** The attributes whose public counts moved the priors of groups. */
  local: readonly NameOf<S>[];
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

/** The same with standard errors. */
export interface GroupedErrorSettings<S extends Schema = Schema> extends GroupedAnswerSettings<S> {
  /**
   * Standard errors beside the values: of `"noise"`, how far answers would differ from each other if the same table were
   * measured again, in all groups; or of `"all"`, which adds what the priors of groups leave open, where these are worth
   * what they were taken for.
   */
  standardErrors: ErrorsOf;
}

/** A release of groups within groups, whether it was run or loaded. */
export class ReleasedGroups<
  S extends Schema = Schema,
  P extends Printable<GroupedPlanJson> = Printable<GroupedPlanJson>,
  L extends Printable<LedgerJson> = Printable<LedgerJson>,
> extends AnyReleased<S, P, L, GroupedParts<S, P, L>> {
  /** All groups that the schema declares, each after what it lies within. */
  readonly groups: readonly ReleasedGroup[];
  /** The number of records: the sum of those of the finest groups. */
  readonly total: number;
  /** The noisy answers of each level. */
  readonly measurements: readonly (readonly Measurement[])[];
  /** How the estimation of each group went. */
  readonly report: GroupedReport;

  /** @internal */
  constructor(parts: GroupedParts<S, P, L>) {
    const { tree, figures, measured, plan, trust } = parts;
    super(tree.schema, parts);
    this.groups = Object.freeze(figures.map((one, at) => tree.named(at, one)));
    this.measurements = measured;
    this.total = tree.leaves().reduce((sum, at) => sum + (figures[at] as Figures).records, 0);
    const format = "marginalia-grouped-report";
    const { total, groups } = this;
    const said = { total, ...(trust && { trust }), groups };
    this.report = Object.freeze({ format, version: 1, plan: plan.toJSON(), ...said });
    Object.freeze(this);
  }

  /** A group by its labels; an error where the schema declares none of the kind. */
  group(key: GroupKey<S>): ReleasedGroup {
    return this.groups[this.parts.tree.place(key)] as ReleasedGroup;
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

  /**
   * The answers to a workload, or to questions about cliques, as one array for each of them, of one group or all.
   *
   * ```ts
   * await release.answer(kWay(people, 2), { group: { state: "BE" }, standardErrors: "all" });
   * ```
   */
  async answer(
    request: Workload<S> | readonly CliqueQuestion<S>[],
    settings: GroupedErrorSettings<S>,
  ): Promise<WithErrors[]>;
  async answer(
    request: Workload<S> | readonly CliqueQuestion<S>[],
    settings?: GroupedAnswerSettings<S>,
  ): Promise<Float64Array<ArrayBuffer>[]>;
  async answer(
    request: Workload<S> | readonly CliqueQuestion<S>[],
    settings: GroupedAnswerSettings<S> & Partial<GroupedErrorSettings<S>> = {},
  ): Promise<Float64Array<ArrayBuffer>[] | WithErrors[]> {
    known(settings, ["group", "where", "normalize", "standardErrors", "signal", "onProgress"], "answer");
    const { group, where, normalize = false, standardErrors: of, ...how } = settings;
    checkErrorsOf(of);
    const { list, queries } = questioned(this.schema, request);
    const meant = this.#meant(group, where);
    const cells = await this.#cells(list, meant, how);
    if (where !== undefined && cells.some((one) => !one.some((cell) => cell > 0))) throw impossible();
    // Zeros where there is nobody.
    const records = normalize ? sum(cells[0] ?? []) : undefined;
    const scaled = records !== undefined && records > 0 ? cells.map((one) => shares(one)) : cells;
    if (of === undefined && queries.every((query) => query === EACH)) return scaled;
    const { applied } = await import("../../estimate/linear.js");
    const values = scaled.map((one, i) => applied(queries[i] as CliqueQuery, list.shape(i), one));
    if (of === undefined) return values;
    const questions = values.map((one, i) => {
      return { clique: list.clique(i), query: queries[i] as CliqueQuery, values: one };
    });
    const { groupSpread } = await import("./errors.js");
    const labels = { ...group, ...where } as Condition<S>;
    return groupSpread(this.#evidence, questions, { of, meant, records, labels }, how);
  }

  /** The cells of one clique, of one group or all: row-major, the last attribute fastest. */
  async marginal(clique: readonly NameOf<S>[], options: GroupedErrorSettings<S>): Promise<WithErrors>;
  async marginal(
    clique: readonly NameOf<S>[],
    options?: GroupedAnswerSettings<S>,
  ): Promise<Float64Array<ArrayBuffer>>;
  async marginal(
    clique: readonly NameOf<S>[],
    options: GroupedAnswerSettings<S> & Partial<GroupedErrorSettings<S>> = {},
  ): Promise<Float64Array<ArrayBuffer> | WithErrors> {
    const [one] = await this.answer(workload(this.schema, [clique]), options);
    return one as Float64Array<ArrayBuffer> | WithErrors;
  }

  /** The model of one of the finest groups, on rows that have its labels. */
  async model(key: GroupKey<S>, options: CallSettings = {}): Promise<SupportModel<S>> {
    known(options, ["signal", "onProgress"], "model");
    const { tree, figures, handle } = this.parts;
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
    return new SupportModel<S>(made, { prior, total: Math.max(0, records) });
  }

  protected override async records(options: RecordOptions<S> & { seed: string | number }): Promise<Table<S>> {
    const { rows, method = "controlled", seed, where } = options;
    const { groupRecords } = await import("./records.js");
    const { handle, targets, figures, plan } = this.parts;
    const meant = this.#meant(undefined, where);
    const records = (at: number) => (figures[at] as Figures).records;
    const agree = plan.toJSON().estimate.totals === "consistent";
    const how = { rows, method, seed, agree };
    return groupRecords({ schema: this.schema, handle, targets, meant, records }, how, stages(options));
  }

  protected override async bytes(options: CallSettings): Promise<Uint8Array<ArrayBuffer>> {
    const { bytesOfGroups } = await import("../saved/save-groups.js");
    return bytesOfGroups(this.parts, this.report, options);
  }

  get #evidence() {
    const { plan, trust, rows, tree, handle, measured } = this.parts;
    const { estimate, prior } = plan.toJSON();
    const own = { strength: prior.strength, trust: trust?.[0]?.factor, total: this.total };
    return { ...estimate, tree, handle, measured, rows, ...own };
  }

  /** The finest groups that are meant, and what of their records. */
  #meant(group: GroupKey<S> | undefined, where: Condition<S> | undefined): Parted {
    const leaves = this.#leaves(group);
    return where === undefined ? { leaves, rest: new Map() } : parted(this.parts.tree, leaves, where);
  }

  /** The places of the finest groups, all or those within one. */
  #leaves(group: GroupKey<S> | undefined): readonly number[] {
    const { tree } = this.parts;
    return tree.leaves(group && tree.place(group));
  }

  async #counted(workload: Workload<S>, leaves: readonly number[], how: CallSettings): Promise<Answers<S>> {
    if (workload.schema !== this.schema && workload.schema.normal() !== this.schema.normal())
      throw invalid("the workload is over another schema: make it from the schema of the release");
    const { flat, starts } = workload;
    const args = { groups: Uint32Array.from(leaves), flat, starts };
    const [handle] = await open("groups.answer", args, { on: this.parts.handle, ...how });
    return new Answers(workload, handle);
  }

  async #cells(
    workload: Workload<S>,
    { leaves, rest }: Parted,
    how: CallSettings,
  ): Promise<Float64Array<ArrayBuffer>[]> {
    using answers = await this.#counted(rest.size > 0 ? widened(workload, rest) : workload, leaves, how);
    const all = await answers.all();
    if (rest.size === 0) return all;
    return all.map((cells, i) => narrowed(this.schema, workload.clique(i), cells, rest));
  }
}

/**
 * A release of groups within groups: nothing of it is private any more. `groups` says how many records each has,
 * `marginal` answers for any of them or all, `model` is the distribution of one, `table` and `writeCsv` make records, `save`
 * keeps it. Dispose of it when it is no longer needed (`using`, or `dispose()`).
 */
export class GroupedRelease<S extends Schema = Schema> extends ReleasedGroups<
  S,
  GroupedPlan<S>,
  LedgerView
> {}

const sum = (cells: Iterable<number>) => Array.from(cells).reduce((so, cell) => so + cell, 0);

/** Cells as parts of their sum. */
function shares(cells: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const all = sum(cells);
  return cells.map((cell) => cell / all);
}
