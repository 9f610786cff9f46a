import { invalid } from "../options.js";
import type { Schema } from "../tables/schema.js";
import { above, checked, one, SHARED, whole } from "./checks.js";
import type { Admit, CalibratedOptions } from "./estimate.js";
import { CalibratedEstimate } from "./outcome.js";
import { RULES, ruled } from "./rules.js";
import { millisecondsOf, parts, run } from "./run.js";
import { SupportModel } from "./support.js";

const OPTIONS = [...SHARED, ...RULES, "loss", "strength", "tolerance", "passes", "keepRefused"];

/** See `estimate.calibrated`. */
export async function calibrated<S extends Schema>(
  options: CalibratedOptions<S>,
  admit: Admit,
): Promise<CalibratedEstimate<S>> {
  checked(options, OPTIONS, "estimate.calibrated");
  const { prior: rows, loss = "l2", keepRefused = false, strength = "coupledBootstrap", ...rest } = options;
  const { tolerance = 1e-6, passes = 20_000 } = options;
  one("loss", loss, ["l2", "l1"]);
  if (typeof strength === "number") above("strength", strength);
  else one("strength", strength, ["harmonic", "coupledBootstrap"]);
  above("tolerance", tolerance);
  whole("passes", passes);
  if (loss === "l1" && options.measurements.some(({ noise }) => noise?.law !== "laplace"))
    throw invalid('`loss: "l1"` is for Laplace noise: leave it out, "l2" takes both');
  const measurements = admit(options.measurements);
  const prior = await ruled(rows, options);
  const own = { loss, strength, tolerance, passes };
  const request = { ...rest, estimator: "calibrated", own, from: { prior }, measurements, cells: true };
  return run(request, (outcome) => {
    const { certificate: found, total } = outcome;
    if (found.estimator !== "calibrated") throw new Error(`the engine answered as ${found.estimator}`);
    const { estimator: _, strength: n0, consistency, flatness, ...certificate } = found;
    const trace = outcome.trace.map(({ at, value, gap, relativeEntropy }, i) => {
      const milliseconds = millisecondsOf(outcome, i);
      return { passes: at, value, gap: gap ?? Number.NaN, relativeEntropy, milliseconds };
    });
    const evidence = loss === "l2" ? { measurements, strength: n0, total } : undefined;
    const model = (total: number) =>
      new SupportModel<S>(outcome.handle, { prior, total, strength: n0 + total, evidence });
    const whole = parts(measurements, outcome, { trace, kept: keepRefused, model });
    return new CalibratedEstimate<S>(whole, {
      certificate,
      strength: n0,
      consistency: consistency ?? undefined,
      flatness,
    });
  });
}
