import { tableFromArrays, tableToIPC } from "@uwdata/flechette";
import fc from "fast-check";
import { parquetWriteBuffer } from "hyparquet-writer";
import { type SealedSource, seal, type Unit } from "marginalia";
import { describe, expect, it } from "vitest";
import { exact, options, people, plenty } from "./support.js";

/** The same rows in every format that is sealed: the same counts, and neighbours as near. */

interface Row {
  id: string | null;
  age: number | null;
  sex: string | null;
}

const NAMES = ["id", "age", "sex"] as const;
const columnsOf = (rows: readonly Row[]) =>
  NAMES.map((name) => [name, rows.map((row) => row[name])] as const);

function csv(rows: readonly Row[]): string {
  const field = (value: string | number | null) => {
    const text = `${value ?? ""}`;
    return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [NAMES.join(), ...rows.map((row) => NAMES.map((name) => field(row[name])).join()), ""].join("\n");
}

function parquet(rows: readonly Row[], rowGroupSize: number): SealedSource {
  const columnData = columnsOf(rows).map(([name, data]) => {
    return { name, data, type: name === "age" ? ("INT32" as const) : ("STRING" as const), nullable: true };
  });
  return new Blob([parquetWriteBuffer({ rowGroupSize, columnData })]);
}

function arrow(rows: readonly Row[], maxBatchRows: number, format: "stream" | "file"): SealedSource {
  return tableToIPC(tableFromArrays(Object.fromEntries(columnsOf(rows)), { maxBatchRows }), {
    format,
  }) as Uint8Array;
}

const formats: Record<string, (rows: readonly Row[], batch: number) => SealedSource> = {
  CSV: (rows) => new Blob([csv(rows)]),
  Parquet: parquet,
  "an Arrow stream": (rows, batch) => arrow(rows, batch, "stream"),
  "an Arrow file": (rows, batch) => arrow(rows, batch, "file"),
  rows: (rows) => rows.map((row) => ({ ...row })),
  columns: (rows) => Object.fromEntries(columnsOf(rows)) as SealedSource,
};

/** Whatever a row may hold: values that are declared, others, and none. */
const row: fc.Arbitrary<Row> = fc.record({
  id: fc.constantFrom("p", "q", "Ω r", "7", null),
  age: fc.option(fc.integer({ min: -3, max: 14 })),
  sex: fc.option(fc.constantFrom("F", "M", "x, y", 'a "b"', "é🙂")),
});
/** In the first row nothing is null, so that the types of columns can be told. */
const table = fc
  .array(row, { maxLength: 60 })
  .map((rows): Row[] => [{ id: "first", age: 1, sex: "F" }, ...rows]);

/** The cells of ages within 0 to 9 or null, by sexes F, M and any other. */
function counted(rows: readonly Row[]): number[] {
  const cells = new Array<number>(11 * 3).fill(0);
  for (const { age, sex } of rows) {
    const code = age === null ? 10 : Math.min(9, Math.max(0, age));
    const other = sex === "F" ? 0 : sex === "M" ? 1 : 2;
    cells[3 * code + other] = (cells[3 * code + other] as number) + 1;
  }
  return cells;
}

async function measured(source: SealedSource, unit: Unit): Promise<number[]> {
  const sealed = await seal(source, people, { ...options, ...plenty, unit });
  const [counts] = await sealed.measure([{ clique: ["age", "sex"], ...exact }]);
  await sealed.close();
  return [...(counts?.values ?? [])];
}

const sum = (list: readonly number[]) => list.reduce((so, n) => so + n, 0);
const distance = (a: readonly number[], b: readonly number[]) =>
  sum(a.map((count, i) => Math.abs(count - (b[i] as number))));
const batch = fc.integer({ min: 1, max: 70 });
const runs = { numRuns: 12 };

describe.each(Object.entries(formats))("sealed from %s", (_, make) => {
  it("counts are those of the rows, whatever they hold and however they are divided", async () => {
    await fc.assert(
      fc.asyncProperty(table, batch, async (rows, batch) => {
        expect(await measured(make(rows, batch), "row")).toEqual(counted(rows));
        expect(await measured(make(rows, batch), { maxRows: 2 })).toEqual(counted(rows));
      }),
      runs,
    );
  });

  it("a unit has as many rows as are declared, and those without an id are in none", async () => {
    await fc.assert(
      fc.asyncProperty(table, batch, async (rows, batch) => {
        const found = await measured(make(rows, batch), { column: "id", maxRows: 2 });
        const ids = new Map<string, number>();
        for (const { id } of rows) if (id !== null) ids.set(id, Math.min(2, (ids.get(id) ?? 0) + 1));
        expect(sum(found)).toBe(sum([...ids.values()]));
        for (const [cell, count] of counted(rows).entries()) expect(found[cell]).toBeLessThanOrEqual(count);
      }),
      runs,
    );
  });

  it("a unit more moves counts by no more than its rows", async () => {
    const more = fc.array(row, { minLength: 1, maxLength: 9 });
    await fc.assert(
      fc.asyncProperty(table, more, batch, fc.boolean(), async (rows, more, batch, first) => {
        // The rows of all others are one for each id, so that which are kept is no chance.
        const others = rows.map((row, i) => ({ ...row, id: `${i}` }));
        const own = more.map((row) => ({ ...row, id: "own" }));
        const all = first ? [others[0] as Row, ...own, ...others.slice(1)] : [...others, ...own];
        for (const maxRows of [1, 2]) {
          const unit = { column: "id", maxRows };
          const [before, after] = [
            await measured(make(others, batch), unit),
            await measured(make(all, batch), unit),
          ];
          expect(distance(before, after)).toBe(Math.min(maxRows, own.length));
        }
        const one = [...others, ...own.slice(0, 1)];
        expect(distance(await measured(make(one, batch), "row"), counted(others))).toBe(1);
      }),
      runs,
    );
  });
});
