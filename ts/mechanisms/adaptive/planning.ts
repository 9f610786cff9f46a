import { aborted } from "../../engine/failure.js";
import { symbolOf } from "../../privacy/budget.js";
import type { MeasurePlan, PlannedCharge } from "../../privacy/plan.js";
import type { MeasureRequest } from "../../privacy/request.js";
import type { Sealed } from "../../privacy/sealed.js";
import type { PlannedSelection, SelectRequest } from "../../privacy/select/types.js";
import { hashOf } from "../../tables/digest.js";
import type { Schema } from "../../tables/schema.js";
import type { Workload } from "../../tables/workload.js";
import { sizeOf } from "../../tables/worth.js";
import type { Adaptive } from "../adaptive.js";
import { dependenciesInWords } from "../dependencies.js";
import { needsOf } from "../needs.js";
import { type PlannedPrior, priorInWords } from "../plan.js";
import { labelOf, madeOf, measurePlan, priorOf, refuseSame, spendOf } from "../planning.js";
import { type Prepared, prepare } from "../public.js";
import { chargeOf } from "../runs.js";
import { targetsOf } from "../targets.js";
import type { AdaptiveSettings } from "./options.js";
import { AdaptivePlan, type PlannedCandidate, type PlannedRound } from "./plan.js";
import { roundsOf, type SettledRounds, type Split, settleRounds, split } from "./settled.js";
import { watched } from "./stage.js";

/** See `Adaptive.plan`. */
export async function planned<S extends Schema>(
  mechanism: Adaptive<S>,
  sealed: Sealed<S>,
  settings: AdaptiveSettings,
): Promise<AdaptivePlan<S>> {
  const { options } = mechanism;
  if (settings.signal?.aborted) throw aborted(settings.signal);
  await refuseSame(options, sealed);
  const strength = options.priorStrength ?? (await sizeOf(options.prior));
  const asked = settleRounds(options, sealed, strength);
  const { settled } = asked;
  const hash = await hashOf(options.prior);
  const label = await labelOf(settled, own(asked), hash, options);
  const isOwn = chargeOf(label, sealed);
  const spend = spendOf(options, sealed, isOwn);
  const rounds = roundsOf(asked, spend);
  const shares = split(spend, asked.selectShare, rounds, asked.start?.length ?? 0);
  const { stage } = watched(settings);
  const prepared = await prepare(mechanism, settled, spend, stage);
  const [smallest, largest] = extremes(asked.candidates);
  const measures = requested(asked, shares, rounds, smallest);
  const choices = Array.from({ length: rounds }, () => selection(asked, shares));
  const measure = await measurePlan(sealed, [...measures, ...choices], settled.expectedRows, isOwn);
  const before = asked.start?.length ?? 0;
  const targets = targetsOf(settled, prepared);
  const prior = priorOf(options, settled, madeOf(settled, prepared, hash));
  const list = measure.selections.map((select, i) =>
    roundOf(asked, i + 1, {
      select,
      charge: measure.charges[before + i] as PlannedCharge,
      smallest,
      largest,
    }),
  );
  return new AdaptivePlan({
    mechanism,
    sealed,
    asked,
    split: shares,
    prepared,
    targets,
    measure,
    start: measure.charges.slice(0, before),
    rounds: list,
    label,
    prior,
    needs: needs(asked, prepared, rounds, { targets: targets.length, start: before }),
    reasons: reasons(asked, { prior, measure, rounds, targets: targets.length }),
  });
}

/** What only rounds are asked for, as the label knows it. */
function own<S extends Schema>({ settled: _, candidates, start, selectShare, ...choices }: SettledRounds<S>) {
  return {
    ...choices,
    candidates: [...candidates],
    start: start !== undefined,
    selectShare: `${selectShare}`,
  };
}

/** The places of the candidates with the fewest cells and with the most. */
function extremes(candidates: Workload): [smallest: number, largest: number] {
  let [smallest, largest] = [0, 0];
  for (let i = 1; i < candidates.length; i++) {
    if (candidates.size(i) < candidates.size(smallest)) smallest = i;
    if (candidates.size(i) > candidates.size(largest)) largest = i;
  }
  return [smallest, largest];
}

