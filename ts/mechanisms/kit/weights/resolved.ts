import { invalid } from "../../../options.js";
import { double, Rational } from "../../../privacy/rational.js";
import type { SelectRequest } from "../../../privacy/select/types.js";
import type { NameOf, Schema } from "../../../tables/schema.js";
import { kWay, type Workload } from "../../../tables/workload.js";
import { checkShare, few } from "../candidates.js";
import { MOST_CELLS, type Prepared } from "../prior.js";
import type { Resolved } from "../resolved.js";
import type { WeightsOptions } from "./options.js";

/** The options of rounds with every default filled in, beside those that every release has. */
export interface ResolvedWeights<S extends Schema> {
  /** The cliques whose cells rounds choose from. */
  readonly candidates: Workload<S>;
  /** How many were left out because they have too many cells. */
  readonly omitted: number;
  /** As asked for. */
  readonly rounds: number | undefined;
  readonly selectShare: Rational;
  readonly selection: SelectRequest["mechanism"];
  readonly unsupported: boolean;
}

const MOST_ROUNDS = 1000;
const WAYS = 3;

/** Checks the options of rounds. */
export function resolveWeights<S extends Schema>(
  options: WeightsOptions<S>,
  resolved: Resolved<S>,
): ResolvedWeights<S> {
  const { rounds, selectShare = 0.5, selection, unsupported = false, average = false } = options;
  if (rounds !== undefined && !isWhole(rounds, MOST_ROUNDS))
    throw invalid(`\`rounds\` is from 1 to ${MOST_ROUNDS}`);
  checkShare(selectShare);
  if (selection !== undefined && selection !== "exponential" && selection !== "permute-and-flip")
    throw invalid('`selection` is "exponential" or "permute-and-flip"');
  if (typeof unsupported !== "boolean" || typeof average !== "boolean")
    throw invalid("`unsupported` and `average` are true or false");
  const list = cliquesOf(options, resolved);
  return { ...list, rounds, selectShare: Rational.of(selectShare), selection, unsupported };
}

const isWhole = (value: unknown, most: number): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= most;

/** The cliques that are asked for; or all of so many attributes, or some of them by the seed, those with too many cells left out. */
function cliquesOf<S extends Schema>(
  { ways, sample }: WeightsOptions<S>,
  { schema, attributes, workload, seed }: Resolved<S>,
): Pick<ResolvedWeights<S>, "candidates" | "omitted"> {
  if (workload) {
    if (ways !== undefined || sample !== undefined)
      throw invalid("`ways` and `sample` say what a `workload` says: give either");
    return { candidates: workload, omitted: 0 };
  }
  if (ways !== undefined && !isWhole(ways, attributes.length))
    throw invalid("`ways` is a whole number from 1, and there are as many attributes");
  if (sample !== undefined && !isWhole(sample, 2 ** 31)) throw invalid("`sample` is a whole number from 1");
  const names = schema.at(attributes) as NameOf<S>[];
  const all = kWay(schema, ways ?? Math.min(WAYS, names.length), names);
  return few(sample === undefined || sample >= all.length ? all : all.sample(sample, seed), MOST_CELLS);
}

/** Which cells of the candidates any public row lies in, and how many. */
export async function supportOf<S extends Schema>(
  { candidates }: ResolvedWeights<S>,
  { table }: Prepared<S>,
  stage: Parameters<Prepared<S>["table"]["answer"]>[1],
): Promise<{ readonly mask: Uint8Array; readonly supported: number }> {
  const mask = new Uint8Array(candidates.cells);
  let [at, supported] = [0, 0];
  for (const cells of await table.answer(candidates, stage)) {
    for (const weight of cells) {
      if (weight > 0) supported += mask[at] = 1;
      at += 1;
    }
  }
  return { mask, supported };
}

/** What each charge may cost: exact fractions whose sum is the amount. */
export interface Split {
  /** Of the number of rows, where it is not public. */
  readonly count: Rational;
  readonly select: Rational;
  readonly measure: Rational;
}

/** The part of the budget that the number of rows gets, where nobody knows it. */
const COUNT = Rational.ratio(1n, 100n);

/** Every round has the same of what is left, and choosing its part of that. */
export function split(amount: Rational, share: Rational, rounds: number, known: boolean): Split {
  const count = known ? Rational.of(0n) : amount.times(COUNT);
  const each = amount.minus(count).over(Rational.of(BigInt(rounds)));
  const select = each.times(share);
  return { count, select, measure: each.minus(select) };
}

/** How many rounds, from public terms alone. */
export function roundsOf<S extends Schema>(
  { rounds }: ResolvedWeights<S>,
  { law, expectedRows, sensitivity }: Resolved<S>,
  spend: Rational,
): number {
  if (rounds !== undefined) return rounds;
  const amount = double(spend, false);
  const found =
    law === "laplace"
      ? Math.sqrt((amount * expectedRows) / Number(sensitivity.l1)) / 14
      : ((amount * expectedRows ** 2) / Number(sensitivity.l2Squared)) ** 0.25 / 2;
  return Math.max(2, Math.min(Math.round(found), 300));
}
