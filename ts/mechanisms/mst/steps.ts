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
import { extremes, plannedRounds } from "../kit/rounds.js";
import type { Run } from "../kit/run.js";
import { type ReleaseSettings, watched } from "../kit/stages.js";
import { targetsOf } from "../kit/targets.js";
import type { Mst, MstRunSettings } from "./index.js";
import { MstPlan } from "./plan.js";
import { type ResolvedMst, resolveMst, type Split, split } from "./resolved.js";
import { measured } from "./tree.js";

export { MstPlan as Plan } from "./plan.js";

/** See `Mechanism.plan`. */
export async function plan<S extends Schema>(
  mechanism: Mst<S>,
  sealed: Sealed<S>,
  settings: ReleaseSettings,
): Promise<MstPlan<S>> {
  const filled = await resolvedAlone<S>({ label: "mst", ...mechanism.options }, sealed, settings);
  const choices = resolveMst(filled);
  const start = await beginningAlone(mechanism, sealed, filled, { mechanism: "mst" }, settings);
  const shares = split(start.spend, choices);
  const measure = await measurePlan(start, requested(choices, shares, filled.law));
  return new MstPlan({
    ...{ ...start, choices, split: shares, measure },
    targets: targetsOf(filled, start.prepared),
    start: measure.charges.slice(0, choices.start.length),
    rounds: plannedRounds(measure, choices.candidates, filled.expectedRows),
    needs: needs(choices),
    reasons: reasons(start, choices),
  });
}

/** See `Mechanism.run`: a tree, and an estimate from the answers of all. */
export async function run<S extends Schema>(
  made: MstPlan<S>,
  charges: Run<S>,
  settings: MstRunSettings<S>,
): Promise<Release<S, MstPlan<S>, never>> {
  const watch = watched(settings, made.rounds.length);
  using start = await startOf(made.parts, watch.stage);
  const measurements = await measured({ plan: made, run: charges, start, watch });
  return await estimated<S, MstPlan<S>>(made, charges, measurements, settings, { start, stage: watch.stage });
}

/** What is measured and chosen, with a pair in the place of each that rounds choose. */
function requested<S extends Schema>(
  { candidates, start, rounds }: ResolvedMst<S>,
  shares: Split,
  law: Resolved<S>["law"],
): (MeasureRequest<S> | SelectRequest<S>)[] {
  const pair = candidates.clique(extremes(candidates)[0]);
  const selection = { workload: candidates, candidates: "cliques", spend: shares.select } as const;
  return [
    ...[...start].map((clique) => ({ clique, spend: shares.start, law })),
    ...Array.from({ length: rounds }, () => ({ clique: pair, spend: shares.measure, law })),
    ...Array.from({ length: rounds }, () => selection),
  ];
}

/** Two estimates, and counts of all pairs that are kept. */
function needs<S extends Schema>({ candidates, rounds }: ResolvedMst<S>): PlannedNeeds {
  const largest = candidates.size(extremes(candidates)[1]);
  const bytes = 2 ** 25 + 40 * candidates.cells + 64 * rounds * largest;
  const seconds = rounds * (2e-2 + 2e-8 * candidates.cells + 1e-6 * largest);
  return { bytes: Math.ceil(bytes / 2 ** 20) * 2 ** 20, seconds: Math.ceil(10 * seconds) / 10 };
}

function reasons<S extends Schema>(
  { resolved, prior }: Beginning<S>,
  { candidates, omitted, rounds }: ResolvedMst<S>,
): string[] {
  const { total } = resolved;
  const common = commonReasons(resolved, prior);
  return [
    "Mechanism: mst, as asked.",
    `Chosen from: all pairs of what is judged, ${candidates.length}${
      omitted > 0 ? `; ${omitted} more have too many cells` : ""
    }. Each time one that joins what is not joined yet, by how far it is from independent: ${rounds} in all.`,
    "Shares: a third of the budget for attributes, a third for choosing, a third for the pairs that were chosen.",
    "Rare values: those of an attribute below three standard deviations of its noise are measured together in pairs, and spread again as they are alone.",
    `${common.noise}.`,
    ...common.prior,
    common.rows,
    `Total: ${total === undefined ? "what all answers together say" : `${round(total)}, which is public`}.`,
    common.balance,
    ...common.denied,
  ];
}
