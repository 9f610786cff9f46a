import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import {
  approximate,
  category,
  close,
  memoryStore,
  pure,
  rank,
  readTable,
  schema,
  seal,
  type Table,
  workload,
  zcdp,
} from "marginalia";
import { afterAll, describe, expect, it } from "vitest";
import { reach, rowsNeeded } from "../../../ts/mechanisms/rank/noise.js";
import { codeOf } from "../../estimate/support.js";

afterAll(() => close());

/** So many values, of which the first is whatever is none. */
const values = (size: number) =>
  category(
    Array.from({ length: size }, (_, i) => `${i}`),
    { other: "0" },
  );
const people = schema({ region: category(["n", "s", "w"], { other: "n" }), age: values(4) });

/** So many records of each region and age. */
function counted(counts: Readonly<Record<string, readonly number[]>>) {
  const rows: { region: string; age: string }[] = [];
  for (const [region, ages] of Object.entries(counts))
    for (const [age, records] of ages.entries())
      for (let i = 0; i < records; i++) rows.push({ region, age: `${age}` });
  return rows;
}
const truth = counted({ n: [90, 60, 30, 20], s: [50, 50, 50, 50], w: [10, 20, 40, 30] });
const same = counted({ n: [45, 30, 15, 10], s: [25, 25, 25, 25], w: [5, 10, 20, 15] });
const biased = counted({ n: [9, 6, 3, 2], s: [25, 25, 25, 25], w: [50, 100, 200, 150] });
const partial = counted({ n: [90, 60, 30, 20], s: [50, 50, 50, 50] });

async function tables<const N extends string>(
  rows: Record<N, object[]>,
): Promise<Record<N, Table<typeof people>>> {
  const list = Object.entries<object[]>(rows).map(async ([name, own]) => [
    name,
    await readTable(own, people),
  ]);
  return Object.fromEntries(await Promise.all(list));
}

const sealing = (change: object = {}) =>
  seal(truth, people, { dataset: "d", unit: "row", budget: pure(8), ...change });

describe("noise", () => {
  it("reaches as far as the tails of its law say", () => {
    // One answer with a known number of records: 2e^(−t/b) = 1/20.
    const laplace = { law: "laplace", scale: "7/2", variance: 24, answers: 1 } as const;
    expect(reach([laplace], true)).toBeCloseTo(3.5 * Math.log(40), 9);
    const gaussian = { law: "gaussian", scale: "9", variance: 9, answers: 100 } as const;
    expect(reach([gaussian], true)).toBeCloseTo(3 * Math.sqrt(2 * Math.log(2 * 100 * 20)), 9);
    // And where it is not: a fifth of what is left is for the number, whose variance is 900.
    const tails = 3 * Math.sqrt(2 * Math.log((2 * 100) / 0.04));
    expect(reach([gaussian], false)).toBeCloseTo(tails + 2.576 * 30, 9);
    expect(reach([gaussian, laplace], true)).toBeGreaterThan(reach([gaussian], true));
  });

  it("is what Proposition A.9 asks of a sample", () => {
    // (32/0.01 + 8/0.3)·ln(44/0.05) of 10 queries at α = 0.1.
    expect(rowsNeeded(0.1, 10)).toBe(Math.ceil((3200 + 8 / 0.3) * Math.log(880)));
    expect(rowsNeeded(0.1, 10, { d2: Math.log(2), dMax: Math.log(4) })).toBe(
      Math.ceil((6400 + 32 / 0.3) * Math.log(880)),
    );
  });
});

