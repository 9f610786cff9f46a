import { aborted } from "./failure.js";
import { type CallOptions, call, module as load } from "./index.js";
import type { ExactSolver, TwoStageEstimate, TwoStageProblem } from "./operations/lp.js";

/** Calls with the exact solver, `pkg/lp`, which is loaded with the first such call, and with what ends it. */
export async function withExactSolver<T>(
  signal: AbortSignal | undefined,
  then: (lp: ExactSolver) => Promise<T>,
): Promise<T> {
  const module = await load("lp");
  if (signal?.aborted) throw aborted(signal);
  const stop = signal === undefined ? undefined : flag();
  const raise = () => stop !== undefined && Atomics.store(stop, 0, 1);
  signal?.addEventListener("abort", raise);
  try {
    return await then({ module, stop });
  } finally {
    signal?.removeEventListener("abort", raise);
  }
}

/**
 * Solves a small problem exactly. An abort is felt after an iteration where memory can be shared with the worker (Node, and
 * pages that are cross-origin isolated), otherwise after a stage.
 */
export const solveTwoStage = (
  problem: TwoStageProblem,
  options: Pick<CallOptions, "signal" | "onProgress"> = {},
): Promise<TwoStageEstimate> =>
  withExactSolver(options.signal, (lp) => call("lp.solve", { ...problem, ...lp }, options));

/** A number that both sides see at once. */
function flag(): Int32Array | undefined {
  const shared = globalThis.crossOriginIsolated !== false && typeof SharedArrayBuffer !== "undefined";
  return shared ? new Int32Array(new SharedArrayBuffer(4)) : undefined;
}
