import { convert } from "./convert.js";
import { type Amount, invalid, positive, Rational, show } from "./rational.js";
import type { Relation } from "./unit.js";

/** Pure ε-differential privacy: costs in ε add up. */
export interface PureBudget {
  readonly type: "pure";
  readonly epsilon: Rational;
}

/** Zero-concentrated differential privacy: costs in ρ add up. */
export interface ZcdpBudget {
  readonly type: "zcdp";
  readonly rho: Rational;
}

/** (ε, δ): composed in ρ, up to the largest ρ of which (ε, δ) is known to follow. */
export interface ApproximateBudget {
  readonly type: "approximate";
  readonly epsilon: Rational;
  /** Missing until {@link withDelta} derives it from a public n. */
  readonly delta?: Rational;
  /** The public n of which δ = 1/n² was derived. */
  readonly n?: number;
}

/** The promise that an account keeps. Its JSON form is what `JSON.stringify` gives: amounts are exact texts. */
export type Budget = PureBudget | ZcdpBudget | ApproximateBudget;

/** What costs are added up in, as the budget implies. */
export type Currency = "epsilon" | "rho";

/** Pure ε. */
export function pure(epsilon: Amount): PureBudget {
  return Object.freeze({ type: "pure", epsilon: positive(epsilon, "ε") });
}

/** ρ-zCDP. */
export function zcdp(rho: Amount): ZcdpBudget {
  return Object.freeze({ type: "zcdp", rho: positive(rho, "ρ") });
}

/**
 * (ε, δ). Give δ, or a public number of units `{ n }` from which it becomes 1/n²; it may only be left out where the
 * relation declares that number.
 */
export function approximate(epsilon: Amount, delta?: Amount | { n: number }): ApproximateBudget {
  const amount = positive(epsilon, "ε");
  if (delta === undefined) return Object.freeze({ type: "approximate", epsilon: amount });
  const n = typeof delta === "object" && !(delta instanceof Rational) ? delta.n : undefined;
  const exact = n === undefined ? Rational.of(delta as Amount) : ofPublic(n);
  convert.rho({ epsilon: amount, delta: exact });
  const budget = { type: "approximate", epsilon: amount, delta: exact } as const;
  return Object.freeze(n === undefined ? budget : { ...budget, n });
}

/** The budget with its δ: as given, or 1/n² of the n that the relation makes public. */
export function withDelta(budget: Budget, relation: Relation): Budget {
  if (budget.type !== "approximate" || budget.delta) return budget;
  if (relation === "add-remove") throw missingDelta();
  return approximate(budget.epsilon, { n: relation.replace.n });
}

/** Reads the JSON form of a budget. */
export function budgetFromJson(json: unknown): Budget {
  const { type, ...fields } = (typeof json === "object" && json !== null ? json : {}) as Record<
    string,
    unknown
  >;
  const only = (...names: string[]) => {
    if (Object.keys(fields).some((key) => !names.includes(key))) throw unreadable();
  };
  switch (type) {
    case "pure":
      only("epsilon");
      return pure(text(fields.epsilon));
    case "zcdp":
      only("rho");
      return zcdp(text(fields.rho));
    case "approximate": {
      only("epsilon", "delta", "n");
      const budget = approximate(text(fields.epsilon), text(fields.delta));
      if (fields.n === undefined) return budget;
      const derived = approximate(budget.epsilon, { n: fields.n as number });
      if (derived.delta?.compare(budget.delta as Rational) === 0) return derived;
      throw invalid("δ of this budget is not 1/n² of the n beside it");
    }
    default:
      throw unreadable();
  }
}

/** What the costs of a budget are added up in. */
export function currencyOf(budget: Budget): Currency {
  return budget.type === "pure" ? "epsilon" : "rho";
}

/** The largest sum of costs that keeps the promise. */
export function limitOf(budget: Budget): Rational {
  switch (budget.type) {
    case "pure":
      return budget.epsilon;
    case "zcdp":
      return budget.rho;
    case "approximate":
      if (!budget.delta) throw missingDelta();
      return Rational.of(convert.rho({ epsilon: budget.epsilon, delta: budget.delta }));
  }
}

/** The letter of a currency. */
export function symbolOf(currency: Currency): "ε" | "ρ" {
  return currency === "epsilon" ? "ε" : "ρ";
}

/** A budget in signs: `ε = 1, δ = 1e-8 (1/n² for the public n = 10000)`. */
export function describe(budget: Budget): string {
  switch (budget.type) {
    case "pure":
      return `ε = ${show(budget.epsilon, false)}`;
    case "zcdp":
      return `ρ = ${show(budget.rho, false)}`;
    case "approximate": {
      if (!budget.delta) return `ε = ${show(budget.epsilon, false)}, δ to be derived from a public n`;
      const source = budget.n === undefined ? "" : ` (1/n² for the public n = ${budget.n})`;
      return `ε = ${show(budget.epsilon, false)}, δ = ${show(budget.delta, false)}${source}`;
    }
  }
}

function ofPublic(n: unknown): Rational {
  if (!Number.isSafeInteger(n) || (n as number) < 2)
    throw invalid("a public `n` is the whole number of units, 2 at least");
  return Rational.ratio(1n, BigInt(n as number) ** 2n);
}

function text(value: unknown): string {
  if (typeof value === "string") return value;
  throw unreadable();
}

function missingDelta() {
  return invalid("δ is missing: give approximate(ε, δ), or declare a public n of which it becomes 1/n²");
}

function unreadable() {
  return invalid(
    "a budget is pure with epsilon, zcdp with rho, or approximate with epsilon and delta, as texts",
  );
}
