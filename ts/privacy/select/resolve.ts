import { within } from "../../engine/digest.js";
import type { Choosing, MarginalTerms } from "../../engine/operations/select.js";
import { MarginaliaError } from "../../errors.js";
import { invalid, isObject, known } from "../../options.js";
import type { Schema } from "../../tables/schema.js";
import type { Workload } from "../../tables/workload.js";
import type { Currency } from "../budget.js";
import type { Cost } from "../cost.js";
import type { Rational } from "../rational.js";
import type { ScoredEdges } from "../sensitivity.js";
import type { Neighbours } from "../unit.js";
import type { Kit } from "./kit.js";
import { rootBelow } from "./root.js";
import type { SelectRequest } from "./types.js";

/** A selection with everything worked out: nothing of it depends on rows. */
export interface ResolvedSelection {
  readonly workload: Workload;
  readonly candidates: "cells" | "cliques" | "edges";
  /** Of edges: the share of values below, as a fraction, and how many bins the attribute has. */
  readonly quantile: readonly [bigint, bigint] | undefined;
  readonly bins: number | undefined;
  /** The side to which they lean. */
  readonly lean: "lower" | "upper" | undefined;
  readonly mechanism: "exponential" | "permute-and-flip";
  readonly difference: "absolute" | "signed" | undefined;
  /** Of the law. */
  readonly epsilon: Rational;
  /** Of any score, in records. */
  readonly sensitivity: bigint;
  readonly cost: Cost;
  /** How many candidates take part. */
  readonly among: number;
  /** Of cells: those that are chosen from, where they are not all. */
  readonly cells: Uint32Array | undefined;
  /** What is public of each candidate, beside the answers. */
  readonly terms: MarginalTerms;
}

/** What selections are resolved under. */
export interface Under {
  readonly schema: Schema;
  readonly neighbours: Neighbours;
  readonly currency: Currency;
  readonly kit: Kit;
}

const FIELDS = [
  "workload",
  "candidates",
  "mechanism",
  "spend",
  "epsilon",
  "difference",
  "quantile",
  "lean",
  "factors",
  "cells",
  "penalties",
  "weights",
  "mask",
  "answers",
  "label",
  "signal",
];

/** Public numbers are rounded to 2⁻⁸ of a record. */
export const GRID = 8;
/** The largest of them: 2⁵⁰ units of the grid. */
export const MOST = 2 ** (50 - GRID);
/** The least weight: smaller ones are not normal numbers. */
const LEAST_WEIGHT = 2 ** -1022;

/** Checks a selection, and works out its ε, sensitivity and cost. */
export function resolveSelection(
  request: SelectRequest,
  { schema, neighbours, currency, kit }: Under,
): ResolvedSelection {
  if (!isObject(request)) throw invalid("a selection is like { workload, answers, candidates, spend }");
  known(request, FIELDS, "a selection");
  const { workload, candidates, difference } = request;
  checkedWorkload(workload, schema);
  checkedCandidates(request);
  checkedLean(request);
  const edges = edgesOf(request, schema, kit);
  const cells = cellsOf(request);
  const among = {
    cells: cells?.length ?? workload.cells,
    cliques: workload.length,
    edges: (edges?.bins ?? 0) + 1,
  }[candidates];
  const terms = termsOf(request, among);
  const mechanism = mechanismOf(request, currency);
  const epsilon = epsilonOf(request, mechanism, { currency, kit });
  return {
    workload,
    candidates,
    quantile: edges?.quantile,
    bins: edges?.bins,
    lean: edges?.lean,
    mechanism,
    difference: candidates === "cells" ? (difference ?? "absolute") : undefined,
    epsilon,
    sensitivity: kit.scoreSensitivity(
      neighbours,
      edges ?? (candidates as "cells" | "cliques"),
      terms.factors?.reduce((a, b) => Math.max(a, b), 0),
    ),
    cost: mechanism === "exponential" ? kit.cost.exponential(epsilon) : kit.cost.permuteAndFlip(epsilon),
    among: takingPart(terms, among),
    cells,
    terms,
  };
}

