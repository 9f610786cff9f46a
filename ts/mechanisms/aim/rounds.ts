import { joined } from "../../estimate/wire.js";
import type { Measurement } from "../../measurement.js";
import type { Schema } from "../../tables/schema.js";
import { type Belief, believed, penaltiesOf } from "../kit/alone.js";
import { lost, measureIn, type Rounds, STEP, selectIn } from "../kit/rounds.js";
import type { AimPlan } from "./plan.js";
import { split } from "./resolved.js";
import { Schedule, SLIGHT } from "./schedule.js";
import { ModelSize, rootsOf } from "./size.js";

/** Measures each attribute, then what it chooses, round after round; gives all answers. What the ledger has is taken from there. */
export async function measured<S extends Schema>(rounds: Rounds<S, AimPlan<S>>): Promise<Measurement[]> {
  const { plan, watch } = rounds;
  const { choices, spending, spend } = plan.parts;
  const schedule = new Schedule(spend, spending);
  const spent = schedule.start(choices.start.length);
  const answers = await measureIn(rounds, STEP.start, choices.start, spent);
  let belief = await believed(rounds, choices.candidates, answers);
  for (let round = 1; !schedule.ended; round++) {
    watch.enter(round);
    const share = split(schedule.next(), choices.selectShare);
    const penalties = penaltiesOf(plan.parts, belief, share.measure);
    const mask = maskOf(plan.parts, answers, schedule.spent);
    const terms = { answers: joined(belief.counts), penalties, factors: choices.weights, mask };
    const request = { workload: choices.candidates, spend: share.select };
    const place = await selectIn(rounds, round, request, terms);
    if (place === undefined) continue;
    const clique = choices.candidates.clique(place);
    const found = await measureIn(rounds, STEP.measure(round), [clique], share.measure);
    answers.push(...found);
    if (found.length === 0 || schedule.ended) continue;
    const before = belief;
    belief = await believed(rounds, choices.candidates, answers);
    if (distance(before, belief, place) <= SLIGHT * (penalties[place] as number)) schedule.grow();
  }
  if (answers.length > 0) return answers;
  throw lost();
}

/**
 * Which candidates a model may take in once such a part of the budget is spent: its size grows with what it knows. What is denied of
 * attributes together is in it from the start.
 */
function maskOf<S extends Schema>(
  { choices: { candidates, cells }, resolved }: AimPlan<S>["parts"],
  answers: readonly Measurement[],
  spent: number,
): boolean[] {
  const { schema } = candidates;
  const rules = resolved.deny.map((rule) => schema.at(rule.map(([place]) => place)));
  const cliques = [...rules, ...answers.map(({ clique }) => clique)];
  const size = new ModelSize(
    schema.sizes,
    cliques.map((clique) => rootsOf(schema, clique)),
  );
  const room = Math.max(cells * spent, size.cells);
  return Array.from(candidates, (clique) => size.fits(rootsOf(schema, clique), room));
}

/** How far apart two models are in one candidate, in L1. */
function distance(one: Belief, other: Belief, place: number): number {
  const [a, b] = [one.counts[place] as Float64Array, other.counts[place] as Float64Array];
  return a.reduce((sum, count, cell) => sum + Math.abs(count - (b[cell] as number)), 0);
}
