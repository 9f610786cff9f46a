import type { Handle } from "../engine/index.js";
import type { CliqueQuery } from "../measurement.js";
import { invalid, known } from "../options.js";
import { made, type NameOf, type Schema } from "../tables/schema.js";
import type { Table } from "../tables/table.js";
import { type Workload, workload } from "../tables/workload.js";
import { above, checked, one, SHARED, whole } from "./checks.js";
import type { CompleteSettings, PartialRow } from "./complete.js";
import type { Flagged } from "./condition.js";
import type { Admit, GraphicalOptions } from "./estimate.js";
import type { AnswerSettings, CliqueQuestion } from "./model.js";
import { GraphicalEstimate } from "./outcome.js";
import { checkErrorsOf } from "./questions.js";
import { RowlessModel } from "./rowless.js";
import { RULES, rulesOf } from "./rules.js";
import { millisecondsOf, parts, run } from "./run.js";
import type { ErrorSettings, Evidence, GraphicalErrors, Part } from "./spread.js";

/**
 * A graphical model: what was measured of cliques, and beyond them no more dependence than these imply. It has no rows, so that
 * its domain may be of any size.
 */
export class GraphicalModel<S extends Schema = Schema> extends RowlessModel<S> {
  readonly kind = "graphical";
  readonly #evidence: Evidence | undefined;
  readonly #part: Part | undefined;

  /** @internal */
  constructor(
    handle: Handle,
    own: { schema: S; total: number; evidence?: Evidence | undefined; part?: Part },
  ) {
    super(handle, own.schema, own.total);
    this.#evidence = own.evidence;
    this.#part = own.part;
    Object.freeze(this);
  }

