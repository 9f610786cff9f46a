import fc from "fast-check";
import { schemaFromJson } from "marginalia";
import { check } from "marginalia/check";
import { expect, it } from "vitest";
import { Column } from "../../ts/cli/draft/column.js";
import { decide } from "../../ts/cli/draft/decide.js";
import { draft, printed } from "../../ts/cli/draft/draft.js";
import { Sketch } from "../../ts/cli/draft/sketch.js";
import { fullDialect } from "../../ts/tables/dialect.js";

const OPTIONS = { bins: 20, maxValues: 200 };
const READING = { ...OPTIONS, ...fullDialect({}) };

/** What is proposed for a column with these texts. */
function decided(texts: readonly string[], options = OPTIONS, name = "x") {
  const column = new Column(name, false);
  for (const text of texts) column.add(text);
  return decide(column, options);
}

const times = (n: number, text: (i: number) => string) => Array.from({ length: n }, (_, i) => text(i));

it("tells kinds of columns apart", () => {
  expect(decided(["", ""])).toEqual({ name: "x", why: "left out: it is empty" });
  expect(decided(["Yes", "No", "Yes"]).spec).toEqual({ type: "boolean", texts: ["No", "Yes"], other: null });
  expect(decided(["no", "yes", ""]).spec).toEqual({
    type: "boolean",
    texts: ["no", "yes"],
    other: null,
    nullable: true,
  });
  // Zeros in front are part of a code.
  expect(decided(["007", "008", "007"]).spec).toEqual({
    type: "category",
    values: ["007", "008"],
    other: null,
  });
  expect(decided(["3", "N", "4", "N", "N"]).spec).toEqual({
    ...{ type: "integer", min: 3, max: 4, other: "clamp", nullable: true, nulls: ["N"] },
  });
  // One number among texts is a text.
  expect(decided(["1", "a"]).spec).toMatchObject({ type: "category" });
  expect(decided(["1", "2", "a", "b", "a"]).spec).toMatchObject({ type: "category" });
  expect(decided(["1", "2", "3", "4", "a", "b"]).spec).toMatchObject({ type: "integer", nulls: ["a", "b"] });
  expect(decided(["1", "1000000"]).spec).toMatchObject({ min: 1, max: 1_000_000, cuts: [1_000_000] });
  expect(decided(["1.5", "1.50"]).spec).toMatchObject({ type: "number", cuts: [1.5, 2.5], decimals: 1 });
  expect(decided(["1e30", "2"]).spec).toMatchObject({ type: "number", cuts: [2, 1e30] });
  expect(decided(["2020-02-29", "2021-05-01", "-"]).spec).toEqual({
    ...{ type: "date", from: "2020-02-29", to: "2021-05-01", step: "month" },
    ...{ other: "clamp", nullable: true, nulls: ["-"] },
  });
  expect(decided(["2021-02-29", "2021-05-01", "x", "y"]).spec).toMatchObject({ type: "category" });
});

it("leaves out names of rows and sentences", () => {
  expect(decided(times(30, (i) => `${i * 3}`)).why).toContain("rise");
  expect(decided(times(30, (i) => `person ${i}`)).why).toContain("all different");
  expect(
    decided(
      times(30, (i) => `${(i * 7) % 30}`),
      OPTIONS,
      "person_id",
    ).why,
  ).toContain("its name");
  expect(decided(times(30, (i) => `${(i * 7) % 30}`)).spec).toMatchObject({ type: "integer" });
  expect(decided(times(30, (i) => `${"a long story ".repeat(5)}${i % 15}`)).why).toContain("free text");
  expect(decided(times(9000, (i) => `n${(i * 7) % 4500}`)).why).toContain("most of them rare");
});

it("keeps the common texts of many, and names the rest", () => {
  const texts = times(3000, (i) => (i % 3 === 0 ? `rare ${i % 900}` : i % 2 ? "other" : "b"));
  const { spec, why } = decided([...texts, ""], { ...OPTIONS, maxValues: 2 });
  expect(spec).toEqual({ type: "category", values: ["b", "other"], other: "(other)", nullable: true });
  expect(why).toContain("(other)");
});

