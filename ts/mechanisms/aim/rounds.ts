import { joined } from "../../estimate/wire.js";
import type { Measurement } from "../../measurement.js";
import type { Rational } from "../../privacy/rational.js";
import type { Schema } from "../../tables/schema.js";
import { estimateBy } from "../kit/estimating.js";
import { noiseOf } from "../kit/prior.js";
import { lost, measureIn, type Rounds, STEP } from "../kit/rounds.js";
import type { AimPlan } from "./plan.js";
import { split } from "./resolved.js";
import { Schedule, SLIGHT } from "./schedule.js";
import { ModelSize, rootsOf } from "./size.js";

/** What a model says the counts of each candidate are, in records, and how many there are in all. */
interface Belief {
  readonly counts: readonly Float64Array[];
  readonly total: number;
}

/** The relative gap of estimates that only choose. */
const ROUGH = 1e-2;

/** Measures each attribute, then what it chooses, round after round; gives all answers. What the ledger has is taken from there. */
export async function measured<S extends Schema>(rounds: Rounds<S, AimPlan<S>>): Promise<Measurement[]> {
  const { plan, watch } = rounds;
  const { choices, spending, spend } = plan.parts;
  const schedule = new Schedule(spend, spending);
  const spent = schedule.start(choices.start.length);
  const answers = await measureIn(rounds, STEP.start, choices.start, spent);
  let belief = await believed(rounds, answers);
  for (let round = 1; !schedule.ended; round++) {
    watch.enter(round);
    const share = split(schedule.next(), choices.selectShare);
    const penalties = penaltiesOf(rounds, belief, share.measure);
    const known = {
      belief,
      penalties,
      mask: maskOf(plan.parts, answers, schedule.spent),
      spend: share.select,
    };
    const place = await chosen(rounds, round, known);
    if (place === undefined) continue;
    const clique = choices.candidates.clique(place);
    const found = await measureIn(rounds, STEP.measure(round), [clique], share.measure);
    answers.push(...found);
    if (found.length === 0 || schedule.ended) continue;
    const before = belief;
    belief = await believed(rounds, answers);
    if (distance(before, belief, place) <= SLIGHT * (penalties[place] as number)) schedule.grow();
  }
  if (answers.length > 0) return answers;
  throw lost();
}

/** What a round chooses by. */
interface Known {
  readonly belief: Belief;
  readonly penalties: Float64Array;
  /** Which candidates a model has room for. */
  readonly mask: readonly boolean[];
  /** What choosing may cost. */
  readonly spend: Rational;
}

/** The candidate that a round measures; none where the choice was paid and lost. */
async function chosen<S extends Schema>(
  { plan, run, watch }: Rounds<S, AimPlan<S>>,
  round: number,
  { belief, penalties, mask, spend }: Known,
): Promise<number | undefined> {
  const { candidates: workload, weights: factors } = plan.parts.choices;
  const step = STEP.select(round);
  if (run.entry(step)?.state === "lost") return undefined;
  const ask = async () => {
    watch.begins("select");
    const terms = { answers: joined(belief.counts), penalties, factors, mask };
    return { workload, candidates: "cliques" as const, spend, ...terms };
  };
  return run.select(ask, workload.length, { step, signal: watch.signal });
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

/** For each candidate the L1 error that measuring it would be expected to leave. */
function penaltiesOf<S extends Schema>(
  { plan }: Rounds<S, AimPlan<S>>,
  { counts, total }: Belief,
  spend: Rational,
): Float64Array {
  const { resolved } = plan.parts;
  const { law, budget, sensitivity } = noiseOf(resolved, spend);
  const variance = law === "laplace" ? 2 * (sensitivity / budget) ** 2 : sensitivity ** 2 / (2 * budget);
  const terms = { law, variance, total, worth: resolved.priorStrength };
  return Float64Array.from(counts, (cells) => expectedError(cells, terms));
}

/** What is public of a round. */
export interface Terms {
  readonly law: "laplace" | "gaussian";
  /** Of the noise in each answer. */
  readonly variance: number;
  /** Records in all, as far as is known. */
  readonly total: number;
  /** How many records the prior is worth; 0 where there is none. */
  readonly worth: number;
}

/**
 * The L1 error that is expected to be left of one candidate once it is measured, in records. AIM subtracts the expected L1 norm of the
 * noise, √(2/π)·σ for each cell, or b; but the estimate weighs an answer against the model, so that less is left: where the model is off by a variance of s
 * in a cell, an answer of variance v leaves s·v/(s + v). A count c of which nothing but the model says anything may be off by as much as itself, s = c + c²;
 * a prior of W records of the same population leaves s = c·(1 + n/W) out of n.
 */
export function expectedError(counts: Float64Array, { law, variance, total, worth }: Terms): number {
  let sum = 0;
  for (const count of counts) {
    if (count <= 0) continue;
    const spread = count * (1 + Math.min(count, total / worth));
    sum += Math.sqrt((spread * variance) / (spread + variance));
  }
  return MEAN[law] * sum;
}

/** E|x| of noise x of variance 1. */
const MEAN = { laplace: Math.SQRT1_2, gaussian: Math.sqrt(2 / Math.PI) } as const;

/** How far apart two models are in one candidate, in L1. */
function distance(one: Belief, other: Belief, place: number): number {
  const [a, b] = [one.counts[place] as Float64Array, other.counts[place] as Float64Array];
  return a.reduce((sum, count, cell) => sum + Math.abs(count - (b[cell] as number)), 0);
}

/** The model of all answers so far, by what it says of each candidate. */
async function believed<S extends Schema>(
  { plan, start, watch }: Rounds<S, AimPlan<S>>,
  measurements: readonly Measurement[],
): Promise<Belief> {
  const { choices, resolved } = plan.parts;
  const { seed, tolerance, total: known, expectedRows } = resolved;
  const total = measurements.length > 0 ? known : (known ?? expectedRows);
  const rough = { ...resolved, total, tolerance: Math.max(tolerance, ROUGH) };
  // A model that would be refused as a release still says where to look.
  const request = { prior: start, measurements, keepRefused: true, seed };
  using estimated = await estimateBy(rough, request, watch.stage);
  const { model } = estimated;
  return { total: model.total, counts: await model.answer(choices.candidates, watch.stage("estimate")) };
}