/** The cells that are listed. */
function cellsOf({ workload, candidates, cells }: SelectRequest): Uint32Array | undefined {
  if (cells === undefined) return undefined;
  let [isListed, next] = [candidates === "cells" && cells instanceof Uint32Array && cells.length > 0, 0];
  for (let i = 0; isListed && i < cells.length; i++) {
    const place = cells[i] as number;
    isListed = place >= next && place < workload.cells;
    next = place + 1;
  }
  // The caller may change what it gave.
  if (isListed) return cells.slice();
  throw invalid("`cells` are a Uint32Array of places of cells in the workload, ascending");
}

/** Refuses what only other candidates have. */
function checkedCandidates({ candidates, factors, difference }: SelectRequest): void {
  if (candidates !== "cells" && candidates !== "cliques" && candidates !== "edges")
    throw invalid('`candidates` are "cells", "cliques" or "edges"');
  if (candidates !== "cliques" && factors !== undefined)
    throw invalid(`${candidates} have no \`factors\`: give them to cliques, or weigh cells by \`penalties\``);
  const ofCells = difference === "absolute" || difference === "signed";
  if (difference !== undefined && !(candidates === "cells" && ofCells))
    throw invalid('`difference` is "absolute" or "signed" for cells; cliques and edges have none');
}

/** The most parts that a quantile is divided into. */
export const MOST_PARTS = 1000n;

/** Refuses what only edges have, and what they have not. */
function checkedLean({ candidates, quantile, lean, penalties, weights }: SelectRequest): void {
  if (candidates !== "edges" && (quantile !== undefined || lean !== undefined))
    throw invalid(`${candidates} have neither \`quantile\` nor \`lean\`: they are of edges`);
  if (candidates === "edges" && (penalties !== undefined || weights !== undefined))
    throw invalid("edges have neither `penalties` nor `weights`: a mask says which of them take part");
  if (lean !== undefined && lean !== "lower" && lean !== "upper")
    throw invalid('`lean` is "lower" or "upper"');
}

/** What is asked of the edges of bins, where edges are the candidates. */
function edgesOf(
  { workload, candidates, quantile, lean }: SelectRequest,
  schema: Schema,
  { Rational }: Kit,
): (ScoredEdges & { readonly bins: number }) | undefined {
  if (candidates !== "edges") return undefined;
  const [name, ...more] = workload.length === 1 ? workload.clique(0) : [];
  const spec = name === undefined ? undefined : schema.attributes[name];
  if (name === undefined || more.length > 0 || !spec || !["integer", "number", "date"].includes(spec.type))
    throw invalid("a quantile is of one attribute, which is an integer, a number or a date");
  const part = Rational.of(quantile ?? 0);
  const [a, b] = [part.numerator, part.denominator];
  if (a <= 0n || a >= b || b > MOST_PARTS)
    throw invalid("`quantile` is a fraction above 0 and below 1, of at most 1000 parts");
  // What is in no bin comes behind them: null, and a value that others become.
  const { other, nullable } = spec;
  const own = other !== undefined && other !== null && other !== "clamp";
  return {
    lean,
    quantile: [a, b],
    bins: schema.size(name) - Number(nullable || other === null) - Number(own),
  };
}

function checkedWorkload(workload: Workload, schema: Schema): void {
  if (!isObject(workload) || !(workload.starts instanceof Uint32Array))
    throw invalid("a selection needs the cliques to choose from as `workload`: kWay(…) or workload(…)");
  if (workload.schema !== (schema as unknown) && workload.schema.normal() !== schema.normal())
    throw invalid("the `workload` is over another schema than the sealed table");
  if (workload.length === 0) throw invalid("the `workload` has no clique to choose from");
}

function mechanismOf(
  { mechanism, weights }: SelectRequest,
  currency: Currency,
): ResolvedSelection["mechanism"] {
  const usual = currency === "epsilon" && weights === undefined ? "permute-and-flip" : "exponential";
  const chosen = mechanism ?? usual;
  if (chosen !== "exponential" && chosen !== "permute-and-flip")
    throw invalid('`mechanism` is "exponential" or "permute-and-flip"');
  if (chosen === "permute-and-flip" && weights !== undefined)
    throw invalid("permute-and-flip takes no weights: use the exponential mechanism, or a mask");
  return chosen;
}

