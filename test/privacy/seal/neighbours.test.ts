import {
  close,
  init,
  type MeasureRequest,
  memory,
  pure,
  type Sealed,
  type SealOptions,
  type SelectOptions,
  seal,
  workload,
} from "marginalia";
import { describe, expect, it } from "vitest";
import { folder, options, people, refusal, sealing } from "./support.js";

/**
 * Tables that differ in one row, or in all: whatever can be seen of them without paying, and all that is said besides
 * the noisy values, must be the same to the byte.
 */
const rows = Array.from({ length: 1000 }, (_, i) => `${i % 10},${i % 3 ? "F" : "M"}\n`);
const table = (...more: string[]) => ["age,sex\n", ...rows, ...more];

const neighbours: [string, string[]][] = [
  ["one row more", table("1,F\n")],
  ["one row less", table().slice(0, -1)],
  ["a new category", table("1,X\n")],
  ["an extreme", table("99999999999999999999,F\n")],
  ["a negative extreme", table("-1e308,F\n")],
  ["NaN", table("NaN,F\n")],
  ["infinity", table("Infinity,F\n")],
  ["nulls", table(",\n")],
  ["a very long text", table(`1,${"x".repeat(3_000_000)}\n`)],
  ["a ragged row", table("1,F,2,3,4\n")],
  ["a quote that is never closed", table('1,"F\n')],
  ["bytes that are no text", table("1,\0\u0001\n")],
  ["an emoji", table("1,🙂\n")],
  ["no row at all", ["age,sex\n"]],
  ["many more rows", table(...Array.from({ length: 400 }, () => rows.join("")))],
];

const asked: MeasureRequest<typeof people>[] = [
  { clique: ["age", "sex"], spend: "1/10" },
  { clique: ["age"], query: { type: "prefix" }, spend: "1/10" },
  { clique: [], scale: "100/7" },
];

const cliques = workload(people, [["age", "sex"], ["sex"]]);
const choice: SelectOptions<typeof people> = {
  workload: cliques,
  answers: new Float64Array(cliques.cells).fill(30),
  candidates: "cells",
  spend: "1/10",
};
const masked = { ...choice, mask: new Uint8Array(cliques.cells) };

/** Everything but the values and the clock. */
async function seen(source: readonly string[], change: Partial<SealOptions> = {}): Promise<string> {
  const sealed = await sealing(new Blob([...source]), { expectedRows: 1000, ...change });
  const planned = [...asked, choice];
  const plan = async () => [await sealed.plan(planned), `${await sealed.plan(planned, { expectedRows: 7 })}`];
  const before = await plan();
  const measured = await sealed.measure(asked, { label: "one" });
  const shapes = measured.map((one) => ({ ...one.toJSON(), values: one.values.length }));
  const cell = await sealed.select(choice);
  const clique = await sealed.select({ ...choice, candidates: "cliques" });
  const nobody = await refusal(sealed.select(masked), "SELECTION_EMPTY");
  const much = await refusal(sealed.select({ ...choice, spend: 1 }), "BUDGET_EXCEEDED");
  const after = await plan();
  const { message } = await refusal(sealed.measure([{ clique: ["age"], spend: 1 }]), "BUDGET_EXCEEDED");
  const unknown = await refusal(sealed.measure([{ clique: ["x" as "age"], spend: 1 }]), "ATTRIBUTE_UNKNOWN");
  const all = {
    before,
    after,
    shapes,
    message,
    unknown: unknown.message,
    selected: [cell, clique].map((one) => [Object.keys(one), one.cost, one.epsilon]),
    refused: [nobody.message, much.message],
    keys: Object.keys(sealed),
    ...told(sealed),
  };
  const used = await memory();
  await sealed.close();
  return JSON.stringify({ all, used });
}

/** The account, without when. */
function told(sealed: Sealed<typeof people>) {
  const clockless = (text: string) => text.replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:[\d.]+Z)?/g, "then");
  const { spent, left, unit, relation, schema, dataset } = sealed;
  const own = { spent, left, unit, relation, dataset, schema: schema.toJSON() };
  return { ledger: clockless(`${sealed.ledger}`), json: clockless(JSON.stringify(sealed.ledger)), ...own };
}

