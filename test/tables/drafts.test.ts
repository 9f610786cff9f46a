import { int8, tableFromArrays, tableToIPC, uint16 } from "@uwdata/flechette";
import fc from "fast-check";
import { parquetWriteBuffer } from "hyparquet-writer";
import { expect, it } from "vitest";
import { MarginaliaError } from "../../ts/errors.js";
import type { SchemaDraft } from "../../ts/tables/drafts/draft.js";
import { type SchemaOrigin, schemaFrom } from "../../ts/tables/drafts/index.js";
import { type SchemaJson, schemaFromJson } from "../../ts/tables/schema.js";

const bytes = (text: string) => new TextEncoder().encode(text);
const filled = ({ json }: SchemaDraft) => schemaFromJson(json as unknown as SchemaJson);
const by = ({ json }: SchemaDraft) =>
  Object.fromEntries(json.attributes.map(({ name, ...spec }) => [name, spec]));
const refused = (origin: SchemaOrigin) =>
  schemaFrom(origin).then(
    () => "",
    (error: unknown) =>
      error instanceof MarginaliaError ? `${error.code}: ${error.message}` : `no error of ours: ${error}`,
  );
const clamped = { other: "clamp", nullable: true };

const person = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  required: ["sex", "age", "pets", "status"],
  properties: {
    sex: { enum: ["F", "M"] },
    age: { type: "integer", minimum: 0, exclusiveMaximum: 100 },
    income: { type: ["number", "null"], minimum: 0, maximum: 1e6, multipleOf: 0.01 },
    pets: { type: "boolean" },
    born: { type: "string", format: "date", formatMinimum: "1900-01-01", formatMaximum: "2020-12-31" },
    // As TypeBox has unions of literals, and pydantic references.
    status: { anyOf: [{ const: "single" }, { const: "married" }] },
    area: { allOf: [{ $ref: "#/$defs/Area" }] },
    code: { enum: [1, 2, 9, null] },
  },
  $defs: { Area: { type: "string", enum: ["north", "south"] } },
};

it("drafts what JSON Schema says, ready to use where it says all", async () => {
  const draft = await schemaFrom(person);
  expect(draft.holes).toEqual([]);
  expect(by(draft)).toEqual({
    sex: { type: "category", values: ["F", "M"], other: null },
    age: { type: "integer", min: 0, max: 99, ...clamped },
    income: { type: "number", min: 0, max: 1e6, bins: 20, decimals: 2, ...clamped },
    pets: { type: "boolean", other: null },
    born: { type: "date", from: "1900-01-01", to: "2020-12-31", step: "year", ...clamped },
    status: { type: "category", values: ["single", "married"], other: null },
    area: { type: "category", values: ["north", "south"], other: null, nullable: true },
    code: { type: "category", values: ["1", "2", "9"], other: null, nullable: true },
  });
  expect(filled(draft).names).toEqual(Object.keys(person.properties));
  // From its text, its bytes, a list of such objects, and a root that is a reference.
  for (const same of [
    bytes(JSON.stringify(person)),
    new Blob([JSON.stringify(person)]),
    { type: "array", items: person, $defs: person.$defs },
    { $ref: "#/$defs/Person", $defs: { ...person.$defs, Person: person } },
  ])
    expect((await schemaFrom(same)).json).toEqual(draft.json);
});

