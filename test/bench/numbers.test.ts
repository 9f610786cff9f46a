import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { load } from "./modules";

describe("statistics", () => {
  test("quantiles interpolate between neighbours, whatever the order", async () => {
    const { quantile } = await load("lib/stats.mjs");
    expect([0, 0.25, 0.5, 0.75, 1].map((p) => quantile([5, 1, 4, 2, 3], p))).toEqual([1, 2, 3, 4, 5]);
    expect(quantile([10, 20], 0.25)).toBe(12.5);
    expect(quantile([7], 0.9)).toBe(7);
  });

  test("the interval of a ratio holds the ratio, and scales with it", async () => {
    const { ratioInterval } = await load("lib/stats.mjs");
    const times = fc.array(fc.double({ min: 1, max: 2, noNaN: true }), { minLength: 3, maxLength: 9 });
    fc.assert(
      fc.property(times, times, (a, b) => {
        const { ratio, low, high } = ratioInterval(a, b);
        expect(low).toBeLessThanOrEqual(high);
        expect(ratio).toBeGreaterThanOrEqual(low - 1e-12);
        expect(ratio).toBeLessThanOrEqual(high + 1e-12);
        const doubled = ratioInterval(
          a,
          b.map((time) => 2 * time),
        );
        expect(doubled.low).toBeCloseTo(2 * low, 10);
        expect(doubled.high).toBeCloseTo(2 * high, 10);
      }),
      { numRuns: 20 },
    );
  });

  test("the interval tells a difference from noise", async () => {
    const { ratioInterval } = await load("lib/stats.mjs");
    const a = [1, 1.02, 0.99, 1.01, 1.03, 0.98, 1];
    const noise = ratioInterval(a, [1.01, 0.99, 1.02, 1, 0.98, 1.02, 1.01]);
    expect(noise.low).toBeLessThanOrEqual(1);
    expect(noise.high).toBeGreaterThanOrEqual(1);
    expect(
      ratioInterval(
        a,
        a.map((time) => 1.2 * time),
      ).low,
    ).toBeGreaterThan(1.1);
  });
});

describe("the data", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "marginalia-bench-data-"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  test("is the same at every run, in range, and as long as it was asked for", async () => {
    const { columns, sizesOf } = await load("lib/data.mjs");
    const sizes = sizesOf(25);
    const table = columns(sizes, 3000);
    expect(sizes[20]).toBe(sizes[0]);
    const hash = createHash("sha256");
    for (const [i, codes] of table.entries()) {
      hash.update(codes);
      expect(new Set(codes)).toEqual(new Set(Array.from({ length: sizes[i] ?? 0 }, (_, code) => code)));
    }
    // A twin of lib/data.mjs in Python gives the same.
    expect(hash.digest("hex")).toBe("68ce78b32e436887de446544254a38efcf79a945e18fc4526b187dd749613a1a");
  });

  test("comes back from its files", async () => {
    const { columns, labels, readColumns, sizesOf, writeColumns, writeCsv } = await load("lib/data.mjs");
    const sizes = sizesOf(20);
    const table = columns(sizes, 1234);
    await writeColumns(join(folder, "codes.bin"), table);
    expect(await readColumns(join(folder, "codes.bin"), 20)).toEqual(table);
    const texts = labels(sizes);
    await writeCsv(join(folder, "texts.csv"), table, texts);
    const [header, ...lines] = (await readFile(join(folder, "texts.csv"), "utf8")).trimEnd().split("\n");
    expect(header?.split(",")).toHaveLength(20);
    const rows = lines.map((line) => line.split(","));
    const codes = texts.map((values, i) => Uint8Array.from(rows, (row) => values.indexOf(row[i] ?? "")));
    expect(codes).toEqual(table);
  });

  test("is counted pair by pair, the second attribute fastest", async () => {
    const { pairs } = await load("lib/data.mjs");
    const { countPairs } = await load("lib/plain.mjs");
    expect(pairs(3)).toEqual([
      [0, 1],
      [0, 2],
      [1, 2],
    ]);
    const table = [
      [0, 1, 1],
      [2, 0, 0],
      [0, 0, 1],
    ].map((codes) => Uint8Array.from(codes));
    const counts = countPairs(table, [2, 3, 2]).map((cells) => [...cells]);
    expect(counts).toEqual([
      [0, 0, 1, 2, 0, 0],
      [1, 0, 1, 1],
      [1, 1, 0, 0, 1, 0],
    ]);
  });
});
