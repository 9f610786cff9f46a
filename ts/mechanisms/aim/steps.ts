import { Rational } from "../../privacy/rational.js";
import type { MeasureRequest } from "../../privacy/request.js";
import type { Sealed } from "../../privacy/sealed.js";
import type { SelectRequest } from "../../privacy/select/types.js";
import type { Schema } from "../../tables/schema.js";
import { beginningAlone, resolvedAlone } from "../kit/alone.js";
import { estimated, startOf } from "../kit/estimating.js";
import type { Release } from "../kit/modelled.js";
import type { PlannedNeeds } from "../kit/needs.js";
import { type Beginning, measurePlan } from "../kit/opening.js";
import { commonReasons, round } from "../kit/reasons.js";
import type { Resolved } from "../kit/resolved.js";
import { extremes, madeRounds, plannedRounds } from "../kit/rounds.js";
import type { Run } from "../kit/run.js";
import { type ReleaseSettings, watched } from "../kit/stages.js";
import { targetsOf } from "../kit/targets.js";
import type { Aim, AimRunSettings } from "./index.js";
import { AimPlan } from "./plan.js";
import { type ResolvedAim, resolveAim, split } from "./resolved.js";
import { measured } from "./rounds.js";
import { SLIGHT, type Spending } from "./schedule.js";

export { AimPlan as Plan } from "./plan.js";

/** What costs grow by, so that noise falls by its root in zCDP, and by as much of a pure budget. */
const GROWTH = { gaussian: Rational.of(2n), laplace: Rational.ratio(3n, 2n) };

/** See `Mechanism.plan`. */
export async function plan<S extends Schema>(
  mechanism: Aim<S>,
  sealed: Sealed<S>,
  settings: ReleaseSettings,
): Promise<AimPlan<S>> {
  const { factors: _, rounds: _rounds, selectShare: _share, cells: _cells, ...options } = mechanism.options;
  const filled = await resolvedAlone<S>({ label: "aim", ...options }, sealed, settings);
  const choices = resolveAim(mechanism.options, filled);
  const start = await beginningAlone(mechanism, sealed, filled, ownOf(choices), settings);
  const spending = spendingOf(start.spend, choices, filled.law);
  const measure = await measurePlan(start, requested(choices, spending, filled.law));
  return new AimPlan({
    ...{ ...start, choices, spending, measure },
    targets: targetsOf(filled, start.prepared),
    start: measure.charges.slice(0, choices.start.length),
    rounds: plannedRounds(measure, choices.candidates, filled.expectedRows),
    needs: needs(choices),
    reasons: reasons(start, choices, spending),
  });
}

/** See `Mechanism.run`: rounds, and an estimate from the answers of all. */
export async function run<S extends Schema>(
  made: AimPlan<S>,
  charges: Run<S>,
  settings: AimRunSettings<S>,
): Promise<Release<S, AimPlan<S>, never>> {
  const watch = watched(settings, made.rounds.length);
  using start = await startOf(made.parts, watch.stage);
  const measurements = await measured({ plan: made, run: charges, start, watch });
  const begun = { start, stage: watch.stage, rounds: madeRounds(charges, made) };
  return await estimated<S, AimPlan<S>>(made, charges, measurements, settings, begun);
}

/** What only rounds are asked for, as the label knows it. */
function ownOf<S extends Schema>({
  workload,
  candidates: _,
  weights: _all,
  start,
  selectShare,
  ...choices
}: ResolvedAim<S>) {
  return { ...choices, workload: [...workload], start: [...start], selectShare: `${selectShare}` };
}

/** The same for each attribute before the first round, and for each of the most rounds. */
function spendingOf(
  amount: Rational,
  { rounds, start }: ResolvedAim<Schema>,
  law: Resolved<Schema>["law"],
): Spending {
  const parts = Rational.of(BigInt(rounds + start.length));
  return { each: amount.over(parts), factor: GROWTH[law] };
}

/** What is measured and chosen if no round spends more than the first, with a clique in the place of each that rounds choose. */
function requested<S extends Schema>(
  { candidates, start, rounds, selectShare }: ResolvedAim<S>,
  { each }: Spending,
  law: Resolved<S>["law"],
): (MeasureRequest<S> | SelectRequest<S>)[] {
  const { select, measure } = split(each, selectShare);
  const clique = candidates.clique(extremes(candidates)[0]);
  const selection = { workload: candidates, candidates: "cliques", spend: select } as const;
  return [
    ...[...start].map((clique) => ({ clique, spend: each, law })),
    ...Array.from({ length: rounds }, () => ({ clique, spend: measure, law })),
    ...Array.from({ length: rounds }, () => selection),
  ];
}

/** Rounds have an estimate each; what one takes goes as the cells that it is summed over, which come with the rounds. */
function needs<S extends Schema>({ candidates, rounds, cells }: ResolvedAim<S>): PlannedNeeds {
  const bytes = 2 ** 25 + 40 * candidates.cells + 64 * cells;
  const each = 0.05 + 2e-8 * candidates.cells + 1e-7 * cells;
  return { bytes: Math.ceil(bytes / 2 ** 20) * 2 ** 20, seconds: Math.ceil(10 * rounds * each) / 10 };
}

function reasons<S extends Schema>(
  { resolved, prior }: Beginning<S>,
  { workload, candidates, omitted, rounds, selectShare, cells }: ResolvedAim<S>,
  { factor }: Spending,
): string[] {
  const { total } = resolved;
  const common = commonReasons(resolved, prior);
  return [
    prior
      ? "Mechanism: aim, as asked, from a public table."
      : "Mechanism: aim, because there is no public table to start from: what is measured is chosen by noisy answers alone.",
    `Chosen from: ${resolved.workload ? "the cliques asked for" : "all pairs of what is judged"} and all within them, ${candidates.length} for ${workload.length}${
      omitted > 0 ? `; ${omitted} more have too many cells` : ""
    }.`,
    `Rounds: at most ${rounds}. A round that moved what it measured by less than ${SLIGHT} of what it was to leave makes later ones spend ${factor} times as much.`,
    `Choosing gets ${round((100 * Number(selectShare.numerator)) / Number(selectShare.denominator))} % of each round.`,
    `Size: the model is summed over ${round(cells)} cells at most, of which it gets as much as is spent of the budget.`,
    `${common.noise}.`,
    ...common.prior,
    common.rows,
    `Total: ${total === undefined ? "what all answers together say" : `${round(total)}, which is public`}.`,
    common.balance,
    ...common.denied,
  ];
}
