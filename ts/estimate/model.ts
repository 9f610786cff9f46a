import { call, type Handle, open } from "../engine/index.js";
import type { CliqueQuery } from "../measurement.js";
import { invalid, known } from "../options.js";
import { Answers, type CopySettings, copying } from "../tables/answers.js";
import type { CallSettings } from "../tables/read.js";
import type { NameOf, Schema } from "../tables/schema.js";
import { Table } from "../tables/table.js";
import { type Workload, workload } from "../tables/workload.js";
import type { Condition, Flagged } from "./condition.js";
import type { Prior } from "./prior.js";
import { type CliqueQuestion, checkErrorsOf, EACH, questioned } from "./questions.js";
import type { ErrorsOf, Evidence } from "./spread.js";
import type { Uncovered } from "./uncovered.js";

export type { CliqueQuestion } from "./questions.js";

/** How answers are given. */
export interface AnswerSettings extends CallSettings {
  /** Whether answers are shares of the total instead of records. */
  normalize?: boolean;
}

/** The same with standard errors. */
export interface ErrorSettings extends AnswerSettings {
  /**
   * Standard errors beside the values: of `"noise"`, how far answers would differ from each other if the same table were
   * measured again; or of `"all"`, which adds what a prior that is worth what it was taken for leaves open.
   */
  standardErrors: ErrorsOf;
}

/** Answers and their standard errors, in the same units. */
export interface WithErrors {
  values: Float64Array<ArrayBuffer>;
  /** Of `"all"` an uncovered answer has one that is as wide as its interval; of `"noise"` it has 0, as it never moves. */
  standardErrors: Float64Array<ArrayBuffer>;
  /** The answers about which the prior says nothing, and what they may be. */
  uncovered: Uncovered;
}

/** What belongs to a model beside the engine's object. */
export interface ModelParts<S extends Schema> {
  prior: Prior<S>;
  total: number;
  evidence?: Evidence;
  part?: Part;
  /** How many records it is worth as a prior, where that is known. */
  strength?: number;
}

/** @internal Of which model another is a part. */
interface Part {
  whole: { schema: Schema; handle: Handle; evidence: Evidence | undefined };
  flags: Flagged;
}

/**
 * A distribution on the rows of a prior, and the number of records that it stands for. It answers every marginal,
 * measured or not. Dispose of it when it is no longer needed (`using`, or `dispose()`).
 */
export class Model<S extends Schema = Schema> implements Disposable {
  readonly schema: S;
  /** The prior that it is on. */
  readonly prior: Prior<S>;
  /** Number of records. */
  readonly total: number;
  /** How many records it is worth as a prior: those of its own prior and its total, after a calibrated estimate. */
  readonly strength: number | undefined;
  /** @internal */
  readonly handle: Handle;
  readonly #evidence: Evidence | undefined;
  readonly #part: Part | undefined;

  /** @internal */
  constructor(handle: Handle, { prior, total, strength, evidence, part }: ModelParts<S>) {
    this.schema = prior.schema;
    this.prior = prior;
    this.total = total;
    this.strength = strength;
    this.handle = handle;
    this.#evidence = evidence;
    this.#part = part;
    Object.freeze(this);
  }

  /** Works out the cells of a workload, in records. The answers stay in the engine until they are asked for. */
  async count(workload: Workload<S>, options: CallSettings = {}): Promise<Answers<S>> {
    known(options, ["signal", "onProgress"], "count");
    if (workload.schema !== this.schema && workload.schema.normal() !== this.schema.normal())
      throw invalid("the workload is over another schema: make it from the schema of the model");
    const args = { flat: workload.flat, starts: workload.starts };
    const [handle] = await open("model.answer", args, { on: this.handle, ...options });
    return new Answers(workload, handle);
  }

