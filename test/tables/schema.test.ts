import { readFileSync } from "node:fs";
import Ajv from "ajv";
import fc from "fast-check";
import { describe, expect, expectTypeOf, it } from "vitest";
import { MarginaliaError } from "../../ts/errors.js";
import { type AttributeSpec, boolean, category, date, integer, number } from "../../ts/tables/attributes.js";
import { type Row, type SchemaJson, schema, schemaFromJson } from "../../ts/tables/schema.js";

const people = schema(
  {
    age: integer({ min: 0, max: 99, width: 5, other: "clamp" }),
    sex: category(["F", "M"], { other: null }),
    puma: category(["25-00503", "25-00703", "48-02510"], { other: "00-00000", nullable: true }),
    income: number({ cuts: [0, 0.5, 10], other: -1 }),
    owner: boolean({ texts: ["N", "Y"], nulls: ["?"] }),
    born: date({ from: "1999-11-15", to: "2000-03-02", step: "month", nullable: true }),
  },
  {
    derive: {
      state: { from: "puma", prefix: 2 },
      coast: { from: "state", map: { "25": "east", "00": "unknown" }, other: "none" },
    },
    nulls: ["", "NA"],
  },
);

function refusal(make: () => unknown): string {
  try {
    make();
  } catch (error) {
    expect(error).toBeInstanceOf(MarginaliaError);
    expect((error as MarginaliaError).code).toBe("SCHEMA_INVALID");
    return (error as MarginaliaError).message;
  }
  throw new Error("nothing was refused");
}

const one = (spec: unknown) => () =>
  schemaFromJson({ attributes: [{ name: "x", ...(spec as AttributeSpec) }] });

const CASES: [string, unknown, RegExp][] = [
  ["unknown type", { type: "text" }, /unknown type/],
  ["misspelt option", { type: "integer", min: 0, max: 9, widht: 2 }, /`widht`.*width/],
  ["no values", { type: "category", values: [] }, /`values`/],
  ["a value twice", { type: "category", values: ["a", "a"] }, /twice/],
  ["values that are no texts", { type: "category", values: [1] }, /`values`/],
  ["a category that clamps into a number", { type: "category", values: ["a"], other: 7 }, /`other`/],
  ["three texts", { type: "boolean", texts: ["a", "b", "c"] }, /two `texts`/],
  ["min above max", { type: "integer", min: 1, max: 0 }, /min ≤ max/],
  ["fractions", { type: "integer", min: 0.5, max: 2 }, /whole/],
  ["width and cuts", { type: "integer", min: 0, max: 9, width: 2, cuts: [3] }, /give one/],
  ["cuts at min", { type: "integer", min: 0, max: 9, cuts: [0] }, /increase/],
  ["cuts above max", { type: "integer", min: 0, max: 9, cuts: [10] }, /increase/],
  ["too many codes", { type: "integer", min: 0, max: 65_536 }, /65,536/],
  ["one code too many by null", { type: "integer", min: 1, max: 65_536, nullable: true }, /65,536/],
  ["one cut", { type: "number", cuts: [1] }, /two/],
  ["infinite cuts", { type: "number", cuts: [0, Number.POSITIVE_INFINITY] }, /finite/],
  ["cuts and bins", { type: "number", cuts: [0, 1], bins: 3 }, /give one/],
  ["no bins", { type: "number", min: 0, max: 1 }, /`bins`/],
  ["text as other", { type: "number", cuts: [0, 1], other: "none" }, /number, null or "clamp"/],
  ["too many decimals", { type: "number", cuts: [0, 1], decimals: 18 }, /`decimals`/],
  ["a day that is none", { type: "date", from: "2019-02-29", to: "2020-01-01", step: "day" }, /YYYY-MM-DD/],
  ["an unknown step", { type: "date", from: "2019-02-28", to: "2020-01-01", step: "hour" }, /`step`/],
  ["cuts of numbers that are no list", { type: "number", cuts: 5 }, /list of numbers/],
  ["cuts of integers that are no list", { type: "integer", min: 0, max: 9, cuts: 5 }, /list of numbers/],
  ["nulls that are no texts", { type: "category", values: ["a"], nulls: [1] }, /`nulls`/],
  ["a value that means null", { type: "category", values: ["a"], nulls: ["a"] }, /among its `nulls`/],
  [
    "an other that means null",
    { type: "integer", min: 0, max: 9, other: -1, nullable: true, nulls: ["-1"] },
    /means null/,
  ],
  ["nullable that is no boolean", { type: "boolean", nullable: 1 }, /`nullable`/],
];

