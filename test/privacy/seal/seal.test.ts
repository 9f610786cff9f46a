import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { tableFromArrays, tableToIPC } from "@uwdata/flechette";
import { parquetWriteBuffer } from "hyparquet-writer";
import { approximate, memoryStore, pure, type SealOptions, type seal, zcdp } from "marginalia";
import { describe, expect, it } from "vitest";
import { ages, csv, exact, folder, plenty, refusal, sealing } from "./support.js";

const bytes = new TextEncoder().encode(csv);
const rows = [
  { age: 1, sex: "F" },
  { age: 2, sex: "M" },
  { age: 2, sex: "F" },
  { age: 12n, sex: "F" },
  { sex: "M" },
  { age: 0, sex: "x" },
  { age: 0, sex: null },
];
const columns = {
  age: Float64Array.from([1, 2, 2, 12, Number.NaN, 0, 0]),
  sex: ["F", "M", "F", "F", "M", "x", undefined],
};

describe("a sealed table", () => {
  const sources: [string, () => Parameters<typeof seal>[0] | Promise<Parameters<typeof seal>[0]>][] = [
    ["pieces of text", () => csv.split(/(?<=,)/)],
    ["bytes", () => bytes],
    ["an ArrayBuffer", () => bytes.slice().buffer],
    ["a Blob", () => new Blob([csv])],
    ["a gzipped Blob", () => new Blob([gzipSync(csv)])],
    ["a web stream", () => new Blob([csv]).stream()],
    ["a Response", () => new Response(csv)],
    ["a Node stream", () => Readable.from([Buffer.from(csv)])],
    ["rows", () => rows],
    ["a generator of rows", () => rows.values()],
    ["columns", () => columns],
    ["a function", () => () => Promise.resolve(new Blob([csv]).stream())],
    ["a path", async () => filed("people.csv", csv)],
    [
      "a path of NDJSON",
      async () => filed("people.ndjson", rows.slice(0, 3).concat(rows.slice(4)).map(line).join("\n")),
    ],
  ];

  it.each(sources)("answers from %s", async (name, source) => {
    const sealed = await sealing(await source(), plenty);
    const [age, all] = await sealed.measure([
      { clique: ["age"], ...exact },
      { clique: [], ...exact },
    ]);
    const expected = name.endsWith("NDJSON") ? ages.map((count, i) => (i === 9 ? 0 : count)) : ages;
    expect([...(age?.values ?? [])]).toEqual(expected);
    expect([...(all?.values ?? [])]).toEqual([name.endsWith("NDJSON") ? 6 : 7]);
  });

  it("answers queries on cells, in any order of attributes", async () => {
    const sealed = await sealing(csv.split(/(?<=\n)/), plenty);
    const list = await sealed.measure([
      { clique: ["sex", "age"], ...exact },
      { clique: ["age"], query: { type: "prefix" }, ...exact },
      {
        clique: ["age"],
        query: {
          type: "ranges",
          ranges: [
            [1, 2],
            [9, 10],
          ],
        },
        ...exact,
      },
      {
        clique: ["sex"],
        query: {
          type: "matrix",
          rows: [
            [1, -1, 0],
            [0, 0, 7],
          ],
        },
        ...exact,
      },
    ]);
    expect(list.map(({ values }) => values.length)).toEqual([33, 11, 2, 2]);
    expect([...(list[0]?.values.subarray(0, 11) ?? [])]).toEqual([0, 1, 1, 0, 0, 0, 0, 0, 0, 1, 0]);
    expect([...(list[1]?.values ?? [])]).toEqual([2, 3, 5, 5, 5, 5, 5, 5, 5, 6, 7]);
    expect([...(list[2]?.values ?? [])]).toEqual([3, 2]);
    expect([...(list[3]?.values ?? [])]).toEqual([1, 14]);
    expect(list[0]?.shape).toEqual([3, 11]);
  });

  it("reads nothing before something is paid for, and then the rows once", async () => {
    let opened = 0;
    const source = () => {
      opened += 1;
      return bytes;
    };
    const sealed = await sealing(source);
    const plan = await sealed.plan([{ clique: ["age"], spend: 0.1 }]);
    expect(plan.fits).toBe(true);
    await refusal(sealed.measure([{ clique: ["age"], spend: 2 }]), "BUDGET_EXCEEDED");
    expect(opened).toBe(0);
    await sealed.measure([{ clique: ["age"], spend: 0.1 }]);
    await sealed.measure([{ clique: ["age"], spend: 0.1 }]);
    expect(opened).toBe(1);
    // Nothing is read of an answer that was there before.
    const again = await sealing(source, { ledger: memoryStore(await sealed.ledger.export()) });
    await again.measure([{ clique: ["age"], spend: 0.1 }]);
    expect(opened).toBe(1);
  });

  it("pays before it reads a row, and finds out before paying that a source is not there or lacks a column", async () => {
    const states: string[][] = [];
    async function* source() {
      yield "age,sex\n";
      states.push(sealed.ledger.entries().map(({ state }) => state));
      yield "1,F\n".repeat(300_000);
      states.push(sealed.ledger.entries().map(({ state }) => state));
    }
    const sealed = await sealing(source());
    // The first line comes with the rows where both are in one piece; here it does not fill one.
    await sealed.measure([{ clique: ["age"], spend: 0.1 }]);
    expect(states.at(-1)).toEqual(["under way"]);
    for (const [code, missing] of [
      ["SOURCE_FAILED", join(await folder(), "none.csv")],
      ["COLUMN_MISSING", new Blob(["age,six\n1,F\n"])],
      ["COLUMN_DUPLICATE", new Blob(["age,sex,age\n1,F,1\n"])],
      ["COLUMN_MISSING", new Blob([])],
    ] as const) {
      const other = await sealing(missing);
      await refusal(other.measure([{ clique: ["age"], spend: 0.1 }]), code);
      expect(other.ledger.entries()).toEqual([]);
      expect(`${other.spent} ${other.left}`).toBe("0 1");
    }
  });

  it("drops records that are no rows, or counts them as null, as declared", async () => {
    const text = 'age,sex\n1,F\n1,F,3\n"2,M\n3,M\n';
    const count = async (options: Partial<SealOptions>) => {
      const sealed = await sealing(new Blob([text]), { ...plenty, ...options });
      const [sexes] = await sealed.measure([{ clique: ["sex"], ...exact }]);
      return [...(sexes?.values ?? [])];
    };
    expect(await count({ badRows: "drop" })).toEqual([1, 0, 0]);
    expect(await count({ badRows: "null" })).toEqual([1, 0, 2]);
    expect(await count({ records: "lines", badRows: "drop" })).toEqual([1, 1, 0]);
    expect(await count({ records: "lines", badRows: "null" })).toEqual([1, 1, 2]);
    // Rows of the program are treated alike.
    const odd = [rows[0], 7, null, "x", [1], { age: 1n }, circular()];
    const sealed = await sealing(odd as object[], { ...plenty, badRows: "null" });
    const [sexes] = await sealed.measure([{ clique: ["sex"], ...exact }]);
    expect([...(sexes?.values ?? [])]).toEqual([1, 0, 6]);
  });

  it("bounds the rows of each unit, and charges for as many", async () => {
    const text = "id,age,sex\n".concat("p,1,F\n".repeat(9), "q,1,M\n", ",1,M\n");
    const unit = { column: "id", maxRows: 2 };
    const sealed = await sealing(new Blob([text]), { ...plenty, unit });
    const [sexes] = await sealed.measure([{ clique: ["sex"], ...exact }]);
    expect([...(sexes?.values ?? [])]).toEqual([2, 1, 0]);
    expect(sexes?.cost).toEqual({ currency: "epsilon", amount: "2000" });
  });

  it("takes an id that is a number for one unit however it is written, in any format", async () => {
    const text = (ids: unknown[], line: (id: unknown) => string) =>
      new Blob(ids.map((id) => `${line(id)}\n`));
    const csvOf = (ids: string[]) => text(["id", ...ids], (id) => `${id},${id === "id" ? "age,sex" : "1,F"}`);
    const linesOf = (ids: string[]) => text(ids, (id) => `{"id":${id},"age":1,"sex":"F"}`);
    const table = (id: unknown[]) => ({ id, age: id.map(() => 1), sex: id.map(() => "F") });
    const rowsOf = (id: unknown[]) => id.map((id) => ({ id, age: 1, sex: "F" }));
    const parquetOf = (id: unknown[], type: string) => {
      const { age, sex } = table(id);
      const columnData = [
        { name: "id", data: id, type, nullable: true },
        { name: "age", data: age, type: "INT32" },
        { name: "sex", data: sex, type: "STRING" },
      ];
      return new Uint8Array(parquetWriteBuffer({ columnData } as Parameters<typeof parquetWriteBuffer>[0]));
    };
    const arrowOf = (id: unknown[]) =>
      tableToIPC(tableFromArrays(table(id) as never), { format: "stream" }) as Uint8Array<ArrayBuffer>;
    const unit = { column: "id", maxRows: 1 };
    const counted = async (source: Parameters<typeof seal>[0], format: "csv" | "ndjson" = "csv") => {
      const data = await sealing(source, { ...plenty, unit, ...(format === "ndjson" ? { format } : {}) });
      return (await data.measure([{ clique: [], ...exact }]))[0]?.values[0];
    };
    // As pandas writes whole numbers where a column has nulls, and without them.
    expect(await counted(csvOf(["7.0", "", "8.0", "7", '"7"', "007"]))).toBe(3);
    expect(
      await counted(linesOf(["1", "1.0", "1e0", '"1"', '"\\u0031"', "null", '""', '"1 "']), "ndjson"),
    ).toBe(2);
    expect(await counted(rowsOf([7, 7n, "7", "7.0", -0, 0, "-0", null, undefined, Number.NaN]))).toBe(2);
    expect(await counted(table([1e21, 10n ** 21n, "1e+21", 1]))).toBe(2);
    expect(await counted(parquetOf([7, 7, 0, -0, null], "DOUBLE"))).toBe(2);
    expect(await counted(parquetOf([7n, 7n, 9007199254740993n, 9007199254740992n], "INT64"))).toBe(3);
    expect(await counted(parquetOf(["7", "7.0", "70e-1", "07"], "STRING"))).toBe(2);
    expect(await counted(arrowOf([7, 7, 0, -0, null]))).toBe(2);
    expect(await counted(arrowOf(["7", "7.0", "70e-1", "07", null]))).toBe(2);
  });
});

