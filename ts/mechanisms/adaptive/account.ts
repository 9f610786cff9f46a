import { MarginaliaError } from "../../errors.js";
import type { Measurement } from "../../measurement.js";
import { measurementsFromBytes } from "../../measurements.js";
import { invalid } from "../../options.js";
import { symbolOf } from "../../privacy/budget.js";
import type { Entry } from "../../privacy/ledger/records.js";
import { Rational, show } from "../../privacy/rational.js";
import type { Sealed } from "../../privacy/sealed.js";
import type { Schema } from "../../tables/schema.js";
import type { AdaptivePlan } from "./plan.js";

/** Whether a label in the ledger is one of a release's charges, in this program or in one before. */
export const isOf = (label: string, other: unknown): boolean =>
  typeof other === "string" && (other.startsWith(`${label}, `) || other.startsWith(`${label} again `));

/** The runs of each label on a table, in this program: those that are under way, and those that ended well. */
const RUNS = new WeakMap<object, Map<string, Set<number>>>();

/**
 * The charges of one run, by label. The n-th run of the same in a program has labels of its own, so that it draws anew and
 * finds its own answers again when the program is run once more; one that failed leaves its number to the next.
 */
export class Account<S extends Schema> {
  readonly #sealed: Sealed<S>;
  readonly #label: string;
  readonly #leave: () => void;

  constructor(sealed: Sealed<S>, label: string) {
    const runs = RUNS.get(sealed) ?? new Map<string, Set<number>>();
    RUNS.set(sealed, runs);
    const taken = runs.get(label) ?? new Set<number>();
    runs.set(label, taken);
    let run = 1;
    while (taken.has(run)) run++;
    taken.add(run);
    this.#sealed = sealed;
    this.#label = run === 1 ? label : `${label} again ${run}`;
    this.#leave = () => taken.delete(run);
  }

  /** Gives the number of a run that failed back. */
  failed(): void {
    this.#leave();
  }

  /** What a charge is known by. */
  named(step: string): string {
    return `${this.#label}, ${step}`;
  }

  /** What became of a charge: the values where there are some, else that they are lost. */
  entry(step: string): Entry | undefined {
    const label = this.named(step);
    const own = this.#sealed.ledger
      .entries()
      .filter(({ details }) => (details as { label?: unknown } | undefined)?.label === label);
    return own.find(({ state }) => state === "released") ?? own.find(({ state }) => state === "lost");
  }

  /** The place that was chosen, by a charge whose values are kept. */
  async chosen(entry: Entry, among: number): Promise<number> {
    const { clique } = Object(await this.#values(entry)) as { clique?: unknown };
    if (Number.isInteger(clique) && (clique as number) >= 0 && (clique as number) < among)
      return clique as number;
    throw other();
  }

  /** The answers to cliques, by a charge whose values are kept. */
  async answered(entry: Entry, cliques: readonly (readonly string[])[]): Promise<Measurement[]> {
    const values = await this.#values(entry);
    if (!(values instanceof Uint8Array)) throw other();
    const found = measurementsFromBytes(values);
    const same =
      found.length === cliques.length && found.every(({ clique }, i) => `${clique}` === `${cliques[i]}`);
    if (same) return found;
    throw other();
  }

  async #values({ key }: Entry): Promise<unknown> {
    return this.#sealed.ledger.find(key)?.values();
  }

  /** Refuses to begin what could not be ended: all charges that are not in the ledger must fit what is left. */
  admit(plan: AdaptivePlan<S>): void {
    const { left } = this.#sealed;
    const missing = outstanding(plan, (step) => this.entry(step));
    if (missing.compare(left) <= 0) return;
    const { currency } = this.#sealed.ledger.header.total;
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

function other() {
  return invalid(
    "the ledger has other answers under the labels of this release, of another version of this package perhaps: give " +
      "another `label`, which pays anew",
  );
}
