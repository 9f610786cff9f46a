import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CsvRecords } from "../../ts/evaluate/csv.js";

function parse(pieces: readonly string[], delimiter = ","): string[][] {
  const records = new CsvRecords(delimiter);
  return [...pieces.flatMap((piece) => [...records.push(piece)]), ...records.end()];
}

const field = fc.string({ unit: fc.constantFrom("a", "é", ",", ";", '"', "\n", "\r\n", " ", "1") });
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

describe("records of CSV", () => {
  it("come back as they were written, however the text is cut", () => {
    const table = fc.array(fc.array(field, { minLength: 2, maxLength: 4 }), { maxLength: 6 });
    fc.assert(
      fc.property(table, fc.array(fc.nat(200)), fc.constantFrom("\n", "\r\n"), (rows, cuts, end) => {
        const text = rows.map((row) => row.map(quoted).join(",") + end).join("");
        const places = [0, ...cuts.filter((cut) => cut < text.length).sort((a, b) => a - b), text.length];
        const pieces = places.slice(1).map((to, i) => text.slice(places[i], to));
        expect(parse(pieces)).toEqual(rows);
      }),
    );
  });

  it("need no quotes and no last end of line", () => {
    expect(parse(["a,b\r\n1,\n\n,2"])).toEqual([
      ["a", "b"],
      ["1", ""],
      ["", "2"],
    ]);
    expect(parse(["a;b\n1,5;2"], ";")).toEqual([
      ["a", "b"],
      ["1,5", "2"],
    ]);
  });

  it("end with an error where a quote is never closed", () => {
    expect(() => parse(['a,b\n"1,2\n3'])).toThrow(/record 2/);
  });
});
