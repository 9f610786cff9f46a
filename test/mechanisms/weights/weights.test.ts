import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  approximate,
  kWay,
  load,
  memory,
  memoryStore,
  mwem,
  pepPub,
  pmwPub,
  pure,
  Rational,
  readTable,
  schemaFromJson,
  seal,
  type WeightsOptions,
  workload,
  zcdp,
} from "marginalia";
import { report, reportInput } from "marginalia/report";
import { describe, expect, it } from "vitest";
import { file, folder, kept, people, publicYear, refusal, sealing } from "../support.js";

type Options = Partial<WeightsOptions<typeof people>>;

const ways = { pmwPub, mwem, pepPub };
const quick = { attributes: ["age", "sex", "employment", "tenure"], ways: 2, rounds: 5 } as const;
const made = async (options: Options = {}, make: typeof pmwPub = pmwPub) =>
  kept(make({ prior: await publicYear(), ...quick, ...options }));
const unread = () => {
  throw new Error("the rows were read");
};
const lines = readFileSync(file(2019), "utf8").split(/(?<=\n)/);

describe("a plan of rounds of cells", () => {
  it("is the same to the byte for private tables that differ in all rows, of any length", async () => {
    const texts: string[] = [];
    for (const rows of [lines, lines.slice(0, 1)]) {
      const plan = await (await made()).plan(await sealing({}, rows));
      texts.push(`${plan}\n${JSON.stringify(plan)}`);
    }
    expect(texts[1]).toBe(texts[0]);
  });

  it.each([
    ["pure", pure("1/3"), "add-remove", "laplace", "permute-and-flip"],
    ["zCDP", zcdp("0.02"), "add-remove", "gaussian", "exponential"],
    ["approximate", approximate(1, "1e-9"), { replace: { n: 4800 } }, "gaussian", "exponential"],
  ] as const)(
    "spends all there is, half of each round on the choice: %s",
    async (_, budget, relation, law, chooses) => {
      const data = await sealing({ budget, relation }, unread);
      const plan = await (await made()).plan(data);
      const { start, rounds } = plan.toJSON();
      // Where n is public, nothing is spent on it.
      expect(start.map(({ clique }) => clique)).toEqual(relation === "add-remove" ? [[]] : []);
      for (const { select, measure } of rounds) {
        expect([select.mechanism, measure.law]).toEqual([chooses, law]);
        expect(select.sensitivity).toBe("1");
        expect(Math.abs(select.share / measure.share - 1)).toBeLessThan(1e-9);
        // One cell moves by one row, under either relation.
        const rho = Number(select.cost.split("/")[0]) / Number(select.cost.split("/")[1]);
        const variance = law === "laplace" ? 2 / rho ** 2 : 1 / (2 * rho);
        expect(measure.variance / variance).toBeCloseTo(1, 1);
      }
      const costs = [...start, ...rounds.flatMap(({ select, measure }) => [select, measure])];
      const sum = costs.reduce((so, { cost }) => so.plus(Rational.of(cost)), Rational.of(0n));
      const limit = Rational.of(data.ledger.header.total.amount);
      const lost = limit.minus(sum).over(limit);
      expect(lost.sign).toBeGreaterThanOrEqual(0);
      expect(Number(lost.numerator) / Number(lost.denominator)).toBeLessThan(1e-15);
      expect(data.ledger.entries()).toEqual([]);
    },
  );

  it.each<[object]>([
    [{ nonsense: 1 }],
    [{ group: "state" }],
    [{ estimator: "calibrated" }],
    [{ rounds: 0 }],
    [{ selectShare: 1 }],
    [{ ways: 5 }],
    [{ sample: 0 }],
    [{ selection: "guess" }],
    [{ unsupported: 1 }],
    [{ parts: "all" }],
    [{ measure: "rows" }],
    [{ measure: "marginals", average: true }],
    [{ measure: "marginals", classic: true }],
    [{ workload: [["age"]] }],
  ])("%j is refused before anything is read", async (change) => {
    const make = async () => (await made(change)).plan(await sealing({}, unread));
    await refusal(make(), "OPTION_INVALID");
  });

  it("needs a public table, but for equal weights", () => {
    for (const make of [pmwPub, pepPub]) expect(() => make({} as never)).toThrow("public table");
  });
});

