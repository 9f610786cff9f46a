import { MarginaliaError } from "../errors.js";
import { answersOf, type CliqueQuery, frozen } from "../measurement.js";
import { invalid, known } from "../options.js";
import type { NameOf, Schema } from "../tables/schema.js";
import type { Currency } from "./budget.js";
import { type Cost, cost } from "./cost.js";
import { type Amount, positive, Rational, show } from "./rational.js";
import { scaleAtLeast } from "./scale.js";
import { type Sensitivity, sensitivity } from "./sensitivity.js";
import { type Neighbours, rowsOf } from "./unit.js";

/** What is asked of one clique, and how much noise it gets: by `scale`, or by what it may `spend`. */
export interface MeasureRequest<S extends Schema = Schema> {
  /** The attributes, in the order that its cells shall have; none for the number of rows. */
  readonly clique: readonly NameOf<S>[];
  /** What is asked of its cells; each of them unless given. */
  readonly query?: CliqueQuery;
  /** The law of the noise. Unless given: Laplace where the budget is pure, Gaussian where it is not. */
  readonly law?: "laplace" | "gaussian";
  /** The parameter of the law: b of Laplace noise, σ² of Gaussian noise. */
  readonly scale?: Amount;
  /** What it may cost, in ε of a pure budget and in ρ of others: the scale follows from it. */
  readonly spend?: Amount;
}

/** A request with everything worked out: nothing of it depends on rows. */
export interface Settled {
  readonly clique: readonly string[];
  readonly indices: readonly number[];
  readonly shape: readonly number[];
  readonly query: CliqueQuery;
  /** How many values there will be. */
  readonly answers: number;
  readonly law: "laplace" | "gaussian";
  /** As it is drawn by and charged. */
  readonly scale: Rational;
  readonly sensitivity: Sensitivity;
  readonly cost: Cost;
}

/** What requests are settled under. */
export interface Terms {
  readonly schema: Schema;
  readonly neighbours: Neighbours;
  readonly currency: Currency;
}

/** Entries of a matrix, over which its sensitivity is worked out; under replace each pair of columns is compared. */
const MOST_ENTRIES = 2 ** 22;
const MOST_COMPARED = 2 ** 24;

/** Checks requests, and works out their scales, sensitivities and costs. */
export function settle(requests: readonly MeasureRequest[], terms: Terms): Settled[] {
  if (!Array.isArray(requests) || requests.length === 0) {
    throw invalid("what to measure is a list of requests such as { clique, spend }, one at least");
  }
  return requests.map((request) => settled(request, terms));
}

function settled(request: MeasureRequest, { schema, neighbours, currency }: Terms): Settled {
  if (typeof request !== "object" || request === null) throw invalid("a request is like { clique, spend }");
  known(request, ["clique", "query", "law", "scale", "spend"], "a request");
  const { clique } = request;
  // The caller may change what it gave while this is waited for.
  const query = frozen(request.query ?? IDENTITY);
  if (!Array.isArray(clique)) throw invalid("a request needs the names of attributes as `clique`");
  if (new Set(clique).size < clique.length)
    throw invalid(`the clique ${clique.join(", ")} names an attribute twice`);
  const indices = clique.map((name) => schema.index(name));
  const shape = indices.map((index) => schema.sizes[index] as number);
  const cells = shape.reduce((product, size) => product * size, 1);
  const answers = answersOf(query, cells);
  const norms = normsOf(query, cells, neighbours);
  if (norms.l1 === 0n) throw invalid("a query of nothing but zeros asks for nothing: leave it out");
  const law = request.law ?? (currency === "epsilon" ? "laplace" : "gaussian");
  if (law !== "laplace" && law !== "gaussian") throw invalid("`law` is laplace or gaussian");
  const scale = scaleAtLeast(scaleOf(request, law, norms, currency));
  return {
    clique: Object.freeze([...clique]),
    indices,
    shape,
    query,
    answers,
    law,
    scale,
    sensitivity: norms,
    cost: cost[law](norms, scale),
  };
}

const IDENTITY: CliqueQuery = { type: "identity" };

/** The scale as asked for, or the one at which the noise costs what may be spent. */
function scaleOf(
  { scale, spend }: MeasureRequest,
  law: Settled["law"],
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

/** The sensitivity of a query on so many cells. */
function normsOf(query: CliqueQuery, cells: number, neighbours: Neighbours): Sensitivity {
  if (query.type === "identity") return sensitivity(neighbours, { type: "marginals", count: 1 });
  const rows = query.type === "prefix" ? cells : (query.type === "ranges" ? query.ranges : query.rows).length;
  const compared = neighbours.relation === "add-remove" ? 0 : cells * cells * rows;
  if (cells * rows > MOST_ENTRIES || compared > MOST_COMPARED) {
    throw new MarginaliaError(
      "MODEL_TOO_LARGE",
      "the matrix of a query has too many entries: ask for fewer sums, or of a smaller clique",
    );
  }
  if (query.type === "prefix") return prefixNorms(cells, neighbours);
  const values = query.type === "ranges" ? runs(query.ranges, cells) : query.rows.flat();
  return sensitivity(neighbours, { type: "linear", columns: cells, values });
}

/** The first cell is in every sum, and no two columns differ in more. */
function prefixNorms(cells: number, { unit }: Neighbours): Sensitivity {
  const rows = BigInt(rowsOf(unit));
  return { l1: rows * BigInt(cells), l2Squared: rows * rows * BigInt(cells) };
}

function runs(ranges: readonly (readonly [number, number])[], cells: number): number[] {
  const values = new Array<number>(cells * ranges.length).fill(0);
  ranges.forEach(([first, last], row) => {
    values.fill(1, row * cells + first, row * cells + last + 1);
  });
  return values;
}

/** The requests as the engine reads them. */
export function wire(requests: readonly Settled[]): string {
  const list = requests.map(({ indices, query, law, scale }) => {
    return { clique: indices, query: wireQuery(query), law, scale };
  });
  return JSON.stringify(list);
}

function wireQuery(query: CliqueQuery): object {
  if (query.type === "ranges") return { type: "ranges", ends: query.ranges.flat() };
  if (query.type === "matrix") return { type: "matrix", values: query.rows.flat() };
  return query;
}

/** What makes a request the same as another: what is asked, of what, and by which noise. */
export function identityOf(requests: readonly Settled[]): string {
  return JSON.stringify(
    requests.map(({ clique, query, law, scale }) => [clique, ordered(query), law, scale]),
  );
}

/** The fields in one order, whatever the caller's. */
function ordered(query: CliqueQuery): unknown[] {
  if (query.type === "ranges") return [query.type, query.ranges];
  if (query.type === "matrix") return [query.type, query.rows];
  return [query.type];
}

/** What is asked, in words: `age × sex; income (prefix sums)`. */
export function describeRequests(requests: readonly Settled[]): string {
  return some(requests.map(describeRequest));
}

/** What is asked by one request, in words. */
export function describeRequest({ clique, query }: Settled): string {
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
  }
}

/** How it is made private, in words. */
export function describeNoise({ law, scale }: Pick<Settled, "law" | "scale">): string {
  const amount = show(scale, false);
  return law === "laplace" ? `discrete Laplace, b = ${amount}` : `discrete Gaussian, σ² = ${amount}`;
}

/** The laws of all, each once. */
export function describeNoises(requests: readonly Settled[]): string {
  return some([...new Set(requests.map(describeNoise))]);
}

/** As many as one wants to read. */
function some(words: readonly string[]): string {
  const more = words.length - 4;
  return more > 0 ? `${words.slice(0, 4).join("; ")}; and ${more} more` : words.join("; ");
}
