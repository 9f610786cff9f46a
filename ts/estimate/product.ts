import type { Handle } from "../engine/index.js";
import type { Schema } from "../tables/schema.js";
import { RowlessModel } from "./rowless.js";

/** Independent attributes: the product of the shares of single ones. It has no rows, and knows nothing of pairs. */
export class ProductModel<S extends Schema = Schema> extends RowlessModel<S> {
  readonly kind = "product";

  /** @internal */
  constructor(handle: Handle, { schema, total }: { schema: S; total: number }) {
    super(handle, schema, total);
    Object.freeze(this);
  }

  /** @internal */
  protected override async part(handle: Handle, total: number): Promise<ProductModel<S>> {
    return new ProductModel<S>(handle, { schema: this.schema, total });
  }
}