it("puts about as many numbers into each bin", () => {
  const sketch = new Sketch();
  for (let i = 0; i < 1_000_000; i++) sketch.add((i * 7919) % 1_000_003);
  const cuts = sketch.cuts(20);
  expect(cuts.length).toBe(19);
  // log₂(1e6 / 4096) / 8192 for the ranks, and as much again for the sharing out.
  for (const [i, cut] of cuts.entries()) expect(Math.abs(cut / 1e6 - (i + 1) / 20)).toBeLessThan(0.003);
});

it("gives whole numbers that are not too many a code each, and bins beside them", async () => {
  const rows = times(3000, (i) => `${(i * 37) % 97},${(i * 31) % 200},x${i % 2}`);
  const text = ["age,hours,age_bins", ...rows].join("\n");
  const made = await draft(new Blob([text]), READING);
  expect(made.schema.attributes).toMatchObject([
    { name: "age", min: 0, max: 96 },
    { name: "hours", cuts: { length: 19 } },
    { name: "age_bins" },
  ]);
  expect(made.schema.attributes[0]).not.toHaveProperty("cuts");
  const [coarser] = made.schema.derive ?? [];
  // Another column has the first name that comes to mind.
  expect(coarser).toMatchObject({
    name: "age_bins_",
    from: "age",
    map: { 0: "..4", 96: "93.." },
    other: "93..",
  });
  const read = schemaFromJson(printed(made.schema));
  expect(read.size("age")).toBe(98);
  expect(read.size("age_bins_" as never)).toBe(21);
  // A larger bound is one number to change.
  const wider = made.schema.attributes.map((one) => (one.name === "age" ? { ...one, max: 120 } : one));
  expect(schemaFromJson({ ...made.schema, attributes: wider } as never).size("age_bins_" as never)).toBe(21);
  // Few bins were asked for: there is nothing to be read coarser.
  const few = await draft(new Blob([text]), { ...READING, bins: 6 });
  expect(few.schema.derive).toBeUndefined();
});

it("gives a frequent number a bin of its own, wherever it lies", () => {
  for (const frequent of [0, 500, 1000]) {
    const sketch = new Sketch();
    for (let i = 0; i < 1000; i++) sketch.add(frequent);
    for (let i = 1; i < 1000; i++) if (i !== frequent) sketch.add(i);
    const cuts = sketch.cuts(10);
    expect(cuts.length).toBe(9);
    if (frequent > 0) expect(cuts).toContain(frequent);
    if (frequent < 1000) expect(cuts).toContain(frequent + 1);
  }
});

it("refuses rows of JSON that are not flat", async () => {
  const lines = (text: string) => draft(new Blob([text]), { ...READING, format: "ndjson" });
  for (const text of ['{"a":{"b":1}}', '{"a":[1]}', "[1]", "{"])
    await expect(lines(`{"a":1}\n${text}\n`)).rejects.toMatchObject({ code: "JSON_INVALID" });
});

it("drafts what the file itself fits, and can be printed and read", async () => {
  const value = fc.oneof(
    fc.integer().map(String),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
    fc.constantFrom("", "N", "NA", "yes", "no", "0", "-0", "007", "2020-02-29", "1e5", "other"),
    fc
      .date({ min: new Date("1950-01-01"), max: new Date("2050-01-01"), noInvalidDate: true })
      .map((day) => day.toISOString().slice(0, 10)),
  );
  const columns = fc.array(fc.array(value, { minLength: 30, maxLength: 30 }), { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(columns, fc.integer({ min: 2, max: 5 }), async (all, maxValues) => {
      const header = ["sure", ...all.map((_, i) => `c${i}`)].join(",");
      const lines = times(30, (row) => [row % 2 ? "a" : "b", ...all.map((column) => column[row])].join(","));
      const text = `${header}\n${lines.join("\n")}\n`;
      const source = () => new Blob([text]);
      const { schema } = await draft(source(), { ...READING, maxValues: maxValues * 40 });
      const found = await check(source(), schemaFromJson(printed(schema)));
      expect(`${found}`).toContain("fit the schema");
    }),
    { numRuns: 60 },
  );
}, 60_000);
