import {
  type Answers,
  category,
  close,
  pure,
  readTable,
  type SelectOptions,
  schema,
  type Workload,
  workload,
  zcdp,
} from "marginalia";
import { describe, expect, it } from "vitest";
import { csv, folder, people, plenty, refusal, sealing } from "../seal/support.js";

/** Ages 2, 1, 2, 0 …, 1, 1 of eleven; F 3, M 2, null 2. */
const both = workload(people, [["age"], ["sex"], ["sex", "age"]]);
const zeros = () => new Float64Array(both.cells);
/** So large that the best candidate is selected but for once in e^1000 draws. */
const sure = { epsilon: 10_000 } as const;
type Asked = SelectOptions<typeof people>;
const fair = (change: Partial<Asked>): Asked => {
  return { workload: both, answers: zeros(), candidates: "cells", ...change };
};
const asked = (change: Partial<Asked> = {}): Asked => fair({ ...sure, ...change });

describe("select", () => {
  it("finds the cell, and names it", async () => {
    const sealed = await sealing(undefined, plenty);
    const { cost, ...found } = await sealed.select(asked());
    expect(found).toEqual({ clique: ["sex"], place: 1, cell: 0, codes: [0], epsilon: "10000" });
    expect(cost).toEqual({ currency: "epsilon", amount: "10000" });
    const answers = zeros();
    answers[both.size(0)] = 3;
    // Now ages 0 and 2 tie with others; a mask leaves one cell of two attributes.
    const mask = new Uint8Array(both.cells);
    mask[11 + 3 + 11 + 2] = 1;
    const masked = await sealed.select(asked({ answers, mask }));
    expect(masked).toMatchObject({ clique: ["sex", "age"], place: 2, cell: 13, codes: [1, 2] });
    answers[3] = 8;
    expect(await sealed.select(asked({ answers }))).toMatchObject({ place: 0, cell: 3, codes: [3] });
    const signed = await sealed.select(
      asked({ answers, difference: "signed", mask: answers.map((_, i) => (i < 4 ? 1 : 0)) }),
    );
    expect([0, 2]).toContain(signed.cell);
    expect(Object.keys(found)).not.toContain("score");
  });

  it("finds it among cells that are listed, and again in the ledger", async () => {
    const sealed = await sealing(undefined, plenty);
    const all = both.size(0) + both.size(1);
    const cells = Uint32Array.of(3, 11, all, all + 13);
    const request = () => asked({ answers: Float64Array.of(0, 3, 0, 0), cells, label: "listed" });
    const found = await sealed.select(request());
    expect(found).toMatchObject({ clique: ["sex", "age"], place: 2, cell: 13, codes: [1, 2] });
    const plan = await sealed.plan([{ ...fair({}), answers: undefined, cells, epsilon: 1 } as never]);
    expect(plan.selections[0]).toMatchObject({ among: 4, cells: both.cells });
    for (const wrong of [
      { cells: Uint32Array.of() },
      { cells: Uint32Array.of(3, 3) },
      { cells: Uint32Array.of(both.cells) },
      { cells: [3] as never },
      { candidates: "cliques" as const },
      { answers: zeros() },
    ])
      await refusal(sealed.select({ ...request(), ...wrong }), "OPTION_INVALID");
  });

  it("finds the clique", async () => {
    const sealed = await sealing(undefined, plenty);
    const answers = zeros();
    answers.set([3, 2, 2], 11);
    answers[0] = 2;
    // Distances: 5 of ages, 0 of sexes, 7 of both.
    expect(await sealed.select(asked({ answers, candidates: "cliques" }))).toMatchObject({
      clique: ["sex", "age"],
      place: 2,
    });
    const { place, cell, codes } = await sealed.select(
      asked({ answers, candidates: "cliques", factors: [2, 1, 1], penalties: [0, 0, 0] }),
    );
    expect([place, cell, codes]).toEqual([0, undefined, undefined]);
    const weighed = asked({ answers, candidates: "cliques", weights: [1, 1, 0], mechanism: "exponential" });
    expect((await sealed.select(weighed)).place).toBe(0);
  });

  it("takes answers of the engine, numbers, or a function, which are the same call", async () => {
    const table = await readTable(new Blob(["age,sex\n4,F\n4,F\n4,F\n4,M\n"]), people);
    using answers = await table.count(both);
    const flat = Float64Array.from((await answers.all()).flatMap((part) => [...part]));
    let calls: number[][] = [];
    const given = (from: number, to: number) => {
      calls.push([from, to]);
      return flat.subarray(from, to);
    };
    const kinds: NonNullable<Asked["answers"]>[] = [answers, flat, given];
    const ledger = `${await folder()}/account.json`;
    const first = await sealing(undefined, { ...plenty, ledger });
    // 4 of age 4 in the answers, none in the rows.
    expect(await first.select(asked({ answers }))).toMatchObject({ place: 0, cell: 4 });
    await first.close();
    for (const kind of kinds) {
      const again = await sealing(() => expect.fail("the source was opened"), { ...plenty, ledger });
      expect(await again.select(asked({ answers: kind }))).toMatchObject({ place: 0, cell: 4 });
      expect(again.ledger.entries()).toHaveLength(1);
      await again.close();
    }
    expect(calls).toEqual([[0, both.cells]]);
    calls = [];
    const other = await sealing(undefined, plenty);
    expect(await other.select(asked({ answers: given }))).toMatchObject({ place: 0, cell: 4 });
    expect(calls).toHaveLength(2);
  });

  it("streams large workloads, of which some cells are held as lists, in blocks", async () => {
    const letters = Array.from({ length: 700 }, (_, i) => `v${i}`);
    const wide = schema({ a: category(letters, { other: null }), b: category(letters, { other: null }) });
    const cells = workload(wide, [["a"], ["a", "b"]]);
    const table = await readTable(new Blob(["a,b\nv1,v2\nv699,v699\n"]), wide);
    using answers = await table.count(cells);
    const rows = ["a,b\n", "v1,v2\n", "v699,v698\n".repeat(3)];
    const { seal } = await import("marginalia");
    const options = { dataset: "d", unit: "row", ...plenty } as const;
    await using sealed = await seal(new Blob(rows), wide, options);
    const choose = (more: object) =>
      sealed.select({ workload: cells, answers, candidates: "cells", ...sure, ...more });
    // Three rows where the answers have none.
    expect(await choose({ mask: new Uint8Array(cells.cells).fill(1, 701) })).toMatchObject({
      clique: ["a", "b"],
      codes: [699, 698],
    });
    const penalties = new Float64Array(cells.cells);
    penalties[701 + 699 * 701 + 698] = 5;
    penalties[699] = 5;
    expect(await choose({ penalties })).toMatchObject({ codes: [699, 699] });
  });

  it("counts again after the engine has ended, and says when the answers went with it", async () => {
    const sealed = await sealing(() => new Blob([csv]).stream(), plenty);
    const table = await readTable(new Blob([csv]), people);
    const answers: Answers<typeof people> = await table.count(both);
    expect(await sealed.select(asked())).toMatchObject({ place: 1, cell: 0 });
    await close();
    expect(await sealed.select(asked())).toMatchObject({ place: 1, cell: 0 });
    const before = sealed.spent;
    await refusal(sealed.select(asked({ answers })), "ENGINE_CLOSED");
    expect(sealed.spent).toEqual(before);
  });

  it("is aborted before it is paid, or says that it was", async () => {
    const sealed = await sealing(() => new Blob([csv]).stream(), plenty);
    await refusal(sealed.select(asked({ signal: AbortSignal.abort() })), "ABORTED");
    expect(sealed.ledger.entries()).toEqual([]);
    const controller = new AbortController();
    let calls = 0;
    const answers = async (from: number, to: number) => {
      if (++calls === 2) controller.abort();
      return zeros().subarray(from, to);
    };
    const { message } = await refusal(
      sealed.select(asked({ answers, signal: controller.signal })),
      "ABORTED",
    );
    expect(message).toContain("stays spent");
    expect(sealed.ledger.entries().map(({ state }) => state)).toEqual(["lost"]);
    const broken = async (from: number, to: number) => {
      if (++calls === 4) throw new Error("the model is gone");
      return zeros().subarray(from, to);
    };
    const { cause } = await refusal(sealed.select(asked({ answers: broken })), "SOURCE_FAILED");
    expect(cause).toEqual(new Error("the model is gone"));
  });
});