it("leaves open what JSON Schema does not say, and the schema is refused until that is filled in", async () => {
  const draft = await schemaFrom({
    properties: {
      a: { type: "integer", minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
      b: { type: "string" },
      c: {},
      d: { type: "string", format: "date" },
      e: { type: "number", minimum: 0 },
      f: { type: "string", format: "date-time" },
      g: { type: "integer", minimum: 0, maximum: 1e6 },
    },
  });
  expect(draft.holes).toEqual([
    { attribute: "a", fields: ["min", "max"] },
    { attribute: "b", fields: ["values"] },
    { attribute: "c", fields: ["type"] },
    { attribute: "d", fields: ["from", "to", "step"] },
    { attribute: "e", fields: ["max"] },
    { attribute: "f", fields: ["type"] },
  ]);
  expect(by(draft).g).toMatchObject({ width: 50_001 });
  expect(() => filled(draft)).toThrow(
    'the schema is a draft: fill in what is "?": min, max of "a"; values of "b"; type of "c"; ' +
      'from, to, step of "d"; max of "e"; type of "f"',
  );
});

it('takes "?" for a value where it can be one', () => {
  const values = { name: "a", type: "category", values: ["?"], other: "?" } as const;
  expect(schemaFromJson({ attributes: [values] }).size("a")).toBe(1);
});

it("takes what writes JSON Schema of itself, also where it is a function", async () => {
  const asked: unknown[] = [];
  const input = (options: { target: string }) => {
    asked.push(options.target);
    return person as Record<string, unknown>;
  };
  const standard = { version: 1, vendor: "some", jsonSchema: { input, output: input } } as const;
  const expected = (await schemaFrom(person)).json;
  expect((await schemaFrom({ "~standard": standard })).json).toEqual(expected);
  expect((await schemaFrom(Object.assign(() => true, { "~standard": standard }))).json).toEqual(expected);
  expect(asked).toEqual(["draft-2020-12", "draft-2020-12"]);
  expect(await refused({ "~standard": { version: 1, vendor: "some", validate: () => ({}) } })).toContain(
    "this schema of some does not write JSON Schema",
  );
  const fails = () => {
    throw new Error("no bigints");
  };
  expect(await refused({ "~standard": { ...standard, jsonSchema: { input: fails } } })).toContain(
    "some cannot write this schema",
  );
});

it.each<[string, object, string]>([
  [
    "an object in a column",
    { properties: { a: { type: "object" } } },
    'the property "a" is of the type object',
  ],
  ["a list in a column", { properties: { a: { type: "array" } } }, "of the type array"],
  ["several types", { properties: { a: { type: ["string", "integer"] } } }, "string or integer"],
  [
    "alternatives",
    { properties: { a: { anyOf: [{ type: "string" }, { type: "integer" }] } } },
    "several types",
  ],
  ["another document", { properties: { a: { $ref: "https://x.y/z" } } }, "another document"],
  ["nothing there", { properties: { a: { $ref: "#/$defs/b" } } }, "which is not there"],
  ["a circle", { properties: { a: { $ref: "#/properties/a" } } }, "refers to itself"],
  ["no properties", { type: "object" }, "declares no `properties`"],
  ["values that are lists", { properties: { a: { enum: [[1]] } } }, "lists values"],
  ["a schema of ours", { attributes: [] }, "already"],
  ["two tables", { tables: [{}, {}] }, "describe 2 tables"],
  ["lists by CSVW", { tableSchema: { columns: [{ name: "a", separator: ";" }] } }, "holds lists"],
  ["no name by CSVW", { tableSchema: { columns: [{}] } }, "column 1"],
  ["twice the same", { tableSchema: { columns: [{ name: "a" }, { name: "a" }] } }, "two columns"],
  ["a list of Arrow", { fields: [{ name: "a", type: { typeId: 12 } }] }, "lists or objects"],
  ["no type of Arrow", { fields: [{ name: "a" }] }, "without a `name`"],
])("refuses %s, and says where", async (_, origin, message) => {
  const said = await refused(origin);
  expect(said).toContain("SCHEMA_INVALID");
  expect(said).toContain(message);
});

it("drafts what CSVW says, and what it says for all columns", async () => {
  const draft = await schemaFrom({
    "@context": "http://www.w3.org/ns/csvw",
    url: "people.csv",
    null: ["", "NA"],
    tableSchema: {
      columns: [
        {
          titles: { en: "Age" },
          name: "age",
          required: true,
          datatype: { base: "integer", minimum: "0", maximum: 120 },
        },
        { titles: ["Paid", "paid"], datatype: { base: "boolean", format: "Y|N" } },
        { name: "kind", datatype: { base: "string", format: "^(a|b c)$" } },
        { name: "text", datatype: { base: "string", format: "[a-z]+" } },
        { name: "rate", datatype: { base: "decimal", minInclusive: 0, maxInclusive: 1 } },
        { name: "born", datatype: { base: "date", minimum: "2000-01-01", maximum: "2000-12-31" } },
        { name: "day", datatype: { base: "date", format: "dd/MM/yyyy" } },
        { name: "made", virtual: true },
        { name: "n", datatype: "nonNegativeInteger" },
      ],
    },
  });
  const nulls = ["NA"];
  expect(by(draft)).toEqual({
    Age: { type: "integer", min: 0, max: 120, ...clamped, nulls },
    Paid: { type: "boolean", texts: ["N", "Y"], other: null, nullable: true, nulls },
    kind: { type: "category", values: ["a", "b c"], other: null, nullable: true, nulls },
    text: { type: "category", values: "?", other: null, nullable: true, nulls },
    rate: { type: "number", min: 0, max: 1, bins: 20, ...clamped, nulls },
    born: { type: "date", from: "2000-01-01", to: "2000-12-31", step: "month", ...clamped, nulls },
    day: { type: "?" },
    n: { type: "integer", min: 0, max: "?", ...clamped, nulls },
  });
});

const dictionary = `Variable;Label;Type;Min;Max;Values
age;Age in years;int;0;99;
sex;;;;;F|M
paid;;bool;;;no|yes
wage;;decimal(10,2);0;;
area;where;varchar(3);;;
day;;date;2020-01-01;2020-01-31;
what;;;;;
`;

it("drafts what a data dictionary says", async () => {
  const draft = await schemaFrom(bytes(dictionary), { delimiter: ";", bins: 5 });
  expect(by(draft)).toEqual({
    age: { type: "integer", min: 0, max: 99, ...clamped },
    sex: { type: "category", values: ["F", "M"], other: null },
    paid: { type: "boolean", texts: ["no", "yes"], other: null },
    wage: { type: "number", min: 0, max: "?", bins: 5, ...clamped },
    area: { type: "category", values: "?", other: null },
    day: { type: "date", from: "2020-01-01", to: "2020-01-31", step: "day", ...clamped },
    what: { type: "?" },
  });
});

it.each([
  ["name,type\na,colour\n", '"a" in the data dictionary has the type "colour", which is unknown'],
  ["name,min\n,1\n", "row 1 of the data dictionary names no column"],
  ["name,type,min\na,integer,x\n", "`min` or `max` that is none of its type"],
  ["name,type,min\na,integer,0.5\n", "no whole numbers"],
  ["name,type,min\na,date,1\n", "none of its type"],
  ["name,type,values\na,bool,x|y|z\n", "a boolean with other than two"],
  ["a,b\n1,2\n", "no data dictionary"],
  ["name\na\na\n", "two columns"],
  ["name\n", "names no column"],
  ["", "no data dictionary"],
  ["{", "is not JSON"],
])("refuses the dictionary %j", async (text, message) => {
  expect(await refused(bytes(text))).toContain(message);
});

it("drafts what the schemas in files of Arrow and Parquet say, and reads no row", async () => {
  const columns = {
    n: [1, 2],
    u: [1, 2],
    x: [0.5, 1],
    s: ["a", "b"],
    b: [true, false],
    d: [new Date(0), new Date(0)],
  };
  for (const format of ["stream", "file"] as const) {
    const table = tableFromArrays(columns, { types: { n: int8(), u: uint16() } });
    const draft = await schemaFrom(tableToIPC(table, { format }) as Uint8Array);
    expect(by(draft)).toMatchObject({
      n: { type: "integer", min: "?", max: "?" },
      u: { type: "integer", min: 0, max: "?" },
      x: { type: "number", min: "?", max: "?", bins: 20 },
      s: { type: "category", values: "?" },
      b: { type: "boolean" },
    });
    expect((await schemaFrom(table.schema)).json).toEqual(draft.json);
  }
  const file = parquetWriteBuffer({
    columnData: [
      { name: "n", data: [1, 2], type: "INT32" },
      { name: "x", data: [0.5, 1], type: "DOUBLE" },
      { name: "s", data: ["a", "b"], type: "STRING" },
      { name: "b", data: [true, false], type: "BOOLEAN" },
      { name: "d", data: [new Date(0), new Date(0)], type: "TIMESTAMP" },
      { name: "l", data: [1n, 2n], type: "INT64" },
    ],
  });
  const draft = await schemaFrom(file);
  expect(by(draft)).toMatchObject({
    n: { type: "integer", min: "?" },
    x: { type: "number", min: "?" },
    s: { type: "category", values: "?" },
    b: { type: "boolean" },
    d: { type: "?" },
    l: { type: "integer", max: "?" },
  });
  // The rows before the footer are not looked at.
  const other = new Uint8Array(file);
  other.fill(7, 4, 40);
  expect((await schemaFrom(other)).json).toEqual(draft.json);
});

it("of any document there is a draft or an error of ours", async () => {
  const key = fc.constantFrom(
    "properties",
    "type",
    "enum",
    "anyOf",
    "$ref",
    "allOf",
    "items",
    "a",
    "tableSchema",
  );
  const more = fc.constantFrom(
    "columns",
    "name",
    "titles",
    "datatype",
    "base",
    "format",
    "fields",
    "__proto__",
  );
  const leaf = fc.constantFrom<unknown>(
    "integer",
    "number",
    "string",
    "date",
    "#",
    "#/a",
    null,
    1,
    -1e308,
    true,
  );
  const document = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 5 },
      leaf,
      fc.dictionary(fc.oneof(key, more), tie("node"), { maxKeys: 4 }),
      fc.array(tie("node"), { maxLength: 3 }),
    ),
  })).node;
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.oneof(key, more), document, { maxKeys: 4 }), async (json) => {
      const [one, other] = [await refused(json), await refused(bytes(JSON.stringify(json)))];
      for (const said of [one, other]) expect(said).toMatch(/^$|^SCHEMA_INVALID/);
    }),
    { numRuns: 5000 },
  );
});
