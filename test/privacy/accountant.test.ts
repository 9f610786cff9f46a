import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MarginaliaError } from "../../ts/errors.js";
import { Accountant, spentOn } from "../../ts/privacy/accountant.js";
import { curve, explain } from "../../ts/privacy/advantage.js";
import {
  approximate,
  type Budget,
  budgetFromJson,
  describe as describeBudget,
  pure,
  withDelta,
  zcdp,
} from "../../ts/privacy/budget.js";
import { convert } from "../../ts/privacy/convert.js";
import { cost } from "../../ts/privacy/cost.js";
import { type Amount, Rational } from "../../ts/privacy/rational.js";
import { sensitivity } from "../../ts/privacy/sensitivity.js";
import { checkedRelation, checkedUnit, describeNeighbours, type Neighbours } from "../../ts/privacy/unit.js";

const rows: Neighbours = { unit: "row", relation: "add-remove" };

const failure = (make: () => unknown): Partial<MarginaliaError> => {
  try {
    make();
  } catch (error) {
    return error as MarginaliaError;
  }
  return {};
};

describe("budgets", () => {
  it("keep their form", () => {
    const forms = [
      { type: "pure", epsilon: "1/10" },
      { type: "zcdp", rho: "2" },
      { type: "approximate", epsilon: "1", delta: "1/1000000" },
      { type: "approximate", epsilon: "1", delta: "1/1000000", n: 1000 },
    ];
    for (const form of forms) expect(JSON.parse(JSON.stringify(budgetFromJson(form)))).toEqual(form);
    expect(JSON.stringify(pure(0.1))).toBe('{"type":"pure","epsilon":"1/10"}');
  });

  it("need a δ, given or of a public n, which is shown", () => {
    const open = approximate(1);
    const { code, message } = failure(() => withDelta(open, "add-remove"));
    expect(code).toBe("BUDGET_INVALID");
    expect(message).toContain("declare a public n");
    expect(failure(() => new Accountant(open, rows)).code).toBe("BUDGET_INVALID");
    const derived = withDelta(open, { replace: { n: 10_000 } });
    expect(derived).toEqual(approximate(1, { n: 10_000 }));
    expect(describeBudget(derived)).toBe("ε = 1, δ = 1e-8 (1/n² for the public n = 10000)");
    expect(withDelta(approximate(1, "1e-9"), { replace: { n: 10 } })).toEqual(approximate(1, 1e-9));
  });

  it("reach as far as is said, exactly", () => {
    const least = approximate(1, 1e-300);
    for (const delta of ["1e-300", `1/${10n ** 300n}`, Rational.of("1e-300")])
      expect(approximate(1, delta)).toEqual(least);
    expect(budgetFromJson(JSON.parse(JSON.stringify(least)))).toEqual(least);
    // Of (ε, δ) follows at most ρ = ε²/(4 ln(1/δ)) or so; a hair more of δ gives no less.
    const { limit } = new Accountant(least, rows);
    const figure = Number(limit.numerator) / Number(limit.denominator);
    expect(figure * (4 * 300 * Math.LN10)).toBeCloseTo(1, 1);
    const more = new Accountant(approximate(1, "1.0000000001e-300"), rows).limit;
    expect(more.compare(limit)).toBeGreaterThanOrEqual(0);
    for (const amount of ["1e-12", "1e5"]) {
      expect(convert.rho({ epsilon: amount, delta: "1/2" })).toBeGreaterThan(0);
      expect(convert.epsilon({ rho: amount, delta: 1e-300 })).toBeGreaterThan(0);
      expect(convert.delta({ rho: amount, epsilon: amount })).toBeGreaterThan(0);
    }
    const beyond = [
      () => approximate(1, "9.99999999999999999999e-301"),
      () => approximate(1, "0.50000000000000000000001"),
      () => convert.rho({ epsilon: "9.99e-13", delta: 0.1 }),
      () => convert.rho({ epsilon: "100000.1", delta: 0.1 }),
    ];
    for (const make of beyond) expect(failure(make).message).toContain("must lie between");
  });

  it("that make no sense are refused", () => {
    const wrong: (() => unknown)[] = [
      ...[0, -1, Number.NaN, Number.POSITIVE_INFINITY, "one", "", null, {}].map(
        (x) => () => pure(x as Amount),
      ),
      () => zcdp(0),
      () => approximate(1, 0),
      () => approximate(1, 0.6),
      () => approximate(1e6, 1e-6),
      () => approximate(1, { n: 1 }),
      () => approximate(1, { n: 1.5 }),
      ...[
        null,
        {},
        { type: "pure" },
        { type: "pure", epsilon: 1 },
        { type: "pure", epsilon: "1", rho: "1" },
      ].map((form) => () => budgetFromJson(form)),
      () => budgetFromJson({ type: "approximate", epsilon: "1", delta: "1/10000", n: 99 }),
      () => cost.laplace(sensitivity(rows, { type: "count" }), 0),
      () => sensitivity(rows, { type: "linear", columns: 2, values: [1, 2, 3] }),
      () => sensitivity(rows, { type: "linear", columns: 1, values: [0.5] }),
    ];
    for (const make of wrong) expect(failure(make).code, String(make)).toBe("BUDGET_INVALID");
  });
});

