import { MarginaliaError } from "../errors.js";
import { type CellQuery, type CliqueQuery, frozen } from "../measurement.js";
import { invalid, known } from "../options.js";
import { answersOf, product, wireQuery } from "../query.js";
import type { NameOf, Schema } from "../tables/schema.js";
import type { Currency } from "./budget.js";
import { type Cost, cost } from "./cost.js";
import { type Amount, positive, Rational, show } from "./rational.js";
import { scaleAtLeast } from "./scale.js";
import { type FactorEntries, type Sensitivity, sensitivity } from "./sensitivity.js";
import { type Neighbours, rowsOf } from "./unit.js";

/** What is asked of one clique, and how much noise it gets: by `scale`, or by what it may `spend`. */
export interface MeasureRequest<S extends Schema = Schema> {
  /** The attributes, in the order that its cells shall have; none for the number of rows. */
  readonly clique: readonly NameOf<S>[];
  /** What is asked of its cells; each of them unless given. */
  readonly query?: CliqueQuery;
  /**
   * Whether it is asked once, of all rows, or in every group: for each combination of some attributes. Everything in all
   * groups together is one charge, since a row is in one group; where rows may be replaced it can cost twice as much. The
   * measurement is of a clique that begins with the attributes of the groups. `"whole"` unless given.
   */
  readonly spread?: "whole" | { readonly groups: readonly NameOf<S>[] };
  /** The law of the noise. Unless given: Laplace where the budget is pure, Gaussian where it is not. */
  readonly law?: "laplace" | "gaussian";
  /** The parameter of the law: b of Laplace noise, σ² of Gaussian noise. */
  readonly scale?: Amount;
  /** What it may cost, in ε of a pure budget and in ρ of others: the scale follows from it. */
  readonly spend?: Amount;
}

/** A request with everything worked out: nothing of it depends on rows. */
export interface ResolvedRequest {
  readonly clique: readonly string[];
  readonly indices: readonly number[];
  /** The attributes of the groups in which it is asked; none where it is asked once. */
  readonly groups: readonly string[];
  readonly groupIndices: readonly number[];
  /** Of the groups, then of the clique. */
  readonly shape: readonly number[];
  /** In each group. */
  readonly query: CliqueQuery;
  /** How many values there will be, in all groups. */
  readonly answers: number;
  readonly law: "laplace" | "gaussian";
  /** As it is drawn by and charged. */
  readonly scale: Rational;
  readonly sensitivity: Sensitivity;
  readonly cost: Cost;
}

/** What requests are resolved under. */
export interface Terms {
  readonly schema: Schema;
  readonly neighbours: Neighbours;
  readonly currency: Currency;
}

/** Entries of a matrix, over which its sensitivity is worked out; under replace each pair of columns is compared. */
const MOST_ENTRIES = 2 ** 22;
const MOST_COMPARED = 2 ** 24;

/** Checks requests, and works out their scales, sensitivities and costs. */
export function resolveRequests(requests: readonly MeasureRequest[], terms: Terms): ResolvedRequest[] {
  if (!Array.isArray(requests) || requests.length === 0) {
    throw invalid("what to measure is a list of requests such as { clique, spend }, one at least");
  }
  return requests.map((request) => resolved(request, terms));
}

function resolved(request: MeasureRequest, { schema, neighbours, currency }: Terms): ResolvedRequest {
  if (typeof request !== "object" || request === null) throw invalid("a request is like { clique, spend }");
  known(request, ["clique", "query", "spread", "law", "scale", "spend"], "a request");
  // The caller may change what it gave while this is waited for.
  const clique = Array.isArray(request.clique) ? [...request.clique] : undefined;
  const query = frozen(request.query ?? IDENTITY);
  if (!clique) throw invalid("a request needs the names of attributes as `clique`");
  const groups = groupsOf(request.spread);
  const all = [...groups, ...clique];
  if (new Set(all).size < all.length)
    throw invalid(`the clique ${all.join(", ")} names an attribute twice, or one of its groups`);
  const shape = all.map((name) => schema.sizes[schema.index(name)] as number);
  const [count, own] = [product(shape.slice(0, groups.length)), shape.slice(groups.length)];
  const answers = count * answersOf(query, own);
  const norms = normsOf({ query, shape: own, grouped: count > 1 }, neighbours);
  if (norms.l1 === 0n) throw invalid("a query of nothing but zeros asks for nothing: leave it out");
  const law = request.law ?? (currency === "epsilon" ? "laplace" : "gaussian");
  if (law !== "laplace" && law !== "gaussian") throw invalid("`law` is laplace or gaussian");
  const scale = scaleAtLeast(scaleOf(request, law, norms, currency));
  return {
    clique: Object.freeze([...clique]),
    indices: clique.map((name) => schema.index(name)),
    groups,
    groupIndices: groups.map((name) => schema.index(name)),
    shape,
    query,
    answers,
    law,
    scale,
    sensitivity: norms,
    cost: cost[law](norms, scale),
  };
}

