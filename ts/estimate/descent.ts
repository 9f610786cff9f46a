import type { WireLoss } from "../engine/operations/estimate.js";
import { MarginaliaError } from "../errors.js";
import { invalid, isObject } from "../options.js";
import { made, type Schema } from "../tables/schema.js";
import { checked, one, SHARED, whole } from "./checks.js";
import type { Admit, MirrorDescentOptions, OwnLoss, Way } from "./estimate.js";
import { GraphicalModel } from "./graphical.js";
import { DescentEstimate, type DescentStep } from "./outcome.js";
import { millisecondsOf, parts, run } from "./run.js";

const OPTIONS = [
  ...SHARED.filter((name) => name !== "prior"),
  ...["schema", "start", "loss", "iterations", "tolerance", "until"],
];

/** See `estimate.mirrorDescent` and those after it. */
export async function descent<S extends Schema>(
  name: Way,
  options: MirrorDescentOptions<S>,
  admit: Admit,
): Promise<DescentEstimate<S>> {
  checked(options, name === "mirrorDescent" ? [...OPTIONS, "steps"] : OPTIONS, `estimate.${name}`, false);
  const {
    schema: declared,
    start,
    steps,
    loss = "l2",
    iterations = 1000,
    tolerance = 1e-6,
    until,
    ...rest
  } = options;
  const schema = made(declared);
  whole("iterations", iterations);
  if (!(tolerance >= 0)) throw invalid("`tolerance` is a number, 0 or above");
  if (until !== undefined && until !== "noise" && !Number.isFinite(until))
    throw invalid('`until` is a loss, or "noise"');
  const measurements = admit(options.measurements);
  const lost = isObject(loss) ? ownLoss(schema, loss) : undefined;
  if (!lost) one("loss", loss, ["l2", "l1", "huber"]);
  const stepping = steps ?? (loss === "l1" ? "decreasing" : "adaptive");
  one("steps", stepping, ["search", "adaptive", "decreasing"]);
  const own = { steps: stepping, iterations, tolerance, until: until ?? null, loss, ...lost?.own };
  const from = { schema, start };
  const how = { estimator: name, kind: "graphical", own, from };
  const request = { ...rest, ...how, measurements, cells: false, loss: lost?.at };
  return run(request, (outcome) => {
    const { certificate } = outcome;
    if (certificate.estimator !== name) throw new Error(`the engine answered as ${certificate.estimator}`);
    const trace = outcome.trace.map(({ at, value }, i): DescentStep => {
      return { iterations: at, loss: value, milliseconds: millisecondsOf(outcome, i) };
    });
    const model = (total: number) => new GraphicalModel<S>(outcome.handle, { schema, total });
    const { loss, noise, iterations } = certificate;
    const own = { loss, noise: noise ?? undefined, iterations };
    return new DescentEstimate<S>(parts(measurements, outcome, { trace, model }), own);
  });
}

/** A loss as the engine knows it, and as it is worked out from the counts of its cliques, one after another. */
function ownLoss(schema: Schema, loss: OwnLoss) {
  const { cliques, at, lipschitz } = loss;
  if (typeof at !== "function" || !Array.isArray(cliques))
    throw invalid("a `loss` of your own has { cliques, at }");
  if (lipschitz !== undefined && !(lipschitz > 0)) throw invalid("`lipschitz` is a number above 0");
  const indices: number[][] = (cliques as OwnLoss["cliques"]).map((clique) =>
    clique.map((name) => schema.index(name)),
  );
  const cells = indices.map((clique) => clique.reduce((all, index) => all * (schema.sizes[index] ?? 1), 1));
  const ends = cells.map((_, i) => cells.slice(0, i + 1).reduce((sum, more) => sum + more, 0));
  const evaluated = (counts: Float64Array): WireLoss => {
    const { value, gradient } = at.call(
      loss,
      ends.map((end, i) => counts.subarray(end - (cells[i] ?? 0), end)),
    );
    if (gradient.length !== cells.length || gradient.some((slopes, i) => slopes.length !== cells[i]))
      throw new MarginaliaError(
        "OPTION_INVALID",
        "a loss of your own needs a slope for each cell of its cliques",
      );
    return { value, gradient: Float64Array.from(gradient.flatMap((slopes) => Array.from(slopes))) };
  };
  return { own: { loss: "own", cliques: indices, lipschitz: lipschitz ?? null }, at: evaluated };
}
