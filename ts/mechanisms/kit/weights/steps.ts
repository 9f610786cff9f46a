import { open } from "../../../engine/index.js";
import { prior } from "../../../estimate/prior.js";
import { SupportModel } from "../../../estimate/support.js";
import type { Sealed } from "../../../privacy/sealed.js";
import type { Schema } from "../../../tables/schema.js";
import { estimated } from "../estimating.js";
import { held } from "../mechanism.js";
import type { Release } from "../modelled.js";
import { needsOf } from "../needs.js";
import { type Beginning, beginning, measurePlan, resolved } from "../opening.js";
import type { Prepared } from "../prior.js";
import { commonReasons, round } from "../reasons.js";
import type { Resolved } from "../resolved.js";
import { plannedRounds } from "../rounds.js";
import type { Run } from "../run.js";
import { type ReleaseSettings, watched } from "../stages.js";
import { targetsOf } from "../targets.js";
import type { PriorlessOptions, Way, Weights, WeightsRunSettings } from "./options.js";
import { WeightsPlan } from "./plan.js";
import { queryOf, type ResolvedWeights, resolveWeights, roundsOf, split, supportOf } from "./resolved.js";
import { measured } from "./rounds.js";

export { WeightsPlan as Plan } from "./plan.js";

/** See `Mechanism.plan`. */
export async function plan<S extends Schema>(
  mechanism: Weights<S>,
  sealed: Sealed<S>,
  settings: ReleaseSettings,
): Promise<WeightsPlan<S>> {
  const { options, way } = mechanism;
  const basic = await resolved({ label: way.name, widen: false, ...options }, sealed, settings);
  const choices = resolveWeights(options, way, basic);
  const filled = modelled(basic, choices, options);
  const start = await begun(mechanism, sealed, filled, ownOf(choices, way), settings);
  const places = await supportOf(choices, start.prepared, start.stage("prior"));
  const rounds = roundsOf(choices, filled, start.spend);
  const shares = split(start.spend, choices.selectShare, rounds, filled.total !== undefined);
  const { candidates, unsupported } = choices;
  const selection = {
    ...{ workload: candidates, candidates: "cells" as const, spend: shares.select },
    ...(choices.selection && { mechanism: choices.selection }),
    ...(unsupported ? {} : { cells: places }),
  };
  const { law } = filled;
  const count = shares.count.sign > 0 ? [{ clique: [], spend: shares.count, law }] : [];
  const cell = { clique: candidates.clique(0), spend: shares.measure, law, query: queryOf(choices, 0) };
  const equal = <T>(one: T) => Array.from({ length: rounds }, () => one);
  const measure = await measurePlan(start, [...count, ...equal(cell), ...equal(selection)]);
  const targets = targetsOf(filled, start.prepared);
  const answersOf = choices.measure === "cells" ? () => 1 : undefined;
  const made = { rounds, supported: places.length };
  return new WeightsPlan({
    ...{ ...start, way, average: options.average ?? false, choices, split: shares },
    ...{ selection, cells: selection.cells, supported: places.length, targets, measure },
    start: measure.charges.slice(0, count.length),
    rounds: plannedRounds(measure, candidates, filled.expectedRows, answersOf),
    needs: needs(start, choices, { rounds, targets: targets.length }),
    reasons: reasons(start, choices, { ...made, way, average: options.average ?? false }),
  });
}

/** The same with what makes the model. */
function modelled<S extends Schema>(
  filled: Resolved<S>,
  { measure, rule }: ResolvedWeights<S>,
  { strength = "harmonic", average = false }: PriorlessOptions<S>,
): Resolved<S> {
  const { estimator: _, ...rest } = filled;
  if (measure === "marginals") return { ...rest, strength };
  return Object.assign(rest, { estimator: "multiplicativeWeights" as const, rule, average });
}

