import { gzipSync } from "node:zlib";
import { tableFromArrays, tableToIPC } from "@uwdata/flechette";
import fc from "fast-check";
import { parquetWriteBuffer } from "hyparquet-writer";
import { expect, it } from "vitest";
import { MarginaliaError } from "../../ts/errors.js";
import { type ColumnsOptions, schemaOfColumns } from "../../ts/privacy/columns.js";
import type { SealedSource } from "../../ts/privacy/origin.js";
import { type SchemaJson, schemaFromJson } from "../../ts/tables/schema.js";

const bytes = (text: string) => new TextEncoder().encode(text);
const utf16 = (text: string, isBig = false) => {
  const little = Buffer.from(text, "utf16le");
  return new Uint8Array(isBig ? little.swap16() : little);
};
/** The names, or what was said in their place. */
const named = async (source: SealedSource, options: ColumnsOptions = {}) => {
  try {
    const { json } = await schemaOfColumns(source, options);
    expect(json.attributes.every((one) => Object.keys(one).join() === "name,type" && one.type === "?")).toBe(
      true,
    );
    return json.attributes.map(({ name }) => name);
  } catch (error) {
    if (!(error instanceof MarginaliaError)) throw error;
    return `${error.code}: ${error.message}`;
  }
};

it("drafts the names of columns, of which all is to be filled in", async () => {
  const draft = await schemaOfColumns(bytes("age,sex\n1,F\n"));
  expect(draft.json).toEqual({
    attributes: [
      { name: "age", type: "?" },
      { name: "sex", type: "?" },
    ],
  });
  expect(() => schemaFromJson(draft.json as unknown as SchemaJson)).toThrow('type of "age"; type of "sex"');
});

it.each<[string, SealedSource, ColumnsOptions, readonly string[]]>([
  ["a mark in front", bytes("\ufeffa,b\n1,2"), {}, ["a", "b"]],
  ["quotes", bytes('"a,b","c ""d"""\n1,2'), {}, ["a,b", 'c "d"']],
  ["another delimiter", bytes("a;b\n1;2"), { delimiter: ";" }, ["a", "b"]],
  ["no end of line", bytes("a,b"), {}, ["a", "b"]],
  ["blank lines in front", bytes("\r\n\na,b\r\n"), {}, ["a", "b"]],
  ["returns alone", bytes("a,b\r1,2\r"), { lineEnd: "any" }, ["a", "b"]],
  ["a column without a name", bytes(",a,b\n0,1,2"), {}, ["a", "b"]],
  ["UTF-16", utf16("\ufeffa,é\n1,2"), { encoding: "utf-16" }, ["a", "é"]],
  ["UTF-16, big end first", utf16("\ufeffa,é\n1,2", true), { encoding: "utf-16" }, ["a", "é"]],
  ["UTF-16, without a mark", utf16("a,é\n1,2", true), { encoding: "utf-16be" }, ["a", "é"]],
  ["Latin-1", Uint8Array.of(0x61, 0x2c, 0xe9, 0x0a), { encoding: "latin-1" }, ["a", "é"]],
  ["gzip", new Uint8Array(gzipSync("a,b\n1,2\n")), {}, ["a", "b"]],
  ["lists", { a: [1], b: ["x"] }, {}, ["a", "b"]],
  ["a function", () => bytes("a,b\n"), {}, ["a", "b"]],
  ["a stream", new Blob(["a,b\n1,2"]).stream(), {}, ["a", "b"]],
  ["Arrow", tableToIPC(tableFromArrays({ a: [1], b: [2] }), {}) as Uint8Array, {}, ["a", "b"]],
  ["Parquet", parquetWriteBuffer({ columnData: [{ name: "a", data: [1] }] }), {}, ["a"]],
])("reads the names with %s", async (_, source, options, names) => {
  expect(await named(source, options)).toEqual(names);
});

it.each<[string, SealedSource, ColumnsOptions, string]>([
  ["a row in the place of a header", bytes("Secret,37,F\n"), {}, "COLUMN_MISSING: 1 of 3 fields"],
  ["days in the place of a header", bytes("Secret,2020-01-01\n"), {}, "COLUMN_MISSING: 1 of 2 fields"],
  ["two columns of one name", bytes("Secret,b,Secret\n"), {}, "COLUMN_DUPLICATE: columns 1 and 3"],
  ["a line end within quotes", bytes('a,"Secret\nb"\n1,2\n'), {}, "TEXT_INVALID: a quote in record 1"],
  ["the wrong delimiter", bytes("Secret;b\n"), {}, "COLUMN_MISSING: the first line is one field"],
  ["returns alone, undeclared", bytes("Secret,b\r1,2\r"), {}, "TEXT_INVALID: the first line holds a return"],
  ["the wrong encoding", Uint8Array.of(0x61, 0xe9, 0x0a), {}, "TEXT_INVALID: the first line is no text"],
  ["UTF-16, undeclared", utf16("Secret,b\n"), {}, "COLUMN_MISSING: the first line holds control characters"],
  ["nothing", bytes(""), {}, "COLUMN_MISSING: the file is empty"],
  ["rows", [{ Secret: 1 }], {}, "COLUMN_MISSING: rows and lines of JSON"],
  ["lines of JSON", bytes('{"Secret":1}\n'), { format: "ndjson" }, "COLUMN_MISSING: rows and lines of JSON"],
])("refuses %s, and shows nothing of it", async (_, source, options, message) => {
  const said = await named(source, options);
  expect(said).toContain(message);
  expect(said).not.toContain("Secret");
});

it("nothing behind the first line changes what it says, or whether it fails", async () => {
  const heads = ["a,b", '"a,b";c', "a,a", "x,1", 'a,"b', "a;b", "\ufeffa,b", "a\tb", "é,b", ""];
  const end = fc.constantFrom("\n", "\r\n");
  const rest = fc.oneof(
    fc.uint8Array({ maxLength: 6000 }),
    fc.string({ unit: fc.constantFrom('"', ",", "\n", "\r", "a", "1", ";", "\0", "é") }).map(bytes),
    fc.constantFrom("PAR1", "ARROW1", "\x1f\x8b").map(bytes),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...heads),
      end,
      rest,
      fc.boolean(),
      async (head, ended, tail, isZipped) => {
        // A blank line in front is passed over: then the head is what follows.
        const line = head === "" ? "p,q" : head;
        const text = Buffer.concat([bytes(line + ended), tail]);
        const whole = isZipped ? gzipSync(text) : text;
        const alone = isZipped ? gzipSync(line + ended) : bytes(line + ended);
        expect(await named(new Uint8Array(whole))).toEqual(await named(new Uint8Array(alone)));
      },
    ),
    { numRuns: 1000 },
  );
});
