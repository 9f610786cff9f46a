import { symbolOf } from "../../privacy/budget.js";
import type { MeasurePlan } from "../../privacy/measurePlan.js";
import type { MeasureRequest } from "../../privacy/request.js";
import type { Sealed } from "../../privacy/sealed.js";
import type { Schema } from "../../tables/schema.js";
import type { EstimatorName } from "../kit/common.js";
import { estimated, startOf } from "../kit/estimating.js";
import type { Release } from "../kit/modelled.js";
import { needsOf } from "../kit/needs.js";
import { type BeginningFrom, beginning, measurePlan, type Opening, resolved } from "../kit/opening.js";
import { commonReasons, round } from "../kit/reasons.js";
import { extremes, plannedRounds } from "../kit/rounds.js";
import type { Run } from "../kit/run.js";
import { type ReleaseSettings, watched } from "../kit/stages.js";
import { targetsOf } from "../kit/targets.js";
import type { Adaptive, AdaptiveRunSettings } from "./index.js";
import { AdaptivePlan } from "./plan.js";
import { type ResolvedRounds, resolveRounds, roundsOf, type Split, selection, split } from "./resolved.js";
import { measured } from "./rounds.js";

export { AdaptivePlan as Plan } from "./plan.js";

/** See `Mechanism.plan`. */
export async function plan<S extends Schema>(
  mechanism: Adaptive<S, EstimatorName>,
  sealed: Sealed<S>,
  settings: ReleaseSettings,
): Promise<AdaptivePlan<S>> {
  const { factors: _, rounds: _rounds, selectShare: _share, start: _start, ...options } = mechanism.options;
  const filled = await resolved({ ...options, label: options.label ?? "adaptive" }, sealed, settings);
  const choices = resolveRounds(mechanism.options, filled);
  const start = await beginning(mechanism, sealed, filled, ownOf(choices), settings);
  const before = choices.start?.length ?? 0;
  const rounds = roundsOf(choices, filled, start.spend);
  const shares = split(start.spend, choices.selectShare, rounds, before);
  const measures = requested(start, choices, shares, rounds);
  const selections = Array.from({ length: rounds }, () => selection(choices, shares));
  const measure = await measurePlan(start, [...measures, ...selections]);
  const targets = targetsOf(filled, start.prepared);
  const list = plannedRounds(measure, choices.candidates, filled.expectedRows);
  const sizes = { rows: start.prepared.table.rows, rounds, before, targets: targets.length };
  return new AdaptivePlan({
    ...{ ...start, choices, split: shares, targets, measure, rounds: list },
    start: measure.charges.slice(0, before),
    needs: needs(start, choices, sizes),
    reasons: reasons(start, choices, { measure, rounds, targets: targets.length }),
  });
}

/** See `Mechanism.run`: rounds, and an estimate from the answers of all. */
export async function run<S extends Schema>(
  made: AdaptivePlan<S>,
  charges: Run<S>,
  settings: AdaptiveRunSettings<S>,
): Promise<Release<S, AdaptivePlan<S>, never>> {
  const watch = watched(settings, made.rounds.length);
  using start = await startOf(made.parts, watch.stage);
  const measurements = await measured({ plan: made, run: charges, start, watch });
  const begun = { start, stage: watch.stage };
  return await estimated<S, AdaptivePlan<S>>(made, charges, measurements, settings, begun);
}

/** What only rounds are asked for, as the label knows it. */
function ownOf<S extends Schema>({ candidates, start, selectShare, ...choices }: ResolvedRounds<S>) {
  return {
    ...choices,
    candidates: [...candidates],
    start: start !== undefined,
    selectShare: `${selectShare}`,
  };
}

/** What is measured before the first round, and a clique in the place of each that rounds choose: all cost the same. */
function requested<S extends Schema>(
  { resolved: { law } }: Opening<S>,
  { candidates, start }: ResolvedRounds<S>,
  { measure }: Split,
  rounds: number,
): MeasureRequest<S>[] {
  const [smallest] = extremes(candidates);
  const chosen = Array.from({ length: rounds }, () => candidates.clique(smallest));
  return [...(start ?? []), ...chosen].map((clique) => ({ clique, spend: measure, law }));
}

/** Every round but the first estimates from all answers so far, and so does the release. */
function needs<S extends Schema>(
  { resolved }: Opening<S>,
  { candidates }: ResolvedRounds<S>,
  { rows, rounds, targets, before }: { rows: number; rounds: number; targets: number; before: number },
) {
  const marginals = (rounds * (rounds + 1)) / 2 + rounds * before;
  const beside = { others: rounds * candidates.length, bytes: 40 * candidates.cells };
  return needsOf(resolved, { rows, kept: rounds, marginals, targets, ...beside });
}

function reasons<S extends Schema>(
  { resolved, prior }: BeginningFrom<S>,
  { candidates, omitted, rounds: fixed, selectShare, start }: ResolvedRounds<S>,
  { measure, rounds, targets }: { measure: MeasurePlan; rounds: number; targets: number },
): string[] {
  const { total, workload } = resolved;
  const share = (100 * Number(selectShare.numerator)) / Number(selectShare.denominator);
  const symbol = symbolOf(measure.toJSON().currency);
  const common = commonReasons(resolved, prior);
  return [
    `Chosen from: ${workload ? "the cliques asked for" : "all pairs of what is judged"}, ${candidates.length}${
      omitted > 0 ? `; ${omitted} more have too many cells` : ""
    }. One that was measured stays, and is chosen again only where that promises more than another.`,
    `Rounds: ${rounds}, ${fixed === undefined ? "by the budget and the rows expected" : "as asked"}.`,
    `Choosing gets ${round(share)} % of ${symbol}, each round the same of it.`,
    `Before the first round: ${start ? "each attribute" : "nothing, because the prior is the better start"}.`,
    `${common.noise}.`,
    ...common.prior,
    common.rows,
    `Total: ${total === undefined ? "what all answers together say; until there are some, the rows expected" : `${round(total)}, which is public`}.`,
    common.balance,
    `Records: rounded so that ${targets} tables come close to the model's.`,
    ...common.denied,
  ];
}
