import { call, type Handle, open } from "../engine/index.js";
import { isSmall, solveTwoStage } from "../engine/lp.js";
import type { TwoStageOutcome } from "../engine/operations/two-stage.js";
import { MarginaliaError } from "../errors.js";
import type { Schema } from "../tables/schema.js";
import { asked } from "./asked.js";
import type { Admit, TwoStageOptions } from "./estimate.js";
import { Model } from "./model.js";
import {
  type EstimateParts,
  type EstimateStatus,
  type Outside,
  type TwoStageCertificate,
  TwoStageEstimate,
  type TwoStageSolver,
  type TwoStageStep,
  type Unmet,
} from "./outcome.js";
import { above, checked, common, one, SHARED } from "./run.js";

const OPTIONS = [...SHARED, "target", "entropy", "tolerance", "solver", "keepRefused"];
/** Iterations of each stage of the exact solver; more never helped. */
const ITERATIONS = 200;

type Target = "loss" | "lp" | "answers";

/** A problem whose cells of rows are known. */
interface Task<S extends Schema> {
  handle: Handle;
  options: TwoStageOptions<S>;
  target: Target;
  tolerance: number;
  /** As `about` of the engine's task has them. */
  about: Float64Array;
  start: number;
}

/** See `estimate.twoStage`. */
export async function twoStage<S extends Schema>(
  options: TwoStageOptions<S>,
  admit: Admit,
): Promise<TwoStageEstimate<S>> {
  checked(options, OPTIONS, "estimate.twoStage");
  const { prior, measurements, target = "loss", entropy = true, tolerance = 1e-6, solver } = options;
  const { signal, onProgress } = options;
  one("target", target, ["loss", "lp", "answers"]);
  if (solver !== undefined) one("solver", solver, ["exact", "interior"]);
  if (typeof entropy !== "boolean") throw new MarginaliaError("OPTION_INVALID", "`entropy` is true or false");
  if (solver !== undefined && !entropy) {
    const message = "`solver` is of both stages: leave it out where `entropy` is false";
    throw new MarginaliaError("OPTION_INVALID", message);
  }
  above("tolerance", tolerance);
  const how = JSON.stringify({ tolerance, entropy, ...common(options) });
  const question = { ...asked(prior.schema, admit(measurements), true), options: how };
  const start = performance.now();
  const [handle, about] = await open("twoStage.open", question, { on: prior.handle, signal, onProgress });
  using _ = handle;
  const task = { handle, options, target, tolerance, about, start };
  const [rows, cells] = about as unknown as [number, number];
  if (!entropy) return await atAnySize(task, "pdhg");
  const small = solver === undefined ? isSmall(rows, cells) : solver === "exact";
  return await (small ? exact(task) : atAnySize(task, "interior"));
}

/**
 * By `pkg/lp`. What it had found when its time was up is not known, so the interior point gives its first point then. It also
 * takes over what the limit of memory does not hold, which `pkg/lp` knows before it begins, and what `pkg/lp` cannot solve to the
 * tolerance: answers that agree to seven digits and no more.
 */
async function exact<S extends Schema>(task: Task<S>): Promise<TwoStageEstimate<S>> {
  const { handle, target, tolerance, options } = task;
  const limit = timeLeft(task);
  const problem = await call("twoStage.small", undefined, { on: handle });
  const settings = { target, tolerance, iterations: ITERATIONS };
  const ended = new AbortController();
  const end = () => ended.abort(options.signal?.reason);
  const timer = Number.isFinite(limit) ? setTimeout(end, limit) : undefined;
  options.signal?.addEventListener("abort", end);
  try {
    const how = { signal: ended.signal, onProgress: options.onProgress };
    const found = await solveTwoStage({ ...problem, ...settings }, how);
    if (found.status === "limit" && options.solver === undefined) return await atAnySize(task, "interior");
    const [model] = await open("twoStage.model", { weights: found.q }, { on: handle });
    const { loss, lossGap, kl: relativeEntropy, klGap: entropyGap, relativeGap, unsupported } = found;
    const certificate = { loss, lossGap, relativeEntropy, entropyGap, relativeGap, unsupported };
    const milliseconds = performance.now() - task.start;
    const trace = [{ passes: found.iterations, loss, relativeEntropy, milliseconds }];
    const status = found.status === "limit" && relativeGap > 0.1 ? "refused" : found.status;
    return estimated(task, model, { status, unmet: found.reason, certificate, trace, solver: "exact" });
  } catch (error) {
    const late = ended.signal.aborted && !options.signal?.aborted;
    const large = error instanceof MarginaliaError && error.code === "OUT_OF_MEMORY";
    if (!late && !(large && options.solver === undefined)) throw error;
    return atAnySize(task, "interior");
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener("abort", end);
  }
}