const IDENTITY: CellQuery = { type: "identity" };

function groupsOf(spread: MeasureRequest["spread"]): readonly string[] {
  if (spread === undefined || spread === "whole") return [];
  const { groups, ...rest } = Object(spread) as { groups?: unknown };
  if (!Array.isArray(groups) || groups.length === 0 || Object.keys(rest).length > 0)
    throw invalid('`spread` is "whole", or { groups } with the names of the attributes that make the groups');
  return Object.freeze([...groups]) as readonly string[];
}

/** The scale as asked for, or the one at which the noise costs what may be spent. */
function scaleOf(
  { scale, spend }: MeasureRequest,
  law: ResolvedRequest["law"],
  norms: Sensitivity,
  currency: Currency,
): Amount {
  if ((scale === undefined) === (spend === undefined)) {
    throw invalid("a request needs either `scale`, the parameter of its noise, or `spend`, what it may cost");
  }
  if (scale !== undefined) return scale;
  const amount = positive(spend as Amount, "`spend`");
  if (law === "laplace" && currency === "epsilon") return Rational.of(norms.l1).over(amount);
  if (law === "gaussian" && currency === "rho") {
    return Rational.of(norms.l2Squared).over(amount.times(Rational.of(2n)));
  }
  throw invalid(
    "`spend` decides the scale of Laplace noise in ε and of Gaussian noise in ρ: otherwise give `scale`",
  );
}

interface QueryShape {
  query: CliqueQuery;
  /** Of the clique, in one group. */
  shape: readonly number[];
  /** Whether it is asked in several groups. */
  grouped: boolean;
}

/** The sensitivity of a query, as `sensitivity_of` in `crates/privacy/src/measure.rs` works it out. */
function normsOf({ query, shape, grouped }: QueryShape, neighbours: Neighbours): Sensitivity {
  const cells = product(shape);
  if (query.type === "identity") {
    // The number of rows: those that come and those that go stand in one count, and cancel.
    return sensitivity(
      neighbours,
      cells === 1 ? { type: "count", groups: grouped } : { type: "marginals", count: 1 },
    );
  }
  // Of one range: the number of rows that fulfil a condition.
  if (query.type === "ranges" && query.ranges.length === 1)
    return sensitivity(neighbours, { type: "count", groups: grouped });
  if (query.type === "product") {
    const factors = query.factors.map((factor, i) => entriesOf(factor, shape[i] as number));
    return sensitivity(neighbours, { type: "product", factors, groups: grouped });
  }
  const rows = query.type === "prefix" ? cells : (query.type === "ranges" ? query.ranges : query.rows).length;
  if (!admits(cells, rows, neighbours)) throw tooManyEntries();
  if (query.type === "prefix") return prefixNorms(cells, grouped, neighbours);
  const values = query.type === "ranges" ? runs(query.ranges, cells) : query.rows.flat();
  return sensitivity(neighbours, { type: "linear", columns: cells, values, groups: grouped });
}

/** A factor of a product by the entries of its matrix. */
function entriesOf(query: CellQuery, columns: number): FactorEntries {
  switch (query.type) {
    case "identity":
      return { columns };
    case "matrix":
      return { columns, values: query.rows.flat() };
    default: {
      const ranges = query.type === "ranges" ? query.ranges : prefixes(columns);
      if (columns * ranges.length > MOST_ENTRIES) throw tooManyEntries();
      return { columns, values: runs(ranges, columns) };
    }
  }
}

/** Whether a query of so many rows on so many cells has few enough entries. */
export function admits(cells: number, rows: number, { relation }: Pick<Neighbours, "relation">): boolean {
  const compared = relation === "add-remove" ? 0 : cells * cells * rows;
  return cells * rows <= MOST_ENTRIES && compared <= MOST_COMPARED;
}

function tooManyEntries(): MarginaliaError {
  const message =
    "the matrix of a query has too many entries: ask for fewer sums, of a smaller clique, or in fewer groups";
  return new MarginaliaError("MODEL_TOO_LARGE", message);
}

/** The first cell is in every sum, and no two columns of one group differ in more. */
function prefixNorms(cells: number, grouped: boolean, { unit, relation }: Neighbours): Sensitivity {
  const rows = BigInt(rowsOf(unit));
  const most = BigInt(cells) * (grouped && relation !== "add-remove" ? 2n : 1n);
  return { l1: rows * most, l2Squared: rows * rows * most };
}

