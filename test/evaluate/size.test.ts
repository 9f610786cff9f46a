import fc from "fast-check";
import { close, memory, readTable } from "marginalia";
import { correlation, kMarginal } from "marginalia/evaluate";
import { afterAll, describe, expect, it } from "vitest";
import { codeOf, sized } from "./support";

afterAll(close);

// As many codes as the published excerpts have in 21 attributes, and 190 areas.
const SIZES = [190, 20, 2, 7, 9, 4, 3, 12, 11, 7, 2, 5, 20, 20, 264, 20, 20, 20, 3, 3, 2, 2];
const ROWS = 27_253;
const over = sized(SIZES);

/** Columns of codes, low ones more often, drawn by a linear congruence. */
function columns(seed: number): Uint16Array[] {
  let state = seed;
  const draw = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state / 2 ** 32;
  };
  return SIZES.map((size) => Uint16Array.from({ length: ROWS }, () => Math.floor(size * draw() ** 2)));
}

const tableOf = (columns: readonly Uint16Array[]) =>
  readTable(Object.fromEntries(over.names.map((name, i) => [name, columns[i] as Uint16Array])), over);

/** The L1 distance of the shares of some columns, cell by cell. */
function distance(a: readonly Uint16Array[], b: readonly Uint16Array[], places: readonly number[]): number {
  const apart = new Map<string, number>();
  for (const [table, sign] of [
    [a, 1],
    [b, -1],
  ] as const) {
    for (let row = 0; row < ROWS; row++) {
      const key = places.map((place) => table[place]?.[row]).join();
      apart.set(key, (apart.get(key) ?? 0) + sign);
    }
  }
  return [...apart.values()].reduce((sum, count) => sum + Math.abs(count), 0) / ROWS;
}

describe("27,253 rows of 21 attributes in 190 areas", () => {
  it("are scored in all 210 tables of three", async () => {
    const [a, b] = [columns(1), columns(2)];
    using truth = await tableOf(a);
    using synthetic = await tableOf(b);
    const before = await memory();
    const { pairs, groups } = await kMarginal({ truth, synthetic, group: "a0", subsamples: false });
    expect([pairs.length, groups.length]).toEqual([210, 190]);
    // Small cells and large, copied whole and one by one.
    for (const places of [
      [2, 3],
      [14, 15],
      [1, 12],
    ]) {
      const wanted = places.map((place) => `a${place}`).join();
      const found = pairs.find(({ attributes }) => attributes.join() === wanted);
      expect(found?.distance).toBeCloseTo(distance(a, b, [0, ...places]), 10);
    }
    // No counts stay behind in the engine; its allocator may keep a little.
    const after = await memory();
    expect(after.objects).toBe(before.objects);
    expect(after.used - before.used).toBeLessThan(1 << 16);
  });

  it("leave nothing behind when they are aborted", async () => {
    const data = columns(3);
    using truth = await tableOf(data);
    using synthetic = await tableOf(data);
    const before = await memory();
    for (const wait of [0, 30, 100]) {
      const signal = AbortSignal.timeout(wait);
      expect(await codeOf(kMarginal({ truth, synthetic, group: "a0", signal }))).toBe("ABORTED");
    }
    // Objects are released by messages that the engine gets before this one.
    const after = await memory();
    expect(after.objects).toBe(before.objects);
  });
});

describe("subsamples", () => {
  it("of a half are off as much as chance is", async () => {
    const half = sized([2, 1]);
    const rows = 1000;
    using truth = await readTable(
      { a0: Uint8Array.from({ length: rows }, (_, i) => i % 2), a1: new Uint8Array(rows) },
      half,
    );
    let sum = 0;
    const runs = 200;
    for (let seed = 0; seed < runs; seed++) {
      const { subsamples } = await kMarginal({ truth, synthetic: truth, subsamples: [0.5], seed });
      expect(subsamples[0]?.rows).toBe(500);
      sum += (1000 - (subsamples[0]?.score as number)) / 1000;
    }
    // The share of one of two equal halves is off by √(2/π)·√(¼/n) in the mean; five standard errors.
    const expected = Math.sqrt(2 / Math.PI) * Math.sqrt(0.25 / rows);
    expect(Math.abs(sum / runs / expected - 1)).toBeLessThan(
      (5 * Math.sqrt(Math.PI / 2 - 1)) / Math.sqrt(runs),
    );
  });
});

describe("Cramér's V", () => {
  it("is that of the textbook, over the values that occur", async () => {
    const schema = sized([4, 3]);
    const rows = fc.array(fc.tuple(fc.nat(3), fc.nat(2)), { minLength: 2, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(rows, async (data) => {
        using table = await readTable(
          data.map(([a0, a1]) => ({ a0: `${a0}`, a1: `${a1}` })),
          schema,
        );
        const { pairs } = await correlation({ truth: table, synthetic: table });
        // Squares: near 0, the root makes rounding errors large.
        const { truth, corrected } = pairs[0] as (typeof pairs)[number];
        const [v, less] = textbook(data);
        expect(truth ** 2).toBeCloseTo(v ** 2, 10);
        expect(corrected.truth ** 2).toBeCloseTo(less ** 2, 10);
      }),
      { numRuns: 60 },
    );
  });
});

/** V by χ² from observed and expected counts, and with Bergsma's correction of it. */
function textbook(data: readonly (readonly [number, number])[]): [v: number, corrected: number] {
  const n = data.length;
  const values = [0, 1].map((side) => [...new Set(data.map((row) => row[side] as number))]);
  const [across, down] = values as [number[], number[]];
  const [r, c] = [across.length, down.length];
  if (r < 2 || c < 2) return [0, 0];
  const count = (of: (row: readonly [number, number]) => boolean) => data.filter(of).length;
  let chi = 0;
  for (const a of across) {
    for (const b of down) {
      const expected = (count(([x]) => x === a) * count(([, y]) => y === b)) / n;
      chi += (count(([x, y]) => x === a && y === b) - expected) ** 2 / expected;
    }
  }
  const phi = Math.max(0, chi / n - ((r - 1) * (c - 1)) / (n - 1));
  const least = Math.min(r - (r - 1) ** 2 / (n - 1), c - (c - 1) ** 2 / (n - 1)) - 1;
  const v = Math.min(1, Math.sqrt(chi / n / (Math.min(r, c) - 1)));
  return [v, least <= 0 ? 0 : Math.min(1, Math.sqrt(phi / least))];
}
