import { readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  budgetFromJson,
  Ledger,
  memoryStore,
  pure,
  Rational,
  type SealOptions,
  seal,
  zcdp,
} from "marginalia";
import { describe, expect, it } from "vitest";
import { ages, csv, exact, folder, options, people, plenty, refusal, sealing } from "./support.js";

const rows = Array.from({ length: 5 }, () => ({ age: 1, sex: "F" }));

describe("what callers do with what they gave", () => {
  it("changes no query that was asked, whenever it is changed", async () => {
    const matrix = [[1, ...ages.slice(1).map(() => 0)]];
    const ranges: [number, number][] = [[0, 0]];
    const sealed = await sealing(undefined, plenty);
    const requests: Parameters<Awaited<ReturnType<typeof sealing>>["measure"]>[0] = [
      { clique: ["age"], query: { type: "matrix", rows: matrix }, ...exact },
      { clique: ["age"], query: { type: "ranges", ranges }, ...exact },
    ];
    const planning = sealed.plan(requests);
    const measuring = sealed.measure(requests);
    (matrix[0] as number[])[0] = 5;
    matrix.push(matrix[0] as number[]);
    (ranges[0] as [number, number])[1] = 10;
    ranges.push([0, 1]);
    const [combination, range] = await measuring;
    expect(combination?.query).toEqual({ type: "matrix", rows: [[1, ...ages.slice(1).map(() => 0)]] });
    expect([...(combination?.values ?? [])]).toEqual([ages[0]]);
    expect(range?.query).toEqual({ type: "ranges", ranges: [[0, 0]] });
    expect([...(range?.values ?? [])]).toEqual([ages[0]]);
    expect((await planning).charges[0]?.query).toEqual(combination?.query);
  });

  it("changes no options of a table that is being sealed", async () => {
    const [first, second] = [join(await folder(), "first.json"), join(await folder(), "second.json")];
    const place = { path: first };
    const given: SealOptions = { ...options, ledger: place };
    const sealing = seal(csv.split(/(?<=\n)/), people, given);
    place.path = second;
    given.ledger = memoryStore();
    const sealed = await sealing;
    await sealed.measure([{ clique: ["age"], spend: "1/10" }]);
    expect(await readFile(first, "utf8")).toContain('"dataset":"d"');
    await refusal(seal(csv, people, { ...options, ledger: first }), "LEDGER_LOCKED");
    await sealed.close();
  });
});

describe("a store in memory", () => {
  it("is held by one account at a time, and remembers what was spent", async () => {
    const ledger = memoryStore();
    const first = await seal(csv.split(/(?<=\n)/), people, { ...options, ledger });
    await first.measure([{ clique: ["age"], spend: 1 }]);
    await refusal(seal(csv, people, { ...options, ledger }), "LEDGER_LOCKED");
    await first.close();
    const second = await seal(csv.split(/(?<=\n)/), people, { ...options, ledger });
    expect(`${second.spent}`).toBe("1");
    await refusal(second.measure([{ clique: ["sex"], spend: 1 }]), "BUDGET_EXCEEDED");
    await second.close();
  });
});

describe("an account of many odd charges", () => {
  it("can be spent from, closed and opened again, and what it says is spent stays short", async () => {
    const sealed = await sealing(undefined, { budget: zcdp(1000), ledger: memoryStore() });
    const scale = (i: number) => Rational.ratio(10n ** 18n + BigInt(i) ** 7n, 10n ** 15n + 1n);
    const odd = (i: number) => ({ clique: ["sex"] as const, scale: scale(i) });
    const call = (i: number) => sealed.measure(Array.from({ length: 50 }, (_, j) => odd(50 * i + j + 1)));
    for (let i = 0; i < 8; i += 1) await call(i);
    expect(`${sealed.spent}`.length).toBeLessThan(170);
    expect(sealed.ledger.entries().every(({ state }) => state === "released")).toBe(true);
    expect(sealed.ledger.toJSON().spent).toBe(`${sealed.spent}`);
    const exported = await sealed.ledger.export();
    const again = await sealing(undefined, { budget: zcdp(1000), ledger: memoryStore(exported) });
    expect(`${again.spent}`).toBe(`${sealed.spent}`);
    await again.measure([odd(1000)]);
    expect(again.spent.compare(sealed.spent)).toBe(1);
  });

  it("which kept long sums before is continued: they stay readable, and count for no less", async () => {
    const first = await sealing(undefined, { budget: zcdp(1000), ledger: memoryStore() });
    const header = { ...first.ledger.header, schema: people.normal() };
    const store = memoryStore();
    const older = await Ledger.open(header, store);
    let exact = Rational.of(0n);
    for (let i = 1n; i <= 3n; i++) {
      const cost = Rational.ratio(10n ** 2000n + i, 10n ** 2000n + 3n * i + 7n);
      exact = exact.plus(cost);
      await older.grant({ key: `old ${i}`, what: "before", mechanism: "before", cost: `${cost}` });
    }
    await older.close();
    const sealed = await sealing(undefined, { budget: zcdp(1000), ledger: store });
    const above = sealed.spent.minus(exact);
    expect(above.sign).toBe(1);
    expect(above.compare(Rational.of("3e-80"))).toBe(-1);
    expect(sealed.ledger.toJSON().spent).toBe(`${sealed.spent}`);
    await sealed.measure([{ clique: ["sex"], spend: 1 }]);
    expect(sealed.ledger.entries()).toHaveLength(4);
  });
});

describe("the times in a ledger", () => {
  it("are minutes, so that nobody can read off how long rows took", async () => {
    const sealed = await sealing();
    await sealed.measure([{ clique: ["age"], spend: 0.1 }]);
    const text = new TextDecoder().decode(await sealed.ledger.export());
    const times = Array.from(text.matchAll(/"when":"([^"]*)"/g), ([, when]) => when);
    // Of the beginning, and of the charge: none of what came of it.
    expect(times.length).toBe(2);
    expect(times.filter((when) => !when?.endsWith(":00.000Z"))).toEqual([]);
  });
});

describe("plans beside the first measurement", () => {
  it("leave the rows where they are looked for", async () => {
    const plans: Promise<unknown>[] = [];
    const source = async function* () {
      yield* rows;
      // From here on it is measured in an engine's object that is new, since these rows are no CSV.
      void (async () => {
        for (let i = 0; i < 300; i += 1) {
          await Promise.resolve();
          plans.push(sealed.plan(requests));
        }
      })();
    };
    const requests = [{ clique: ["age"], ...exact }] as const;
    const sealed = await sealing(source, plenty);
    const [age] = await sealed.measure(requests);
    await Promise.all(plans);
    expect(age?.values[1]).toBe(5);
    const [once] = await sealed.measure(requests);
    expect(once?.values[1]).toBe(5);
  });

  it("a budget that only looks like one is refused before an account begins", async () => {
    const ledger = memoryStore();
    const looks = [
      { type: "pure", epsilon: "1" },
      { type: "pure" },
      { type: "zcdp", epsilon: pure(1).epsilon },
    ];
    for (const budget of looks) {
      await refusal(seal(csv, people, { ...options, ledger, budget: budget as never }), "OPTION_INVALID");
    }
    await (
      await seal(csv, people, { ...options, ledger, budget: budgetFromJson({ type: "pure", epsilon: "1" }) })
    ).close();
  });
});
