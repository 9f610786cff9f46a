import { call, type Handle, open } from "../engine/index.js";
import { withExactSolver } from "../engine/lp.js";
import type { WireLoss, Outcome as WireOutcome } from "../engine/operations/estimate.js";
import { MarginaliaError } from "../errors.js";
import type { Measurement } from "../measurement.js";
import type { CallSettings } from "../tables/read.js";
import type { Schema } from "../tables/schema.js";
import { seedOf } from "./checks.js";
import type { Model } from "./model.js";
import type { EstimateParts, Outside } from "./outcome.js";
import type { Prior } from "./prior.js";
import type { WireRule } from "./rules.js";
import { wireMeasurements } from "./wire.js";

/** What is estimated, and by which estimator with which options of its own. */
export interface EstimateRequest<S extends Schema> extends CallSettings {
  estimator: string;
  /** The kind of its models, where they are not on rows. */
  kind?: string;
  own: object;
  /** What it starts from: a prior, and a model on it where that is not to be the prior itself; or a schema, of which a prior may know
   * a part only. */
  from:
    | { prior: Prior<S>; start?: Model<S> | undefined }
    | { schema: S; prior?: Prior | undefined; start?: Model<S> | undefined };
  measurements: readonly Measurement[];
  /** Whether it takes measurements of every cell only. */
  cells: boolean;
  total?: number | undefined;
  seed?: string | number | undefined;
  timeLimit?: number | undefined;
  /** Whether a small problem goes to the exact solver. */
  exact?: boolean;
  /** What can be. */
  rules?: readonly WireRule[];
  /** The caller's own loss, of the counts of its cliques one after another. */
  loss?: ((counts: Float64Array) => WireLoss) | undefined;
}

/** The outcome of an estimation, and the model's handle. */
export type Outcome = WireOutcome & { handle: Handle };

/** Runs an estimation; an aborted one is rejected with the best estimate so far. */
export async function run<S extends Schema, E>(
  request: EstimateRequest<S>,
  estimated: (outcome: Outcome) => E,
): Promise<E> {
  const { signal, onProgress, timeLimit = Number.POSITIVE_INFINITY, exact = false } = request;
  const begun = performance.now();
  const how = beginning(request);
  const made = ([handle, { outcome }]: [Handle, { outcome: WireOutcome }]) =>
    estimated({ ...outcome, handle });
  // Messages to and fro take as long as a small estimate.
  if (!signal && !onProgress && request.timeLimit === undefined && !exact && !request.loss)
    return made(await open("estimate.whole", ...how));
  const [job] = await open("estimate.open", ...how);
  using _ = job;
  const finish = async () => made(await open("estimate.finish", undefined, { on: job }));
  try {
    const progress =
      onProgress &&
      (({ done, total }: { done: number; total?: number }) => onProgress(total ? { done, total } : { done }));
    const settings = { on: job, signal, onProgress: progress };
    let loss: WireLoss | undefined;
    const left = () => Math.max(0, timeLimit - (performance.now() - begun));
    let run = await call("estimate.run", { timeLimit: left() }, settings);
    for (; typeof run === "object"; run = await call("estimate.run", { timeLimit: left(), loss }, settings))
      loss = request.loss?.(run);
    if (!run) {
      await withExactSolver(signal, (lp) => call("estimate.run", { timeLimit: left(), lp }, settings));
    }
  } catch (error) {
    if (!(error instanceof MarginaliaError && error.code === "ABORTED")) throw error;
    // Before the cells of rows are known there is no model yet.
    const partial = await finish().catch(() => undefined);
    throw partial === undefined ? error : Object.defineProperty(error, "partial", { value: partial });
  }
  return finish();
}

function beginning<S extends Schema>(request: EstimateRequest<S>) {
  const { estimator, kind = "support", own, from, measurements, cells, total, seed, exact = false } = request;
  const schema = "schema" in from ? from.schema : from.prior.schema;
  const wire = wireMeasurements(schema, measurements, cells);
  const options = JSON.stringify({
    estimator,
    options: own,
    public: from.prior?.strength ?? 0,
    total: total ?? null,
    seed: seedOf(seed),
    outside: exact || request.loss !== undefined,
    rules: request.rules ?? [],
  });
  const args = { ...wire, options, kind, ...("schema" in from && { schema: schema.normal() }) };
  const start = from.start ? [from.start.handle] : [];
  const on = [...(from.prior ? [from.prior.handle] : []), ...start];
  const how = { on, transfer: [wire.values.buffer] };
  return [{ ...args, onPrior: from.prior !== undefined, started: start.length > 0 }, how] as const;
}

/** What belongs to an estimate of any estimator. */
export function parts<S extends Schema, Step, M extends Model<S>>(
  measurements: readonly Measurement[],
  { status, total, missing }: Outcome,
  own: { trace: readonly Step[]; kept?: boolean; model: (total: number) => M },
): EstimateParts<Step, M> {
  const { trace, kept = true, model } = own;
  const outside = measurements.map(({ clique, noise }, i): Outside => {
    const { answers, records } = missing[i] as { answers: number; records: number };
    return { clique, answers, records, variance: answers * noise.variance };
  });
  // A total that was estimated may be below zero; a model stands for one record at least.
  return { status, trace, total, outside, model: model(Math.max(total.records, 1)), kept };
}

/** When each judgement was made; what finishing judges was not seen before. */
export const millisecondsOf = ({ times }: Outcome, i: number): number => times[i] ?? times.at(-1) ?? 0;