  /**
   * The answers to a workload, or to questions about cliques, as one array for each of them.
   *
   * ```ts
   * await model.answer(kWay(people, 2), { normalize: true });
   * await model.answer([{ clique: ["age"], query: { type: "prefix" } }], { standardErrors: "all" });
   * ```
   */
  async answer(
    asked: Workload<S> | readonly CliqueQuestion<S>[],
    settings: ErrorSettings,
  ): Promise<WithErrors[]>;
  async answer(
    asked: Workload<S> | readonly CliqueQuestion<S>[],
    settings?: AnswerSettings,
  ): Promise<Float64Array<ArrayBuffer>[]>;
  async answer(
    asked: Workload<S> | readonly CliqueQuestion<S>[],
    settings: AnswerSettings & Partial<ErrorSettings> = {},
  ): Promise<Float64Array<ArrayBuffer>[] | WithErrors[]> {
    known(settings, ["normalize", "standardErrors", "signal", "onProgress"], "answer");
    const { normalize = false, standardErrors: of, ...options } = settings;
    checkErrorsOf(of);
    const { list, queries } = questioned(this.schema, asked);
    using answers = await this.count(list, options);
    const cells = this.#scaled(await answers.all(), normalize);
    if (queries.every((query) => query === EACH) && of === undefined) return cells;
    const { applied } = await import("./linear.js");
    const values = cells.map((one, i) => applied(queries[i] as CliqueQuery, one));
    if (of === undefined) return values;
    const questions = values.map((one, i) => {
      return { clique: list.clique(i), query: queries[i] as CliqueQuery, answers: one.length };
    });
    const { spread, withUncovered } = await import("./spread.js");
    const whole = this.#part?.whole ?? this.#whole;
    const flags = this.#part?.flags;
    const errors = await spread(whole, questions, { of, normalize, flags }, options);
    const sample = this.prior.strength;
    return withUncovered(
      whole,
      questions,
      { of, flags, sample, values, errors, unit: normalize ? this.total : 1 },
      options,
    );
  }

  /** The cells of one clique: row-major, the last attribute fastest. */
  async marginal(clique: readonly NameOf<S>[], options: ErrorSettings): Promise<WithErrors>;
  async marginal(clique: readonly NameOf<S>[], options?: AnswerSettings): Promise<Float64Array<ArrayBuffer>>;
  async marginal(
    clique: readonly NameOf<S>[],
    options: AnswerSettings & Partial<ErrorSettings> = {},
  ): Promise<Float64Array<ArrayBuffer> | WithErrors> {
    const [one] = await this.answer(workload(this.schema, [clique]), options);
    return one as Float64Array<ArrayBuffer> | WithErrors;
  }

  /**
   * The distribution of the records that meet a condition, for as many records as those are: exactly what this model says of
   * them. It answers all that a model answers. Fails with CONDITION_IMPOSSIBLE where no record can meet it.
   *
   * ```ts
   * using grown = await model.where({ age: { from: 25, to: 64 }, sex: "F" });
   * await grown.marginal(["employment"], { normalize: true });
   * ```
   */
  async where(condition: Condition<S>, options: CopySettings = {}): Promise<Model<S>> {
    const { flagged, joined } = await import("./condition.js");
    const flags = flagged(this.schema, condition as Condition);
    const [handle, { total }] = await open("model.within", flags, copying(this.handle, options));
    const all = this.#part ? joined(this.#part.flags, flags) : flags;
    const part = { whole: this.#part?.whole ?? this.#whole, flags: all };
    return new Model<S>(handle, { prior: this.prior, total, part });
  }

  /** The records that each row of the prior gets, in the order of the rows of {@link table}. */
  async weights({
    normalize = false,
    ...options
  }: CopySettings & { normalize?: boolean } = {}): Promise<Float64Array<ArrayBuffer>> {
    const shares = await call("model.weights", undefined, copying(this.handle, options));
    return normalize ? shares : shares.map((share) => share * this.total);
  }

  /** The rows of the prior as a table, each weighted by the records that the model gives to it. */
  async table(options: CopySettings = {}): Promise<Table<S>> {
    const [handle, { rows }] = await open("model.table", undefined, copying(this.handle, options));
    return new Table(this.schema, handle, rows, true);
  }

  /** How far the model is from the prior: KL(q‖p), in nats. */
  async relativeEntropy(options: CopySettings = {}): Promise<number> {
    return call("model.relativeEntropy", undefined, copying(this.handle, options));
  }

  /** How many of the prior's records the model rests on effectively: all at the prior itself, fewer elsewhere (Kish). */
  async effectiveSize(options: CopySettings = {}): Promise<number> {
    const args = { records: this.prior.strength };
    return call("model.effectiveSize", args, copying(this.handle, options));
  }

  /** Frees the memory behind it. */
  dispose(): void {
    this.handle.dispose();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  get #whole(): Part["whole"] {
    return { schema: this.schema, handle: this.handle, evidence: this.#evidence };
  }

  #scaled(answers: Float64Array<ArrayBuffer>[], normalize: boolean): Float64Array<ArrayBuffer>[] {
    if (normalize)
      for (const cells of answers)
        for (let i = 0; i < cells.length; i++) cells[i] = (cells[i] as number) / this.total;
    return answers;
  }
}