/** By what the core has; an aborted one is rejected with the best estimate so far. */
async function atAnySize<S extends Schema>(
  task: Task<S>,
  solver: "interior" | "pdhg",
): Promise<TwoStageEstimate<S>> {
  const { handle, options, target } = task;
  const { signal, onProgress } = options;
  const [job] = await open("twoStage.begin", undefined, { on: handle });
  using _ = job;
  const finish = async () => {
    const [model, outcome] = await open("twoStage.finish", undefined, { on: job });
    const unmet = outcome.reason;
    const status = target === "answers" && unmet !== undefined ? "infeasible" : outcome.status;
    const { certificate, trace } = named(outcome);
    return estimated(task, model, { status, unmet, certificate, trace, solver });
  };
  try {
    const progress = onProgress && (({ done }: { done: number }) => onProgress({ done }));
    await call("twoStage.run", { timeLimit: timeLeft(task) }, { on: job, signal, onProgress: progress });
  } catch (error) {
    if (!(error instanceof MarginaliaError && error.code === "ABORTED")) throw error;
    const partial = await finish().catch(() => undefined);
    throw partial === undefined ? error : Object.defineProperty(error, "partial", { value: partial });
  }
  return finish();
}

function named({ figures, trace, times }: TwoStageOutcome) {
  const [loss, lossGap, relativeEntropy, entropyGap, relativeGap, unsupported] = figures as unknown as Six;
  const steps = Array.from({ length: trace.length / 4 }, (_, i): TwoStageStep => {
    const [passes, , loss, relativeEntropy] = trace.subarray(4 * i) as unknown as Six;
    return { passes, loss, relativeEntropy, milliseconds: times[i] ?? times.at(-1) ?? 0 };
  });
  const certificate = { loss, lossGap, relativeEntropy, entropyGap, relativeGap, unsupported };
  return { certificate, trace: steps };
}

type Six = [number, number, number, number, number, number];

const timeLeft = <S extends Schema>({ options, start }: Task<S>): number =>
  Math.max(0, (options.timeLimit ?? Number.POSITIVE_INFINITY) - (performance.now() - start));

interface Found {
  status: EstimateStatus;
  unmet: Unmet | undefined;
  certificate: TwoStageCertificate;
  trace: readonly TwoStageStep[];
  solver: TwoStageSolver;
}

function estimated<S extends Schema>(
  { options, about }: Task<S>,
  handle: Handle,
  { status, trace, ...own }: Found,
): TwoStageEstimate<S> {
  const { prior, measurements, keepRefused = false } = options;
  const [, , records, variance] = about as unknown as Six;
  const outside = measurements.map(({ clique, noise }, i): Outside => {
    const [answers, sum] = about.subarray(4 + 2 * i) as unknown as Six;
    return { clique, answers, records: sum, variance: answers * noise.variance };
  });
  const model = new Model<S>(handle, { prior, total: Math.max(records, 1) });
  const total = { records, variance };
  const parts: EstimateParts<S, TwoStageStep> = { status, trace, total, outside, model, kept: keepRefused };
  return new TwoStageEstimate(parts, own);
}
