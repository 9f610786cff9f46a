import { category, MarginaliaError, pure, schema, schemaFromJson, seal } from "marginalia";
import { expect, it } from "vitest";
import { isPrinted, oneLine, printed, printedJson } from "../ts/print.js";

/** C0, DEL, C1, and what ends lines and turns directions. */
const STRANGE = [
  ...Array.from({ length: 32 }, (_, code) => code),
  ...Array.from({ length: 33 }, (_, i) => 0x7f + i),
  ...[0x2028, 0x2029, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069],
].map((code) => String.fromCharCode(code));

it("what moves a cursor, ends a line or turns a direction is not printed", () => {
  for (const char of STRANGE) {
    expect(isPrinted(`a${char}b`), escape(char)).toBe(false);
    expect(oneLine(`a${char}${char}b`)).toBe("a b");
    expect(printed(`a${char}b\nc`)).toBe(char === "\n" ? "a\nb\nc" : "a b\nc");
    const json = printedJson(JSON.stringify({ [`a${char}`]: char }));
    expect([isPrinted(json), JSON.parse(json)]).toEqual([true, { [`a${char}`]: char }]);
  }
});

it("letters of all scripts are", () => {
  for (const text of ["größe", "年齢", "العمر", "גיל\u200f", "e\u0301", "👩‍👩‍👧", "a b_c-d.e/f(g)"]) {
    expect(isPrinted(text)).toBe(true);
    expect([oneLine(text), printed(text), printedJson(text)]).toEqual([text, text, text]);
  }
});

it("no attribute and no data set is called by it, and the refusal can be printed", async () => {
  const values = { type: "category", values: ["x"], other: null } as const;
  for (const char of STRANGE) {
    const name = `a${char}b`;
    const refusals = [
      () => schema({ [name]: category(["x"]) }),
      () => schema({ a: category(["x"]) }, { derive: { [name]: { from: "a", prefix: 1 } } }),
      () => schemaFromJson({ attributes: [{ name, ...values }] }),
    ];
    for (const refused of refusals) {
      const error = catching(refused);
      expect([error.code, isPrinted(error.message)]).toEqual(["SCHEMA_INVALID", true]);
      expect(error.message).toContain('the attribute "a b" has control characters');
    }
    const sealing = seal([], schema({ a: category(["x"], { other: null }) }), {
      ...{ dataset: name, unit: "row", budget: pure(1) },
    });
    await expect(sealing).rejects.toMatchObject({ code: "OPTION_INVALID" });
    await expect(sealing).rejects.toThrow(/^`dataset` has control characters/);
  }
});

it("errors can be printed whatever they name", () => {
  const { message, hint } = new MarginaliaError("INTERNAL", "a\u001b[31mb\nc\u202e", { hint: "d\u0085" });
  expect([message, hint]).toEqual(["a [31mb\nc ", "d "]);
  const { index } = Object.getPrototypeOf(schema({ a: category(["x"]) }));
  const unknown = catching(() => index.call(schema({ a: category(["x"]) }), "b\u009b"));
  expect([unknown.code, isPrinted(unknown.message)]).toEqual(["ATTRIBUTE_UNKNOWN", true]);
});

function catching(work: () => unknown): MarginaliaError {
  try {
    work();
  } catch (error) {
    return error as MarginaliaError;
  }
  return expect.fail("it was not refused");
}