  /**
   * The answers to a workload, or to questions about cliques, as one array for each of them; of a calibrated estimate with standard
   * errors on request.
   *
   * ```ts
   * const [pair] = await model.answer([{ clique: ["age", "work"] }], { standardErrors: "all" });
   * console.log(pair.values, pair.standardErrors, pair.of);
   * ```
   */
  override async answer(
    request: Workload<S> | readonly CliqueQuestion<S>[],
    settings: ErrorSettings,
  ): Promise<GraphicalErrors[]>;
  override async answer(
    request: Workload<S> | readonly CliqueQuestion<S>[],
    settings?: AnswerSettings,
  ): Promise<Float64Array<ArrayBuffer>[]>;
  override async answer(
    request: Workload<S> | readonly CliqueQuestion<S>[],
    settings: AnswerSettings & Partial<ErrorSettings> = {},
  ): Promise<Float64Array<ArrayBuffer>[] | GraphicalErrors[]> {
    known(settings, ["normalize", "standardErrors", "signal", "onProgress"], "answer");
    const { standardErrors: of, ...plain } = settings;
    checkErrorsOf(of);
    const { values, questions, normalize, options } = await this.valued(request, plain);
    if (of === undefined) return values;
    const { errorsOf, spread } = await import("./spread.js");
    const [whole, flags] = [this.#part?.whole ?? this.#whole, this.#part?.flags];
    const all = questions().map((one) => {
      return { ...one, of: errorsOf(this.schema, whole.evidence, one, { of, flags }) };
    });
    const errors = await spread(whole, all, { normalize, flags }, options);
    return all.map(({ of }, i) => {
      const [own, standardErrors] = [
        values[i] as Float64Array<ArrayBuffer>,
        errors[i] as Float64Array<ArrayBuffer>,
      ];
      return { values: own, standardErrors, of };
    });
  }

  override async marginal(clique: readonly NameOf<S>[], options: ErrorSettings): Promise<GraphicalErrors>;
  override async marginal(
    clique: readonly NameOf<S>[],
    options?: AnswerSettings,
  ): Promise<Float64Array<ArrayBuffer>>;
  override async marginal(
    clique: readonly NameOf<S>[],
    options: AnswerSettings & Partial<ErrorSettings> = {},
  ): Promise<Float64Array<ArrayBuffer> | GraphicalErrors> {
    const [one] = await this.answer(workload(this.schema, [clique]), options);
    return one as Float64Array<ArrayBuffer> | GraphicalErrors;
  }

  /**
   * Whole records from partial ones: what is missing of each is drawn from what the model says of it, given the rest. In the order
   * of the rows. Fails where the rules of the model exclude one of them.
   *
   * ```ts
   * using people = await model.complete([{ sex: "F", work: "none" }, { age: 30 }], { seed: 1 });
   * ```
   */
  async complete(rows: readonly PartialRow<S>[], settings: CompleteSettings = {}): Promise<Table<S>> {
    const { completed } = await import("./complete.js");
    return completed(this, rows, settings);
  }

  /**
   * The answers to a product of queries, one for each of some attributes, over all combinations of their answers, the last one's
   * fastest. It is never expanded over the cells it is about, so that these may be many more than would fit.
   *
   * ```ts
   * await model.product({ age: { type: "prefix" }, income: { type: "prefix" } });
   * ```
   */
  async product(
    queries: { readonly [K in NameOf<S>]?: CliqueQuery },
    settings: AnswerSettings = {},
  ): Promise<Float64Array<ArrayBuffer>> {
    const { products } = await import("./products.js");
    return products(this, queries, settings);
  }

  /**
   * The answers to queries each of which is a product of numbers of codes: query k counts a record by the product of the k-th rows,
   * at its codes, of all attributes that are named. All have as many rows.
   *
   * ```ts
   * await model.products({ age: [[1, 1, 0, 0], [0, 0, 1, 1]], sex: [[1, 0], [0, 1]] });
   * ```
   */
  async products(
    rows: { readonly [K in NameOf<S>]?: readonly (readonly number[])[] },
    settings: AnswerSettings = {},
  ): Promise<Float64Array<ArrayBuffer>> {
    const { rowByRow } = await import("./products.js");
    return rowByRow(this, rows, settings);
  }

  /** @internal */
  protected override async part(handle: Handle, total: number, flags: Flagged): Promise<GraphicalModel<S>> {
    const { joined } = await import("./condition.js");
    const all = this.#part ? joined(this.#part.flags, flags) : flags;
    const part = { whole: this.#part?.whole ?? this.#whole, flags: all };
    return new GraphicalModel<S>(handle, { schema: this.schema, total, part });
  }

  get #whole(): Part["whole"] {
    return { schema: this.schema, handle: this.handle, evidence: this.#evidence };
  }
}

const OPTIONS = [...SHARED, ...RULES, "schema", "strength", "tolerance", "products", "keepRefused"];

/** See `estimate.calibrated`, where there is no prior. */
export async function graphical<S extends Schema>(
  options: GraphicalOptions<S>,
  admit: Admit,
): Promise<GraphicalEstimate<S>> {
  checked(options, OPTIONS, "estimate.calibrated", options?.prior !== undefined);
  const { schema: declared, prior, keepRefused = false, strength, tolerance = 1e-3, ...rest } = options;
  const { products = 10_000 } = options;
  const schema = made(declared);
  if (typeof strength === "number") above("strength", strength);
  else if (strength !== undefined) one("strength", strength, ["harmonic", "residual", "risk"]);
  if (strength === "harmonic" && !prior) throw invalid('`strength: "harmonic"` is for a prior: leave it out');
  above("tolerance", tolerance);
  whole("products", products);
  const measurements = admit(options.measurements);
  const own = { strength: strength ?? "chosen", tolerance, products };
  const request = {
    ...rest,
    estimator: "graphical",
    kind: "graphical",
    own,
    from: { schema, prior },
    measurements,
    cells: false,
    rules: rulesOf(schema, options),
  };
  return run(request, (outcome) => {
    const { certificate: found } = outcome;
    if (found.estimator !== "graphical") throw new Error(`the engine answered as ${found.estimator}`);
    const { estimator: _, strength: n0, freedom, residual, answers, ...certificate } = found;
    const trace = outcome.trace.map(({ at, value, gap, relativeEntropy }, i) => {
      const milliseconds = millisecondsOf(outcome, i);
      return { products: at, value, gap: gap ?? Number.NaN, relativeEntropy, milliseconds };
    });
    const own = schema.names.filter(
      (name) => !prior?.schema.names.includes(name) && name in schema.attributes,
    );
    const evidence = { measurements, total: outcome.total, strength: n0, own };
    const model = (total: number) => new GraphicalModel<S>(outcome.handle, { schema, total, evidence });
    const whole = parts(measurements, outcome, { trace, kept: keepRefused, model });
    const figures = { certificate, strength: n0, freedom: freedom ?? undefined, residual, answers };
    return new GraphicalEstimate<S>(whole, figures);
  });
}
