import fc from "fast-check";
import { readTable, type Schema, type Table } from "marginalia";
import { contestScore, evaluate, kMarginal, totalVariation, workloadError } from "marginalia/evaluate";
import { expect, test } from "vitest";
import { kWay } from "../../ts/tables/workload.js";
import { sized } from "./support";

type Rows = readonly (readonly number[])[];

/** Rows of codes, with weights or without. */
function tableOf(over: Schema, rows: Rows, weights?: readonly number[]): Promise<Table> {
  const columns = over.names.map((name, i) => [name, Uint16Array.from(rows, (row) => row[i] as number)]);
  const all = Object.fromEntries(columns) as Record<string, Uint16Array | Float64Array>;
  if (!weights) return readTable(all, over);
  return readTable({ ...all, w: Float64Array.from(weights) }, over, { weight: "w" });
}

const SIZES = [3, 2, 4, 2];
const over = sized(SIZES);
const row = fc.tuple(...SIZES.map((size) => fc.nat(size - 1)));
const rows = fc.array(row, { minLength: 1, maxLength: 12 });
const runs = { numRuns: 40 };

/** Shares of combinations, by dictionary. */
function shares(rows: Rows, columns: readonly number[], within?: (row: readonly number[]) => boolean) {
  const found = new Map<string, number>();
  const chosen = within ? rows.filter(within) : rows;
  for (const row of chosen) {
    const key = columns.map((column) => row[column]).join();
    found.set(key, (found.get(key) ?? 0) + 1 / chosen.length);
  }
  return found;
}

function l1(a: Map<string, number>, b: Map<string, number>): number {
  const keys = new Set([...a.keys(), ...b.keys()]);
  return [...keys].reduce((sum, key) => sum + Math.abs((a.get(key) ?? 0) - (b.get(key) ?? 0)), 0);
}

test("scores are those of a plain program, with groups and without", async () => {
  await fc.assert(
    fc.asyncProperty(rows, rows, async (a, b) => {
      using truth = await tableOf(over, a);
      using synthetic = await tableOf(over, b);
      const plain = await kMarginal({ truth, synthetic, subsamples: false });
      const pairs = [0, 1, 2, 3].flatMap((i) => [1, 2, 3].filter((j) => j > i).map((j) => [i, j]));
      const mean = (of: number[]) => of.reduce((sum, one) => sum + one, 0) / of.length;
      const all = mean(pairs.map((pair) => l1(shares(a, pair), shares(b, pair))));
      expect(plain.score).toBeCloseTo((2 - all) * 500, 8);
      const grouped = await kMarginal({ truth, synthetic, subsamples: false, group: "a0" });
      const inner = pairs.filter(([i]) => i !== 0);
      const triples = mean(inner.map((pair) => l1(shares(a, [0, ...pair]), shares(b, [0, ...pair]))));
      expect(grouped.score).toBeCloseTo((2 - triples) * 500, 8);
      for (const { group, score } of grouped.groups) {
        const of = (row: readonly number[]) => `${row[0]}` === group[0];
        const share = a.filter(of).length / a.length;
        const scale = b.filter(of).length / b.length;
        const losses = inner.map((pair) => {
          const [x, y] = [shares(a, pair, of), shares(b, pair, of)];
          const scaled = (map: Map<string, number>, by: number) =>
            new Map([...map].map(([key, value]) => [key, value * by]));
          return Math.min(share, l1(scaled(x, share), scaled(y, scale))) / share;
        });
        expect(score).toBeCloseTo(1000 * (1 - mean(losses)), 8);
      }
      const contest = await contestScore({ truth, synthetic, group: "a0", pairs: "all" });
      const keys = [...new Set([...a, ...b].map(([first]) => first))];
      const scores = keys.map((key) => {
        const of = (row: readonly number[]) => row[0] === key;
        if (!a.some(of) || !b.some(of)) return 0;
        return (2 - mean(inner.map((pair) => l1(shares(a, pair, of), shares(b, pair, of))))) * 500;
      });
      expect(contest.score).toBeCloseTo(mean(scores), 8);
    }),
    runs,
  );
});

