import { parse as csvParse } from "csv-parse/sync";
import fc from "fast-check";
import { category, MarginaliaError, readTable, schema } from "marginalia";
import Papa from "papaparse";
import { expect, it } from "vitest";

/** Texts made of what makes readers stumble. */
const cell = fc
  .array(fc.constantFrom('"', '""', ",", ";", "\n", "\r", "\r\n", " ", "a", "é", "☃", "𝕏", "\u0000", "0"), {
    maxLength: 6,
  })
  .map((parts) => parts.join(""));

const styles = fc.record({
  always: fc.boolean(),
  end: fc.constantFrom("\n", "\r\n"),
  last: fc.boolean(),
  mark: fc.boolean(),
  delimiter: fc.constantFrom(",", ";", "\t"),
});
type Style = typeof styles extends fc.Arbitrary<infer T> ? T : never;

function write(rows: string[][], { always, end, last, mark, delimiter }: Style): string {
  const quoted = (text: string) =>
    always || /["\r\n]/.test(text) || text.includes(delimiter) ? `"${text.replaceAll('"', '""')}"` : text;
  const lines = rows.map((row) => row.map(quoted).join(delimiter));
  return (mark ? "\ufeff" : "") + lines.join(end) + (last ? end : "");
}

/** Reads with a schema that declares every text of every column, and looks the texts up again. */
async function ours(
  text: string,
  header: string[],
  rows: string[][],
  delimiter: string,
): Promise<string[][]> {
  const values = header.map((_, i) => [...new Set(rows.map((row) => row[i] as string))]);
  const s = schema(
    Object.fromEntries(
      header.map((name, i) => [name, category(values[i]?.length ? (values[i] as string[]) : ["x"])]),
    ),
  );
  using table = await readTable(new TextEncoder().encode(text), s, { delimiter });
  const columns = await Promise.all(
    header.map(async (name, i) => Array.from(await table.codes(name), (code) => values[i]?.[code] as string)),
  );
  return Array.from({ length: table.rows }, (_, row) => columns.map((column) => column[row] as string));
}

const papa = (text: string, delimiter: string) =>
  Papa.parse<string[]>(text.replace(/^\ufeff/, ""), { delimiter, skipEmptyLines: false });
const reference = (text: string, delimiter: string): string[][] =>
  csvParse(text, { delimiter, bom: true, relax_column_count: true, record_delimiter: ["\n", "\r\n"] });

it("property: whatever is written by the rules is read as papaparse and csv-parse read it", async () => {
  const tables = fc
    .integer({ min: 2, max: 4 })
    .chain((width) =>
      fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 12 }),
    );
  await fc.assert(
    fc.asyncProperty(tables, styles, async (rows, style) => {
      const header = (rows[0] as string[]).map((_, i) => `c${i}`);
      const text = write([header, ...rows], style);
      expect(reference(text, style.delimiter).slice(1)).toEqual(rows);
      expect(await ours(text, header, rows, style.delimiter)).toEqual(rows);
      // papaparse guesses one line end for the whole file, so it can be asked only where there is one.
      if (style.end === "\n" && !rows.flat().some((text) => text.includes("\r"))) {
        const { data } = papa(text, style.delimiter);
        expect(data.slice(1, rows.length + 1)).toEqual(rows);
      }
    }),
    { numRuns: 150 },
  );
});

it("property: where both of them read arbitrary text alike, so do we, or we say what is wrong with it", async () => {
  const codes = new Set(["ROW_RAGGED", "TEXT_INVALID", "COLUMN_MISSING", "COLUMN_DUPLICATE"]);
  const body = fc.array(fc.constantFrom('"', ",", "\n", "a", "b", '""', "a,b\n", '"a",b\n', " "), {
    maxLength: 14,
  });
  let read = 0;
  await fc.assert(
    fc.asyncProperty(body, async (parts) => {
      const text = `x,y\n${parts.join("")}`;
      let expected: string[][];
      try {
        expected = reference(text, ",").slice(1);
      } catch {
        return;
      }
      const { data, errors } = papa(text, ",");
      const theirs = data.slice(1).filter((row) => row.length !== 1 || row[0] !== "");
      const alike = errors.length === 0 && JSON.stringify(theirs) === JSON.stringify(expected);
      if (!alike || expected.some((row) => row.length !== 2)) return;
      try {
        expect(await ours(text, ["x", "y"], expected, ",")).toEqual(expected);
        read++;
      } catch (error) {
        if (!(error instanceof MarginaliaError)) throw error;
        expect(codes).toContain(error.code);
      }
    }),
    { numRuns: 600 },
  );
  expect(read).toBeGreaterThan(40);
});
