import { aborted } from "./failure.js";
import { type CallOptions, call, module } from "./index.js";
import type { TwoStageEstimate, TwoStageProblem } from "./operations/lp.js";

const MOST = 4_000_000;

/**
 * Whether a problem of so many rows with prior mass and cells that they lie in is one for `pkg/lp`: it takes about a
 * second. Beyond, the interior point of the L1 loss at a large price is faster (docs/adr/0005-two-stage.md).
 */
export function isSmall(rows: number, cells: number): boolean {
  return rows * cells <= MOST;
}

/**
 * Solves a small problem exactly by `pkg/lp`, which is loaded with the first such call. An abort is felt after an
 * iteration where memory can be shared with the worker (Node, and pages that are cross-origin isolated), otherwise
 * after a stage.
 */
export async function solveTwoStage(
  problem: TwoStageProblem,
  options: Pick<CallOptions, "signal" | "onProgress"> = {},
): Promise<TwoStageEstimate> {
  const { signal } = options;
  const solver = await module("lp");
  if (signal?.aborted) throw aborted(signal);
  const stop = signal === undefined ? undefined : flag();
  const raise = () => stop !== undefined && Atomics.store(stop, 0, 1);
  signal?.addEventListener("abort", raise);
  try {
    return await call("lp.solve", { ...problem, module: solver, stop }, options);
  } finally {
    signal?.removeEventListener("abort", raise);
  }
}

/** A number that both sides see at once. */
function flag(): Int32Array | undefined {
  const shared = globalThis.crossOriginIsolated !== false && typeof SharedArrayBuffer !== "undefined";
  return shared ? new Int32Array(new SharedArrayBuffer(4)) : undefined;
}
