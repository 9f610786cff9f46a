import { made, type Schema } from "../tables/schema.js";
import { checked, SHARED } from "./checks.js";
import type { Admit, IndependentOptions } from "./estimate.js";
import { Estimate, type IndependentStep } from "./outcome.js";
import { ProductModel } from "./product.js";
import { millisecondsOf, parts, run } from "./run.js";

const OPTIONS = [...SHARED, "schema"];

/** See `estimate.independent`. */
export async function independent<S extends Schema>(
  options: IndependentOptions<S>,
  admit: Admit,
): Promise<Estimate<S, IndependentStep, ProductModel<S>>> {
  checked(options, OPTIONS, "estimate.independent", options?.prior !== undefined);
  const { prior, schema: declared, ...rest } = options;
  const schema = prior ? prior.schema : made(declared as S);
  const from = prior ? { prior } : { schema };
  const measurements = admit(options.measurements);
  const request = {
    ...rest,
    estimator: "independent",
    kind: "product",
    own: {},
    from,
    measurements,
    cells: true,
  };
  return run(request, (outcome) => {
    const trace = outcome.trace.map(({ value }, i): IndependentStep => {
      return { loss: value, milliseconds: millisecondsOf(outcome, i) };
    });
    const model = (total: number) => new ProductModel<S>(outcome.handle, { schema, total });
    return new Estimate(parts(measurements, outcome, { trace, model }));
  });
}
