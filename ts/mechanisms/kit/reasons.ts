import { dependenciesInWords } from "../../estimate/dependencies.js";
import type { Schema } from "../../tables/schema.js";
import { type PlannedPrior, priorInWords } from "./plan.js";
import type { Resolved } from "./resolved.js";

/** What reasons of several mechanisms say in the same words. */
export function commonReasons<S extends Schema>(
  resolved: Resolved<S>,
  prior: PlannedPrior | undefined,
  digits = 6,
) {
  const { law, deny, expectedRows, expectedBy } = resolved;
  const by = {
    ...{ plan: "as asked", seal: "as said when the table was sealed", relation: "which is public" },
    prior: "as many as the prior is worth, because nobody said",
    nobody: "a guess, because nobody said; only what is expected of errors follows from it",
  };
  return {
    noise: `Noise: discrete ${law === "laplace" ? "Laplace" : "Gaussian"}`,
    prior: prior === undefined ? [] : [priorInWords(prior), ...dependenciesInWords(prior.dependencies ?? [])],
    rows: `Rows expected: ${round(expectedRows, digits)}, ${by[expectedBy]}.`,
    balance: balanceInWords(resolved, prior !== undefined),
    denied: deny.length > 0 ? [`Denied: ${deny.length} combinations, which no record has.`] : [],
  };
}

/** What makes the model, and what a prior is worth to it. */
function balanceInWords(
  { estimator, strength }: Pick<Resolved<Schema>, "estimator" | "strength">,
  onPrior: boolean,
): string {
  const from = onPrior ? "the answers and the public table" : "the answers alone";
  if (estimator === "graphical") return `Estimate: a graphical model, from ${from}.`;
  if (estimator)
    return `Estimate: by \`estimate.${estimator}\`, ${onPrior ? "as asked; what the prior is worth does not matter to it" : `from ${from}`}.`;
  if (strength === "coupledBootstrap")
    return "Balance: the prior counts as a sample of the same population, and for more or less where the answers contradict it.";
  return `Balance: the prior counts for ${strength === "harmonic" ? "a sample of the same population" : `${strength} records`}.`;
}

/** A number with so many digits. */
export const round = (value: number, digits = 6) => `${Number(value.toPrecision(digits))}`;