describe("nothing but the noisy values tells of the rows", () => {
  it.each(neighbours)("not of %s", async (_, source) => {
    expect(await seen(source)).toBe(await seen(table()));
  });

  it("not where units are bounded, or there are lines to count as null", async () => {
    const unit = { column: "sex", maxRows: 2 };
    const expected = await seen(table(), { unit, badRows: "null" });
    for (const [, source] of neighbours) expect(await seen(source, { unit, badRows: "null" })).toBe(expected);
  });

  it("nor does it depend on how rows of the program are made", async () => {
    const good = Array.from({ length: 50 }, (_, i) => ({ age: i % 10, sex: "F" }));
    const odd = [
      { age: Number.NaN, sex: 7 },
      { age: {}, sex: [] },
      5,
      null,
      { more: 1n },
      "text",
      new Date(0),
    ];
    const once = async (source: object) => {
      const sealed = await sealing(source as object[]);
      const measured = await sealed.measure(asked);
      return JSON.stringify([measured.map((one) => ({ ...one.toJSON(), values: 0 })), told(sealed)]);
    };
    expect(await once([...good, ...odd])).toBe(await once(good));
  });

  it("the keys of charges, and so what the ledger is asked for, are of the requests alone", async () => {
    const keys = async (source: string[]) => {
      const sealed = await sealing(new Blob(source), { budget: pure(2) });
      await Promise.all([
        sealed.measure(asked),
        sealed.measure(asked),
        sealed.measure(asked, { label: "b" }),
        sealed.select(choice),
        sealed.select({ ...choice, candidates: "cliques" }),
      ]);
      return sealed.ledger.entries().map(({ key }) => key);
    };
    const expected = await keys(table());
    expect(new Set(expected).size).toBe(5);
    expect(await keys(["age,sex\n"])).toEqual(expected);
  });

  it("no error of a table that does not fit the memory says how large it is", async () => {
    await close();
    await init({ memoryLimit: 2 ** 24 });
    const large = { budget: pure(100) };
    const said = async (length: number) => {
      const block = new Blob([rows.join("").repeat(100)]);
      const sealed = await seal(new Blob(["age,sex\n", ...new Array<Blob>(length).fill(block)]), people, {
        ...options,
        ...large,
      });
      const { message } = await refusal(sealed.measure([{ clique: ["age"], spend: 1 }]), "OUT_OF_MEMORY");
      await sealed.close();
      return message;
    };
    const messages = [await said(150), await said(180), await said(210)];
    await close();
    await init({});
    expect(new Set(messages).size).toBe(1);
    expect(messages[0]).toContain("ε = 1 stays spent");
  });

  it("no plan is refused for want of the memory that rows take", async () => {
    await close();
    await init({ memoryLimit: 2 ** 25 });
    const most = async (length: number) => {
      const lines = new Blob([rows.join("").repeat(100)]);
      const sealed = await seal(new Blob(["age,sex\n", ...new Array<Blob>(length).fill(lines)]), people, {
        ...options,
        budget: pure(100),
      });
      await sealed.measure([{ clique: ["age"], spend: 1 }]);
      let [fits, refused] = [1000, 150_000];
      while (refused - fits > 500) {
        const middle = Math.floor((fits + refused) / 2);
        const ranges = new Array<[number, number]>(middle).fill([0, 1]);
        const request = { clique: ["age" as const], query: { type: "ranges" as const, ranges }, spend: 1 };
        const code = await sealed.plan([request]).then(
          () => undefined,
          (error: { code?: string }) => error.code,
        );
        if (code === undefined) fits = middle;
        else refused = middle;
      }
      await sealed.close();
      return fits;
    };
    const found = [await most(0), await most(4)];
    await close();
    await init({});
    expect(found[1]).toBe(found[0]);
    expect(found[0]).toBeLessThan(149_000);
  }, 120_000);

  it("no call that is private tells how far it is", async () => {
    const sealed = await sealing(new Blob(table()), { ledger: `${await folder()}/account.json` });
    const onProgress = () => expect.fail("progress was told");
    await refusal(sealed.measure(asked, { onProgress } as object), "OPTION_INVALID");
    expect(Object.keys(sealed)).toEqual(["schema", "dataset"]);
  });
});
