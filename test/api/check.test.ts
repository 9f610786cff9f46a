import fc from "fast-check";
import { boolean, category, date, integer, number, pure, schema, seal } from "marginalia";
import { check } from "marginalia/check";
import { describe, expect, it } from "vitest";

const people = schema({
  age: integer({ min: 0, max: 9, other: "clamp", nullable: true }),
  sex: category(["F", "M"], { other: null }),
  size: number({ cuts: [0, 1, 2], other: -1 }),
  ill: boolean({ other: "no idea" }),
  day: date({ from: "2020-01-01", to: "2020-12-31", step: "month", other: "clamp", nullable: true }),
});
const head = "age,sex,size,ill,day\n";
const good = "3,F,1.5,true,2020-05-05\n";

describe("check", () => {
  it("says that a table fits", async () => {
    const found = await check(new Blob([head, good, good]), people);
    expect([found.fits, found.rows, found.private]).toEqual([true, 2, false]);
    expect(`${found}`).toBe(
      "NOT PRIVATE: this names rows of the table. Keep it where the table is kept.\n" +
        "2 records, no rows with line ends in quotes.\nAll of them fit the schema.",
    );
  });

  it("names rows and columns that do not fit, what becomes of them, and no value", async () => {
    const secret = "secret-41713";
    const rows = [
      good,
      `${secret},F,1.5,true,2020-05-05\n`,
      "3,F,1.5,true\n",
      `3,${secret},7,false,2021-01-01\n`,
      ",,,,\n",
      "\n",
      `3,F,1.5,"a"${secret},2020-05-05\n`,
      `3,F,1.5,"${secret}\n",2020-05-05\n`,
      "3,F,\xff,true,2020-05-05\n",
      `3,F,1.5,"${secret},2020-05-05\n`,
      good,
    ];
    const found = await check(new Blob([Buffer.from([head, ...rows].join(""), "latin1")]), people);
    expect([found.rows, found.withLineEnds]).toEqual([9, 1]);
    expect(found.bad).toEqual({ count: 4, first: [3, 6, 8, 9] });
    expect(found.flaws.map(({ flaw, first }) => [flaw, ...first])).toEqual([
      ["ragged", 3],
      ["stray", 6],
      ["open", 9],
      ["not text", 8],
    ]);
    const outside = Object.fromEntries(found.attributes.map(({ name, outside }) => [name, outside.first]));
    expect(outside).toEqual({ age: [2], sex: [4], size: [4], ill: [7], day: [4] });
    // Only these do not declare null, and null is not what they become.
    const absent = Object.fromEntries(found.attributes.map(({ name, absent }) => [name, absent.first]));
    expect(absent).toEqual({ age: [], sex: [], size: [5], ill: [5], day: [] });
    expect(found.fits).toBe(false);
    expect(`${found}\n${JSON.stringify(found)}`).not.toContain(secret);
    expect(`${found}`).toContain("9 records, 1 row with line ends in quotes.");
    expect(`${found}`).toContain("record 3: more or fewer fields than the header. Quote fields that hold");
    expect(`${found}`).toContain(
      "record 9: a quote that is never closed, and so takes all text behind it. Close",
    );
    expect(`${found}`).toContain(
      "age: row 2 with a value that is not declared; it becomes the nearest bin, or null",
    );
    expect(`${found}`).toContain('ill: row 7 with a value that is not declared; it becomes "no idea"');
  });

  it("says which attributes do not say what becomes of other values", async () => {
    const partial = schema({ a: category(["x"]), b: integer({ min: 0, max: 1, other: "clamp" }) });
    const found = await check([{ a: "x", b: 1 }], partial);
    expect(found.attributes.map(({ total }) => total)).toEqual([false, false]);
    expect(found.fits).toBe(false);
    expect(`${found}`).toContain("a: the schema does not say what becomes of other values");
  });

  it("counts many rows, and names the first", async () => {
    const found = await check(new Blob([head, "12,F,1,true,2020-01-01\n".repeat(1000)]), people);
    expect(found.attributes[0]?.outside).toMatchObject({ count: 1000 });
    expect(found.attributes[0]?.outside.first).toHaveLength(100);
    expect(`${found}`).toContain("rows 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 990 more");
  });

  it("refuses what sealing refuses, and unknown options", async () => {
    const codes: [() => Promise<unknown>, string][] = [
      [() => check(new Blob(["age\n1\n"]), people), "COLUMN_MISSING"],
      [() => check(new Blob([]), people), "COLUMN_MISSING"],
      [() => check(new Blob([head]), people, { weight: "w" } as object), "OPTION_INVALID"],
      [() => check(new Blob([head]), people, { signal: AbortSignal.abort() }), "ABORTED"],
    ];
    for (const [call, code] of codes) await expect(call()).rejects.toMatchObject({ code });
  });

  it("property: what it finds is what sealing makes of the lines", async () => {
    const field = fc.constantFrom("", "0", "9", "10", "x", '"F"', '"', "F", "M");
    const line = fc.array(field, { minLength: 1, maxLength: 3 }).map((fields) => `${fields.join(",")}\n`);
    const pair = schema({
      age: integer({ min: 0, max: 9, other: 10 }),
      sex: category(["F", "M"], { other: "else" }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 12 }), async (lines) => {
        const source = new Blob(["age,sex\n", ...lines]);
        const found = await check(source, pair);
        await using sealed = await seal(source, pair, { dataset: "d", unit: "row", budget: pure(10_000) });
        const [age, sex, all] = await sealed.measure([
          { clique: ["age"], scale: "1/1000" },
          { clique: ["sex"], scale: "1/1000" },
          { clique: [], scale: "1/1000" },
        ]);
        const wrong = found.attributes.map(({ outside, absent }) => outside.count + absent.count);
        expect([age?.values[10], sex?.values[2]]).toEqual(wrong);
        expect(all?.values[0]).toBe(found.rows - found.bad.count);
      }),
      { numRuns: 60 },
    );
  });
});
