import { MarginaliaError } from "../errors.js";
import { printed } from "../print.js";
import { explain } from "./advantage.js";
import { type Budget, type Currency, currencyOf, describe, limitOf, symbolOf, withDelta } from "./budget.js";
import { type Cost, cost } from "./cost.js";
import { type Amount, invalid, LONGEST, Rational, show } from "./rational.js";
import { checkedRelation, checkedUnit, describeNeighbours, type Neighbours } from "./unit.js";

/** What charges come to, one after another, as an account of this limit that made them had it. */
export function spentOn(prices: Iterable<Amount>, limit: Rational): Rational {
  let spent = Rational.of(0n);
  for (const price of prices) spent = spentAfter(spent, Rational.of(price), limit);
  return spent;
}

/** Rounding alone exceeds no limit, so that what is left can always be spent: the exact sum is at most the limit then. */
function spentAfter(spent: Rational, price: Rational, limit: Rational): Rational {
  const exact = spent.plus(price);
  const sum = exact.kept();
  return exact.compare(limit) <= 0 && sum.compare(limit) > 0 ? limit : sum;
}

/**
 * A budget and what was spent of it: plans and prints. The same sums are kept by `crates/privacy/src/account.rs`, which
 * alone grants draws; a test shows that both grant and refuse the same, in the same words.
 */
export class Accountant {
  /** The promise, with its δ. */
  readonly budget: Budget;
  readonly neighbours: Neighbours;
  /** What costs are added up in. */
  readonly currency: Currency;
  /** The largest sum that the promise allows. */
  readonly limit: Rational;
  #spent: Rational;

  /** `spent` is what was spent before, in the budget's currency. */
  constructor(budget: Budget, { unit, relation }: Neighbours, spent: Amount = 0) {
    this.neighbours = Object.freeze({ unit: checkedUnit(unit), relation: checkedRelation(relation) });
    this.budget = withDelta(budget, this.neighbours.relation);
    this.currency = currencyOf(this.budget);
    this.limit = limitOf(this.budget);
    this.#spent = Rational.of(spent);
    if (this.#spent.sign < 0) throw invalid("what was spent cannot be negative");
  }

  /** The sum of all charges: exact, or a little more than exact where it would be long (`plusUp`). */
  get spent(): Rational {
    return this.#spent;
  }

  /** What may still be spent. */
  get left(): Rational {
    const left = this.limit.minus(this.#spent);
    return left.sign > 0 ? left : Rational.of(0n);
  }

  /** The price of a cost in the currency of the budget. */
  price(of: Cost): Rational {
    const price = cost.price(of, this.currency);
    if (price) return price;
    throw invalid(
      "Gaussian noise has no price in pure ε: use Laplace noise, or a budget zcdp(ρ) or approximate(ε, δ)",
    );
  }

  /** Whether a cost fits what is left. */
  fits(of: Cost): boolean {
    return this.#spent.plus(this.price(of)).compare(this.limit) <= 0;
  }

  /** Refuses a cost that does not fit, and adds nothing. */
  admit(of: Cost): void {
    this.#admitted(this.price(of));
  }

  /** Adds a cost, or refuses it and leaves the account as it was. Returns the price. */
  charge(of: Cost): Rational {
    const price = this.price(of);
    this.#spent = this.#admitted(price);
    return price;
  }

  /** What is spent when it is paid. */
  #admitted(price: Rational): Rational {
    const spent = spentAfter(this.#spent, price, this.limit);
    if (spent.compare(this.limit) > 0) throw this.exceeded(price);
    if ([price, spent].every((amount) => `${amount}`.length <= LONGEST)) return spent;
    throw invalid("a price or a budget has too many digits to be kept: ask for scales with fewer digits");
  }

  /** What is promised to whom, what it means, and what is left, in words. */
  toString(): string {
    const symbol = symbolOf(this.currency);
    const of = this.budget.type === "approximate" ? ` (which implies ${describe(this.budget)})` : "";
    return printed(
      [
        `Protected: ${describeNeighbours(this.neighbours)}.`,
        explain(this.budget, this.neighbours),
        `Spent: ${symbol} = ${show(this.#spent, true)} of ${show(this.limit, false)}${of}; left: ${show(this.left, false)}.`,
      ].join("\n"),
    );
  }

  private exceeded(amount: Rational): MarginaliaError {
    const symbol = symbolOf(this.currency);
    const { budget } = this;
    const promise =
      budget.type === "approximate" && budget.delta
        ? ` (ε = ${show(budget.epsilon, false)}, δ = ${show(budget.delta, false)})`
        : "";
    return new MarginaliaError(
      "BUDGET_EXCEEDED",
      `this asks for ${symbol} = ${show(amount, true)}, and of the budget of ${symbol} = ` +
        `${show(this.limit, false)}${promise} only ${show(this.left, false)} is left: ask for less, by more noise or ` +
        "fewer marginals",
    );
  }
}
