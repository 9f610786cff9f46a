import type { Schema } from "../tables/schema.js";
import { checked, one, SHARED, whole } from "./checks.js";
import type { Admit, MultiplicativeOptions } from "./estimate.js";
import { Estimate, type MultiplicativeRound } from "./outcome.js";
import { millisecondsOf, parts, run } from "./run.js";
import { SupportModel } from "./support.js";

const OPTIONS = [...SHARED, "rule", "projections", "average"];

/** See `estimate.multiplicativeWeights`. */
export async function multiplicativeWeights<S extends Schema>(
  options: MultiplicativeOptions<S>,
  admit: Admit,
): Promise<Estimate<S, MultiplicativeRound>> {
  checked(options, OPTIONS, "estimate.multiplicativeWeights");
  const { prior, rule = "recycled", projections = 100, average = false, ...rest } = options;
  one("rule", rule, ["newest", "recycled", "projected"]);
  one("average", average, [true, false] as never);
  whole("projections", projections);
  const measurements = admit(options.measurements);
  const own = { rule, projections, average };
  const from = { prior };
  const request = { ...rest, estimator: "multiplicativeWeights", own, from, measurements, cells: false };
  return run(request, (outcome) => {
    const trace = outcome.trace.map(({ at, value, relativeEntropy }, i): MultiplicativeRound => {
      return { rounds: at, off: value, relativeEntropy, milliseconds: millisecondsOf(outcome, i) };
    });
    const model = (total: number) => new SupportModel<S>(outcome.handle, { prior, total });
    return new Estimate<S, MultiplicativeRound>(parts(measurements, outcome, { trace, model }));
  });
}
