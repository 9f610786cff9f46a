import { readFileSync } from "node:fs";
import { join } from "node:path";
import { close, kWay, priorAware, readTable } from "marginalia";
import { describe, expect, it } from "vitest";
import { distance, file, folder, kept, mechanism, people, publicYear, refusal, sealing } from "./support.js";

const read = (path: string) => readFileSync(path, "utf8");
const lines = (path: string) => read(path).trimEnd().split("\n");
/** Small releases, for what does not depend on how good they are. */
const quick = {
  workload: [
    ["age", "employment"],
    ["sex", "tenure"],
  ],
  draws: 1,
  widen: false,
} as const;

describe("a release of the survey", () => {
  /**
   * In total variation of pairs, the untouched year is at 0.0366, and 20 releases were at 0.0252 with a deviation of
   * 0.0009. At 0.033 there are 8 deviations of room: the mean of 78 tables is nearly normal, so a false alarm is rarer
   * than once in 10⁹, and once in 10⁶ even if the deviation was estimated a third too small.
   */
  it("is nearer to this year than last year's table is, by a margin", async () => {
    const data = await sealing();
    const release = kept(await (await mechanism()).run(data));
    const records = kept(await release.table({ seed: "a" }));
    const truth = kept(await readTable(file(2019), people));
    const pairs = kWay(people, 2);
    const untouched = await distance(pairs, kept(await publicYear()), truth);
    const ours = await distance(pairs, records, truth);
    expect(untouched).toBeGreaterThan(0.036);
    expect(ours).toBeLessThan(0.033);
    expect(`${data.spent}`).toBe("1");
    expect(Math.abs(release.total - 4800)).toBeLessThan(6 * release.report.total.standardError + 1);
  });

  it("has exactly as many records as asked for, of the types that came in", async () => {
    const path = join(await folder(), "out.csv");
    const release = kept(await (await mechanism(quick)).run(await sealing()));
    await release.writeCsv(path, { rows: 777, seed: 1 });
    const [header, ...rows] = lines(path);
    expect(header).toBe(lines(file(2018).pathname)[0]);
    expect(rows).toHaveLength(777);
    // Everything that was written is what the schema declares: strictly, without anything to fall back on.
    const { survey } = await import("../../examples/survey.mjs");
    using again = await readTable(path, survey);
    expect(again.rows).toBe(777);
    const incomes = new Set(lines(file(2018).pathname).map((line) => line.split(",")[8]));
    expect(rows.every((row) => incomes.has(row.split(",")[8] as string))).toBe(true);
    expect((await release.table({ rows: 0 })).rows).toBe(0);
    expect((await release.table()).rows).toBe(Math.round(release.total));
  });

  it("is the same file from the same measurements and seed, and another from another seed", async () => {
    const place = await folder();
    const path = (name: string) => join(place, name);
    const release = kept(await (await mechanism(quick)).run(await sealing()));
    for (const [name, seed] of [
      ["a", "v1"],
      ["b", "v1"],
      ["c", "v2"],
    ] as const)
      await release.writeCsv(path(name), { seed });
    expect(read(path("a"))).toBe(read(path("b")));
    expect(read(path("a"))).not.toBe(read(path("c")));
  });

  it.each(["controlled", "systematic", "iid"] as const)("has no denied combination: %s", async (method) => {
    const deny = [
      { age: ["15..24", "25..44"], tenure: "owned" },
      { sex: "F", carer: "yes" },
    ] as const;
    const ages = people.labels("age");
    expect(ages).toContain("15..24");
    for (const how of [{ widen: { share: 0.3 } }, { group: "area" } as const]) {
      const { widen: _, ...rest } = quick;
      const release = kept(await (await mechanism({ ...rest, ...how, deny })).run(await sealing()));
      const records = kept(await release.table({ method, rows: 20_000 }));
      const cells = async (pair: ("age" | "tenure" | "sex" | "carer")[]) => [
        ...(await records.marginal(pair)),
      ];
      const [byAge, bySex] = [await cells(["age", "tenure"]), await cells(["sex", "carer"])];
      const width = people.size("tenure");
      for (const label of ["15..24", "25..44"]) expect(byAge[ages.indexOf(label) * width]).toBe(0);
      expect(bySex[people.labels("carer").indexOf("yes")]).toBe(0);
      expect(byAge.reduce((a, b) => a + b)).toBe(20_000);
    }
  });

  it("keeps the tables that it is told to better than single rows", async () => {
    const targets = kWay(people, 2, ["age", "employment", "tenure", "income"]);
    const release = kept(await (await mechanism({ ...quick, targets })).run(await sealing()));
    const model = await release.model.answer(targets, { normalize: true });
    const off = async (method: "controlled" | "systematic" | "iid") => {
      let sum = 0;
      for (const seed of ["a", "b", "c", "d", "e"]) {
        using records = await release.table({ method, seed, rows: 3000 });
        for (const [i, counts] of (await records.answer(targets)).entries()) {
          const shares = model[i] as Float64Array;
          for (const [cell, n] of counts.entries()) sum += Math.abs(n - 3000 * (shares[cell] as number));
        }
      }
      return sum;
    };
    const [controlled, systematic, iid] = [
      await off("controlled"),
      await off("systematic"),
      await off("iid"),
    ];
    expect(controlled).toBeLessThan(0.7 * systematic);
    // Of 30 tables the sums differ by some percent; systematic rounding keeps single rows, of which few have a record.
    expect(systematic).toBeLessThan(iid);
  });

  it("reports what was released and how well it is met", async () => {
    const release = kept(
      await (await mechanism({ ...quick, provenance: { name: "2018" } })).run(await sealing()),
    );
    const { plan, estimate, measurements } = JSON.parse(
      JSON.stringify(release.report),
    ) as typeof release.report;
    expect(plan.prior.name).toBe("2018");
    expect(estimate.status).toBe("converged");
    expect(estimate.strength).toBeLessThan(4600);
    expect(measurements.map(({ clique }) => clique)).toEqual(quick.workload);
    for (const { misfit, error } of measurements) {
      expect(misfit).toBeGreaterThan(0);
      expect(misfit).toBeLessThan(40 * error);
    }
    expect(`${release.ledger}`).toContain("age × employment");
  });
});