describe("the price", () => {
  it("is ε, and in ρ ε²/8 by bounded range, or ε²/2", async () => {
    const rho = await sealing(undefined, { budget: zcdp(10) });
    await rho.select(asked({ epsilon: 2, mechanism: "exponential" }));
    expect(`${rho.spent}`).toBe("1/2");
    await rho.select(asked({ epsilon: 2, mechanism: "permute-and-flip" }));
    expect(`${rho.spent}`).toBe("5/2");
    // The exponential mechanism unless asked otherwise: ε = √(8·1/2).
    expect((await rho.select(fair({ spend: "1/2" }))).epsilon).toBe("2");
    // No fraction is its root: the largest known one below.
    const { epsilon, cost } = await rho.select(fair({ spend: "1/10" }));
    const [p = 0n, q = 1n] = epsilon.split("/").map(BigInt);
    expect(10n * p * p <= 8n * q * q).toBe(true);
    expect(Number(p) / Number(q)).toBeCloseTo(Math.sqrt(0.8), 14);
    const [a = 0n, b = 1n] = cost.amount.split("/").map(BigInt);
    expect(10n * a <= b).toBe(true);
    expect(Number(a) / Number(b)).toBeCloseTo(0.1, 15);
  });

  it("stands in plans beside measurements, the same for any rows, and is kept", async () => {
    const sealed = await sealing(() => expect.fail("the source was opened"), { budget: pure(1) });
    const { answers: _, ...choice } = fair({ spend: "1/4" });
    const plan = await sealed.plan([{ clique: ["age"], spend: "1/4" }, choice, asked({ epsilon: 3 })]);
    expect(`${plan.price}`).toBe("7/2");
    expect(plan.fits).toBe(false);
    expect(plan.selections[0]).toEqual({
      candidates: "cells",
      cliques: 3,
      cells: 47,
      among: 47,
      mechanism: "permute-and-flip",
      epsilon: "1/4",
      sensitivity: "1",
      cost: "1/4",
      share: 0.071428571428,
      shortfall: 8 * Math.log(47),
    });
    expect(`${plan}`).toContain("one of 47 cells, in 3 cliques  permute-and-flip, ε = 0.25");
    expect(`${plan}`).toContain("≤ 30.8 below the best");
    const alone = await sealed.plan([choice]);
    expect([`${alone.price}`, alone.charges, alone.selections[0]?.share]).toEqual(["1/4", [], 1]);
    expect(JSON.parse(JSON.stringify(alone)).selections).toHaveLength(1);
    await refusal(sealed.plan([]), "OPTION_INVALID");
  });
});

