import type { Handle } from "../engine/index.js";
import { invalid } from "../options.js";
import { made, type Schema } from "../tables/schema.js";
import { above, checked, one, SHARED, whole } from "./checks.js";
import type { Admit, GraphicalOptions } from "./estimate.js";
import { GraphicalEstimate } from "./outcome.js";
import { RowlessModel } from "./rowless.js";
import { millisecondsOf, parts, run } from "./run.js";

/**
 * A graphical model: what was measured of cliques, and beyond them no more dependence than these imply. It has no rows, so that
 * its domain may be of any size.
 */
export class GraphicalModel<S extends Schema = Schema> extends RowlessModel<S> {
  readonly kind = "graphical";

  /** @internal */
  constructor(handle: Handle, { schema, total }: { schema: S; total: number }) {
    super(handle, schema, total);
    Object.freeze(this);
  }

  /** @internal */
  protected override async part(handle: Handle, total: number): Promise<GraphicalModel<S>> {
    return new GraphicalModel<S>(handle, { schema: this.schema, total });
  }
}

const OPTIONS = [...SHARED, "schema", "strength", "tolerance", "products", "keepRefused"];

/** See `estimate.calibrated`, where there is no prior. */
export async function graphical<S extends Schema>(
  options: GraphicalOptions<S>,
  admit: Admit,
): Promise<GraphicalEstimate<S>> {
  checked(options, OPTIONS, "estimate.calibrated", options?.prior !== undefined);
  const { schema: declared, prior, keepRefused = false, strength, tolerance = 1e-3, ...rest } = options;
  const { products = 10_000 } = options;
  const schema = made(declared);
  if (typeof strength === "number") above("strength", strength);
  else if (strength !== undefined) one("strength", strength, ["harmonic", "residual"]);
  if (strength === "harmonic" && !prior) throw invalid('`strength: "harmonic"` is for a prior: leave it out');
  above("tolerance", tolerance);
  whole("products", products);
  const measurements = admit(options.measurements);
  const own = { strength: strength ?? "chosen", tolerance, products };
  const request = {
    ...rest,
    estimator: "graphical",
    own,
    from: { schema, prior },
    measurements,
    cells: false,
  };
  return run(request, (outcome) => {
    const { certificate: found } = outcome;
    if (found.estimator !== "graphical") throw new Error(`the engine answered as ${found.estimator}`);
    const { estimator: _, strength: n0, freedom, residual, answers, ...certificate } = found;
    const trace = outcome.trace.map(({ at, value, gap, relativeEntropy }, i) => {
      const milliseconds = millisecondsOf(outcome, i);
      return { products: at, value, gap: gap ?? Number.NaN, relativeEntropy, milliseconds };
    });
    const model = (total: number) => new GraphicalModel<S>(outcome.handle, { schema, total });
    const whole = parts(measurements, outcome, { trace, kept: keepRefused, model });
    const own = { certificate, strength: n0, freedom: freedom ?? undefined, residual, answers };
    return new GraphicalEstimate<S>(whole, own);
  });
}
