import { invalid, isObject, known } from "../options.js";
import type { Schema } from "../tables/schema.js";
import { checked, one, SHARED, whole } from "./checks.js";
import type { Admit, IterativeOptions, StepOptions } from "./estimate.js";
import { Estimate, type IterativeStep } from "./outcome.js";
import { millisecondsOf, parts, run } from "./run.js";
import { SupportModel } from "./support.js";

const OPTIONS = [...SHARED, "start", "order", "steps", "damping", "choice", "tolerance", "every"];
const STEP = ["prior", "measurement", "start", "choice", "total", "signal", "onProgress"];

/** See `estimate.iterative`. */
export async function iterative<S extends Schema>(
  options: IterativeOptions<S>,
  admit: Admit,
): Promise<Estimate<S, IterativeStep>> {
  checked(options, OPTIONS, "estimate.iterative");
  const { prior, start, order = "sweeps", damping = 0.3, choice = "kl", ...rest } = options;
  const { steps = 20 * options.measurements.length, tolerance = 1e-4 } = options;
  const { every = Math.max(1, options.measurements.length) } = options;
  one("order", order, ["sweeps", "random", "worst"]);
  one("choice", choice, ["kl", "rescale", "euclidean"]);
  if (!(damping > 0 && damping <= 1)) throw invalid("`damping` is above 0 and at most 1");
  if (!(tolerance >= 0)) throw invalid("`tolerance` is 0 or above");
  whole("steps", steps);
  if (!(Number.isSafeInteger(every) && every >= 1))
    throw invalid("`every` is a whole number of steps, from 1");
  if (start !== undefined && start.prior !== prior)
    throw invalid("`start` must be a model on the same `prior`");
  const measurements = admit(options.measurements);
  const own = { order, damping, choice, steps, tolerance, every };
  const from = { prior, start };
  const request = { ...rest, estimator: "iterative", own, from, measurements, cells: false };
  return run(request, (outcome) => {
    const trace = outcome.trace.map(({ at, value, relativeEntropy }, i): IterativeStep => {
      return { steps: at, loss: value, relativeEntropy, milliseconds: millisecondsOf(outcome, i) };
    });
    const model = (total: number) => new SupportModel<S>(outcome.handle, { prior, total });
    return new Estimate<S, IterativeStep>(parts(measurements, outcome, { trace, model }));
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