/** What was measured, as a measurement says it: one query on a clique that begins with the attributes of the groups. */
export function measuredOf({ clique, groups, shape, query }: ResolvedRequest): {
  clique: readonly string[];
  query: CliqueQuery;
} {
  const of = shape.slice(0, groups.length);
  return { clique: [...groups, ...clique], query: repeated(query, of, product(shape.slice(groups.length))) };
}

/** A query in each group as one query on the cells of all, for attributes of groups of so many codes. */
function repeated(query: CliqueQuery, of: readonly number[], cells: number): CliqueQuery {
  const count = product(of);
  if (of.length === 0 || (count === 1 && query.type !== "product")) return query;
  const groups = Array.from({ length: count }, (_, group) => group * cells);
  const shifted = (ranges: readonly (readonly [number, number])[]) =>
    groups.flatMap((at) => ranges.map(([first, last]) => [at + first, at + last] as const));
  switch (query.type) {
    case "identity":
      return query;
    case "prefix":
      return { type: "ranges", ranges: shifted(prefixes(cells)) };
    case "ranges":
      return { type: "ranges", ranges: shifted(query.ranges) };
    case "matrix": {
      if (count * count * cells * query.rows.length > MOST_ENTRIES) throw tooManyEntries();
      const row = (at: number, values: readonly number[]) => {
        const all = new Array<number>(count * cells).fill(0);
        all.splice(at, cells, ...values);
        return all;
      };
      return { type: "matrix", rows: groups.flatMap((at) => query.rows.map((values) => row(at, values))) };
    }
    case "product":
      return { type: "product", factors: [...of.map(() => IDENTITY), ...query.factors] };
  }
}

const prefixes = (cells: number) => Array.from({ length: cells }, (_, last) => [0, last] as const);

function runs(ranges: readonly (readonly [number, number])[], cells: number): number[] {
  const values = new Array<number>(cells * ranges.length).fill(0);
  ranges.forEach(([first, last], row) => {
    values.fill(1, row * cells + first, row * cells + last + 1);
  });
  return values;
}

/** The requests as the engine reads them. */
export function wire(requests: readonly ResolvedRequest[]): string {
  const list = requests.map(({ indices, groupIndices, shape, query, law, scale }) => {
    const own = shape.slice(groupIndices.length);
    return { clique: indices, groups: groupIndices, query: wireQuery(query, own), law, scale };
  });
  return JSON.stringify(list);
}

/** What makes a request the same as another: what is asked, of what, and by which noise. */
export function identityOf(requests: readonly ResolvedRequest[]): string {
  return JSON.stringify(
    requests.map(({ clique, groups, query, law, scale }) => {
      return [clique, ordered(query), law, scale, ...(groups.length > 0 ? [groups] : [])];
    }),
  );
}

/** The fields in one order, whatever the caller's. */
function ordered(query: CliqueQuery): unknown[] {
  if (query.type === "ranges") return [query.type, query.ranges];
  if (query.type === "matrix") return [query.type, query.rows];
  if (query.type === "product") return [query.type, query.factors.map(ordered)];
  return [query.type];
}

/** What is asked, in words: `age × sex; income (prefix sums)`. */
export function describeRequests(requests: readonly ResolvedRequest[]): string {
  return some(requests.map(describeRequest));
}

/** What is asked by one request, in words. */
export function describeRequest({ clique, groups, query }: ResolvedRequest): string {
  const what = describeQuery(clique, query);
  return groups.length === 0 ? what : `${what} in every ${groups.join(" × ")}`;
}

function describeQuery(clique: readonly string[], query: CliqueQuery): string {
  const of = clique.length === 0 ? "number of rows" : clique.join(" × ");
  switch (query.type) {
    case "identity":
      return of;
    case "prefix":
      return `${of} (prefix sums)`;
    case "ranges":
      return `${of} (${query.ranges.length} ${query.ranges.length === 1 ? "range" : "ranges"})`;
    case "matrix":
      return `${of} (${query.rows.length} ${query.rows.length === 1 ? "combination" : "combinations"})`;
    case "product":
      return query.factors.map((factor, i) => describeQuery([clique[i] as string], factor)).join(" × ");
  }
}

/** How it is made private, in words. */
export function describeNoise({ law, scale }: Pick<ResolvedRequest, "law" | "scale">): string {
  const amount = show(scale, false);
  return law === "laplace" ? `discrete Laplace, b = ${amount}` : `discrete Gaussian, σ² = ${amount}`;
}

/** The laws of all, each once. */
export function describeNoises(requests: readonly ResolvedRequest[]): string {
  return some([...new Set(requests.map(describeNoise))]);
}

/** As many as one wants to read. */
function some(words: readonly string[]): string {
  const more = words.length - 4;
  return more > 0 ? `${words.slice(0, 4).join("; ")}; and ${more} more` : words.join("; ");
}
