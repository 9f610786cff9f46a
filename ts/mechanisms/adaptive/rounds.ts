import { joined } from "../../estimate/wire.js";
import type { Measurement } from "../../measurement.js";
import type { Schema } from "../../tables/schema.js";
import { estimateBy } from "../kit/estimating.js";
import { lost, measureIn, type PlannedRound, type Rounds, STEP } from "../kit/rounds.js";
import type { AdaptivePlan } from "./plan.js";
import { selection } from "./resolved.js";

/** Chooses and measures, round after round; gives all answers. What the ledger has is taken from there. */
export async function measured<S extends Schema>(rounds: Rounds<S, AdaptivePlan<S>>): Promise<Measurement[]> {
  const { plan, watch } = rounds;
  const { start, candidates } = plan.parts.choices;
  const spend = plan.parts.split.measure;
  const answers = start ? await measureIn(rounds, STEP.start, start, spend) : [];
  const times = new Uint32Array(candidates.length);
  for (const round of plan.rounds) {
    watch.enter(round.round);
    const place = await chosen(rounds, round, { answers, times });
    if (place === undefined) continue;
    const found = await measureIn(rounds, STEP.measure(round.round), [candidates.clique(place)], spend);
    if (found.length === 0) continue;
    answers.push(...found);
    times[place] = (times[place] as number) + 1;
  }
  if (answers.length > 0) return answers;
  throw lost();
}

/** What is known when a round begins. */
interface Known {
  readonly answers: readonly Measurement[];
  /** How often each candidate was measured. */
  readonly times: Uint32Array;
}

/** The candidate that a round measures; none where the choice was paid and lost. */
async function chosen<S extends Schema>(
  rounds: Rounds<S, AdaptivePlan<S>>,
  round: PlannedRound,
  { answers, times }: Known,
): Promise<number | undefined> {
  const { plan, run, watch } = rounds;
  const { choices, split, resolved } = plan.parts;
  const step = STEP.select(round.round);
  if (run.entry(step)?.state === "lost") return undefined;
  const ask = async () => {
    const belief = await believed(rounds, answers);
    const worth = resolved.priorStrength;
    watch.begins("select");
    const terms = { answers: joined(belief.counts), penalties: penalties(round, belief, { times, worth }) };
    return { ...selection(choices, split), ...terms };
  };
  return run.select(ask, choices.candidates.length, { step, signal: watch.signal });
}

/**
 * What is subtracted from the distance of each candidate: the error that measuring it would leave. The mean of k + 1
 * answers has 1/(k + 1) of the variance of one, so that measuring again pays where noise is what is wrong.
 */
function penalties(
  { measure }: PlannedRound,
  { counts, total }: Believed,
  { times, worth }: { times: Uint32Array; worth: number },
): Float64Array {
  return Float64Array.from(counts, (cells, i) =>
    expectedError(cells, { variance: measure.variance / ((times[i] as number) + 1), total, worth }),
  );
}

/** What is public of a round. */
export interface Terms {
  /** Of the noise in each answer. */
  readonly variance: number;
  /** Records in all, as far as is known. */
  readonly total: number;
  /** How many records the prior is worth. */
  readonly worth: number;
}

/**
 * The L1 error that is expected to be left of one candidate once it is measured, in records. AIM subtracts the expected L1
 * norm of the noise; here an answer is weighed against a prior, so that less is left: where a cell of c records out of n
 * is off by a variance of s = c·(1 − c/n)·(1 + n/W), as a prior of W records of the same population leaves it, an answer of
 * variance v leaves s·v/(s + v). Never more than AIM's for normal noise, and as much where the prior is worth nothing.
 */
export function expectedError(counts: Float64Array, { variance, total, worth }: Terms): number {
  let sum = 0;
  for (const count of counts) {
    // No row can meet what is asked of a cell without any.
    if (count <= 0) continue;
    const spread = count * Math.max(0, 1 - count / total) * (1 + total / worth);
    sum += Math.sqrt((spread * variance) / (spread + variance));
  }
  return Math.sqrt(2 / Math.PI) * sum;
}

/** What the public believes the counts of each candidate to be, in records, and how many there are in all. */
interface Believed {
  readonly counts: readonly Float64Array[];
  readonly total: number;
}

/** The prior as it is where nothing was answered yet; else the estimate from all answers. */
async function believed<S extends Schema>(
  { plan, start, watch }: Rounds<S, AdaptivePlan<S>>,
  answers: readonly Measurement[],
): Promise<Believed> {
  const { choices, prepared, resolved } = plan.parts;
  const { candidates } = choices;
  const stage = watch.stage("estimate");
  if (answers.length === 0) {
    const total = resolved.total ?? resolved.expectedRows;
    const cells = await prepared.table.answer(candidates, stage);
    const weight = (cells[0] as Float64Array).reduce((sum, one) => sum + one, 0);
    return { total, counts: cells.map((part) => part.map((one) => (one / weight) * total)) };
  }
  // A model that would be refused as a release still says where to look.
  const request = { prior: start, measurements: answers, keepRefused: true, seed: resolved.seed };
  using estimated = await estimateBy(resolved, request, watch.stage);
  const { model } = estimated;
  return { total: model.total, counts: await model.answer(candidates, stage) };
}
