import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Dialect, fullDialect } from "../../ts/tables/dialect.js";
import { CsvRecords } from "../../ts/tables/records.js";

function parse(pieces: readonly string[], dialect: Dialect = {}): (readonly string[])[] {
  const found: (readonly string[])[] = [];
  const records = new CsvRecords(fullDialect(dialect), (fields) => found.push(fields));
  for (const piece of pieces) records.push(piece);
  records.finish();
  return found;
}

const lengths = (pieces: readonly string[], dialect: Dialect) =>
  parse(pieces, dialect).map((fields) => fields.join("|"));

const field = fc.string({ unit: fc.constantFrom("a", "é", ",", ";", '"', "\n", "\r\n", " ", "1") });
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

describe("records of CSV", () => {
  it("come back as they were written, however the text is cut", () => {
    const table = fc.array(fc.array(field, { minLength: 2, maxLength: 4 }), { maxLength: 6 });
    fc.assert(
      fc.property(
        table,
        fc.array(fc.nat(200)),
        fc.constantFrom("\n", "\r\n"),
        fc.boolean(),
        (rows, cuts, end, always) => {
          const written = (text: string) => (always || /[",\r\n]/.test(text) ? quoted(text) : text);
          const text = rows.map((row) => row.map(written).join(",") + end).join("");
          const places = [0, ...cuts.filter((cut) => cut < text.length).sort((a, b) => a - b), text.length];
          const pieces = places.slice(1).map((to, i) => text.slice(places[i], to));
          expect(parse(pieces)).toEqual(rows);
        },
      ),
    );
  });

  it("need no quotes and no last end of line", () => {
    expect(parse(["a,b\r\n1,\n\n,2"])).toEqual([["a", "b"], ["1", ""], [""], ["", "2"]]);
    expect(parse(["a;b\n1,5;2"], { delimiter: ";" })).toEqual([
      ["a", "b"],
      ["1,5", "2"],
    ]);
  });

  it("end where the dialect says", () => {
    for (const cut of [1, 2, 100]) {
      const pieces = (text: string) => text.match(new RegExp(`[^]{1,${cut}}`, "g")) ?? [];
      const text = 'a\r\nb\nc\rd\r\n"e\r\nf"\r\n\r';
      expect(lengths(pieces(text), {})).toEqual(["a", "b", "c\rd", "e\r\nf", ""]);
      expect(lengths(pieces(text), { lineEnd: "crlf" })).toEqual(["a", "b\nc\rd", "e\r\nf", ""]);
      expect(lengths(pieces(text), { lineEnd: "any" })).toEqual(["a", "b", "c", "d", "e\r\nf", ""]);
      const lines = pieces('a"b\n"c"\r\n"d\re"\n\nf');
      expect(lengths(lines, { records: "lines" })).toEqual(['a"b', "c", "d\re", "", "f"]);
      expect(() => parse(pieces('a\n"b\nc"\n'), { records: "lines" })).toThrow(/record 2/);
    }
  });

  it("end with an error where a quote is never closed", () => {
    expect(() => parse(['a,b\n"1,2\n3'])).toThrow(/record 2/);
  });
});