describe("the noise", () => {
  it("has the law, the scale and the variance that the measurement says", async () => {
    const sealed = await sealing(new Blob(["age,sex\n"]), { budget: zcdp(100_000) });
    const clique = ["age", "sex"] as const;
    for (const law of ["laplace", "gaussian"] as const) {
      const list = await sealed.measure(Array.from({ length: 300 }, () => ({ clique, law, scale: "100/3" })));
      const values = list.flatMap((one) => [...one.values]);
      const mean = values.reduce((sum, value) => sum + value * value, 0) / values.length;
      const variance = list[0]?.noise.variance ?? 0;
      // 9,900 draws: the mean square has a standard error of 1.4 % (Gaussian) or 2.2 % (Laplace). Eight of them fail by
      // chance less than once in 10¹⁰ runs.
      expect(Math.abs(mean / variance - 1)).toBeLessThan(0.18);
      expect(values.every(Number.isInteger)).toBe(true);
      expect(list[0]?.noise).toEqual({ law, scale: "100/3", variance });
      expect(law === "gaussian" ? Math.abs(variance - 100 / 3) : Math.abs(variance - 2222.0556)).toBeLessThan(
        1e-3,
      );
    }
  });

  const budgets = [
    [pure(1), "1/2", "laplace", "2"],
    [zcdp(1), "1/2", "gaussian", "1"],
    [approximate(1, 1e-6), "1/100", "gaussian", "50"],
  ] as const;

  it.each(budgets)("of %s follows from what it may cost", async (budget, spend, law, scale) => {
    const sealed = await sealing(new Blob([csv]), { budget });
    const [made] = await sealed.measure([{ clique: ["sex"], spend }]);
    expect(made?.noise).toMatchObject({ law, scale });
    expect(made?.cost?.amount).toBe(spend);
    expect(`${sealed.spent}`).toBe(spend);
  });

  it("of a scale that no sampler takes is a little more, and is charged as it is drawn", async () => {
    const sealed = await sealing(new Blob([csv]));
    const odd = `${2n ** 90n + 1n}/${2n ** 89n}`;
    const [made] = await sealed.measure([{ clique: ["sex"], scale: odd }]);
    const [p, q] = (made?.noise.scale ?? "").split("/").map(BigInt) as [bigint, bigint];
    expect(q < 2n ** 64n).toBe(true);
    expect(p * 2n ** 89n > (2n ** 90n + 1n) * q).toBe(true);
    expect(made?.cost?.amount).toBe(`${q}/${p}`);
  });
});

const line = (row: object) => JSON.stringify(row);

async function filed(name: string, text: string): Promise<string> {
  const path = join(await folder(), name);
  await writeFile(path, text);
  return path;
}

function circular(): object {
  const row: { age: number; self?: object } = { age: 1 };
  row.self = row;
  return row;
}