/** What a plan begins with; where nothing is public, all rows that the schema allows are weighed alike. */
async function begun<S extends Schema>(
  mechanism: Weights<S>,
  sealed: Sealed<S>,
  filled: Resolved<S>,
  own: object,
  settings: ReleaseSettings,
): Promise<Begun<S>> {
  const start = await beginning(mechanism, sealed, filled, own, settings);
  if (start.prepared) return { ...start, prepared: start.prepared };
  const make = async () => {
    using all = await prior.full(filled.schema, { strength: 1, ...start.stage("prior") });
    const [handle] = await open("model.open", { total: 1 }, { on: all.handle });
    using model = new SupportModel(handle, { prior: all, total: 1 });
    const table = await model.table();
    return held({ table, distinct: table.rows, dependencies: [] }, table.handle);
  };
  return { ...start, prepared: await mechanism.prepare({ full: true }, make) };
}

type Begun<S extends Schema> = Beginning<S> & { readonly prepared: Prepared<S> };

/** Rounds on rows and their cells; an estimate in each where whole marginals are measured. */
function needs<S extends Schema>(
  { resolved: filled, prepared }: Begun<S>,
  { candidates, measure }: ResolvedWeights<S>,
  { rounds, targets }: { rounds: number; targets: number },
) {
  const of =
    measure === "marginals"
      ? { kept: rounds, marginals: (rounds * (rounds + 3)) / 2 }
      : { kept: 0, marginals: 0 };
  const beside = { others: 2 * rounds * (candidates.length + rounds), bytes: 40 * candidates.cells };
  return needsOf(filled, { rows: prepared.table.rows, ...of, targets, ...beside });
}

/** See `Mechanism.run`: rounds, and the weights that all answers come to. */
export async function run<S extends Schema>(
  made: WeightsPlan<S>,
  charges: Run<S>,
  settings: WeightsRunSettings<S>,
): Promise<Release<S, WeightsPlan<S>, never>> {
  const watch = watched(settings, made.rounds.length);
  const { prepared, resolved: filled, way } = made.parts;
  const make = way.start === "uniform" ? prior.uniform : prior;
  using start = await make(prepared.table, {
    strength: Math.max(1, filled.priorStrength),
    ...watch.stage("prior"),
  });
  const measurements = await measured({ plan: made, run: charges, start, watch });
  const begun = { start, stage: watch.stage };
  return await estimated<S, WeightsPlan<S>>(made, charges, measurements, settings, begun);
}

/** What only rounds are asked for, as the label knows it. */
function ownOf<S extends Schema>({ candidates, selectShare, ...choices }: ResolvedWeights<S>, way: Way) {
  return { ...choices, candidates: [...candidates], selectShare: `${selectShare}`, way: way.name };
}

function reasons<S extends Schema>(
  { resolved: filled, prior: from }: Begun<S>,
  { candidates, omitted, rounds: fixed, selectShare, unsupported, measure, rule }: ResolvedWeights<S>,
  { way, rounds, supported, average }: { way: Way; rounds: number; supported: number; average: boolean },
): string[] {
  const { total, workload } = filled;
  const { cells, length } = candidates;
  const share = (100 * Number(selectShare.numerator)) / Number(selectShare.denominator);
  const common = commonReasons(filled, from);
  const moves = {
    newest: "by each answer once",
    recycled: "by each answer, and again by earlier ones that are off by half as much or more",
    projected: "to what the worst of all answers so far say, one after another",
  };
  return [
    `Chosen from: the cells of ${workload ? "the cliques asked for" : `${length} cliques`}${omitted > 0 ? `; ${omitted} more have too many cells` : ""}.`,
    `Support: a public row lies in ${supported} of ${cells} cells. The model answers the others by 0, ${unsupported ? "and they are chosen too, as in the paper" : "and they are not chosen, which no private row decides"}.`,
    `Rounds: ${rounds}, ${fixed === undefined ? "by the budget and the rows expected" : "as asked"}.`,
    `Choosing gets ${round(share)} % of each round.`,
    measure === "marginals"
      ? "Measured: the whole marginal of the cell that was chosen."
      : `Weights: ${way.start === "uniform" ? "equal at first" : "the prior's at first"}; they move ${moves[rule]}. The model is ${average ? "the mean of those that rounds began with" : "that of the last round"}.`,
    `${common.noise}.`,
    ...common.prior,
    common.rows,
    `Total: ${total === undefined ? "counted before the first round, for a hundredth of the budget" : `${round(total)}, which is public`}.`,
    ...(measure === "marginals" ? [common.balance] : []),
    ...common.denied,
  ];
}