it("units and relations are checked, and named in words", () => {
  const bad = [
    { maxRows: 0 },
    { maxRows: 1.5 },
    { column: "id" },
    { column: "", maxRows: 1 },
    "rows",
    null,
    { maxRows: 1, k: 2 },
  ];
  for (const unit of bad) expect(failure(() => checkedUnit(unit)).code).toBe("OPTION_INVALID");
  for (const relation of [
    "replace",
    { replace: {} },
    { replace: { n: 0 } },
    { replace: { n: 5 }, m: 1 },
    null,
  ])
    expect(failure(() => checkedRelation(relation)).code).toBe("OPTION_INVALID");
  const household = checkedUnit({ column: "household", maxRows: 4 });
  expect(describeNeighbours({ unit: household, relation: "add-remove" })).toBe(
    "the presence of all rows with one household, of which at most 4 rows are kept (add/remove: how many units there are " +
      "stays private)",
  );
  expect(describeNeighbours({ unit: { maxRows: 1 }, relation: checkedRelation({ replace: { n: 7 } }) })).toBe(
    "what is said in one unit of at most 1 row, as declared (replace: the number of units, 7, is public)",
  );
});

/** What a sum is rounded by, at most. */
const HAIR = Rational.of("1e-80");

describe("sums of charges", () => {
  it("are exact as long as they are short", () => {
    const sum = (...amounts: Amount[]) =>
      amounts.reduce((so: Rational, one) => so.plusUp(Rational.of(one)), Rational.of(0n));
    expect(`${sum(...Array(10).fill(0.1))}`).toBe("1");
    const exact = Rational.of("1/3").plus(Rational.of("1/47")).plus(Rational.of("1e-70"));
    expect(`${sum("1/3", "1/47", "1e-70")}`).toBe(`${exact}`);
    expect(`${sum(1, "1e-81")}`).toBe(`${Rational.of(1).plus(HAIR)}`);
    expect(`${sum("1e-81", 1)}`).toBe(`${Rational.of(1).plus(HAIR)}`);
  });

  it("of ten thousand odd ones stay short, are never too small, and take no time", () => {
    const account = new Accountant(pure(1000), rows);
    const grid = 10n ** 120n;
    let least = 0n;
    const start = performance.now();
    for (let i = 0n; i < 10_000n; i++) account.charge(cost.exponential(Rational.ratio(1n, 99_991n + 2n * i)));
    const seconds = (performance.now() - start) / 1000;
    for (let i = 0n; i < 10_000n; i++) least += grid / (99_991n + 2n * i);
    const above = account.spent.minus(Rational.ratio(least, grid));
    expect(above.sign).toBe(1);
    expect(above.compare(HAIR.times(Rational.of(10_001n)))).toBe(-1);
    expect(`${account.spent}`.length).toBeLessThan(170);
    // It is about half a second, where nothing else runs.
    expect(seconds).toBeLessThan(10);
  });

  it("leave what is left to be spent, to the last digit", () => {
    for (const budget of ["1", "1/3", `1${"3".repeat(119)}/${"7".repeat(120)}`]) {
      const account = new Accountant(pure(budget), rows);
      const odd = Rational.of("0.99999999999999999999999999999999999999999");
      for (const part of [3n, 47n, 53n, 59n, 61n])
        account.charge(cost.exponential(account.left.times(odd).over(Rational.of(part))));
      account.charge(cost.exponential(account.left));
      expect(account.left.sign).toBe(0);
      expect(`${account.spent}`).toBe(`${account.limit}`);
    }
  });

  it("are replayed to the same, and those beyond a limit as well", () => {
    const price = fc.tuple(fc.bigInt({ min: 1n, max: 2n ** 80n }), fc.bigInt({ min: 1n, max: 2n ** 80n }));
    fc.assert(
      fc.property(fc.array(price, { maxLength: 30 }), price, (pairs, [p, q]) => {
        const prices = pairs.map(([a, b]) => Rational.ratio(a, b));
        const account = new Accountant(pure(Rational.ratio(p, q)), rows);
        const charged = prices.filter((one) => {
          try {
            return account.charge(cost.exponential(one));
          } catch {
            return false;
          }
        });
        expect(`${spentOn(charged, account.limit)}`).toBe(`${account.spent}`);
        const exact = prices.reduce((so, one) => so.plus(one), Rational.of(0n));
        expect(spentOn(prices, account.limit).compare(exact)).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it("of a price too long to be kept are refused before anything is charged", () => {
    const long = cost.exponential(`1/${"3".repeat(8190)}`);
    new Accountant(pure(2), rows).charge(long);
    const account = new Accountant(zcdp(2), rows);
    expect(failure(() => account.charge(long))).toMatchObject({ code: "BUDGET_INVALID" });
    expect(account.spent.sign).toBe(0);
  });
});

describe("the accountant", () => {
  it("fits three charges of 0.1 into 0.3, and says what is left", () => {
    const account = new Accountant(pure(0.3), rows);
    for (let i = 0; i < 3; i++) expect(String(account.charge(cost.exponential(0.1)))).toBe("1/10");
    const { code, message } = failure(() => account.charge(cost.exponential(1e-9)));
    expect(code).toBe("BUDGET_EXCEEDED");
    expect(message).toBe(
      "this asks for ε = 1e-9" +
        ", and of the budget of ε = 0.3 only 0 is left: ask for less, by more noise or fewer marginals",
    );
    expect(String(account.spent)).toBe("3/10");
  });

  it("has no price for Gaussian noise in pure ε", () => {
    const account = new Accountant(pure(1), rows);
    const noise = cost.gaussian(sensitivity(rows, { type: "count" }), 100);
    expect(failure(() => account.charge(cost.sum([noise, cost.exponential(0.1)]))).code).toBe(
      "BUDGET_INVALID",
    );
  });

  it("never spends more than the budget, and refuses only what does not fit", () => {
    const amount = fc
      .tuple(fc.bigInt({ min: 1n, max: 2n ** 200n }), fc.bigInt({ min: 1n, max: 2n ** 200n }))
      .map(([p, q]) => Rational.ratio(p, q));
    const budget: fc.Arbitrary<Budget> = fc.oneof(
      amount.map(pure),
      amount.map(zcdp),
      fc.constant(approximate(1, 1e-6)),
    );
    fc.assert(
      fc.property(budget, fc.array(amount, { minLength: 1, maxLength: 20 }), (promise, asks) => {
        const account = new Accountant(promise, rows);
        for (const ask of asks) {
          const before = account.spent;
          const asked = cost.permuteAndFlip(ask);
          const error = failure(() => account.charge(asked));
          const after = before.plus(account.price(asked));
          const added = account.spent.minus(error.code ? before : after);
          expect(added.sign).toBeGreaterThanOrEqual(0);
          expect(added.compare(error.code ? Rational.of(0n) : HAIR)).toBeLessThanOrEqual(0);
          expect(error.code === "BUDGET_EXCEEDED").toBe(after.compare(account.limit) > 0);
        }
        expect(account.spent.compare(account.limit)).toBeLessThanOrEqual(0);
      }),
    );
  });

  it("prints what is promised, what it means, and what is left", () => {
    const account = new Accountant(approximate(1, { n: 1000 }), rows);
    account.charge(cost.gaussian(sensitivity(rows, { type: "marginals", count: 10 }), 1000));
    expect(account.toString().split("\n")).toEqual([
      "Protected: the presence of one row (add/remove: how many units there are stays private).",
      "ε = 1, δ = 0.000001 (1/n² for the public n = 1000): anybody's bet whether one row is in the data is right at most " +
        "55.51 % of the time, whatever else they know (a coin is right 50 % of the time).",
      "Spent: ρ = 0.005 of 0.0243559 (which implies ε = 1, δ = 0.000001 (1/n² for the public n = 1000)); left: 0.0193559.",
    ]);
  });
});

describe("in words", () => {
  it("a bet is right at most as often as the worst case allows", () => {
    expect(explain(pure(1), rows)).toBe(
      "ε = 1: anybody's bet whether one row is in the data is right at most 73.11 % of the time, whatever else they " +
        "know (a coin is right 50 % of the time).",
    );
    expect(explain(pure(10), { unit: "row", relation: { replace: { n: 5 } } })).toContain(
      "100 % of the time",
    );
    expect(explain(pure(10), rows)).toContain("protects hardly anybody");
  });

  it("a curve falls, and holds the promise it came from", () => {
    const points = curve(approximate(1, 1e-6));
    for (const [i, { delta }] of points.entries())
      expect(delta).toBeLessThanOrEqual(points[i - 1]?.delta ?? 1);
    const one = points.find(({ epsilon }) => epsilon === 1);
    expect(one?.delta).toBeLessThanOrEqual(1.000001e-6);
    expect(one?.delta).toBeGreaterThan(0.999999e-6);
    expect(failure(() => curve(pure(1))).code).toBe("BUDGET_INVALID");
  });
});

it("conversions are monotone", () => {
  const logs = fc.record({
    power: fc.double({ min: -9, max: 4.9, noNaN: true }),
    digits: fc.integer({ min: 1, max: 280 }),
  });
  fc.assert(
    fc.property(logs, fc.double({ min: 1e-16, max: 0.1, noNaN: true }), ({ power, digits }, step) => {
      const one = 10 ** power;
      const two = one * (1 + 2 ** -52 + step);
      const delta = `1e-${digits}`;
      const looser = `1.0000000000000002e-${digits}`;
      expect(convert.rho({ epsilon: one, delta })).toBeLessThanOrEqual(convert.rho({ epsilon: two, delta }));
      expect(convert.rho({ epsilon: one, delta })).toBeLessThanOrEqual(
        convert.rho({ epsilon: one, delta: looser }),
      );
      expect(convert.epsilon({ rho: one, delta })).toBeLessThanOrEqual(convert.epsilon({ rho: two, delta }));
      expect(convert.epsilon({ rho: one, delta: looser })).toBeLessThanOrEqual(
        convert.epsilon({ rho: one, delta }),
      );
    }),
  );
});