describe("codes", () => {
  it("are the declared values, then other, then null", () => {
    expect(people.labels("sex")).toEqual(["F", "M", null]);
    expect(people.labels("puma")).toEqual(["25-00503", "25-00703", "48-02510", "00-00000", null]);
    expect(people.labels("income")).toEqual(["[0, 0.5)", "[0.5, 10]", "-1"]);
    expect(people.labels("owner")).toEqual(["N", "Y"]);
    expect(people.labels("age").slice(-2)).toEqual(["90..94", "95..99"]);
    const months = ["1999-11-15..1999-11-30", "1999-12-01..1999-12-31", "2000-01-01..2000-01-31"];
    expect(people.labels("born")).toEqual([
      ...months,
      "2000-02-01..2000-02-29",
      "2000-03-01..2000-03-02",
      null,
    ]);
  });

  it("of derived attributes follow those of their source", () => {
    expect(people.labels("state")).toEqual(["25", "48", "00", null]);
    expect(people.labels("coast")).toEqual(["east", "none", "unknown", null]);
    expect(people.names.slice(-2)).toEqual(["state", "coast"]);
  });

  it("of an `other` that is declared anyway are not counted twice", () => {
    const s = schema({
      a: category(["x", "y"], { other: "x" }),
      b: boolean({ other: "true", nullable: true }),
    });
    expect(s.sizes).toEqual([2, 3]);
  });

  it("of integers follow width and cuts", () => {
    const s = schema({ a: integer({ min: 0, max: 120, cuts: [18, 65] }), b: integer({ min: -2, max: 0 }) });
    expect(s.labels("a")).toEqual(["0..17", "18..64", "65..120"]);
    expect(s.labels("b")).toEqual(["-2", "-1", "0"]);
  });
});

describe("JSON", () => {
  it("holds the whole schema", () => {
    const again = schemaFromJson(JSON.stringify(people));
    expect(again.toJSON()).toEqual(people.toJSON());
    expect(again.normal()).toBe(people.normal());
  });

  it("is described by the published JSON Schema, which refuses what the package refuses", () => {
    const valid = new Ajv({ strict: false }).compile(JSON.parse(readFileSync("schema.json", "utf8")));
    expect(valid(JSON.parse(JSON.stringify(people))), JSON.stringify(valid.errors)).toBe(true);
    // What only a program sees: an order, a sum, a day of the calendar.
    const beyond = [
      "min above max",
      "cuts at min",
      "cuts above max",
      "too many codes",
      "one code too many by null",
      "a value that means null",
      "an other that means null",
    ];
    for (const [name, spec] of CASES) {
      if (beyond.includes(name) || /infinite|day that is none/.test(name)) continue;
      expect(valid({ attributes: [{ name: "x", ...(spec as object) }] }), name).toBe(false);
    }
  });

  it("refuses what it does not know", () => {
    const attributes = [{ name: "x", type: "boolean" as const }];
    expect(refusal(() => schemaFromJson({ attributes, nul: [] } as unknown as SchemaJson))).toMatch("`nul`");
    expect(refusal(() => schemaFromJson("{"))).toMatch("not JSON");
    expect(refusal(() => schemaFromJson({ attributes: [...attributes, ...attributes] }))).toMatch("twice");
    expect(refusal(() => schemaFromJson({} as SchemaJson))).toMatch("`attributes`");
    for (const json of ["null", "[]", "7"]) expect(refusal(() => schemaFromJson(json))).toMatch("an object");
    expect(refusal(() => schemaFromJson({ attributes: [null] } as never))).toMatch("no object");
    expect(refusal(() => schemaFromJson({ attributes, nulls: 5 } as never))).toMatch("`nulls`");
    expect(refusal(() => schemaFromJson({ attributes, nulls: [5] } as never))).toMatch("`nulls`");
  });

  it("knows no difference between names, also those that every object has", () => {
    const names = ["constructor", "toString", "__proto__", "hasOwnProperty"];
    const own = schema(Object.fromEntries(names.map((name) => [name, category(["x"])])));
    expect(own.names).toEqual(names);
    expect(schemaFromJson(JSON.stringify(own)).normal()).toBe(own.normal());
    expect(refusal(one({ type: "constructor" }))).toMatch("unknown type");
  });
});

