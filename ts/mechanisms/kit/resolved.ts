import { checkDependencies } from "../../estimate/dependencies.js";
import { type Denial, denials, type RuleOptions } from "../../estimate/rules.js";
import { invalid, isObject } from "../../options.js";
import type { Sealed } from "../../privacy/sealed.js";
import { type Sensitivity, sensitivity } from "../../privacy/sensitivity.js";
import { rowsOf } from "../../privacy/unit.js";
import type { NameOf, Schema } from "../../tables/schema.js";
import { Workload, workload } from "../../tables/workload.js";
import { coarsenings } from "./coarsenings.js";
import {
  type CommonOptions,
  type Denied,
  ESTIMATORS,
  type EstimatorName,
  type ForecastOptions,
  PRIORLESS,
} from "./common.js";

/** Options with every default filled in, for one sealed table. Nothing of it depends on private rows. */
export interface Resolved<S extends Schema>
  extends Required<ForecastOptions>,
    Required<
      Pick<CommonOptions<S>, "expectedRows" | "priorStrength" | "strength" | "tolerance" | "seed" | "label">
    > {
  readonly schema: S;
  /** Attributes that are judged, and the group, by their places. */
  readonly attributes: readonly number[];
  /** Attributes that pairs count by a coarsening, which is judged in their place. */
  readonly fine?: readonly number[];
  readonly group: number | undefined;
  readonly pool: false | { readonly alpha: number | undefined };
  readonly workload: Workload<S> | undefined;
  /** Where the number of expected rows comes from. */
  readonly expectedBy: "plan" | "seal" | "relation" | "prior" | "nobody";
  readonly total: number | undefined;
  readonly widen: false | { readonly share: number; readonly rows: number };
  /** All that cannot be. */
  readonly deny: readonly Denial[];
  /** As the options say it, where they say more than what is denied. */
  readonly rules?: RuleOptions<S>;
  /** There where rows may break them. */
  readonly dependencies?: "ignore";
  /** Where it is not the calibrated one. */
  readonly estimator?: EstimatorName;
  readonly targets: Workload<S> | undefined;
  readonly law: "laplace" | "gaussian";
  readonly sensitivity: Sensitivity;
}

type Options<S extends Schema> = Partial<CommonOptions<S>>;

/** Checks options against a sealed table. `strength` is what the prior is worth where the options do not say. */
export function resolve<S extends Schema>(
  options: Partial<CommonOptions<S> & ForecastOptions>,
  sealed: Sealed<S>,
  strength: number,
): Resolved<S> {
  const { prior, exponents = [0, 0.5], tolerance = 1e-3, draws = 3, seed = "marginalia" } = options;
  const { schema } = prior ?? sealed;
  refuse({ schema, exponents, draws }, sealed);
  above("tolerance", tolerance);
  const priorStrength = prior ? above("priorStrength", options.priorStrength ?? strength) : 0;
  const group = options.group === undefined ? undefined : place(schema, options.group);
  const neighbours = { unit: sealed.unit, relation: sealed.relation };
  const named = (options.attributes ?? Object.keys(schema.attributes)).map((name) => schema.index(name));
  const coarser = coarsenings(schema);
  const fine = named.filter((place) => place !== group && coarser.has(place));
  const attributes = named.map((place) => (fine.includes(place) ? (coarser.get(place) as number) : place));
  if (attributes.length === 0) throw invalid("`attributes` names one at least");
  return {
    schema,
    attributes: [...new Set(attributes)],
    ...(fine.length > 0 && { fine }),
    group,
    pool: pooling(options, group),
    workload: listed(schema, options.workload, "workload"),
    exponents: [...exponents],
    ...expected(options, sealed, priorStrength),
    total: totalOf(options, sealed),
    priorStrength,
    widen: prior ? widening(options, priorStrength) : false,
    ...ruledBy(schema, options),
    ...(checkDependencies(options.dependencies) === "ignore" && { dependencies: "ignore" }),
    strength: strengthOf(options.strength),
    ...estimatorOf(options),
    tolerance,
    targets: listed(schema, options.targets, "targets"),
    draws,
    seed,
    label: labelOf(options.label),
    law: sealed.budget.type === "pure" ? "laplace" : "gaussian",
    sensitivity: sensitivity(neighbours, { type: "marginals", count: 1 }),
  };
}

function refuse(
  { schema, exponents, draws }: { schema: Schema; exponents: readonly number[]; draws: number },
  sealed: { readonly schema: Schema },
): void {
  if (schema.normal() !== sealed.schema.normal())
    throw invalid("the prior and the sealed table are under different schemas: read both under one");
  if (!Array.isArray(exponents) || exponents.length === 0 || !exponents.every((e) => e >= 0 && e <= 1))
    throw invalid("`exponents` are numbers from 0 to 1, one at least");
  if (!(Number.isSafeInteger(draws) && draws >= 1 && draws <= 100)) throw invalid("`draws` is from 1 to 100");
}

function place(schema: Schema, name: string): number {
  if (Object.hasOwn(schema.attributes, name)) return schema.index(name);
  schema.index(name);
  throw invalid("`group` is an attribute of the file: a derived one has no rows of its own");
}

function pooling<S extends Schema>(
  { pool = {} }: Options<S>,
  group: number | undefined,
): Resolved<S>["pool"] {
  if (pool === false || group === undefined) {
    if (pool !== false && "alpha" in pool) throw invalid("`pool` needs the `group` over which it pools");
    return false;
  }
  const { alpha } = pool;
  if (alpha !== undefined && !(alpha > 0 && alpha <= 1)) throw invalid("`alpha` is above 0 and at most 1");
  return { alpha };
}

