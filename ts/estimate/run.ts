import { call, type Handle, open } from "../engine/index.js";
import type { Asked, Outcome } from "../engine/operations/estimate.js";
import { MarginaliaError } from "../errors.js";
import { invalid, isObject, known } from "../options.js";
import { key } from "../seed.js";
import type { Schema } from "../tables/schema.js";
import { asked } from "./asked.js";
import type { Admit, CalibratedOptions, EstimateOptions, IterativeOptions, StepOptions } from "./estimate.js";
import { Model } from "./model.js";
import {
  CalibratedEstimate,
  type CalibratedStep,
  Estimate,
  type EstimateParts,
  type IterativeStep,
  type Outside,
} from "./outcome.js";
import type { Evidence } from "./spread.js";

/** What a calibrated estimate knows beside its model. */
interface Known {
  strength?: number;
  evidence?: Omit<Evidence, "total"> | undefined;
}

export const SHARED = ["prior", "measurements", "total", "seed", "timeLimit", "signal", "onProgress"];
const CALIBRATED = [...SHARED, "loss", "strength", "tolerance", "passes", "keepRefused"];
const ITERATIVE = [...SHARED, "start", "order", "steps", "damping", "choice", "tolerance", "every"];
const STEP = ["prior", "measurement", "start", "choice", "total", "signal", "onProgress"];

/** See `estimate.calibrated`. */
export async function calibrated<S extends Schema>(
  options: CalibratedOptions<S>,
  admit: Admit,
): Promise<CalibratedEstimate<S>> {
  checked(options, CALIBRATED, "estimate.calibrated");
  const { prior, measurements, loss = "l2", keepRefused = false } = options;
  const { tolerance = 1e-6, passes = 20_000, strength = "coupledBootstrap" } = options;
  one("loss", loss, ["l2", "l1"]);
  if (typeof strength === "number") above("strength", strength);
  else one("strength", strength, ["harmonic", "coupledBootstrap"]);
  above("tolerance", tolerance);
  whole("passes", passes);
  if (loss === "l1" && measurements.some(({ noise }) => noise?.law !== "laplace"))
    throw invalid('`loss: "l1"` is for Laplace noise: leave it out, "l2" takes both');
  const how = { loss, strength, public: prior.strength, tolerance, passes, ...common(options) };
  const admitted = admit(measurements);
  const question = { ...asked(prior.schema, admitted, true), options: JSON.stringify(how) };
  return run(options, "calibrated", question, prior.handle, (handle, outcome) => {
    const figures = outcome.figures as unknown as Ten;
    const [, , n0, z, gap, relativeGap, value, bound, relativeEntropy, flatness] = figures;
    const trace = steps(outcome).map(([passes, value, gap, relativeEntropy, milliseconds]) => {
      return { passes, value, gap, relativeEntropy, milliseconds };
    });
    const evidence = loss === "l2" ? { measurements: admitted, strength: n0 } : undefined;
    return new CalibratedEstimate(
      parts<S, CalibratedStep>(options, handle, outcome, trace, keepRefused, { strength: n0, evidence }),
      {
        certificate: { gap, relativeGap, value, bound, relativeEntropy },
        strength: n0,
        consistency: Number.isNaN(z) ? undefined : z,
        flatness,
      },
    );
  });
}

type Ten = [number, number, number, number, number, number, number, number, number, number];

/** See `estimate.iterative`. */
export async function iterative<S extends Schema>(
  options: IterativeOptions<S>,
  admit: Admit,
): Promise<Estimate<S, IterativeStep>> {
  checked(options, ITERATIVE, "estimate.iterative");
  const { prior, measurements, start, order = "sweeps", damping = 0.3, choice = "kl" } = options;
  const { steps: most = 20 * measurements.length, tolerance = 1e-4 } = options;
  const { every = Math.max(1, measurements.length) } = options;
  one("order", order, ["sweeps", "random", "worst"]);
  one("choice", choice, ["kl", "rescale", "euclidean"]);
  if (!(damping > 0 && damping <= 1)) throw invalid("`damping` is above 0 and at most 1");
  if (!(tolerance >= 0)) throw invalid("`tolerance` is 0 or above");
  whole("steps", most);
  if (!(Number.isSafeInteger(every) && every >= 1))
    throw invalid("`every` is a whole number of steps, from 1");
  if (start !== undefined && start.prior !== prior)
    throw invalid("`start` must be a model on the same `prior`");
  const how = { order, damping, choice, steps: most, tolerance, every, ...common(options) };
  const question = { ...asked(prior.schema, admit(measurements), false), options: JSON.stringify(how) };
  const [own] = start ? [] : await open("model.open", { total: 1 }, { on: prior.handle });
  using _ = own;
  const from = start?.handle ?? (own as Handle);
  return await run(options, "iterative", question, from, (handle, outcome) => {
    const trace = steps(outcome).map(([steps, loss, , relativeEntropy, milliseconds]) => {
      return { steps, loss, relativeEntropy, milliseconds };
    });
    return new Estimate(parts<S, IterativeStep>(options, handle, outcome, trace, true));
  });
}

