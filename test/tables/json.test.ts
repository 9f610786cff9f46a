import fc from "fast-check";
import { expect, it } from "vitest";
import { MarginaliaError } from "../../ts/errors.js";
import { type SchemaJson, schemaFromJson } from "../../ts/tables/schema.js";

/** Values that a schema may hold at some place, and ones that it may not hold there. */
const scalar = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, -0, 1, 2, 0.5, -1, 1e308, -1e308, 2 ** 53, 65_536, 18),
  fc.constantFrom("", "a", "b", "clamp", "x", "1", "2020-01-01", "2020-02-30", "month", "day", "0001-01-01"),
  fc.constantFrom("__proto__", "constructor", "toString", "hasOwnProperty", "\ud800", "name", "type"),
);
const list = fc.array(scalar, { maxLength: 4 });
const anything = fc.oneof({ weight: 4, arbitrary: scalar }, list, fc.jsonValue({ maxDepth: 2 }));

/** An object of some of these keys, whose values are mostly of the right kind. */
const object = (keys: readonly string[], kinds: Record<string, fc.Arbitrary<unknown>>) => {
  const alien = fc.constantFrom("__proto__", "constructor", "toString", "other");
  const key = fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...keys) }, alien);
  const value = (key: string) =>
    fc.oneof(
      { weight: 9, arbitrary: Object.hasOwn(kinds, key) ? (kinds[key] as fc.Arbitrary<unknown>) : anything },
      anything,
    );
  return fc
    .uniqueArray(key, { maxLength: keys.length })
    .chain((chosen) =>
      fc
        .tuple(...chosen.map(value))
        .map((values) => Object.fromEntries(chosen.map((key, i) => [key, values[i]]))),
    );
};

const name = fc.constantFrom("a", "b", "__proto__", "constructor", "valueOf", "");
const numbers = fc.array(fc.integer({ min: -3, max: 9 }), { maxLength: 4 });
const texts = fc.array(fc.constantFrom("", "a", "b", "1", "__proto__"), { maxLength: 3 });
const attribute = fc
  .record({ name, type: fc.constantFrom("category", "boolean", "integer", "number", "date", "__proto__") })
  .chain((head) =>
    object(["values", "texts", "min", "max", "width", "cuts", "bins", "decimals", "from", "to", "step"], {
      values: texts,
      texts,
      cuts: numbers,
      from: fc.constant("2020-01-01"),
      to: fc.constant("2021-01-01"),
    }).map((rest) => ({ ...rest, ...head })),
  );
/** Attributes that are right but for what is added. */
const right = fc
  .tuple(
    name,
    fc.constantFrom<object>(
      { type: "category", values: ["a", "b", "__proto__"] },
      { type: "boolean" },
      { type: "integer", min: 0, max: 9 },
      { type: "number", cuts: [0, 1, 2] },
      { type: "date", from: "2020-01-01", to: "2020-12-31", step: "month" },
    ),
    object(["nullable", "nulls", "other"], {
      nullable: fc.boolean(),
      nulls: texts,
      other: fc.constantFrom(null, "clamp", "q", -7, "1999-01-01"),
    }),
  )
  .map(([name, rest, more]) => ({ ...rest, name, ...more }));
const derivation = fc
  .tuple(name, name, object(["prefix", "map"], { prefix: fc.constant(1), map: fc.dictionary(name, scalar) }))
  .map(([name, from, rest]) => ({ name, from, ...rest }));
const listOf = (item: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 9, arbitrary: fc.array(item, { maxLength: 3 }) }, anything);
const schemas = fc.record(
  {
    attributes: listOf(fc.oneof({ weight: 9, arbitrary: right }, attribute)),
    derive: listOf(derivation),
    nulls: fc.oneof({ weight: 6, arbitrary: texts }, anything),
  },
  { requiredKeys: ["attributes"] },
);

function roundTrips(json: unknown): boolean {
  let made: ReturnType<typeof schemaFromJson>;
  try {
    made = schemaFromJson(json as SchemaJson);
  } catch (error) {
    expect(error).toBeInstanceOf(MarginaliaError);
    expect((error as MarginaliaError).code).toBe("SCHEMA_INVALID");
    return false;
  }
  const again = schemaFromJson(JSON.stringify(made));
  expect(again.normal()).toBe(made.normal());
  expect(again.toJSON()).toEqual(JSON.parse(JSON.stringify(made)));
  expect(made.labels(made.names[0] as string).length).toBeGreaterThan(0);
  for (const attribute of JSON.parse(made.normal()).attributes) {
    const lists = [attribute.values, attribute.texts, attribute.nulls, [attribute.other ?? ""]];
    for (const text of lists.flatMap((list) => list ?? [])) expect(typeof text).toBe("string");
  }
  return true;
}

it("property: any JSON is refused by a typed error, or is a schema that comes back from its own JSON", () => {
  let accepted = 0;
  const parsed = schemas.map((json) => JSON.parse(JSON.stringify(json)) as unknown);
  fc.assert(
    fc.property(fc.oneof({ weight: 20, arbitrary: parsed }, fc.jsonValue()), (json) => {
      accepted += Number(roundTrips(json));
    }),
    { numRuns: 3000 },
  );
  expect(accepted).toBeGreaterThan(100);
});

it("property: any text is refused by a typed error", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      expect(() => roundTrips(text)).not.toThrow();
    }),
  );
});
