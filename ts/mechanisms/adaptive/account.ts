import { MarginaliaError } from "../../errors.js";
import { symbolOf } from "../../privacy/budget.js";
import type { Entry } from "../../privacy/ledger/index.js";
import { Rational, show } from "../../privacy/rational.js";
import type { Schema } from "../../tables/schema.js";
import { other, Run } from "../runs.js";
import type { AdaptivePlan } from "./plan.js";

/** The charges of one run of rounds, by label. */
export class Account<S extends Schema> extends Run<S> {
  /** The place that was chosen, by a charge whose values are kept. */
  async chosen(entry: Entry, among: number): Promise<number> {
    const { clique } = Object(await this.values(entry)) as { clique?: unknown };
    if (Number.isInteger(clique) && (clique as number) >= 0 && (clique as number) < among)
      return clique as number;
    throw other();
  }

  /** Refuses to begin what could not be ended: all charges that are not in the ledger must fit what is left. */
  admit(plan: AdaptivePlan<S>): void {
    const { left } = this.sealed;
    const missing = outstanding(plan, (step) => this.entry(step));
    if (missing.compare(left) <= 0) return;
    const { currency } = this.sealed.ledger.header.total;
    const message =
      `the rounds ask for ${symbolOf(currency)} = ${show(missing, true)}, and only ${show(left, false)} is left: ask ` +
      "for less by `spend`";
    throw new MarginaliaError("BUDGET_EXCEEDED", message);
  }
}

/** The steps of a plan, as labels end. */
export const STEP = {
  start: "start",
  select: (round: number) => `round ${round}: select`,
  measure: (round: number) => `round ${round}: measure`,
} as const;

/** What a run has yet to pay. A round whose choice was paid and lost measures nothing. */
function outstanding<S extends Schema>(
  { start, rounds }: AdaptivePlan<S>,
  entry: (step: string) => Entry | undefined,
): Rational {
  let sum = Rational.of(0n);
  const add = (cost: string) => {
    sum = sum.plus(Rational.of(cost));
  };
  if (!entry(STEP.start)) for (const { cost } of start) add(cost);
  for (const { round, select, measure } of rounds) {
    const selected = entry(STEP.select(round));
    if (!selected) add(select.cost);
    if (selected?.state !== "lost" && !entry(STEP.measure(round))) add(measure.cost);
  }
  return sum;
}
