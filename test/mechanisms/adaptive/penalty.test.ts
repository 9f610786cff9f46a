import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { split } from "../../../ts/mechanisms/adaptive/resolved.js";
import { expectedError } from "../../../ts/mechanisms/adaptive/rounds.js";
import { Rational } from "../../../ts/privacy/rational.js";
import { stream } from "../../../ts/seed.js";

const half = Math.sqrt(2 / Math.PI);

describe("the error that is expected to be left", () => {
  it("is that of the noise where the prior is worth nothing, and nothing where it is certain", () => {
    const counts = Float64Array.of(100, 300, 600);
    expect(expectedError(counts, { variance: 25, total: 1000, worth: 1e-9 })).toBeCloseTo(3 * 5 * half, 3);
    // A cell that has all records cannot be off.
    expect(expectedError(Float64Array.of(1000), { variance: 25, total: 1000, worth: 10 })).toBe(0);
    expect(expectedError(Float64Array.of(0, 0), { variance: 25, total: 1000, worth: 10 })).toBe(0);
  });

  /** Truth and prior are samples of one population; an answer is weighed against the prior by their variances. */
  it("is what simulations leave", () => {
    const draws = stream("penalty");
    const normal = () =>
      Math.sqrt(-2 * Math.log(1 - draws.double())) * Math.cos(2 * Math.PI * draws.double());
    const [total, worth, variance] = [1000, 400, 30];
    for (const count of [5, 80, 500]) {
      const share = count / total;
      const own = total * share * (1 - share);
      const before = (own * total) / worth;
      let sum = 0;
      const times = 40_000;
      for (let i = 0; i < times; i++) {
        const [truth, prior] = [Math.sqrt(own) * normal(), Math.sqrt(before) * normal()];
        const answer = truth + Math.sqrt(variance) * normal();
        const spread = own + before;
        const weight = spread / (spread + variance);
        sum += Math.abs(truth - (weight * answer + (1 - weight) * prior));
      }
      const expected = expectedError(Float64Array.of(count), { variance, total, worth });
      // The mean of 40,000 has a standard error of 0.75/200 of it: ten of them.
      expect(Math.abs(sum / times / expected - 1)).toBeLessThan(0.04);
    }
  });

  it("falls with every answer and with what the prior is worth, and never exceeds the noise", () => {
    const size = fc.double({ min: 0.01, max: 1e5, noNaN: true });
    const cells = fc.array(fc.oneof(fc.constant(0), fc.double({ min: 1e-3, max: 1e4, noNaN: true })), {
      minLength: 1,
      maxLength: 20,
    });
    fc.assert(
      fc.property(cells, size, size, (list, variance, worth) => {
        const counts = Float64Array.from(list);
        const total = list.reduce((sum, one) => sum + one, 1);
        const left = expectedError(counts, { variance, total, worth });
        expect(left).toBeLessThanOrEqual(counts.length * Math.sqrt(variance) * half * (1 + 1e-12));
        expect(expectedError(counts, { variance: variance / 2, total, worth })).toBeLessThanOrEqual(left);
        expect(expectedError(counts, { variance, total, worth: 2 * worth })).toBeLessThanOrEqual(left);
      }),
    );
  });
});

it("a budget is divided without a rest", () => {
  const part = fc
    .integer({ min: 1, max: 999 })
    .map((thousandths) => Rational.ratio(BigInt(thousandths), 1000n));
  const amount = fc
    .tuple(fc.bigInt({ min: 1n, max: 10n ** 18n }), fc.bigInt({ min: 1n, max: 10n ** 18n }))
    .map(([p, q]) => Rational.ratio(p, q));
  const count = fc.integer({ min: 1, max: 200 });
  fc.assert(
    fc.property(amount, part, count, fc.integer({ min: 0, max: 60 }), (all, share, rounds, before) => {
      const { select, measure } = split(all, share, rounds, before);
      const times = (one: Rational, n: number) => one.times(Rational.of(BigInt(n)));
      expect(`${times(select, rounds).plus(times(measure, rounds + before))}`).toBe(`${all}`);
      expect(`${times(select, rounds)}`).toBe(`${all.times(share)}`);
    }),
  );
});