/** The ε of the law: as asked for, or the largest known at which it costs at most what may be spent. */
function epsilonOf(
  { spend, epsilon }: SelectRequest,
  mechanism: ResolvedSelection["mechanism"],
  { currency, kit }: Pick<Under, "currency" | "kit">,
): Rational {
  const { positive, Rational } = kit;
  if ((spend === undefined) === (epsilon === undefined))
    throw invalid("a selection needs either `spend`, what it may cost, or `epsilon`, that of its law");
  if (epsilon !== undefined) return positive(epsilon, "`epsilon`");
  const amount = positive(spend ?? 0, "`spend`");
  if (currency === "epsilon") return amount;
  // ρ is ε²/8 by bounded range, or ε²/2.
  return rootBelow(amount.times(Rational.of(mechanism === "exponential" ? 8 : 2)), Rational.ratio);
}

function termsOf(request: SelectRequest, candidates: number): MarginalTerms {
  const list = (name: "factors" | "penalties" | "weights" | "mask") => {
    const values = request[name];
    if (values === undefined) return undefined;
    if (!isObject(values) && !Array.isArray(values)) throw invalid(`\`${name}\` is a list`);
    if (values.length !== candidates)
      throw invalid(`give \`${name}\` once for each of ${candidates} candidates`);
    return values;
  };
  const [factors, penalties, weights, mask] = [
    list("factors"),
    list("penalties"),
    list("weights"),
    list("mask"),
  ];
  return {
    factors: factors && checkedFactors(Float64Array.from(factors as ArrayLike<number>)),
    penalties: penalties && checkedPenalties(Float64Array.from(penalties as ArrayLike<number>)),
    weights: weights && checkedWeights(Float64Array.from(weights as ArrayLike<number>)),
    mask: mask && Uint8Array.from(mask as ArrayLike<number>, (mark) => (mark ? 1 : 0)),
  };
}

function checkedFactors(factors: Float64Array): Uint32Array {
  const whole = factors.every((factor) => Number.isInteger(factor) && factor >= 0 && factor < 2 ** 32);
  if (!whole || !factors.some((factor) => factor > 0))
    throw invalid("`factors` are whole numbers of 32 bits, not all of them 0");
  return Uint32Array.from(factors);
}

function checkedPenalties(penalties: Float64Array): Float64Array {
  if (within(penalties, MOST)) return penalties;
  throw invalid("`penalties` are numbers of records, and at most 2^42");
}

function checkedWeights(weights: Float64Array): Float64Array {
  if (weights.every((w) => w === 0 || (w >= LEAST_WEIGHT && w < Number.POSITIVE_INFINITY))) return weights;
  throw invalid("`weights` are 0, or positive, finite and at least 2^-1022");
}

function takingPart({ weights, mask }: MarginalTerms, candidates: number): number {
  if (!weights && !mask) return candidates;
  let among = 0;
  for (let i = 0; i < candidates; i++) if ((mask?.[i] ?? 1) !== 0 && weights?.[i] !== 0) among++;
  if (among > 0) return among;
  const message = "no candidate takes part: mark one in the mask, and give it a weight above 0";
  throw new MarginaliaError("SELECTION_EMPTY", message);
}

/** The selection as the engine reads it. Terms of cells go there block by block. */
export function wire({
  workload,
  mechanism,
  epsilon,
  difference,
  candidates,
  quantile,
  bins,
  lean,
  cells,
  terms,
}: ResolvedSelection): Choosing {
  const parts = quantile?.map(Number);
  const choice = JSON.stringify({ mechanism, epsilon, grid: GRID, difference, quantile: parts, bins, lean });
  const { flat, starts } = workload;
  return { flat, starts, among: cells, choice, terms: candidates === "cells" ? undefined : terms };
}