describe("rank", () => {
  it("puts first what is as it should be, then what weights mend, then what lacks rows, and says which", async () => {
    const data = await sealing();
    const list = await tables({ partial, biased, same });
    const ranking = await rank({ data, public: list });
    expect(ranking.tables.map(({ name, verdict }) => [name, verdict])).toEqual([
      ["same", "as it is"],
      ["biased", "weighted"],
      ["partial", "lacking"],
    ]);
    const [first, second, last] = ranking.tables;
    // 40 of 500 records are of a region that nobody in it is of, and of one age.
    expect(last?.bound).toBeGreaterThan(0.07);
    expect(last?.lacks).toBe((last?.bound ?? 0) - ranking.noise);
    expect([first?.lacks, second?.lacks]).toEqual([0, 0]);
    expect(second?.start).toBeGreaterThan(ranking.noise);
    expect(Math.abs(ranking.records - 500)).toBeLessThan(30);
    expect([first?.rows, first?.distinct, ranking.cells]).toEqual([250, 12, 12]);
    const words = `${ranking}`;
    expect(words).toContain("no difference can be seen");
    expect(words).toMatch(/What partial cannot give:\n {2}region w, age \d/);
    expect(words).toContain(`a sample of ${ranking.rowsNeeded()} rows`);
    await data.close();
  });

  it("is paid once, and asks nothing for tables that come later", async () => {
    const store = memoryStore();
    const first = await sealing({ ledger: store });
    const [plan, list] = [await rank.plan({ data: first, spend: "1/2" }), await tables({ same, biased })];
    const before = await rank({ data: first, public: list, spend: "1/2" });
    expect([`${first.spent}`, `${plan.plan.price}`]).toEqual(["1/2", "1/2"]);
    expect(before.noise).toBeCloseTo(plan.reach / before.records, 9);
    await first.close();
    const second = await sealing({ ledger: store });
    const more = await rank({
      data: second,
      public: { ...list, ...(await tables({ partial })) },
      spend: "1/2",
    });
    expect(`${second.spent}`).toBe("1/2");
    const kept = more.tables.filter(({ name }) => name !== "partial");
    expect(kept).toEqual(before.tables);
    await second.close();
  });

  it("takes ρ, (ε, δ), a public number of records and cliques of one's own", async () => {
    const list = await tables({ same });
    for (const budget of [zcdp(2), approximate(4, 1e-9)]) {
      const data = await sealing({ budget, relation: { replace: { n: 500 } } });
      const own = workload(people, [["age"], ["region", "age"]]);
      const ranking = await rank({ data, public: list, workload: own });
      expect([ranking.records, ranking.cells]).toEqual([500, 16]);
      expect(ranking.tables[0]?.verdict).toBe("as it is");
      await data.close();
    }
  });

  it("refuses before anything is paid", async () => {
    const data = await sealing();
    const list = await tables({ same });
    const other = await readTable({ age: ["1"] }, schema({ age: values(4) }));
    expect(await codeOf(rank({ data, public: {} }))).toBe("OPTION_INVALID");
    expect(await codeOf(rank({ data, public: { other: other as never } }))).toBe("OPTION_INVALID");
    expect(await codeOf(rank({ data, public: list, spend: 9 }))).toBe("BUDGET_EXCEEDED");
    expect(await codeOf(rank({ data, public: list, error: 1 } as never))).toBe("OPTION_INVALID");
    expect(await codeOf(rank.plan({ data, public: list } as never))).toBe("OPTION_INVALID");
    expect(`${data.spent}`).toBe("0");
    await data.close();
  });

  it("tells public samples of real people apart", async () => {
    const folder = process.env.MARGINALIA_DATA;
    if (!folder || !existsSync(join(folder, "adult-pmw"))) {
      process.stderr.write("MARGINALIA_DATA has no adult-pmw: its public samples are not ranked\n");
      return;
    }
    const at = (name: string) => join(folder, "adult-pmw", name);
    const { domain } = JSON.parse(readFileSync(at("workload.json"), "utf8")) as {
      domain: Record<string, number>;
    };
    const adult = schema(
      Object.fromEntries(Object.entries(domain).map(([name, size]) => [name, values(size)])),
    );
    const weight = { weight: "count" };
    const unbiased = await readTable(at("pub-unbiased.csv.gz"), adult, weight);
    const sex20 = await readTable(at("pub-sex20.csv.gz"), adult, weight);
    // One of a thousand: 44 records.
    const [head = "", ...lines] = `${gunzipSync(readFileSync(at("pub-unbiased.csv.gz")))}`.trim().split("\n");
    const some = lines.filter((_, i) => i % 89 === 0);
    const few = await readTable(new Blob([[head, ...some].join("\n")]), adult, { ignore: true });
    const data = await seal(at("priv.csv.gz"), adult, {
      dataset: "adult",
      unit: "row",
      budget: approximate(1, 5e-10),
    });
    const ranking = await rank({ data, public: { few, sex20, unbiased } });
    expect(ranking.tables.map(({ name, verdict }) => [name, verdict])).toEqual([
      ["unbiased", "weighted"],
      ["sex20", "weighted"],
      ["few", "lacking"],
    ]);
    await data.close();
  }, 120_000);
});
