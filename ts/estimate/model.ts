import { type Handle, open } from "../engine/index.js";
import type { CliqueQuery } from "../measurement.js";
import { invalid, known } from "../options.js";
import { Answers, type CopySettings, copying } from "../tables/answers.js";
import type { CallSettings } from "../tables/read.js";
import type { NameOf, Schema } from "../tables/schema.js";
import { type Workload, workload } from "../tables/workload.js";
import type { Condition, Flagged } from "./condition.js";
import { type CliqueQuestion, EACH, questioned } from "./questions.js";

export type { CliqueQuestion } from "./questions.js";

/** What a model is made of, as files name it. */
export type ModelKind = "support" | "product" | "graphical";

/** How answers are given. */
export interface AnswerSettings extends CallSettings {
  /** Whether answers are shares of the total instead of records. */
  normalize?: boolean;
}

/**
 * A distribution of the records of a schema, and the number of records that it stands for. It answers every marginal,
 * measured or not. What models of one kind alone have is found by their `kind`: {@link SupportModel},
 * {@link ProductModel}, {@link GraphicalModel}.
 * Dispose of it when it is no longer needed (`using`, or `dispose()`).
 */
export abstract class Model<S extends Schema = Schema> implements Disposable {
  /** What it is made of. */
  abstract readonly kind: ModelKind;
  readonly schema: S;
  /** Number of records. */
  readonly total: number;
  /** How many records it is worth as a prior, where that is known: those of its own prior and its total, after a calibrated estimate. */
  readonly strength: number | undefined;
  /** @internal */
  readonly handle: Handle;

  /** @internal */
  constructor(handle: Handle, schema: S, total: number, strength?: number) {
    this.schema = schema;
    this.total = total;
    this.strength = strength;
    this.handle = handle;
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
   * await model.answer([{ clique: ["age"], query: { type: "prefix" } }]);
   * ```
   */
  async answer(
    request: Workload<S> | readonly CliqueQuestion<S>[],
    settings: AnswerSettings = {},
  ): Promise<Float64Array<ArrayBuffer>[]> {
    known(settings, ["normalize", "signal", "onProgress"], "answer");
    return (await this.valued(request, settings)).values;
  }

  /** The cells of one clique: row-major, the last attribute fastest. */
  async marginal(
    clique: readonly NameOf<S>[],
    options: AnswerSettings = {},
  ): Promise<Float64Array<ArrayBuffer>> {
    const [one] = await this.answer(workload(this.schema, [clique]), options);
    return one as Float64Array<ArrayBuffer>;
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
  async where(condition: Condition<S>, options: CopySettings = {}): Promise<this> {
    const { flagged } = await import("./condition.js");
    const flags = flagged(this.schema, condition as Condition);
    const [handle, { total }] = await open("model.part", flags, copying(this.handle, options));
    return (await this.part(handle, total, flags)) as this;
  }

  /** Frees the memory behind it. */
  dispose(): void {
    this.handle.dispose();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  /** @internal The part that meets a condition, of the same kind. */
  protected abstract part(handle: Handle, total: number, flags: Flagged): Promise<Model<S>>;

  /** @internal The answers, and what they are answers to. */
  protected async valued(request: Workload<S> | readonly CliqueQuestion<S>[], settings: AnswerSettings) {
    const { normalize = false, ...options } = settings;
    const { list, queries } = questioned(this.schema, request);
    const values = await this.#answersTo(list, queries, normalize, options);
    const question = ({ length }: Float64Array, i: number) => {
      return { clique: list.clique(i), query: queries[i] as CliqueQuery, answers: length };
    };
    return { values, questions: () => values.map(question), normalize, options };
  }

  async #answersTo(
    list: Workload<S>,
    queries: readonly CliqueQuery[],
    normalize: boolean,
    options: CallSettings,
  ): Promise<Float64Array<ArrayBuffer>[]> {
    using answers = await this.count(list, options);
    const cells = await answers.all();
    if (normalize)
      for (const one of cells) for (let i = 0; i < one.length; i++) one[i] = (one[i] as number) / this.total;
    if (queries.every((query) => query === EACH)) return cells;
    const { applied } = await import("./linear.js");
    return cells.map((one, i) => applied(queries[i] as CliqueQuery, list.shape(i), one));
  }
}
