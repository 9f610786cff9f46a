import { known } from "../options.js";
import type { NameOf, Schema } from "../tables/schema.js";
import type { Table } from "../tables/table.js";
import { kWay } from "../tables/workload.js";
import type { Evaluation } from "./evaluation.js";
import type { EvaluationPart, InternalParts } from "./report/input.js";

/**
 * What an internal report shows beside a release: the scores, and the true shares of every attribute's values. It is made
 * of true data, *not private*, and `internalReport` marks it so.
 *
 * ```ts
 * const page = internalReport(input, await internalParts({ truth, evaluation }));
 * ```
 */
export async function internalParts<S extends Schema>(options: {
  truth: Table<S>;
  evaluation: Evaluation;
}): Promise<InternalParts> {
  known(options, ["truth", "evaluation"], "internalParts");
  const { truth, evaluation } = options;
  const names = Object.keys(truth.schema.attributes) as NameOf<S>[];
  const answers = await truth.answer(kWay(truth.schema, 1, names));
  const oneWays = names.map((attribute, i) => {
    const cells = Array.from(answers[i] ?? []);
    const total = cells.reduce((sum, cell) => sum + cell, 0);
    return { attribute, shares: cells.map((cell) => (total > 0 ? cell / total : 0)) };
  });
  return {
    origin: "internal",
    evaluation: JSON.parse(JSON.stringify(evaluation)) as EvaluationPart,
    oneWays,
  };
}
