import { type Budget, describe, limitOf } from "./budget.js";
import { convert, doubled } from "./convert.js";
import { down, ln1p, SLACK } from "./directed.js";
import { type Amount, invalid, Rational } from "./rational.js";
import { describeUnit, type Neighbours } from "./unit.js";

/** The advantage is told in steps of 2⁻³⁰, rounded up. */
const STEPS = 2 ** 30;

/** A point of the curve δ(ε) that a budget implies. */
export interface CurvePoint {
  readonly epsilon: number;
  readonly delta: number;
}

/**
 * How much better than a coin anybody can tell whether one unit is in the data, at worst: the chance of saying "in"
 * when it is, less that when it is not. An upper bound that randomised response attains; the proof stands in
 * `crates/privacy/src/advantage.rs`.
 */
export function advantage(budget: Budget): number {
  if (budget.type === "pure") {
    const epsilon = doubled(budget.epsilon, true, "ε");
    return least((_, log) => log >= epsilon);
  }
  const rho = doubled(limitOf(budget), true, "ρ");
  return least((t, log) => down(t * log) >= rho);
}

/**
 * The (ε, δ) that a budget implies, for each ε: all of them hold at once. For ρ, zcdp(ρ) and approximate(ε, δ); of a
 * pure budget the curve ends at its ε, where δ is 0.
 */
export function curve(of: Amount | Budget, epsilons: readonly number[] = usual()): CurvePoint[] {
  const budget = typeof of === "object" && !(of instanceof Rational) ? of : undefined;
  if (budget?.type === "pure") throw invalid("a pure budget is one point of a curve: δ = 0 at its ε");
  const rho = budget ? limitOf(budget) : Rational.of(of as Amount);
  return epsilons.map((epsilon) => ({ epsilon, delta: convert.delta({ rho, epsilon }) }));
}

/** What a budget means for one unit, in words that hold in the worst case. */
export function explain(budget: Budget, { unit, relation }: Neighbours): string {
  const chance = (1 + advantage(budget)) / 2;
  // Rounded up, so that "at most" stays true.
  const percent = Math.ceil(chance * 10_000) / 100;
  const about =
    relation === "add-remove"
      ? `whether ${describeUnit(unit)} ${unit === "row" ? "is" : "are"} in the data`
      : `which of two versions of ${describeUnit(unit)} the data has`;
  const warning = percent > 99 ? " This protects hardly anybody." : "";
  return (
    `${describe(budget)}: anybody's bet ${about} is right at most ${percent} % of the time, whatever else they know ` +
    `(a coin is right 50 % of the time).${warning}`
  );
}

/** 1, 2, 5, 10 … from 0.001 to 100, after 0. */
function usual(): number[] {
  const decades = [0.001, 0.01, 0.1, 1, 10];
  return [0, ...decades.flatMap((one) => [one, 2 * one, 5 * one]), 100];
}

/** The least t of the grid of which `enough` holds, given t and ln((1 + t)/(1 − t)) rounded down. */
function least(enough: (t: number, log: number) => boolean): number {
  let low = 0;
  let high = STEPS;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const t = middle / STEPS;
    if (enough(t, ln1p((2 * t) / (1 - t)) * (1 - SLACK))) high = middle;
    else low = middle;
  }
  return high / STEPS;
}
