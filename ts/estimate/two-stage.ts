import { invalid } from "../options.js";
import type { Schema } from "../tables/schema.js";
import { above, checked, one, SHARED } from "./checks.js";
import type { Admit, TwoStageOptions } from "./estimate.js";
import { TwoStageEstimate, type TwoStageStep } from "./outcome.js";
import { millisecondsOf, parts, run } from "./run.js";
import { SupportModel } from "./support.js";

const OPTIONS = [...SHARED, "target", "entropy", "tolerance", "solver", "keepRefused"];

/** See `estimate.twoStage`. */
export async function twoStage<S extends Schema>(
  options: TwoStageOptions<S>,
  admit: Admit,
): Promise<TwoStageEstimate<S>> {
  checked(options, OPTIONS, "estimate.twoStage");
  const { prior, target = "loss", entropy = true, tolerance = 1e-6, solver, keepRefused = false } = options;
  one("target", target, ["loss", "lp", "answers"]);
  if (solver !== undefined) one("solver", solver, ["exact", "interior"]);
  if (typeof entropy !== "boolean") throw invalid("`entropy` is true or false");
  if (solver !== undefined && !entropy)
    throw invalid("`solver` is of both stages: leave it out where `entropy` is false");
  above("tolerance", tolerance);
  const measurements = admit(options.measurements);
  const { total, seed, timeLimit, signal, onProgress } = options;
  const request = {
    ...{ total, seed, timeLimit },
    ...(signal && { signal }),
    ...(onProgress && { onProgress }),
    estimator: "twoStage",
    own: { target, entropy, tolerance, solver: solver ?? null },
    from: { prior },
    measurements,
    cells: true,
    exact: entropy && solver !== "interior",
  };
  return run(request, (outcome) => {
    const { certificate: found } = outcome;
    if (found.estimator !== "twoStage") throw new Error(`the engine answered as ${found.estimator}`);
    const { estimator: _, unmet, solver, ...certificate } = found;
    const trace = outcome.trace.map(({ at, value, relativeEntropy }, i): TwoStageStep => {
      return { passes: at, loss: value, relativeEntropy, milliseconds: millisecondsOf(outcome, i) };
    });
    const model = (total: number) => new SupportModel<S>(outcome.handle, { prior, total });
    const whole = parts(measurements, outcome, { trace, kept: keepRefused, model });
    return new TwoStageEstimate<S>(whole, { certificate, unmet: unmet ?? undefined, solver });
  });
}