test("equal tables score 1000 exactly, in any order of rows, and repeated rows are weights", async () => {
  await fc.assert(
    fc.asyncProperty(
      rows,
      fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 12, maxLength: 12 }),
      async (a, times) => {
        using truth = await tableOf(over, a);
        using turned = await tableOf(over, [...a].reverse());
        const settings = { subsamples: false, group: "a1" } as const;
        expect((await kMarginal({ truth, synthetic: turned, ...settings })).score).toBe(1000);
        expect((await contestScore({ truth, synthetic: turned, group: "a1" })).score).toBe(1000);
        const same = await totalVariation({ truth, synthetic: turned, k: 3 });
        expect([same.mean, same.fabricated.combinations, same.suppressed.combinations]).toEqual([0, 0, 0]);
        const weights = a.map((_, i) => times[i] as number);
        using heavy = await tableOf(over, a, weights);
        using repeated = await tableOf(
          over,
          a.flatMap((one, i) => new Array<readonly number[]>(weights[i] as number).fill(one)),
        );
        expect((await kMarginal({ truth: heavy, synthetic: repeated, ...settings })).score).toBe(1000);
        const [x, y] = [heavy, repeated].map((synthetic) => kMarginal({ truth, synthetic, ...settings }));
        expect((await x)?.score).toBe((await y)?.score);
      },
    ),
    runs,
  );
});

test("tables that have no value in common score 0", async () => {
  await fc.assert(
    fc.asyncProperty(rows, rows, async (a, b) => {
      const apart = sized(SIZES.map((size) => 2 * size));
      using truth = await tableOf(apart, a);
      using synthetic = await tableOf(
        apart,
        b.map((row) => row.map((code, i) => code + (SIZES[i] as number))),
      );
      expect((await kMarginal({ truth, synthetic, subsamples: false })).score).toBe(0);
      expect((await contestScore({ truth, synthetic, group: "a0" })).score).toBe(0);
      const { mean, fabricated, suppressed } = await totalVariation({ truth, synthetic, k: 1 });
      expect(mean).toBe(1);
      expect([fabricated.share, suppressed.share].map((share) => share.toFixed(12))).toEqual(
        Array(2).fill("1.000000000000"),
      );
    }),
    runs,
  );
});

test("cliques of far more cells than rows are compared as small ones are", async () => {
  // 300·300 cells for a pair, beyond those that are copied whole; with the group 27 million.
  const [wide, narrow] = [sized([300, 300, 300]), sized([3, 3, 3])];
  const some = fc.array(fc.tuple(fc.nat(2), fc.nat(2), fc.nat(2)), { minLength: 1, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(some, some, async (a, b) => {
      const spread = (list: Rows) => list.map((row) => row.map((code) => 149 * code));
      const made = [
        tableOf(narrow, a),
        tableOf(narrow, b),
        tableOf(wide, spread(a)),
        tableOf(wide, spread(b)),
      ];
      const [p, q, r, s] = (await Promise.all(made)) as [Table, Table, Table, Table];
      for (const group of [[], ["a0"]]) {
        const settings = { group, subsamples: [0.5] };
        const [small, large] = [
          await kMarginal({ truth: p, synthetic: q, ...settings }),
          await kMarginal({ truth: r, synthetic: s, ...settings }),
        ];
        expect(large.score).toBe(small.score);
        expect(large.pairs).toEqual(small.pairs);
        expect(large.groups.map(({ score }) => score)).toEqual(small.groups.map(({ score }) => score));
        expect(large.subsamples).toEqual(small.subsamples);
      }
      const [x, y] = [
        await workloadError({ truth: p, other: q, workload: kWay(narrow, 2), normalize: true }),
        await workloadError({ truth: r, other: s, workload: kWay(wide, 2), normalize: true }),
      ];
      expect(y.cliques).toEqual(x.cliques);
      const [e, f] = [await evaluate({ truth: p, synthetic: q }), await evaluate({ truth: r, synthetic: s })];
      expect(JSON.stringify(f)).toBe(JSON.stringify(e));
      for (const table of [p, q, r, s]) table.dispose();
    }),
    { numRuns: 10 },
  );
});
