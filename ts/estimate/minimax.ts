import type { Measurement } from "../measurement.js";
import type { Schema } from "../tables/schema.js";
import { above, checked, SHARED } from "./checks.js";
import type { Admit, MinimaxOptions } from "./estimate.js";
import { MinimaxEstimate, type MinimaxStep, type Obstacle } from "./outcome.js";
import { millisecondsOf, parts, run } from "./run.js";
import { SupportModel } from "./support.js";

const OPTIONS = [...SHARED, "tolerance"];

/** See `estimate.minimax`. */
export async function minimax<S extends Schema>(
  options: MinimaxOptions<S>,
  admit: Admit,
): Promise<MinimaxEstimate<S>> {
  checked(options, OPTIONS, "estimate.minimax");
  const { prior, tolerance = 1e-4, ...rest } = options;
  above("tolerance", tolerance);
  const measurements = admit(options.measurements);
  const own = { tolerance };
  const request = { ...rest, estimator: "minimax", own, from: { prior }, measurements, cells: true };
  return run(request, (outcome) => {
    const { certificate: found } = outcome;
    if (found.estimator !== "minimax") throw new Error(`the engine answered as ${found.estimator}`);
    const { estimator: _, proof, ...bounds } = found;
    const certificate = { ...bounds, gap: bounds.error - bounds.bound };
    const trace = outcome.trace.map(({ at, value, gap }, i): MinimaxStep => {
      return { passes: at, error: value, gap: gap ?? 0, milliseconds: millisecondsOf(outcome, i) };
    });
    const model = (total: number) => new SupportModel<S>(outcome.handle, { prior, total });
    const whole = parts(measurements, outcome, { trace, model });
    return new MinimaxEstimate<S>(whole, certificate, obstacles(prior.schema, measurements, proof));
  });
}

/** The numbers of each obstacle, as `crates/estimate/src/estimators/minimax.rs` lists them. */
const NUMBERS = 5;

function obstacles(schema: Schema, measurements: readonly Measurement[], proof: readonly number[]) {
  return Array.from({ length: proof.length / NUMBERS }, (_, i): Obstacle => {
    const at = i * NUMBERS;
    const [measured = 0, cell = 0, weight = 0, answer = 0, mixture = 0] = proof.slice(at, at + NUMBERS);
    const { clique } = measurements[measured] as Measurement;
    return { clique, values: valuesOf(schema, clique, cell), weight, answer, mixture };
  });
}

/** The values of a cell: the last attribute goes fastest. */
function valuesOf(schema: Schema, clique: readonly string[], cell: number): (string | null)[] {
  let rest = cell;
  const reversed = [...clique].reverse().map((name) => {
    const labels = schema.labels(name);
    const label = labels[rest % labels.length] ?? null;
    rest = Math.floor(rest / labels.length);
    return label;
  });
  return reversed.reverse();
}