function widening<S extends Schema>({ widen, pool, group }: Options<S>, strength: number) {
  const pooled = group !== undefined && pool !== false;
  if (widen === false || (pooled && widen === undefined)) return false;
  if (pooled) throw invalid("a prior is pooled or widened: leave out `widen`, or give `pool: false`");
  const { share = 0.05, rows = Math.floor(2 * strength) } = widen ?? {};
  if (!(share > 0 && share < 1)) throw invalid("the `share` of `widen` is above 0 and below 1");
  if (!(Number.isSafeInteger(rows) && rows >= 1))
    throw invalid("the `rows` of `widen` are a whole number, from 1");
  return { share, rows };
}

/** A guess for forecasts, where nobody has a better one. */
const USUAL_ROWS = 10_000;

function expected<S extends Schema>({ expectedRows }: Options<S>, sealed: Sealed<S>, strength: number) {
  if (expectedRows !== undefined)
    return { expectedRows: above("expectedRows", expectedRows), expectedBy: "plan" } as const;
  if (sealed.expectedRows !== undefined)
    return { expectedRows: sealed.expectedRows, expectedBy: "seal" } as const;
  const n = publicRows(sealed);
  if (n !== undefined) return { expectedRows: n, expectedBy: "relation" } as const;
  if (strength === 0) return { expectedRows: USUAL_ROWS, expectedBy: "nobody" } as const;
  return { expectedRows: Math.max(1, Math.round(strength)), expectedBy: "prior" } as const;
}

/** The number of rows, where the relation makes it public. */
function publicRows({ unit, relation }: Pick<Sealed, "unit" | "relation">): number | undefined {
  return relation === "add-remove" || unit !== "row" || rowsOf(unit) !== 1 ? undefined : relation.replace.n;
}

function totalOf<S extends Schema>({ total }: Options<S>, sealed: Sealed<S>): number | undefined {
  if (total === undefined) return publicRows(sealed);
  return above("total", total);
}

function strengthOf(strength: unknown = "coupledBootstrap") {
  if (strength === "harmonic" || strength === "coupledBootstrap") return strength;
  if (typeof strength !== "number") throw invalid("`strength` is a number, harmonic or coupledBootstrap");
  return above("strength", strength);
}

function estimatorOf<S extends Schema>(options: Options<S>) {
  const { prior, estimator = prior ? "calibrated" : "graphical" } = options;
  const names = prior ? ESTIMATORS : PRIORLESS;
  if (!names.includes(estimator))
    throw invalid(`\`estimator\` is one of ${names.join(", ")}${prior ? "" : ", where there is no prior"}`);
  return estimator === "calibrated" ? {} : { estimator };
}

function labelOf(label: unknown = "priorAware"): string {
  if (typeof label === "string") return label;
  throw invalid("`label` is a text");
}

function listed<S extends Schema>(
  schema: S,
  value: Workload<S> | readonly (readonly NameOf<S>[])[] | undefined,
  name: string,
): Workload<S> | undefined {
  if (value === undefined) return undefined;
  if (!(value instanceof Workload) && !Array.isArray(value))
    throw invalid(`\`${name}\` is a workload, or a list of lists of attributes`);
  const list = workload(schema, [...value]);
  if (list.length > 0) return list;
  throw invalid(`\`${name}\` has a clique at least`);
}

function ruledBy<S extends Schema>(
  schema: S,
  { deny = [], allow, mapping, sums }: Options<S>,
): Pick<Resolved<S>, "deny" | "rules"> {
  const more = { ...(allow && { allow }), ...(mapping && { mapping }), ...(sums && { sums }) };
  const denied = deny.map((rule) => codesOf(schema, rule));
  if (Object.keys(more).length === 0) return { deny: denied };
  const rules = { deny, ...more } as RuleOptions<S>;
  return { deny: [...denied, ...denials(schema, more as RuleOptions)], rules };
}

/** What cannot be, as estimators take it. */
export const rulesFor = <S extends Schema>(resolved: Resolved<S>): RuleOptions<S> =>
  resolved.rules ?? { deny: deniedBy(resolved) as RuleOptions<S>["deny"] & object };

/** A rule by places and codes. */
function codesOf(schema: Schema, rule: Denied): [number, number[]][] {
  if (!isObject(rule) || Object.keys(rule).length === 0)
    throw invalid("a rule of `deny` is like { age: […], pension: […] }, with labels of these attributes");
  return Object.entries(rule).map(([name, value]) => {
    const labels = schema.labels(name as never);
    const wanted = Array.isArray(value) ? value : [value];
    const codes = wanted.map((label) => labels.indexOf(label));
    if (codes.length > 0 && codes.every((code) => code >= 0)) return [schema.index(name), codes];
    throw invalid(`a rule of \`deny\` names labels of ${name}, which are in schema.labels("${name}")`);
  });
}

/** The same by labels. */
const deniedBy = <S extends Schema>({ schema, deny }: Resolved<S>): Denied<S>[] =>
  deny.map((rule) => {
    const labels = (place: number, codes: readonly number[]) => {
      const name = schema.names[place] as NameOf<S>;
      return [name, codes.map((code) => schema.labels(name)[code])];
    };
    return Object.fromEntries(rule.map(([place, codes]) => labels(place, codes))) as Denied<S>;
  });

function above(name: string, value: number): number {
  if (Number.isFinite(value) && value > 0) return value;
  throw invalid(`\`${name}\` is a number above 0`);
}