it("outlives its mechanism, and ends once", async () => {
  const maker = await mechanism(quick);
  const release = await maker.run(await sealing());
  const other = kept(await maker.run(await sealing({ dataset: "other" })));
  maker.dispose();
  expect(kept(await release.table({ rows: 10 })).rows).toBe(10);
  release.dispose();
  release.dispose();
  await refusal(release.table(), "HANDLE_DISPOSED");
  expect(kept(await other.table({ rows: 10 })).rows).toBe(10);
});

describe("a run", () => {
  it("that was interrupted takes its answers from the ledger", async () => {
    const ledger = join(await folder(), "account.json");
    const values: number[][] = [];
    for (let time = 0; time < 2; time++) {
      const data = await sealing({ ledger });
      const release = kept(await (await mechanism(quick)).run(data));
      values.push(release.measurements.flatMap((one) => [...one.values]));
      expect(data.ledger.entries()).toHaveLength(1);
      expect(`${data.spent}`).toBe("1");
      await data.close();
    }
    expect(values[1]).toEqual(values[0]);
  });

  it("spends what others left, and a second one in a program is another draw", async () => {
    const data = await sealing();
    await data.measure([{ clique: ["sex"], spend: "1/4" }]);
    const release = await mechanism(quick);
    expect(`${(await release.plan(data)).measure.price}`).toBe("3/4");
    kept(await release.run(data));
    expect(`${data.left}`).toBe("0");
    await refusal(release.run(data), "BUDGET_EXCEEDED");
  });

  it("runs exactly a plan that came back as JSON, and refuses another", async () => {
    const data = await sealing();
    const release = await mechanism(quick);
    const plan = JSON.parse(JSON.stringify(await release.plan(data)));
    const other = { ...plan, expectedRows: 5 };
    await refusal(release.run(data, { plan: other }), "OPTION_INVALID");
    const made = kept(await release.run(data, { plan }));
    expect(made.measurements.map(({ noise }) => noise.scale)).toEqual(
      plan.measure.charges.map(({ scale }: { scale: string }) => scale),
    );
  });

  it("tells its phases, and an abort in any ends it soon", async () => {
    const phases = new Set<string>();
    const release = await mechanism();
    kept(await release.run(await sealing(), { onProgress: ({ phase }) => void phases.add(phase) }));
    expect([...phases]).toEqual(expect.arrayContaining(["forecast", "estimate"]));
    for (const when of ["forecast", "estimate"]) {
      const again = await mechanism({ strength: "harmonic", tolerance: 1e-12, seed: when });
      const stop = new AbortController();
      let fired = Number.POSITIVE_INFINITY;
      const onProgress = ({ phase }: { phase: string }) => {
        if (phase !== when || stop.signal.aborted) return;
        fired = performance.now();
        stop.abort(new Error("enough"));
      };
      await refusal(again.run(await sealing(), { onProgress, signal: stop.signal }), "ABORTED");
      // A tenth of a second, and what a busy machine adds.
      expect(performance.now() - fired).toBeLessThan(500);
    }
  });

  it("goes on when the engine ended between the plan and the run", async () => {
    const data = await sealing();
    const prior = await publicYear();
    const release = kept(priorAware({ prior, ...quick }));
    const plan = await release.plan(data);
    await close();
    await refusal(release.run(data, { plan }), "ENGINE_CLOSED");
    expect(data.ledger.entries()).toEqual([]);
    const again = kept(priorAware({ prior: await publicYear(), ...quick }));
    expect(kept(await again.run(data)).measurements).toHaveLength(2);
  });
});
