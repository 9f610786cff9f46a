import fc from "fast-check";
import { expect, it } from "vitest";
import { spentOn } from "../../../ts/privacy/accountant.js";
import {
  amount,
  charged,
  decimal,
  fraction,
  isAmount,
  minus,
  plus,
  zero,
} from "../../../ts/privacy/ledger/amount.js";
import { Rational } from "../../../ts/privacy/rational.js";

it.each([
  ["0", "0"],
  ["3", "3"],
  ["1/10", "0.1"],
  ["30/10", "3"],
  ["1/3", "≈ 0.333333"],
  ["1/1000000", "0.000001"],
  ["1/30000000000", "≈ 0.000000000033333"],
  [`1/${10n ** 100n}`, "≈ 0"],
  [`${10n ** 400n}/${3n * 10n ** 400n}`, "≈ 0.333333"],
])("%s is %s for people", (text, words) => {
  expect(decimal(amount(text))).toBe(words);
});

it("what is left may be less than nothing, and is said", () => {
  expect(decimal(minus(amount("1/10"), amount("3/5")))).toBe("−0.5");
  expect(fraction(minus(amount("1/10"), amount("3/5")))).toBe("-1/2");
});

it("property: sums are exact, in lowest terms, and agree with whole numbers", () => {
  const part = fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.bigInt({ min: 1n, max: 10n ** 30n }));
  fc.assert(
    fc.property(part, part, ([a, b], [c, d]) => {
      const sum = plus(amount(`${a}/${b}`), amount(`${c}/${d}`));
      expect(sum.over * b * d).toBe((a * d + c * b) * sum.under);
      expect(isAmount(fraction(sum))).toBe(true);
      expect(fraction(minus(sum, amount(`${c}/${d}`)))).toBe(
        fraction(plus(amount(`${a}/${b}`), amount("0"))),
      );
    }),
  );
});

it("property: what is said to be spent is what the account came to, also where it was rounded", () => {
  const part = fc.tuple(fc.bigInt({ min: 1n, max: 2n ** 130n }), fc.bigInt({ min: 1n, max: 2n ** 130n }));
  fc.assert(
    fc.property(fc.array(part, { maxLength: 20 }), part, (pairs, [p, q]) => {
      const costs = pairs.map(([a, b]) => `${a}/${b}`);
      const spent = costs.reduce((so, cost) => charged(so, amount(cost), amount(`${p}/${q}`)), zero);
      expect(fraction(spent)).toBe(`${spentOn(costs, Rational.ratio(p, q))}`);
    }),
  );
});