/** What rounds choose by, all but the answers. Penalties cost nothing: they are known with the prior. */
export function selection<S extends Schema>(
  { candidates, factors }: SettledRounds<S>,
  { select }: Split,
): SelectRequest<S> {
  return { workload: candidates, candidates: "cliques", spend: select, ...(factors && { factors }) };
}

/** What is measured before the first round, and a clique in the place of each that rounds choose: all cost the same. */
function requested<S extends Schema>(
  { settled: { law }, candidates, start }: SettledRounds<S>,
  { measure }: Split,
  rounds: number,
  stand: number,
): MeasureRequest<S>[] {
  const chosen = Array.from({ length: rounds }, () => candidates.clique(stand));
  return [...(start ?? []), ...chosen].map((clique) => ({ clique, spend: measure, law }));
}

interface Charges {
  select: PlannedSelection;
  charge: PlannedCharge;
  smallest: number;
  largest: number;
}

function roundOf<S extends Schema>(
  { candidates, settled }: SettledRounds<S>,
  round: number,
  { select, charge, smallest, largest }: Charges,
): PlannedRound {
  const { law, scale, cost, share, variance, error } = charge;
  const candidate = (place: number): PlannedCandidate => {
    const answers = candidates.size(place);
    const totalError = Math.sqrt(variance * answers);
    return Object.freeze({
      clique: Object.freeze([...candidates.clique(place)]),
      answers,
      totalError,
      relativeError: totalError / settled.expectedRows,
    });
  };
  return Object.freeze({
    round,
    select,
    measure: Object.freeze({ law, scale, cost, share, variance, error }),
    smallest: candidate(smallest),
    largest: candidate(largest),
  });
}

/** Every round but the first estimates from all answers so far, and so does the release. */
function needs<S extends Schema>(
  { settled, candidates }: SettledRounds<S>,
  { table: { rows, schema } }: Prepared,
  rounds: number,
  { targets, start }: { targets: number; start: number },
) {
  const bytes =
    rows * (6 * schema.names.length + 4 * (rounds + targets) + 120) + 40 * candidates.cells + 2 ** 24;
  const marginals = (rounds * (rounds + 1)) / 2 + rounds * start;
  return needsOf(settled, { rows, bytes, marginals, targets, others: rounds * candidates.length });
}

interface Made {
  prior: PlannedPrior;
  measure: MeasurePlan;
  rounds: number;
  targets: number;
}

function reasons<S extends Schema>(
  { settled, candidates, omitted, rounds: given, selectShare, start }: SettledRounds<S>,
  { prior, measure, rounds, targets }: Made,
): string[] {
  const { expectedRows, expectedBy, total, strength, law, deny, workload } = settled;
  const by = { plan: "as asked", seal: "as said when the table was sealed", relation: "which is public" };
  const share = (100 * Number(selectShare.numerator)) / Number(selectShare.denominator);
  const symbol = symbolOf(measure.toJSON().currency);
  return [
    `Chosen from: ${workload ? "the cliques asked for" : "all pairs of what is judged"}, ${candidates.length}${
      omitted > 0 ? `; ${omitted} more have too many cells` : ""
    }. One that was measured stays, and is chosen again only where that promises more than another.`,
    `Rounds: ${rounds}, ${given === undefined ? "by the budget and the rows expected" : "as asked"}.`,
    `Choosing gets ${round(share)} % of ${symbol}, each round the same of it.`,
    `Before the first round: ${start ? "each attribute" : "nothing, because the prior is the better start"}.`,
    `Noise: discrete ${law === "laplace" ? "Laplace" : "Gaussian"}.`,
    priorInWords(prior),
    ...dependenciesInWords(prior.dependencies ?? []),
    `Rows expected: ${round(expectedRows)}, ${expectedBy === "prior" ? "as many as the prior is worth, because nobody said" : by[expectedBy]}.`,
    `Total: ${total === undefined ? "what all answers together say; until there are some, the rows expected" : `${round(total)}, which is public`}.`,
    strength === "coupledBootstrap"
      ? "Balance: the prior counts as a sample of the same population, and for more or less where the answers contradict it."
      : `Balance: the prior counts for ${strength === "harmonic" ? "a sample of the same population" : `${strength} records`}.`,
    `Records: rounded so that ${targets} tables come close to the model's.`,
    ...(deny.length > 0 ? [`Denied: ${deny.length} combinations, which no record has.`] : []),
  ];
}

const round = (value: number) => `${Number(value.toPrecision(6))}`;
