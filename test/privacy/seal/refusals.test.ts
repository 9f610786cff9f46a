import { approximate, category, integer, type SealOptions, schema, seal } from "marginalia";
import { describe, expect, it } from "vitest";
import { csv, exact, options, people, plenty, refusal, sealing } from "./support.js";

describe("sealing refuses", () => {
  const bad: [string, object, string][] = [
    ["weights", { weight: "w" }, "no weights"],
    ["nulls beside the schema", { nulls: [""] }, "schema"],
    ["unknown options", { seed: 1 }, "seed"],
    ["no dataset", { dataset: "" }, "dataset"],
    ["no unit", { unit: undefined }, "unit"],
    ["a unit that is none", { unit: { column: "id" } }, "unit"],
    ["a relation that is none", { relation: "swap" }, "relation"],
    ["no budget", { budget: undefined }, "budget"],
    ["a bare number as budget", { budget: 1 }, "budget"],
    ["bad rows that are neither", { badRows: "keep" }, "badRows"],
    ["a guess of rows that is none", { expectedRows: -1 }, "expectedRows"],
    ["a ledger that is none", { ledger: 7 }, "ledger"],
    ["a long delimiter", { delimiter: "ab" }, "delimiter"],
    ["a quote as delimiter", { delimiter: '"' }, "delimiter"],
    ["an encoding that is none", { encoding: "utf-7" }, "encoding"],
  ];

  it.each(bad)("%s", async (_, change, word) => {
    const { message } = await refusal(
      seal(new Blob([csv]), people, { ...options, ...change } as SealOptions),
      "OPTION_INVALID",
    );
    expect(message).toContain(word);
  });

  it("schemas that do not say what becomes of other values", async () => {
    for (const attribute of [
      category(["a"]),
      integer({ min: 0, max: 1 }),
      integer({ min: 0, max: 1, other: "clamp" }),
    ]) {
      const partial = schema({ a: attribute });
      const { message } = await refusal(seal(new Blob([csv]), partial, options), "SCHEMA_INVALID");
      expect(message).toContain("other");
    }
  });

  it("a budget without δ, and a source that is none", async () => {
    await refusal(seal(csv, people, { ...options, budget: approximate(1) }), "BUDGET_INVALID");
    for (const none of [undefined, null, 7]) {
      await refusal(seal(none as never, people, options), "OPTION_INVALID");
    }
    const n = { replace: { n: 1000 } };
    const sealed = await sealing(csv.split(","), { budget: approximate(1), relation: n });
    expect(JSON.parse(JSON.stringify(sealed.budget))).toMatchObject({ delta: "1/1000000", n: 1000 });
  });

  const requests: [string, unknown[], string][] = [
    ["nothing", [], "OPTION_INVALID"],
    ["what is no request", [null], "OPTION_INVALID"],
    ["unknown fields", [{ clique: ["age"], spend: 0.1, epsilon: 1 }], "OPTION_INVALID"],
    ["unknown attributes", [{ clique: ["height"], spend: 0.1 }], "ATTRIBUTE_UNKNOWN"],
    ["an attribute twice", [{ clique: ["age", "age"], spend: 0.1 }], "OPTION_INVALID"],
    ["no noise", [{ clique: ["age"] }], "OPTION_INVALID"],
    ["noise twice", [{ clique: ["age"], spend: 0.1, scale: 1 }], "OPTION_INVALID"],
    ["no noise at all", [{ clique: ["age"], scale: 0 }], "BUDGET_INVALID"],
    ["negative noise", [{ clique: ["age"], scale: -1 }], "BUDGET_INVALID"],
    [
      "nothing but zeros",
      [{ clique: ["sex"], spend: 0.1, query: { type: "matrix", rows: [[0, 0, 0]] } }],
      "OPTION_INVALID",
    ],
    ["noise without end", [{ clique: ["age"], scale: 1e30 }], "OPTION_INVALID"],
    ["too wide noise", [{ clique: ["age"], scale: 2 ** 50 }], "OPTION_INVALID"],
    ["a law that is none", [{ clique: ["age"], scale: 1, law: "uniform" }], "OPTION_INVALID"],
    ["Gaussian noise of a pure budget", [{ clique: ["age"], scale: 1, law: "gaussian" }], "BUDGET_INVALID"],
    [
      "a query that does not fit",
      [{ clique: ["sex"], spend: 0.1, query: { type: "matrix", rows: [[1]] } }],
      "MEASUREMENT_INVALID",
    ],
    [
      "a range beyond the cells",
      [{ clique: ["sex"], spend: 0.1, query: { type: "ranges", ranges: [[0, 3]] } }],
      "MEASUREMENT_INVALID",
    ],
  ];

  it.each(requests)("to measure %s, and spends nothing", async (_, asked, code) => {
    const sealed = await sealing(() => expect.fail("the source was opened"));
    await refusal(sealed.measure(asked as never), code);
    await refusal(sealed.plan(asked as never), code);
    expect(sealed.ledger.entries()).toEqual([]);
  });

  it("to measure more cells than the memory takes, whatever the rows take of it", async () => {
    const wide = schema({
      a: integer({ min: 0, max: 9999, other: "clamp", nullable: true }),
      b: integer({ min: 0, max: 9999, other: "clamp", nullable: true }),
    });
    const said = async (length: number) => {
      const sealed = await seal(new Blob(["a,b\n", "1,1\n".repeat(length)]), wide, { ...options, ...plenty });
      await sealed.measure([{ clique: ["a"], ...exact }]);
      const { message } = await refusal(
        sealed.measure([{ clique: ["a", "b"], ...exact }]),
        "MODEL_TOO_LARGE",
      );
      await sealed.close();
      return message;
    };
    expect(await said(100_000)).toBe(await said(1));
  });
});
