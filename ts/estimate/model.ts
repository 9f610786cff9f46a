import { call, type Handle, open } from "../engine/index.js";
import { invalid, known } from "../options.js";
import { Answers, type CopySettings, copying } from "../tables/answers.js";
import type { CallSettings } from "../tables/read.js";
import type { NameOf, Schema } from "../tables/schema.js";
import { Table } from "../tables/table.js";
import { type Workload, workload } from "../tables/workload.js";
import type { Prior } from "./prior.js";

/** How answers are given. */
export interface AnswerSettings extends CallSettings {
  /** Whether answers are shares of the total instead of records. */
  normalize?: boolean;
}

/** What belongs to a model beside the engine's object. */
export interface ModelParts<S extends Schema> {
  prior: Prior<S>;
  total: number;
  /** How many records it is worth as a prior, where that is known. */
  strength?: number;
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

  /** @internal */
  constructor(handle: Handle, { prior, total, strength }: ModelParts<S>) {
    this.schema = prior.schema;
    this.prior = prior;
    this.total = total;
    this.strength = strength;
    this.handle = handle;
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

  /** The answers to a workload as one array for each clique. */
  async answer(
    workload: Workload<S>,
    { normalize = false, ...options }: AnswerSettings = {},
  ): Promise<Float64Array<ArrayBuffer>[]> {
    known(options, ["signal", "onProgress"], "answer");
    using answers = await this.count(workload, options);
    return this.#scaled(await answers.all(), normalize);
  }

  /** The cells of one clique: row-major, the last attribute fastest. */
  async marginal(
    clique: readonly NameOf<S>[],
    options: AnswerSettings = {},
  ): Promise<Float64Array<ArrayBuffer>> {
    const [cells] = await this.answer(workload(this.schema, [clique]), options);
    return cells as Float64Array<ArrayBuffer>;
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

  #scaled(answers: Float64Array<ArrayBuffer>[], normalize: boolean): Float64Array<ArrayBuffer>[] {
    if (normalize)
      for (const cells of answers)
        for (let i = 0; i < cells.length; i++) cells[i] = (cells[i] as number) / this.total;
    return answers;
  }
}
