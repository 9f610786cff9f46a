import { MarginaliaError } from "../errors.js";
import type { Schema } from "../tables/schema.js";
import type { Workload } from "../tables/workload.js";
import { type AnswerSettings, type CliqueQuestion, Model } from "./model.js";

/** A model that has no rows: what only rows have is missing in its type, and refused where there are no types. */
export abstract class RowlessModel<S extends Schema = Schema> extends Model<S> {
  override async answer(
    request: Workload<S> | readonly CliqueQuestion<S>[],
    settings: AnswerSettings = {},
  ): Promise<Float64Array<ArrayBuffer>[]> {
    if ("standardErrors" in settings) throw lacks(this, "standard errors");
    return super.answer(request, settings);
  }
}

for (const name of ["weights", "table", "relativeEntropy", "effectiveSize"])
  Object.defineProperty(RowlessModel.prototype, name, {
    async value(this: RowlessModel) {
      throw lacks(this, name);
    },
  });

function lacks({ kind }: RowlessModel, name: string): MarginaliaError {
  const message = `a model of the kind ${kind} has no ${name}: ask \`model.kind\` first`;
  return new MarginaliaError("MODEL_UNSUPPORTED", message);
}
