import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { advantage } from "../../ts/privacy/advantage.js";
import { pure, zcdp } from "../../ts/privacy/budget.js";
import { convert } from "../../ts/privacy/convert.js";
import { cost } from "../../ts/privacy/cost.js";
import { Rational, show } from "../../ts/privacy/rational.js";
import { type Query, sensitivity } from "../../ts/privacy/sensitivity.js";

/** Values that others computed: see `test/golden/make_accounting.py`. Rust runs the same file. */
const golden = JSON.parse(readFileSync("test/golden/accounting.json", "utf8"));

describe("amounts", () => {
  it("are read exactly or refused", () => {
    for (const { text, ratio } of golden.texts.read) expect(String(Rational.of(text))).toBe(ratio);
    for (const text of golden.texts.refused) {
      expect(() => Rational.of(text), text).toThrowError(expect.objectContaining({ code: "BUDGET_INVALID" }));
    }
  });

  it("are shown on the side asked for", () => {
    for (const { ratio, up, down } of golden.shown) {
      const value = Rational.of(ratio);
      expect([show(value, true), show(value, false)]).toEqual([up, down]);
      expect(Rational.of(up).compare(value)).toBeGreaterThanOrEqual(0);
      expect(Rational.of(down).compare(value)).toBeLessThanOrEqual(0);
    }
  });
});

it("sensitivities are those of all neighbours", () => {
  expect(golden.sensitivities.length).toBeGreaterThan(100);
  for (const { query, rows, relation, l1, l2Squared } of golden.sensitivities) {
    const neighbours = {
      unit: { maxRows: rows },
      relation: relation === "replace" ? { replace: { n: 2 } } : relation,
    };
    const found = sensitivity(neighbours, query as Query);
    expect([found.l1, found.l2Squared], JSON.stringify(query)).toEqual([BigInt(l1), BigInt(l2Squared)]);
  }
});

it("costs are exact", () => {
  for (const { l1, l2Squared, scale, ...expected } of golden.costs) {
    const norms = { l1: BigInt(l1), l2Squared: BigInt(l2Squared) };
    const found = {
      laplace: cost.laplace(norms, scale),
      gaussian: cost.gaussian(norms, scale),
      exponential: cost.exponential(scale),
      permuteAndFlip: cost.permuteAndFlip(scale),
    };
    expect(JSON.parse(JSON.stringify(found))).toEqual(expected);
  }
});

/** `found` is not below the true value, nor above it by more than 1e-9 of it; with `down` the other way round. */
function safe(found: number, truth: string, down = false) {
  const [low, high] = down
    ? [Rational.of(found), Rational.of(truth)]
    : [Rational.of(truth), Rational.of(found)];
  expect(low.compare(high)).toBeLessThanOrEqual(0);
  expect(high.minus(low).over(Rational.of(truth)).compare(Rational.of("1e-9"))).toBeLessThanOrEqual(0);
}

it("conversions are safe, close and fast", () => {
  const begun = performance.now();
  for (const one of golden.conversions) {
    const { epsilon, delta, givenRho: rho } = one;
    safe(convert.rho({ epsilon, delta }), one.rho, true);
    safe(convert.epsilon({ rho, delta }), one.epsilonOfRho);
    safe(convert.delta({ rho, epsilon }), one.deltaOfRho);
    if (one.opendpEpsilon)
      expect(Math.abs(convert.epsilon({ rho, delta }) / one.opendpEpsilon - 1)).toBeLessThan(1e-9);
  }
  expect((performance.now() - begun) / (3 * golden.conversions.length)).toBeLessThan(10);
});

it("advantages are bounds and close", () => {
  for (const { amount, pure: ofPure, zcdp: ofZcdp } of golden.advantages) {
    for (const [found, truth] of [
      [advantage(pure(amount)), ofPure],
      [advantage(zcdp(amount)), ofZcdp],
    ]) {
      const excess = Rational.of(found).minus(Rational.of(truth));
      expect(excess.sign).toBeGreaterThanOrEqual(0);
      expect(excess.compare(Rational.of("1.1e-9"))).toBeLessThan(0);
    }
  }
});