describe("a release by multiplicative weights", () => {
  /** The private year against a public one in which the sexes are one to nine. */
  it.each([
    ...Object.entries(ways).map(([name, make]) => [name, make, {}] as const),
    [
      "pmwPub as the paper has it",
      pmwPub,
      { average: true, unsupported: true, selection: "permute-and-flip" },
    ],
    ["pmwPub by whole marginals", pmwPub, { measure: "marginals", parts: true, rounds: 12 }],
  ] as const)("%s moves a biased public table to the private one", async (_, make, change) => {
    const rows = readFileSync(file(2018), "utf8").trimEnd().split("\n");
    const at = rows[0]?.split(",").indexOf("sex") as number;
    const few = rows.filter((row, i) => row.split(",")[at] !== "F" || i % 9 === 0);
    const prior = kept(await readTable([`${few.join("\n")}\n`], people, { ignore: true }));
    const data = await sealing({ budget: zcdp("0.05") });
    const release = kept(await (await made({ prior, rounds: 60, ...change }, make)).run(data));
    const truth = kept(await readTable(file(2019), people));
    const shares = (cells: Float64Array) => cells.map((cell) => cell / cells.reduce((a, b) => a + b));
    const off = (a: Float64Array, b: Float64Array) =>
      Math.max(...a.map((x, i) => Math.abs(x - (b[i] as number))));
    const private_ = shares(await truth.marginal(["sex"]));
    expect(off(shares(await prior.marginal(["sex"])), private_)).toBeGreaterThan(0.3);
    expect(off(await release.model.marginal(["sex"], { normalize: true }), private_)).toBeLessThan(0.15);
    expect(release.measurements).toHaveLength(1 + release.plan.rounds.length);
    expect(data.left.compare(Rational.of("1e-12"))).toBeLessThan(0);
    expect(Math.abs(release.total - truth.rows)).toBeLessThan(6 * release.report.total.standardError + 1);
  });

  it.each([{}, { classic: true, average: true }, { measure: "marginals" }] as const)(
    "mwem without a public table weighs all that may be: %j",
    async (change) => {
      const few = schemaFromJson({
        attributes: people
          .toJSON()
          .attributes.filter(({ name }) => ["sex", "employment", "tenure"].includes(name)),
      });
      await using data = await seal(file(2019), few, { dataset: "all", unit: "row", budget: zcdp(1) });
      const release = kept(await kept(mwem({ rounds: 40, ways: 2, ...change })).run(data));
      const truth = kept(await readTable(file(2019), few, { ignore: true }));
      const pairs = kWay(few, 2);
      const [counts, cells] = [await truth.answer(pairs), await release.model.answer(pairs)];
      const off = counts.flatMap((clique, i) =>
        [...clique].map((count, at) => Math.abs(count - (cells[i]?.[at] as number))),
      );
      // Even weights are off by more than a quarter of the rows; the mean of all rounds has the first ones.
      expect(Math.max(...off)).toBeLessThan(0.18 * truth.rows);
      expect(release.plan.toJSON().prior).toBeUndefined();
      const again = kept(await load(await release.toBytes()));
      expect(await again.model.answer(pairs as never)).toEqual(cells);
    },
  );

  it("chooses cells that a public row lies in, and others where it shall", async () => {
    // Two thirds of the private rows have a combination that the public ones have not.
    const pairs = [["sex", "tenure"]] as const;
    const prior = kept(
      await readTable(
        [
          readFileSync(file(2018), "utf8")
            .split("\n")
            .filter((row, i) => i === 0 || !/,rented,/.test(row))
            .join("\n"),
        ],
        people,
        { ignore: true },
      ),
    );
    const [cells] = await prior.answer(workload(people, pairs));
    const supported = (cells as Float64Array).map((weight) => Number(weight > 0));
    for (const unsupported of [false, true]) {
      const data = await sealing({ budget: zcdp(10) });
      const options = {
        prior,
        attributes: ["sex", "tenure"],
        workload: pairs,
        rounds: 4,
        unsupported,
      } as const;
      const mechanism = await made({ ...options, ways: undefined } as never);
      expect((await mechanism.plan(data)).toJSON().supported).toEqual({
        cells: supported.reduce((a, b) => a + b),
        chosenAlone: !unsupported,
      });
      const release = kept(await mechanism.run(data));
      const asked = release.measurements.slice(1).map(({ query }) => {
        if (query.type !== "ranges") throw new Error("a cell is a range");
        return supported[query.ranges[0]?.[0] as number];
      });
      expect(asked.every((one) => one === 1)).toBe(!unsupported);
      // What no model on the rows can answer is told.
      const outside = release.report.measurements.reduce((sum, one) => sum + one.outside.answers, 0);
      expect(outside > 0).toBe(unsupported);
    }
  });

  it("is saved, loaded and reported", async () => {
    const data = await sealing();
    const release = kept(await (await made()).run(data));
    const place = join(await folder(), "a.marginalia");
    await release.save(place);
    const again = kept(await load(place));
    const pairs = workload(people, [["age", "sex"]]);
    expect(await again.model.answer(pairs)).toEqual(await release.model.answer(pairs));
    expect(`${again.plan}`).toBe(`${release.plan}`);
    const page = report(await reportInput(again, { prior: await publicYear() }));
    expect(page).toContain("Where the privacy budget of this release went");
    using part = await again.model.where({ sex: "F" });
    expect(part.total).toBeLessThan(again.total);
    using records = await again.table({ seed: 1 });
    expect(records.rows).toBe(Math.round(release.total));
  });

  it("frees all of it", async () => {
    const objects = async () => (await memory()).objects;
    const data = await sealing();
    const maker = await made();
    const before = await objects();
    const release = await maker.run(data);
    release.dispose();
    maker.dispose();
    await data.close();
    expect(await objects()).toBeLessThanOrEqual(before);
  });
});