describe("the account", () => {
  it("resumes: the same call gives what it gave, another is paid", async () => {
    const ledger = `${await folder()}/account.json`;
    // Nearly uniform over 47 cells and 3 cliques: what comes again comes from the ledger.
    const cells = asked({ epsilon: "1/1000" });
    const calls = async (source: Parameters<typeof sealing>[0]) => {
      const sealed = await sealing(source, { ledger });
      const drawn: object[] = [];
      for (let i = 0; i < 20; i++) drawn.push(await sealed.select(cells));
      drawn.push(await sealed.select({ ...cells, candidates: "cliques" }));
      drawn.push(await sealed.select({ ...cells, label: "b" }));
      const { spent } = sealed;
      await sealed.close();
      return [drawn, `${spent}`];
    };
    const first = await calls(undefined);
    expect(first[1]).toBe("11/500");
    expect(await calls(() => expect.fail("the source was opened"))).toEqual(first);
    const others: Partial<Asked>[] = [
      { answers: zeros().fill(1) },
      { mechanism: "exponential" },
      { difference: "signed" },
      { mask: zeros().fill(1) },
      { penalties: zeros() },
      { weights: zeros().fill(1), mechanism: "exponential" },
      { workload: workload(people, [["sex"], ["age"], ["sex", "age"]]) as Workload<typeof people> },
    ];
    const sealed = await sealing(undefined, { ledger });
    for (const other of others) await sealed.select({ ...cells, ...other });
    expect(sealed.ledger.entries()).toHaveLength(22 + others.length);
  });

  it("says in words what was asked, and keeps the choice alone", async () => {
    const sealed = await sealing();
    const selected = await sealed.select(fair({ spend: "1/8", label: "first" }));
    await sealed.select(asked({ epsilon: "1/8", candidates: "cliques" }));
    const [entry, second] = sealed.ledger.entries();
    expect(entry).toMatchObject({
      what: "one of 47 cells, in 3 cliques",
      mechanism: "permute-and-flip, ε = 0.125",
      cost: "1/8",
      details: { label: "first", selection: { candidates: "cells", among: 47, sensitivity: "1" } },
    });
    expect(entry?.key).toMatch(/^select [0-9a-f]{32} 1$/);
    expect(second?.what).toBe("one of 3 cliques");
    const kept = await sealed.ledger.find(entry?.key ?? "")?.values();
    expect(kept).toEqual({ clique: selected.place, cell: selected.cell });
    await refusal(sealed.select(asked()), "BUDGET_EXCEEDED");
    await sealed.close();
    await refusal(sealed.select(asked()), "HANDLE_DISPOSED");
  });
});
