import { category, readTable, schema } from "marginalia";
import { correlation, evaluate } from "marginalia/evaluate";
import { describe, expect, it } from "vitest";
import { association } from "../../ts/evaluate/correlation.js";
import { stream } from "../../ts/seed.js";
import { codeOf } from "./support";

const mean = (list: readonly number[]) => list.reduce((sum, one) => sum + one, 0) / list.length;
const deviation = (list: readonly number[]) =>
  Math.sqrt(mean(list.map((one) => (one - mean(list)) ** 2)) / (list.length - 1));

/** Counts of n rows that are drawn by the shares of an r × c table. */
function drawn(shares: readonly number[], n: number, draws: ReturnType<typeof stream>): Float64Array {
  const counts = new Float64Array(shares.length);
  for (let row = 0; row < n; row++) {
    let left = draws.double();
    const cell = shares.findIndex((share) => {
      left -= share;
      return left < 0;
    });
    counts[Math.max(cell, 0)] = (counts[Math.max(cell, 0)] as number) + 1;
  }
  return counts;
}

const even = (size: number) => new Array<number>(size).fill(1 / size);
const crossed = (a: readonly number[], b: readonly number[]) => a.flatMap((x) => b.map((y) => x * y));

/** E (X − k)⁺ of a χ² with k degrees of freedom: half the mean deviation of a gamma law. */
function excess(k: number): number {
  const a = k / 2;
  let logGamma = a % 1 === 0 ? 0 : Math.log(Math.PI) / 2;
  for (let i = a % 1 === 0 ? 1 : 0.5; i < a; i++) logGamma += Math.log(i);
  return 2 * Math.exp(a * Math.log(a) - a - logGamma);
}

describe("Cramér's V of independent attributes", () => {
  it.each([
    [3, 3, 100],
    [3, 3, 1000],
    [5, 8, 300],
    [5, 8, 3000],
  ])("has the bias of its closed form and loses it by the correction: %i × %i, n = %i", (r, c, n) => {
    const draws = stream("independent", r, c, n);
    const shares = crossed(even(r), even(c));
    const found = Array.from({ length: 300 }, () => association({ counts: drawn(shares, n, draws) }, c));
    const least = Math.min(r, c) - 1;
    // With given margins the mean of χ² is exactly n (r−1)(c−1)/(n−1).
    const read = found.map(({ v }) => v ** 2 * least);
    const chance = ((r - 1) * (c - 1)) / (n - 1);
    expect(Math.abs(mean(read) - chance)).toBeLessThan(5 * deviation(read));
    // What is left is that no square is below zero.
    const corrected = found.map((one) => one.corrected ** 2 * least);
    const rest = excess((r - 1) * (c - 1)) / n;
    expect(Math.abs(mean(corrected) - rest)).toBeLessThan(5 * deviation(corrected) + 0.05 * rest);
    expect(mean(corrected)).toBeLessThan(0.45 * mean(read));
  });

  it("comes to zero as rows become many", () => {
    const draws = stream("many");
    const shares = crossed([0.6, 0.3, 0.1], [0.5, 0.25, 0.25]);
    const at = (n: number) => {
      const found = Array.from({ length: 60 }, () => association({ counts: drawn(shares, n, draws) }, 3));
      return [mean(found.map(({ v }) => v)), mean(found.map(({ corrected }) => corrected))] as const;
    };
    const curve = [100, 1000, 10_000].map(at);
    for (const [i, [v, corrected]] of curve.entries()) {
      expect(corrected).toBeLessThan(0.6 * v);
      const [before] = curve[i - 1] ?? [];
      // As the root of n, within what 60 draws leave to luck.
      if (before !== undefined) expect(before / v).toBeCloseTo(Math.sqrt(10), 0);
    }
  });
});

