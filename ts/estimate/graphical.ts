import type { Handle } from "../engine/index.js";
import { made, type Schema } from "../tables/schema.js";
import { above, checked, SHARED, whole } from "./checks.js";
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
  checked(options, OPTIONS, "estimate.calibrated", false);
  const {
    schema: declared,
    keepRefused = false,
    strength,
    tolerance = 1e-3,
    products = 10_000,
    ...rest
  } = options;
  const schema = made(declared);
  if (strength !== undefined) above("strength", strength);
  above("tolerance", tolerance);
  whole("products", products);
  const measurements = admit(options.measurements);
  const own = { strength: strength ?? null, tolerance, products };
  const request = { ...rest, estimator: "graphical", own, from: { schema }, measurements, cells: false };
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
