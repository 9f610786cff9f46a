import { isObject, known } from "./options.js";
import { answersOf, type CliqueQuery, isList, MOST_CELLS, product, wrong } from "./query.js";

export type { CellQuery, CliqueQuery } from "./query.js";

/** What is known of the noise in each value. */
export interface MeasurementNoise {
  /** Of integers: P(x) ∝ e^(−|x|/b), or P(x) ∝ e^(−x²/2σ²). */
  readonly law: "laplace" | "gaussian";
  /** b or σ², as a fraction. */
  readonly scale: string;
  /** The variance of the law: of the discrete one, where this package measured. */
  readonly variance: number;
}

/** A measurement as JSON; `measurement.schema.json` of this package describes it. */
export interface MeasurementJson {
  readonly version: 1;
  /** Names of attributes, in the order that the cells have. */
  readonly clique: readonly string[];
  readonly query: CliqueQuery;
  /** The number of codes of each attribute of the clique. */
  readonly shape: readonly number[];
  /** In records: one for each cell, or for each query on the cells. */
  readonly values: readonly number[] | Float64Array;
  readonly noise: MeasurementNoise;
  /** What neighbours the noise was scaled for: one unit more or less, or one that is another. */
  readonly relation: "add-remove" | { readonly replace: { readonly n: number } };
  /** What was paid for it. Measurements from elsewhere may not say. */
  readonly cost?: { readonly currency: "epsilon" | "rho"; readonly amount: string };
}

/** A noisy answer with a known law of noise: anybody may see it, and estimators learn from it. */
export class Measurement implements MeasurementJson {
  readonly version = 1;
  readonly clique: readonly string[];
  readonly query: CliqueQuery;
  readonly shape: readonly number[];
  readonly values: Float64Array;
  readonly noise: MeasurementNoise;
  readonly relation: MeasurementJson["relation"];
  readonly cost?: NonNullable<MeasurementJson["cost"]>;

  /** @internal Of what {@link measurement} has checked. */
  constructor(json: MeasurementJson, values: Float64Array) {
    this.clique = Object.freeze([...json.clique]);
    this.query = frozen(json.query);
    this.shape = Object.freeze([...json.shape]);
    this.values = values;
    this.noise = frozen(json.noise);
    this.relation = frozen(json.relation);
    if (json.cost) this.cost = frozen(json.cost);
    Object.freeze(this);
  }

  /** The form of files: values as a list. */
  toJSON(): MeasurementJson {
    const { version, clique, query, shape, noise, relation, cost } = this;
    const values = Array.from(this.values);
    return { version, clique, query, shape, values, noise, relation, ...(cost ? { cost } : {}) };
  }
}

const FIELDS = ["version", "clique", "query", "shape", "values", "noise", "relation", "cost"];
/** Not negative, in digits. */
const FRACTION = /^(0|[1-9]\d*)(\/[1-9]\d*)?$/;

/**
 * Checks a measurement, from this package or from elsewhere, and copies it. Fails with MEASUREMENT_INVALID.
 *
 * ```ts
 * const again = measurement(JSON.parse(text));
 * ```
 */
export function measurement(json: MeasurementJson): Measurement {
  if (!isObject(json)) throw wrong("is an object");
  if (json.version !== 1) throw wrong("has `version` 1; if a newer version wrote it, update this package");
  const unknown = Object.keys(json).filter((name) => !FIELDS.includes(name));
  if (unknown.length > 0) throw wrong(`has no field \`${unknown[0]}\`: it has ${FIELDS.join(", ")}`);
  checkedShape(json);
  checkedNoise(json.noise);
  checkedRelation(json.relation);
  if (json.cost !== undefined) checkedCost(json.cost);
  const answers = answersOf(json.query, json.shape);
  return new Measurement(json, checkedValues(json.values, answers));
}

function checkedShape({ clique, shape }: MeasurementJson): void {
  const named = Array.isArray(clique) && clique.every((name) => typeof name === "string");
  if (!named || new Set(clique).size < clique.length)
    throw wrong("has a list of different names as `clique`");
  if (!Array.isArray(shape) || shape.length !== clique.length || !isList(shape, isCount)) {
    throw wrong("has a `shape` with the number of codes of each attribute of its clique");
  }
  if (product(shape) > MOST_CELLS) throw wrong("has less than 2^32 cells");
}

function checkedNoise(noise: MeasurementNoise): void {
  if (!isObject(noise)) throw wrong("has `noise`: { law, scale, variance }");
  known(noise, ["law", "scale", "variance"], "noise", "MEASUREMENT_INVALID");
  if (noise.law !== "laplace" && noise.law !== "gaussian")
    throw wrong('has "laplace" or "gaussian" as the `law` of its noise');
  if (!isFraction(noise.scale) || /^0/.test(noise.scale))
    throw wrong("has a `scale` of its noise above zero, as a text such as 10 or 1/3");
  const { variance } = noise;
  if (typeof variance !== "number" || !Number.isFinite(variance) || variance < 0)
    throw wrong("has the `variance` of its noise, which is not negative");
}

function checkedRelation(relation: MeasurementJson["relation"]): void {
  if (relation === "add-remove") return;
  const n = isObject(relation) && isObject(relation.replace) ? relation.replace.n : undefined;
  const alone = isObject(relation) && Object.keys(relation).join() === "replace";
  if (!alone || Object.keys(relation.replace).join() !== "n" || !isCount(n))
    throw wrong('has "add-remove" or { replace: { n } } as `relation`');
}

function checkedCost(cost: NonNullable<MeasurementJson["cost"]>): void {
  const currency = isObject(cost) && (cost.currency === "epsilon" || cost.currency === "rho");
  if (!currency || Object.keys(cost).length !== 2 || !isFraction(cost.amount))
    throw wrong("has a `cost` in epsilon or rho, with an amount as a text such as 1/10");
}

function checkedValues(values: MeasurementJson["values"], answers: number): Float64Array {
  const listed = Array.isArray(values) || values instanceof Float64Array;
  if (!listed || values.length !== answers)
    throw wrong("has as many `values` as its clique has cells, or as its query has answers");
  if (!areFinite(values)) throw wrong("has finite numbers as `values`");
  return values instanceof Float64Array ? values.slice() : Float64Array.from(values);
}

/** Of millions of values: without a call for each. */
function areFinite(values: readonly number[] | Float64Array): boolean {
  for (let i = 0; i < values.length; i++) if (!Number.isFinite(values[i])) return false;
  return true;
}

const isFraction = (text: unknown): text is string => typeof text === "string" && FRACTION.test(text);
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 1;
/** A copy that nobody can change. */
export function frozen<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  const copy = Array.isArray(value)
    ? value.map(frozen)
    : Object.fromEntries(Object.entries(value).map(([key, field]) => [key, frozen(field)]));
  return Object.freeze(copy) as T;
}