describe("Cramér's V of attributes that go together", () => {
  // Three values, the same in both with a share of ½ beyond chance: V = ½.
  const shares = crossed(even(3), even(3)).map((share, cell) => share / 2 + (cell % 4 === 0 ? 1 / 6 : 0));

  it("is read too high off few rows, and is right without its bias", () => {
    const draws = stream("together");
    for (const n of [30, 100, 300, 3000]) {
      const found = Array.from({ length: 400 }, () => association({ counts: drawn(shares, n, draws) }, 3));
      const [read, corrected] = [found.map(({ v }) => v ** 2), found.map((one) => one.corrected ** 2)];
      // (r−1)(c−1)/(n−1) above, less the part of it that is there already.
      const bias = mean(read) - 0.25;
      expect(bias).toBeGreaterThan(-5 * deviation(read));
      expect(bias).toBeLessThan(2 / (n - 1) + 5 * deviation(read));
      expect(Math.abs(mean(corrected) - 0.25)).toBeLessThan(5 * deviation(corrected) + 1 / n);
    }
  });

  it("is the same of rows that are repeated, which the correction takes for as many more", () => {
    const draws = stream("repeated");
    const counts = drawn(crossed(even(5), even(5)), 100, draws);
    const [once, often] = [1, 50].map((times) =>
      association({ counts: counts.map((n) => times * n) }, 5),
    ) as [ReturnType<typeof association>, ReturnType<typeof association>];
    expect(often.v).toBeCloseTo(once.v, 12);
    // Of chance alone: taken away from 100 rows, and nearly all left in 5000 copies of them.
    expect(once.corrected).toBeLessThan(0.7 * once.v);
    expect(often.corrected).toBeGreaterThan(0.98 * often.v);
  });
});

describe("correlations of a table", () => {
  const three = schema({ a: category(["0", "1"]), b: category(["0", "1"]), c: category(["0", "1"]) });
  /** Rows of which each pair of attributes agrees with its own frequency. */
  const table = (agree: number) => {
    const rows = Array.from({ length: 400 }, (_, i) => {
      const [a, same] = [i % 2, i % 100 < agree];
      return { a: `${a}`, b: `${same ? a : 1 - a}`, c: `${(i >> 1) % 2}` };
    });
    return readTable(rows, three);
  };

  it("are told apart by what was measured, and their difference has a sign", async () => {
    using truth = await table(90);
    using weaker = await table(80);
    const { correlation: found } = await evaluate({
      ...{ truth, synthetic: weaker, public: truth, triples: 1 },
      measured: [["c", "a"], ["b"]],
    });
    const { measured, others, count, mean, shift } = found.synthetic;
    expect([count, measured?.count, others?.count]).toEqual([3, 1, 2]);
    expect(measured?.mean).toBeCloseTo(0, 12);
    // V is 2·share − 1 of what agrees: .8 and .6; b × c is independent in both.
    expect(others?.mean).toBeCloseTo(0.1, 2);
    expect(((measured?.mean as number) + 2 * (others?.mean as number)) / 3).toBeCloseTo(mean, 12);
    expect(shift).toBeCloseTo(-mean, 2);
    expect(found.public?.mean).toBe(0);
    const alone = await correlation({ truth, synthetic: weaker });
    expect([alone.mean, alone.shift, alone.measured]).toEqual([mean, shift, undefined]);
  });

  it("that are further off than the public table's come with the reason, and others do not", async () => {
    using truth = await table(90);
    using weaker = await table(80);
    const words = "Correlations are further off than the public table's";
    const asked = { truth, triples: 1, measured: [["a", "b"]] as const };
    const worse = `${await evaluate({ ...asked, synthetic: weaker, public: truth })}`;
    expect(worse).toContain(words);
    expect(worse).toMatch(/off by, 1 measured pair +0\.2 +0 /);
    expect(worse).toMatch(/V, mean difference +-0\.\d+ +0 /);
    expect(`${await evaluate({ ...asked, synthetic: truth, public: weaker })}`).not.toContain(words);
    expect(`${await evaluate({ ...asked, synthetic: weaker })}`).not.toContain(words);
    const unknown = evaluate({ ...asked, synthetic: weaker, measured: [["nope"]] as never });
    expect(await codeOf(unknown)).toBe("ATTRIBUTE_UNKNOWN");
  });
});
