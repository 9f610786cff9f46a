import fc from "fast-check";
import { category, date, integer, number, readTable, schema } from "marginalia";
import { expect, it } from "vitest";

const read = (text: string, s: Parameters<typeof readTable>[1]) =>
  readTable(new TextEncoder().encode(text), s);

it("an attribute can have texts of its own that mean null", async () => {
  const s = schema({
    age: integer({ min: 0, max: 99, width: 50, nullable: true, nulls: ["99", "-"] }),
    size: integer({ min: 0, max: 99, width: 50, nullable: true }),
  });
  using table = await read("age,size\n99,99\n-,0\n,\n98,98\n", s);
  expect([...(await table.codes("age"))]).toEqual([2, 2, 2, 1]);
  expect([...(await table.codes("size"))]).toEqual([1, 0, 2, 1]);
  const nulls = (await table.toCsv()).split("\n").slice(1, 4);
  expect(nulls.map((line) => line.split(",")[0])).toEqual(["99", "99", "99"]);
});

it("a null that no text can say is refused when it is written, and a file of one column keeps its nulls", async () => {
  const mute = schema({ a: category(["", "x"], { nullable: true }) });
  using table = await readTable([{ a: null }], mute);
  await expect(table.toCsv()).rejects.toMatchObject({
    code: "SCHEMA_INVALID",
    message: expect.stringContaining("`nulls`"),
  });
  const one = schema({ a: category(["x"], { nullable: true }) });
  using column = await readTable([{ a: "x" }, { a: null }, { a: null }], one);
  const text = await column.toCsv();
  for (const end of ["", "\n", "\r\n\n"]) {
    using again = await read(text + end, one);
    expect([...(await again.codes("a"))]).toEqual([0, 1, 1]);
  }
});

it("property: no value is written by a text that means null", async () => {
  const texts = fc.uniqueArray(
    fc.constantFrom("NA", "0", "1", "3", "5", "9", "2.0", "0.5", "0.1", "0.25", "2020-01-02", "2020-01-05"),
    { maxLength: 8 },
  );
  const options = { nullable: true } as const;
  await fc.assert(
    fc.asyncProperty(texts, texts, fc.string(), async (own, common, seed) => {
      const nulls = own.filter((text) => !common.includes(text));
      const s = schema(
        {
          n: integer({ min: 0, max: 9, cuts: [1, 4], nulls, ...options }),
          x: number({ cuts: [0, 0.2, 1, 9], decimals: 1, nulls, ...options }),
          d: date({ from: "2020-01-01", to: "2020-01-20", step: "week", nulls, ...options }),
        },
        { nulls: [...common, "none"] },
      );
      const rows = Array.from({ length: 24 }, (_, i) => ({
        n: i % 4 === 3 ? null : [0.0, 2, 7][i % 4],
        x: i % 4 === 3 ? null : [0.15, 0.75, 7.5][i % 4],
        d: i % 4 === 3 ? null : ["2020-01-03", "2020-01-09", "2020-01-17"][i % 4],
      }));
      using table = await readTable(rows, s);
      using again = await read(await table.toCsv({ seed }), s);
      for (const name of ["n", "x", "d"] as const) {
        expect(await again.codes(name)).toEqual(await table.codes(name));
      }
    }),
    { numRuns: 40 },
  );
});
