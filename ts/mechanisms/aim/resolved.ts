import { invalid } from "../../options.js";
import { Rational } from "../../privacy/rational.js";
import type { NameOf, Schema } from "../../tables/schema.js";
import { kWay, type Workload, workload } from "../../tables/workload.js";
import { oneWaysOf } from "../kit/alone.js";
import { checkRounds, factorsOf, few } from "../kit/candidates.js";
import { MOST_CELLS } from "../kit/prior.js";
import type { Resolved } from "../kit/resolved.js";
import type { AimOptions } from "./index.js";

/** The options of rounds with every default filled in, beside those that every release has. */
export interface ResolvedAim<S extends Schema> {
  /** What the release is to be right about, and how much each clique of it matters. */
  readonly workload: Workload<S>;
  readonly factors: readonly number[] | undefined;
  /** What rounds choose from: the workload, and all cliques within one of it. */
  readonly candidates: Workload<S>;
  /** How many were left out because they have too many cells. */
  readonly omitted: number;
  /** For each candidate what its score is multiplied by: the attributes that it shares with what matters. */
  readonly weights: readonly number[];
  /** What is measured before the first round. */
  readonly start: Workload<S>;
  /** The most rounds. */
  readonly rounds: number;
  readonly selectShare: Rational;
  /** The most cells that a model may be summed over. */
  readonly cells: number;
}

/** The most cells of a model, where nobody says. */
const CELLS = 300_000;
/** Rounds for each attribute, by the law of the noise, and at most: with few rounds each has less noise of a pure budget. */
const ROUNDS = { gaussian: 7, laplace: 2 } as const;
const USUAL_ROUNDS = 200;
/** A clique of more attributes has more parts than anybody asks for. */
const WIDEST = 6;

/** Checks the options of rounds. */
export function resolveAim<S extends Schema>(options: AimOptions<S>, resolved: Resolved<S>): ResolvedAim<S> {
  const { selectShare = 0.1, cells = CELLS } = options;
  checkRounds(options.rounds, selectShare);
  if (!(Number.isSafeInteger(cells) && cells >= 1 && cells <= 2 ** 28))
    throw invalid("`cells` is a whole number up to 2^28");
  const { schema, attributes, law } = resolved;
  const judged = schema.at(attributes) as NameOf<S>[];
  const matters = resolved.workload ?? kWay(schema, Math.min(2, judged.length), judged);
  const factors = factorsOf(options, matters);
  const { candidates, omitted } = few(closure(matters), Math.min(cells, MOST_CELLS));
  const usual = Math.min(USUAL_ROUNDS, ROUNDS[law] * judged.length);
  return {
    ...{ workload: matters, factors, candidates, omitted, cells },
    weights: weightsOf(candidates, matters, factors),
    start: oneWaysOf(resolved),
    rounds: options.rounds ?? usual,
    selectShare: Rational.of(selectShare),
  };
}

/** Every part of a clique of a workload but the empty one, the small ones first. */
function closure<S extends Schema>(matters: Workload<S>): Workload<S> {
  const { schema } = matters;
  const all = new Map<string, NameOf<S>[]>();
  for (const clique of matters) {
    if (clique.length > WIDEST)
      throw invalid(
        `a clique of \`workload\` has at most ${WIDEST} attributes: rounds choose among all its parts`,
      );
    const sorted = [...new Set(clique)].sort((a, b) => schema.index(a) - schema.index(b));
    for (let part = 1; part < 2 ** sorted.length; part++) {
      const names = sorted.filter((_, i) => (part >> i) & 1);
      all.set(names.join("\n"), names);
    }
  }
  return workload(
    schema,
    [...all.values()].sort((a, b) => a.length - b.length),
  );
}

/** The weight of a candidate r: the sum of |r ∩ c| over the cliques c of the workload, each times what it matters. */
function weightsOf(
  candidates: Workload,
  matters: Workload,
  factors: readonly number[] | undefined,
): number[] {
  const shares = new Map<string, number>();
  [...matters].forEach((clique, i) => {
    for (const name of clique) shares.set(name, (shares.get(name) ?? 0) + (factors?.[i] ?? 1));
  });
  return Array.from(candidates, (names) => names.reduce((sum, name) => sum + (shares.get(name) ?? 0), 0));
}

/** What of a round choosing gets, and what measuring. */
export function split(amount: Rational, share: Rational): { select: Rational; measure: Rational } {
  const select = amount.times(share);
  return { select, measure: amount.minus(select) };
}
