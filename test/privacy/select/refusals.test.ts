import { integer, readTable, schema, seal, workload } from "marginalia";
import { describe, expect, it } from "vitest";
import { options, people, plenty, refusal, sealing } from "../seal/support.js";

const sexes = workload(people, [["sex"], ["age"]]);
const { cells } = sexes;
const fine = { workload: sexes, answers: new Float64Array(cells), candidates: "cells", spend: "1/8" };
const list = (value: number, length = cells) => new Array<number>(length).fill(value);
const cliques = { candidates: "cliques" };
const narrow = schema({ sex: people.attributes.sex });

const refused: [string, object, string, string][] = [
  ["unknown options", { seed: 1 }, "OPTION_INVALID", "seed"],
  ["no workload", { workload: undefined }, "OPTION_INVALID", "workload"],
  ["a list of names as workload", { workload: [["sex"]] }, "OPTION_INVALID", "workload"],
  ["a workload of nothing", { workload: workload(people, []) }, "OPTION_INVALID", "no clique"],
  ["a workload of another schema", { workload: workload(narrow, [["sex"]]) }, "OPTION_INVALID", "schema"],
  ["no candidates", { candidates: undefined }, "OPTION_INVALID", "candidates"],
  ["no price", { spend: undefined }, "OPTION_INVALID", "spend"],
  ["two prices", { epsilon: 1 }, "OPTION_INVALID", "spend"],
  ["a price of nothing", { spend: 0 }, "BUDGET_INVALID", "spend"],
  ["an ε beyond all use", { spend: "1e-200" }, "OPTION_INVALID", "ε"],
  ["more than there is", { spend: 2 }, "BUDGET_EXCEEDED", "left"],
  ["a mechanism that is none", { mechanism: "best" }, "OPTION_INVALID", "mechanism"],
  ["a difference that is none", { difference: "square" }, "OPTION_INVALID", "difference"],
  ["a difference of cliques", { ...cliques, difference: "signed" }, "OPTION_INVALID", "difference"],
  [
    "weights by permute-and-flip",
    { mechanism: "permute-and-flip", weights: list(1) },
    "OPTION_INVALID",
    "weights",
  ],
  ["no answers", { answers: undefined }, "OPTION_INVALID", "answers"],
  ["a list as answers", { answers: list(1) }, "OPTION_INVALID", "answers"],
  ["too few answers", { answers: new Float64Array(cells - 1) }, "OPTION_INVALID", "answers"],
  [
    "answers that are no numbers",
    { answers: Float64Array.from(list(Number.NaN)) },
    "OPTION_INVALID",
    "answers",
  ],
  ["answers beyond all use", { answers: Float64Array.from(list(2 ** 43)) }, "OPTION_INVALID", "answers"],
  ["a function that gives none", { answers: () => undefined }, "OPTION_INVALID", "answers"],
  ["a function that gives too few", { answers: () => new Float64Array(2) }, "OPTION_INVALID", "answers"],
  ["too few penalties", { penalties: list(0, 3) }, "OPTION_INVALID", "penalties"],
  ["penalties of all cells for cliques", { ...cliques, penalties: list(0) }, "OPTION_INVALID", "penalties"],
  [
    "penalties that are no numbers",
    { penalties: list(Number.POSITIVE_INFINITY) },
    "OPTION_INVALID",
    "penalties",
  ],
  ["negative weights", { weights: list(-1) }, "OPTION_INVALID", "weights"],
  ["weights that are hardly numbers", { weights: list(1e-310) }, "OPTION_INVALID", "weights"],
  ["factors of cells", { factors: list(1) }, "OPTION_INVALID", "factors"],
  ["factors that are none", { ...cliques, factors: [0.5, 1] }, "OPTION_INVALID", "factors"],
  ["factors of nothing but 0", { ...cliques, factors: [0, 0] }, "OPTION_INVALID", "factors"],
  ["nobody in the mask", { mask: list(0) }, "SELECTION_EMPTY", "no candidate"],
  ["weights of nothing but 0", { weights: list(0) }, "SELECTION_EMPTY", "no candidate"],
  ["a label that is no text", { label: 7 }, "OPTION_INVALID", "label"],
];

describe("refused before anything is charged or read", () => {
  it.each(refused)("%s", async (_, change, code, word) => {
    const sealed = await sealing(() => expect.fail("the source was opened"));
    const { message } = await refusal(sealed.select({ ...fine, ...change } as never), code);
    expect(message).toContain(word);
    expect(sealed.ledger.entries()).toEqual([]);
    // The account is as it was.
    expect(`${sealed.left}`).toBe("1");
  });

  it("what is no selection", async () => {
    const sealed = await sealing(() => expect.fail("the source was opened"));
    for (const none of [undefined, null, 7]) await refusal(sealed.select(none as never), "OPTION_INVALID");
  });

  it("answers to another workload", async () => {
    const table = await readTable(new Blob(["age,sex\n1,F\n"]), people);
    const sealed = await sealing(() => expect.fail("the source was opened"));
    for (const other of [workload(people, [["age"], ["sex"]]), workload(people, [["sex"]])]) {
      using answers = await table.count(other);
      const { message } = await refusal(sealed.select({ ...fine, answers } as never), "OPTION_INVALID");
      expect(message).toContain("another workload");
    }
  });

  it("more cells than the memory takes, whatever the rows take of it", async () => {
    const attribute = integer({ min: 0, max: 9999, other: "clamp", nullable: true });
    const wide = schema({ a: attribute, b: attribute });
    const large = workload(wide, [["a", "b"]]);
    const said = async (length: number) => {
      const sealed = await seal(new Blob(["a,b\n", "1,1\n".repeat(length)]), wide, { ...options, ...plenty });
      await sealed.measure([{ clique: ["a"], spend: 1 }]);
      const block = (from: number, to: number) => new Float64Array(to - from);
      const asked = { workload: large, answers: block, candidates: "cells", spend: 1 } as const;
      const { message } = await refusal(sealed.plan([asked]), "MODEL_TOO_LARGE");
      expect(sealed.ledger.entries()).toHaveLength(1);
      await sealed.close();
      return message;
    };
    expect(await said(100_000)).toBe(await said(1));
  });
});