describe("a schema that contradicts itself is refused, and the message names the attribute", () => {
  it.each(CASES)("%s", (_, spec, message) => {
    expect(refusal(one(spec))).toMatch(message);
    if (!/unknown type|`widht`/.test(message.source)) expect(refusal(one(spec))).toMatch(/^x /);
  });

  it("an `other` that a bin holds, which would come back as that bin", () => {
    for (const other of [0, 5, 9])
      expect(refusal(one({ type: "integer", min: 0, max: 9, other }))).toMatch("lies in a bin");
    for (const other of [0, 0.3, 1])
      expect(refusal(one({ type: "number", cuts: [0, 1], other }))).toMatch("lies in a bin");
    const year = { type: "date", from: "2019-01-01", to: "2019-12-31", step: "month" };
    expect(refusal(one({ ...year, other: "2019-12-31" }))).toMatch("lies in a bin");
    const outside = [
      integer({ min: 0, max: 9, other: 10 }),
      integer({ min: 0, max: 9, other: 5.5 }),
      number({ cuts: [0, 1], other: -1 }),
      date({ from: "2019-01-01", to: "2019-12-31", step: "year", other: "2020-01-01" }),
    ];
    for (const x of outside) expect(schema({ x }).size("x")).toBeGreaterThan(1);
  });

  it("derivations", () => {
    const a = category(["x", "y"]);
    const derive = (rule: object) => () => schema({ a }, { derive: { d: rule as never } });
    expect(refusal(derive({ from: "b", prefix: 1 }))).toMatch(/"b"/);
    expect(refusal(derive({ from: "a", prefix: 0 }))).toMatch(/prefix/);
    expect(refusal(derive({ from: "a", map: { x: "1" } }))).toMatch(/"y"/);
    expect(refusal(derive({ from: "a", map: { z: "1" } }))).toMatch(/"z"/);
    expect(refusal(derive({ from: "a", map: { x: 1, y: "2" } }))).toMatch(/"x" to no text/);
    expect(refusal(derive({ from: "a", prefx: 1 }))).toMatch(/`prefx`/);
    expect(refusal(derive({ from: "a", prefix: 1, map: {} }))).toMatch(/`map`/);
    expect(refusal(() => schema({ a }, { derive: { a: { from: "a", prefix: 1 } } }))).toMatch(/twice/);
    expect(refusal(() => schema({}))).toMatch(/no attribute/);
  });
});

it("the default decimals tell a hundred values of the narrowest bin apart", () => {
  const decimals = (cuts: number[]) =>
    JSON.parse(schema({ x: number({ cuts }) }).normal()).attributes[0].decimals;
  expect([decimals([0, 100]), decimals([0, 10, 1000]), decimals([0, 0.5]), decimals([0, 1e-30])]).toEqual([
    0, 1, 3, 17,
  ]);
});

it("any valid integer bins hold each number once", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -1000, max: 1000 }),
      fc.integer({ min: 0, max: 300 }),
      fc.integer({ min: 1, max: 9 }),
      (min, span, width) => {
        const labels = schema({ x: integer({ min, max: min + span, width }) }).labels("x");
        const numbers = labels.flatMap((label) => {
          const [low, high = low] = (label as string).split("..").map(Number) as [number, number?];
          return Array.from({ length: high - low + 1 }, (_, i) => low + i);
        });
        expect(numbers).toEqual(Array.from({ length: span + 1 }, (_, i) => min + i));
      },
    ),
  );
});

it("the row type follows from the schema", () => {
  type Person = Row<typeof people>;
  expectTypeOf<Person["age"]>().toEqualTypeOf<number>();
  expectTypeOf<Person["sex"]>().toEqualTypeOf<"F" | "M" | null>();
  expectTypeOf<Person["puma"]>().toEqualTypeOf<"25-00503" | "25-00703" | "48-02510" | "00-00000" | null>();
  expectTypeOf<Person["income"]>().toEqualTypeOf<number>();
  expectTypeOf<Person["owner"]>().toEqualTypeOf<boolean>();
  expectTypeOf<Person["born"]>().toEqualTypeOf<string | null>();
  expectTypeOf<keyof Person>().toEqualTypeOf<"age" | "sex" | "puma" | "income" | "owner" | "born">();
  expectTypeOf(people.size).parameter(0).toEqualTypeOf<keyof Person | "state" | "coast">();
});