/** See `estimate.step`. */
export async function step<S extends Schema>(
  options: StepOptions<S>,
  admit: Admit,
): Promise<Estimate<S, IterativeStep>> {
  if (!isObject(options)) throw invalid("estimate.step needs { prior, measurement }");
  known(options, STEP, "estimate.step");
  const { measurement, ...rest } = options;
  return iterative({ ...rest, measurements: [measurement], steps: 1, damping: 1, tolerance: 0 }, admit);
}

/** Runs an estimation; an aborted one is rejected with the best estimate so far. */
async function run<S extends Schema, E>(
  { signal, onProgress, timeLimit }: EstimateOptions<S>,
  estimator: "calibrated" | "iterative",
  question: Asked,
  on: Handle,
  estimated: (handle: Handle, outcome: Outcome) => E,
): Promise<E> {
  const how = { on, transfer: [question.values.buffer] };
  // Messages to and fro take as long as a small estimate.
  if (signal === undefined && onProgress === undefined && timeLimit === undefined)
    return estimated(...(await open(`${estimator}.whole`, question, how)));
  const [job] = await open(`${estimator}.open`, question, how);
  using _ = job;
  const finish = async () => {
    const [handle, outcome] = await open("estimate.finish", undefined, { on: job });
    return estimated(handle, outcome);
  };
  try {
    const progress = onProgress && (({ done }: { done: number }) => onProgress({ done }));
    await call(
      "estimate.run",
      { timeLimit: timeLimit ?? Number.POSITIVE_INFINITY },
      { on: job, signal, onProgress: progress },
    );
  } catch (error) {
    if (!(error instanceof MarginaliaError && error.code === "ABORTED")) throw error;
    // Before the cells of rows are known there is no model yet.
    const partial = await finish().catch(() => undefined);
    throw partial === undefined ? error : Object.defineProperty(error, "partial", { value: partial });
  }
  return finish();
}

function parts<S extends Schema, Step>(
  { prior, measurements }: EstimateOptions<S>,
  handle: Handle,
  { status, figures, missing }: Outcome,
  trace: readonly Step[],
  kept: boolean,
  { strength, evidence }: Known = {},
): EstimateParts<S, Step> {
  const [records, variance] = figures as unknown as [number, number];
  const outside = measurements.map(({ clique, noise }, i): Outside => {
    const [answers, sum] = missing.subarray(2 * i) as unknown as [number, number];
    return { clique, answers, records: sum, variance: answers * noise.variance };
  });
  // A total that was estimated may be below zero; a model stands for one record at least.
  const [total, stands] = [{ records, variance }, Math.max(records, 1)];
  const model = new Model<S>(handle, {
    prior,
    total: stands,
    ...(strength !== undefined && { strength: strength + stands }),
    ...(evidence && { evidence: { ...evidence, total } }),
  });
  return { status, trace, total, outside, model, kept };
}

/** The judgements: where, the value, the gap, the entropy, when. */
function steps({ trace, times }: Outcome): [number, number, number, number, number][] {
  return Array.from({ length: trace.length / 4 }, (_, i) => {
    const [at, value, gap, entropy] = trace.subarray(4 * i) as unknown as [number, number, number, number];
    // What finishing judges was not seen before.
    return [at, value, gap, entropy, times[i] ?? times.at(-1) ?? 0];
  });
}

export function checked<S extends Schema>(
  options: EstimateOptions<S>,
  names: readonly string[],
  of: string,
): void {
  if (!isObject(options)) throw invalid(`${of} needs { prior, measurements }`);
  known(options, names, of);
  const { prior, measurements, total, timeLimit } = options;
  // Of whichever copy of the package.
  if (!isObject(prior) || !("handle" in prior)) throw invalid(`${of} needs a \`prior\`: await prior(table)`);
  if (!Array.isArray(measurements)) throw invalid(`${of} needs a list of \`measurements\``);
  if (total !== undefined && !(Number.isFinite(total) && total >= 0))
    throw invalid("`total` is a number of records, 0 or above");
  if (timeLimit !== undefined && !(timeLimit >= 0))
    throw invalid("`timeLimit` is in milliseconds, 0 or above");
}

export const common = ({ total, seed = "marginalia" }: { total?: number; seed?: string | number }) => {
  return { total, seed: `${key(seed, "estimate")}` };
};

export function one(name: string, value: unknown, of: readonly string[]): void {
  if (!of.includes(value as string)) throw invalid(`\`${name}\` is one of ${of.join(", ")}`);
}

export function above(name: string, value: number): void {
  if (!(Number.isFinite(value) && value > 0)) throw invalid(`\`${name}\` is a number above 0`);
}

function whole(name: string, value: number): void {
  if (!(Number.isSafeInteger(value) && value >= 0))
    throw invalid(`\`${name}\` is a whole number, 0 or above`);
}
