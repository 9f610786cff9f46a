// One record more or less is at most one row more or less, whatever its fields hold: for each reader.

import { tableFromArrays, tableToIPC, utf8 } from "@uwdata/flechette";
import fc from "fast-check";
import { parquetWriteBuffer } from "hyparquet-writer";
import { close, init } from "marginalia";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { COLUMNS, counts, type Form, isStable, type Row, row, rows } from "./neighbours.js";
import { WRITERS } from "./writers.js";

const listOf = (all: readonly Row[]) =>
  Object.fromEntries(COLUMNS.map((name) => [name, all.map((one) => one[name])]));

const parquet = (all: readonly Row[]) =>
  new Blob([
    parquetWriteBuffer({
      columnData: COLUMNS.map((name) => ({
        name,
        data: all.map((one) => one[name]),
        type: "STRING" as const,
      })),
    }),
  ]);

const arrow = (all: readonly Row[]) => {
  const types = Object.fromEntries(COLUMNS.map((name) => [name, utf8()]));
  return new Blob([tableToIPC(tableFromArrays(listOf(all), { types }), {}) as Uint8Array<ArrayBuffer>]);
};

const READERS: Readonly<Record<string, Form>> = {
  ...WRITERS,
  "row objects": { source: (all) => [...all], options: {} },
  columns: { source: listOf, options: {} },
  Parquet: { source: parquet, options: {} },
  Arrow: { source: arrow, options: {} },
};

beforeAll(() => init({ worker: false }));
afterAll(() => close());

const badRows = fc.constantFrom("drop", "null" as const);

describe("one unit more", () => {
  it.each(Object.entries(READERS))("is at most its rows more, written by %s", async (_, form) => {
    await fc.assert(
      fc.asyncProperty(rows, row, fc.nat(), badRows, async (others, own, place, bad) => {
        const options = { ...form.options, badRows: bad };
        return isStable(others, [own], place, { ...form, options });
      }),
      { numRuns: 60 },
    );
  });

  it.each(Object.entries(READERS))(
    "adds nothing to another unit by forged ids, written by %s",
    async (_, form) => {
      const unit = { column: "id", maxRows: 3 };
      const own = fc
        .array(row, { minLength: 1, maxLength: 3 })
        .map((all) => all.map((one) => ({ ...one, id: "own" })));
      const others = fc
        .array(row, { maxLength: 6 })
        .map((all) => all.map((one, i) => ({ ...one, id: `p${i >> 1}` })));
      await fc.assert(
        fc.asyncProperty(others, own, fc.nat(), badRows, async (others, own, place, bad) => {
          const options = { ...form.options, unit, badRows: bad };
          return isStable(others, own, place, { ...form, options });
        }),
        { numRuns: 40 },
      );
    },
  );
});

const HOSTILE: Row = { a: "x", id: "p1", b: "7", note: `"\n${"y,p2,1,,é\n".repeat(1000)}`, c: "é" };

describe("a record that forges others", () => {
  it.each(Object.entries(READERS))("is one row, also of 3 MB, written by %s", async (_, form) => {
    for (const note of [HOSTILE.note, `${HOSTILE.note}${"y,p2,1,,é\r\n".repeat(300_000)}`]) {
      const own = [{ ...HOSTILE, note }];
      expect(await isStable([HOSTILE], own, 1, form)).toBe(true);
      expect((await counts(own, form)).reduce((all, one) => all + one)).toBe(1);
    }
  });

  it("is found out to be a thousand rows where lines are records", async () => {
    const lines = {
      ...(WRITERS["csv-stringify"] as Form),
      options: { format: "csv", records: "lines" },
    } as const;
    expect(await isStable([], [HOSTILE], 0, lines)).toBe(false);
    const found = await counts([HOSTILE], { ...lines, options: { ...lines.options, badRows: "null" } });
    expect(found.reduce((all, one) => all + one)).toBeGreaterThan(1000);
    const property = fc.asyncProperty(rows, row, fc.nat(), (others, own, place) =>
      isStable(others, [own], place, { ...lines, options: { ...lines.options, badRows: "null" } }),
    );
    expect((await fc.check(property, { numRuns: 200, seed: 1 })).failed).toBe(true);
  });

  it("is found out where a writer is read without the setting that it needs", async () => {
    const windows = WRITERS["csv-stringify for Windows"] as Form;
    const own = { ...HOSTILE, note: "\n" };
    expect(await isStable([], [own], 0, windows)).toBe(true);
    const bare = { ...windows, options: { format: "csv", badRows: "null" } } as const;
    expect(await isStable([], [own], 0, bare)).toBe(false);
  });
});

describe("stretches of text that are looked at together", () => {
  it("may end anywhere in a record", async () => {
    const form = WRITERS["csv-stringify"] as Form;
    const own = { ...HOSTILE, note: '"\n","\r\n' };
    for (const boundary of [1 << 18, 1 << 20]) {
      for (let shift = -24; shift <= 8; shift++) {
        const filler = { ...HOSTILE, note: "n".repeat(boundary + shift - 30) };
        const all = await counts([filler, own, HOSTILE], form);
        expect(all.reduce((sum, one) => sum + one)).toBe(3);
      }
    }
  });
});
