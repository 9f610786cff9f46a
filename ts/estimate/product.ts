import type { Handle } from "../engine/index.js";
import { MarginaliaError } from "../errors.js";
import type { Schema } from "../tables/schema.js";
import type { Workload } from "../tables/workload.js";
import { type AnswerSettings, type CliqueQuestion, Model } from "./model.js";

/** Independent attributes: the product of the shares of single ones. It has no rows, and knows nothing of pairs. */
export class ProductModel<S extends Schema = Schema> extends Model<S> {
  readonly kind = "product";

  /** @internal */
  constructor(handle: Handle, { schema, total }: { schema: S; total: number }) {
    super(handle, schema, total);
    Object.freeze(this);
  }

  override async answer(
    request: Workload<S> | readonly CliqueQuestion<S>[],
    settings: AnswerSettings = {},
  ): Promise<Float64Array<ArrayBuffer>[]> {
    if ("standardErrors" in settings) throw lacks("standard errors");
    return super.answer(request, settings);
  }

  /** @internal */
  protected override async part(handle: Handle, total: number): Promise<ProductModel<S>> {
    return new ProductModel<S>(handle, { schema: this.schema, total });
  }
}

/** What its type says already, for callers without types. */
for (const name of ["weights", "table", "relativeEntropy", "effectiveSize"])
  Object.defineProperty(ProductModel.prototype, name, {
    value: async () => {
      throw lacks(name);
    },
  });

function lacks(name: string): MarginaliaError {
  const message = `a model of the kind product has no ${name}: ask \`model.kind\` first`;
  return new MarginaliaError("MODEL_UNSUPPORTED", message);
}
