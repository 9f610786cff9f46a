import { call, type Handle, open } from "../engine/index.js";
import { known } from "../options.js";
import { type CopySettings, copying } from "../tables/answers.js";
import type { NameOf, Schema } from "../tables/schema.js";
import { Table } from "../tables/table.js";
import { type Workload, workload } from "../tables/workload.js";
import type { Flagged } from "./condition.js";
import { type AnswerSettings, type CliqueQuestion, Model } from "./model.js";
import type { Prior } from "./prior.js";
import { checkErrorsOf } from "./questions.js";
import type { ErrorSettings, Evidence, Part, WithErrors } from "./spread.js";

/** What belongs to a model on rows beside the engine's object. */
export interface SupportParts<S extends Schema> {
  prior: Prior<S>;
  total: number;
  evidence?: Evidence | undefined;
  part?: Part;
  /** How many records it is worth as a prior, where that is known. */
  strength?: number | undefined;
}

/** A distribution on the rows of a prior: every row has its part of the records. */
export class SupportModel<S extends Schema = Schema> extends Model<S> {
  readonly kind = "support";
  /** The prior that it is on. */
  readonly prior: Prior<S>;
  readonly #evidence: Evidence | undefined;
  readonly #part: Part | undefined;

  /** @internal */
  constructor(handle: Handle, { prior, total, strength, evidence, part }: SupportParts<S>) {
    super(handle, prior.schema, total, strength);
    this.prior = prior;
    this.#evidence = evidence;
    this.#part = part;
    Object.freeze(this);
  }

  /**
   * The answers to a workload, or to questions about cliques, as one array for each of them; with standard errors on request.
   *
   * ```ts
   * await model.answer(kWay(people, 2), { standardErrors: "all" });
   * ```
   */
  override async answer(
    request: Workload<S> | readonly CliqueQuestion<S>[],
    settings: ErrorSettings,
  ): Promise<WithErrors[]>;
  override async answer(
    request: Workload<S> | readonly CliqueQuestion<S>[],
    settings?: AnswerSettings,
  ): Promise<Float64Array<ArrayBuffer>[]>;
  override async answer(
    request: Workload<S> | readonly CliqueQuestion<S>[],
    settings: AnswerSettings & Partial<ErrorSettings> = {},
  ): Promise<Float64Array<ArrayBuffer>[] | WithErrors[]> {
    known(settings, ["normalize", "standardErrors", "signal", "onProgress"], "answer");
    const { standardErrors: of, ...plain } = settings;
    checkErrorsOf(of);
    const { values, questions, normalize, options } = await this.valued(request, plain);
    if (of === undefined) return values;
    const all = questions().map((one) => ({ ...one, of }));
    const { spread, withUncovered } = await import("./spread.js");
    const [whole, flags] = [this.#part?.whole ?? this.#whole, this.#part?.flags];
    const errors = await spread(whole, all, { normalize, flags }, options);
    const [sample, unit] = [this.prior.strength, normalize ? this.total : 1];
    return withUncovered(whole, all, { of, flags, sample, values, errors, unit }, options);
  }

  override async marginal(clique: readonly NameOf<S>[], options: ErrorSettings): Promise<WithErrors>;
  override async marginal(
    clique: readonly NameOf<S>[],
    options?: AnswerSettings,
  ): Promise<Float64Array<ArrayBuffer>>;
  override async marginal(
    clique: readonly NameOf<S>[],
    options: AnswerSettings & Partial<ErrorSettings> = {},
  ): Promise<Float64Array<ArrayBuffer> | WithErrors> {
    const [one] = await this.answer(workload(this.schema, [clique]), options);
    return one as Float64Array<ArrayBuffer> | WithErrors;
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

  /** @internal */
  protected override async part(handle: Handle, total: number, flags: Flagged): Promise<SupportModel<S>> {
    const { joined } = await import("./condition.js");
    const all = this.#part ? joined(this.#part.flags, flags) : flags;
    const part = { whole: this.#part?.whole ?? this.#whole, flags: all };
    return new SupportModel<S>(handle, { prior: this.prior, total, part });
  }

  get #whole(): Part["whole"] {
    return { schema: this.schema, handle: this.handle, evidence: this.#evidence };
  }
}
