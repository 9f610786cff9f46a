import { aborted } from "../../engine/failure.js";
import { type CalibratedOptions, estimate } from "../../estimate/estimate.js";
import type { CalibratedEstimate, EstimateAborted } from "../../estimate/outcome.js";
import type { Prior } from "../../estimate/prior.js";
import type { Measurement } from "../../measurement.js";
import type { Sealed } from "../../privacy/sealed.js";
import type { NameOf, Schema } from "../../tables/schema.js";
import { type Account, STEP } from "./account.js";
import { expectedError } from "./penalty.js";
import type { AdaptivePlan, PlannedRound } from "./plan.js";
import { selection } from "./planning.js";
import type { Watch } from "./stage.js";

/** What rounds are run with. */
export interface Running<S extends Schema> {
  readonly plan: AdaptivePlan<S>;
  readonly sealed: Sealed<S>;
  readonly account: Account<S>;
  /** The public start, for estimates. */
  readonly start: Prior<S>;
  readonly watch: Watch;
}

/** Chooses and measures, round after round; gives all answers. What the ledger has is taken from there. */
export async function measured<S extends Schema>(running: Running<S>): Promise<Measurement[]> {
  const { plan, watch } = running;
  const answers = await before(running);
  const times = new Uint32Array(plan.parts.asked.candidates.length);
  for (const round of plan.rounds) {
    watch.enter(round.round);
    const place = await chosen(running, round, { answers, times });
    if (place === undefined) continue;
    const found = await answered(running, round, place);
    if (found === undefined) continue;
    answers.push(...found);
    times[place] = (times[place] as number) + 1;
  }
  return answers;
}

/** What is measured before the first round. */
async function before<S extends Schema>({ plan, account, ...running }: Running<S>): Promise<Measurement[]> {
  const { asked } = plan.parts;
  if (!asked.start) return [];
  return (await measure({ plan, account, ...running }, STEP.start, [...asked.start])) ?? [];
}

/** What is known when a round begins. */
interface Known {
  readonly answers: readonly Measurement[];
  /** How often each candidate was measured. */
  readonly times: Uint32Array;
}

/** The candidate that a round measures; none where the choice was paid and lost. */
async function chosen<S extends Schema>(
  running: Running<S>,
  round: PlannedRound,
  known: Known,
): Promise<number | undefined> {
  const { plan, sealed, account, watch } = running;
  const { asked, split } = plan.parts;
  const step = STEP.select(round.round);
  const entry = account.entry(step);
  if (entry) return entry.state === "lost" ? undefined : account.chosen(entry, asked.candidates.length);
  const belief = await believed(running, known.answers);
  watch.begins("select");
  const { place } = await sealed.select({
    ...selection(asked, split),
    answers: joined(belief.counts),
    penalties: penalties(round, belief, { times: known.times, worth: asked.settled.priorStrength }),
    label: account.named(step),
    ...(watch.signal && { signal: watch.signal }),
  });
  return place;
}

/** The answers to what was chosen; none where they were paid and lost. */
async function answered<S extends Schema>(
  running: Running<S>,
  { round }: PlannedRound,
  place: number,
): Promise<Measurement[] | undefined> {
  return measure(running, STEP.measure(round), [running.plan.parts.asked.candidates.clique(place)]);
}

async function measure<S extends Schema>(
  { plan, sealed, account, watch }: Running<S>,
  step: string,
  cliques: readonly (readonly NameOf<S>[])[],
): Promise<Measurement[] | undefined> {
  const entry = account.entry(step);
  if (entry) return entry.state === "lost" ? undefined : account.answered(entry, cliques);
  const { asked, split } = plan.parts;
  const { law } = asked.settled;
  watch.begins("measure");
  return sealed.measure(
    cliques.map((clique) => ({ clique, spend: split.measure, law })),
    { label: account.named(step), ...(watch.signal && { signal: watch.signal }) },
  );
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

/** What the public believes the counts of each candidate to be, in records, and how many there are in all. */
interface Believed {
  readonly counts: readonly Float64Array[];
  readonly total: number;
}

/** The prior as it is where nothing was answered yet; else the estimate from all answers. */
async function believed<S extends Schema>(
  { plan, start, watch }: Running<S>,
  answers: readonly Measurement[],
): Promise<Believed> {
  const { asked, prepared } = plan.parts;
  const { settled, candidates } = asked;
  const stage = watch.stage("estimate");
  if (answers.length === 0) {
    const total = settled.total ?? settled.expectedRows;
    const cells = await prepared.table.answer(candidates, stage);
    const weight = (cells[0] as Float64Array).reduce((sum, one) => sum + one, 0);
    return { total, counts: cells.map((part) => part.map((one) => (one / weight) * total)) };
  }
  // A model that would be refused as a release still says where to look.
  const options = { ...calibration(plan, start, answers), keepRefused: true, seed: settled.seed };
  using estimated = await calibrated(options, watch);
  const { model } = estimated;
  return { total: model.total, counts: await model.answer(candidates, stage) };
}

/** All parts in one. */
function joined(parts: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** How all estimates of a plan are asked for. */
export function calibration<S extends Schema>(
  { parts: { asked } }: AdaptivePlan<S>,
  prior: Prior<S>,
  measurements: readonly Measurement[],
): CalibratedOptions<S> {
  const { strength, tolerance, total } = asked.settled;
  return { prior, measurements, strength, tolerance, ...(total !== undefined && { total }) };
}

/** Estimates; of an aborted estimate nothing stays. */
export async function calibrated<S extends Schema>(
  options: CalibratedOptions<S>,
  { stage, signal }: Watch,
): Promise<CalibratedEstimate<S>> {
  try {
    return await estimate.calibrated({ ...options, ...stage("estimate") });
  } catch (error) {
    const { partial } = Object(error) as Partial<EstimateAborted<S>>;
    if (partial === undefined || signal === undefined) throw error;
    partial.dispose();
    throw aborted(signal);
  }
}
