import { invalid } from "../../options.js";
import { double, Rational } from "../../privacy/rational.js";
import type { SelectRequest } from "../../privacy/select/types.js";
import type { NameOf, Schema } from "../../tables/schema.js";
import { kWay, type Workload, workload } from "../../tables/workload.js";
import { checkRounds, factorsOf, few } from "../kit/candidates.js";
import { MOST_CELLS } from "../kit/prior.js";
import type { Resolved } from "../kit/resolved.js";
import { divided } from "../kit/shares.js";
import type { AdaptiveOptions } from "./index.js";

/** The options of rounds with every default filled in, beside those that every release has. */
export interface ResolvedRounds<S extends Schema> {
  /** What rounds choose from. */
  readonly candidates: Workload<S>;
  /** How many were left out because they have too many cells. */
  readonly omitted: number;
  readonly factors: readonly number[] | undefined;
  /** As asked for. */
  readonly rounds: number | undefined;
  readonly selectShare: Rational;
  /** What is measured before the first round. */
  readonly start: Workload<S> | undefined;
}

/** Checks the options of rounds. */
export function resolveRounds<S extends Schema>(
  options: AdaptiveOptions<S>,
  resolved: Resolved<S>,
): ResolvedRounds<S> {
  const { rounds, selectShare = 0.1, start = "none" } = options;
  checkRounds(rounds, selectShare);
  if (start !== "none" && start !== "one-ways") throw invalid('`start` is "none" or "one-ways"');
  const { candidates, omitted } = resolved.workload
    ? { candidates: resolved.workload, omitted: 0 }
    : pairs(resolved);
  return {
    candidates,
    omitted,
    factors: factorsOf(options, candidates),
    rounds,
    selectShare: Rational.of(selectShare),
    start:
      start === "none"
        ? undefined
        : workload(
            resolved.schema,
            judgedOf(resolved).map((name) => [name]),
          ),
  };
}

/** All pairs of what is judged, and within each group where there is one, as long as they have few cells. */
function pairs<S extends Schema>(resolved: Resolved<S>): { candidates: Workload<S>; omitted: number } {
  const { schema, group } = resolved;
  const groups = schema.at(group === undefined ? [] : [group]);
  const rest = judgedOf(resolved).filter((name) => !groups.includes(name));
  const two = [...kWay(schema, Math.min(2, rest.length), rest)];
  const all = workload(schema, [
    ...two,
    ...groups.flatMap((name) => [
      ...(rest.length > 1 ? rest.map((other) => [name, other]) : []),
      ...two.map((pair) => [name, ...pair]),
    ]),
  ]);
  return few(all, MOST_CELLS);
}

/** The attributes that are judged, and the group. */
const judgedOf = <S extends Schema>({ schema, attributes, group }: Resolved<S>): NameOf<S>[] =>
  schema.at([...new Set([...attributes, ...(group === undefined ? [] : [group])])]);

/** What each charge may cost: exact fractions whose sum is the amount. */
export interface Split {
  readonly select: Rational;
  readonly measure: Rational;
}

/** Choosing gets its part, each round the same of it; each measurement has the same of the rest. */
export function split(amount: Rational, share: Rational, rounds: number, before: number): Split {
  const choosing = amount.times(share);
  const equal = (n: number) => Array.from({ length: n }, () => 1n);
  const [select] = divided(choosing, equal(rounds));
  const [measure] = divided(amount.minus(choosing), equal(rounds + before));
  return { select: select as Rational, measure: measure as Rational };
}

/** What rounds choose by, all but the answers. Penalties cost nothing: they are known with the prior. */
export function selection<S extends Schema>(
  { candidates, factors }: ResolvedRounds<S>,
  { select }: Split,
): SelectRequest<S> {
  return { workload: candidates, candidates: "cliques", spend: select, ...(factors && { factors }) };
}

/** The most rounds where nobody says how many. */
const USUAL_ROUNDS = 30;

/**
 * How many rounds, from public terms alone. Fewer have less noise each, more look at more places; what was best on survey
 * years of seven thousand records, with priors of the same region and of another, was 3, 6, 11 and 18 at a pure ε of 0.3, 1, 3
 * and 10, and 6, 12, 19 and 30 at the same ε in zCDP. Between them it goes as the root of ε·n, and as that of ρ^½·n.
 */
export function roundsOf<S extends Schema>(
  { rounds, candidates }: Pick<ResolvedRounds<S>, "rounds" | "candidates">,
  resolved: Pick<Resolved<S>, "law" | "expectedRows" | "sensitivity">,
  spend: Rational,
): number {
  if (rounds !== undefined) return rounds;
  const { law, expectedRows, sensitivity } = resolved;
  const amount = double(spend, false);
  const found =
    law === "laplace"
      ? Math.sqrt((amount * expectedRows) / Number(sensitivity.l1)) / 14
      : ((amount * expectedRows ** 2) / Number(sensitivity.l2Squared)) ** 0.25 / 2.6;
  return Math.max(2, Math.min(Math.round(found), USUAL_ROUNDS, candidates.length));
}
