import { invalid } from "../../options.js";
import { Rational } from "../../privacy/rational.js";
import type { NameOf, Schema } from "../../tables/schema.js";
import { kWay, type Workload } from "../../tables/workload.js";
import { oneWaysOf } from "../kit/alone.js";
import { few } from "../kit/candidates.js";
import { MOST_CELLS } from "../kit/prior.js";
import type { Resolved } from "../kit/resolved.js";
import { edgesOf } from "./tree.js";

/** What is measured and chosen from. */
export interface ResolvedMst<S extends Schema> {
  /** Each attribute. */
  readonly start: Workload<S>;
  /** Pairs of what is judged. */
  readonly candidates: Workload<S>;
  /** How many were left out because they have too many cells. */
  readonly omitted: number;
  /** A round for each pair of a tree. */
  readonly rounds: number;
}

export function resolveMst<S extends Schema>(resolved: Resolved<S>): ResolvedMst<S> {
  const { schema, attributes } = resolved;
  if (attributes.length < 2)
    throw invalid("a tree joins two attributes at least: `aim` takes one attribute too");
  const pairs = kWay(schema, 2, schema.at(attributes) as NameOf<S>[]);
  const { candidates, omitted } = few(pairs, MOST_CELLS);
  return { start: oneWaysOf(resolved), candidates, omitted, rounds: edgesOf(candidates) };
}

/** What each charge may cost. */
export interface Split {
  /** Of each attribute, and in each round. */
  readonly start: Rational;
  readonly select: Rational;
  readonly measure: Rational;
}

/** A third for the attributes, a third for choosing, and a third for the pairs of the tree. */
export function split(
  amount: Rational,
  { start, rounds }: Pick<ResolvedMst<Schema>, "start" | "rounds">,
): Split {
  const each = (parts: number) => amount.over(Rational.of(BigInt(3 * parts)));
  return { start: each(start.length), select: each(rounds), measure: each(rounds) };
}