describe("a run that was interrupted", () => {
  it("takes all from the ledger where all was paid, and comes to the same bytes", async () => {
    const store = memoryStore();
    const whole = await sealing({ ledger: store, budget: zcdp("1/8") });
    const all = await kept(await (await made()).run(whole)).toBytes();
    const steps = whole.ledger.entries().length;
    expect(steps).toBe(11);
    await whole.close();
    const again = await sealing({ ledger: store, budget: zcdp("1/8") }, unread);
    expect(await kept(await (await made()).run(again)).toBytes()).toEqual(all);
    expect(again.ledger.entries()).toHaveLength(steps);
  });

  it.each([1, 2, 4])("in round %i pays nothing twice", async (stop) => {
    const ledger = join(await folder(), "account.json");
    const first = await sealing({ ledger });
    const ends = new AbortController();
    const onProgress = ({ round }: { round?: number }) => void (round === stop && ends.abort());
    await refusal((await made()).run(first, { onProgress, signal: ends.signal }), "ABORTED");
    expect(first.ledger.entries().length).toBeGreaterThanOrEqual(2 * stop - 1);
    await first.close();
    const values: number[][][] = [];
    for (const source of [file(2019), unread]) {
      const data = await sealing({ ledger }, source);
      const release = kept(await (await made()).run(data));
      values.push(release.measurements.map((one) => [...one.values]));
      expect(`${data.spent}`).toBe("1");
      await data.close();
    }
    expect(values[1]).toEqual(values[0]);
  });

  it("leaves a round out whose charge was lost", async () => {
    let fails = true;
    const source = async function* () {
      yield new TextEncoder().encode(lines.slice(0, 200).join(""));
      if (fails) throw new Error("the line is dead");
    };
    const data = await sealing({ relation: { replace: { n: 199 } } }, source);
    const mechanism = await made();
    await refusal(mechanism.run(data), "SOURCE_FAILED");
    fails = false;
    const release = kept(await mechanism.run(data));
    expect(release.measurements).toHaveLength(4);
  });
});

it("a table of one row that everybody is like is released as it is", async () => {
  await using data = await seal([{ sex: "F" }], people, { dataset: "one", unit: "row", budget: zcdp(1) });
  const release = kept(await (await made({ rounds: 1 })).run(data));
  expect(release.total).toBeGreaterThanOrEqual(1);
});
