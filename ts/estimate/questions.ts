import type { CliqueQuery } from "../measurement.js";
import { invalid, isObject, known } from "../options.js";
import type { NameOf, Schema } from "../tables/schema.js";
import { type Workload, workload } from "../tables/workload.js";
import type { ErrorsOf } from "./spread.js";

/** A question to the cells of a clique: each cell, unless a query says otherwise. */
export interface CliqueQuestion<S extends Schema = Schema> {
  readonly clique: readonly NameOf<S>[];
  readonly query?: CliqueQuery;
}

/** Each cell. */
export const EACH: CliqueQuery = Object.freeze({ type: "identity" });

/** A workload, or questions as one, with what is asked of each of its cliques. */
export function questioned<S extends Schema>(
  schema: S,
  request: Workload<S> | readonly CliqueQuestion<S>[],
): { list: Workload<S>; queries: CliqueQuery[] } {
  if (!Array.isArray(request)) {
    const list = request as Workload<S>;
    return { list, queries: Array.from({ length: list.length }, () => EACH) };
  }
  const questions = request as readonly CliqueQuestion<S>[];
  for (const one of questions) {
    if (!isObject(one) || !Array.isArray(one.clique))
      throw invalid("a question is { clique, query }, with a list of attributes as `clique`");
    known(one, ["clique", "query"], "a question");
  }
  const list = workload(
    schema,
    questions.map(({ clique }) => clique),
  );
  return { list, queries: questions.map(({ query = EACH }) => query) };
}

/** Refuses what standard errors cannot be of. */
export function checkErrorsOf(of: ErrorsOf | undefined): void {
  if (of !== undefined && of !== "noise" && of !== "all")
    throw invalid("`standardErrors` are of noise, or of all");
}
