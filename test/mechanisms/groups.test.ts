import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type GroupedOptions,
  type GroupedRelease,
  kWay,
  priorAware,
  pure,
  Rational,
  readTable,
} from "marginalia";
import { describe, expect, it } from "vitest";
import { file, folder, kept, people, publicYear, refusal, sealing } from "./support.js";

type Options = GroupedOptions<typeof people>;

/** Two levels, with little to measure, and the paper's division of the budget. */
const quick = {
  groups: [
    {
      by: ["state"],
      count: 1,
      share: 1,
      workload: [
        ["age", "employment"],
        ["sex", "tenure"],
      ],
    },
    { by: ["area"], count: 1, share: 1, workload: [["tenure"], ["age"]] },
  ],
  widen: false,
} as const satisfies Partial<Options>;

const mechanism = async (change: Partial<Options> = {}) => {
  const options: Options = { prior: await publicYear(), ...quick, ...change };
  return kept(priorAware(options));
};

const rows2019 = readFileSync(file(2019), "utf8").split(/(?<=\n)/);
const unread = () => {
  throw new Error("the rows were read");
};
const sum = (costs: readonly { cost: string }[]) =>
  `${costs.reduce((so, { cost }) => so.plus(Rational.of(cost)), Rational.of(0n))}`;

/** The estimated records of the finest groups and of those above, by their labels. */
const totals = ({ groups }: GroupedRelease<typeof people>) => {
  const of = (level: number) => groups.filter((one) => one.level === level);
  return { states: of(0), areas: of(1) };
};

describe("a plan of groups", () => {
  it("gives every level and each of counts and workload the same, as the paper does", async () => {
    const data = await sealing({ unit: { maxRows: 7 } }, unread);
    const plan = await (await mechanism()).plan(data);
    expect(plan.levels.map(({ by, groups }) => [by.join(), groups])).toEqual([
      ["state", 4],
      ["area", 9],
    ]);
    for (const { charges } of plan.levels) {
      const [count, ...workload] = charges;
      expect(count?.clique).toEqual([]);
      expect([sum([count as { cost: string }]), sum(workload)]).toEqual(["1/4", "1/4"]);
      // Laplace(Δ/ε₀) for counts and Laplace(k Δ/ε₀) for k marginals, were their shares the same.
      expect(count?.scale).toBe("28");
      expect(count?.groups).toEqual(charges.at(-1)?.groups);
    }
    expect(sum(plan.charges)).toBe("1");
    expect(plan.levels[1]?.charges.at(-1)?.shape).toEqual([9, people.size("age")]);
    const text = `${plan}`;
    for (const word of [
      "Level by level",
      "number of rows in every state",
      "tenure in every area",
      "Why",
      "Needs about",
    ])
      expect(text).toContain(word);
    expect(data.ledger.entries()).toEqual([]);
  });

  it("splits the budget as asked, exactly", async () => {
    const groups = [
      { by: [], count: 0, share: 3 },
      { by: ["area"], count: 1, share: 6, workload: [["sex"], ["tenure"], ["carer"]] },
    ] as const;
    const plan = await (await mechanism({ groups, draws: 1 })).plan(await sealing({}, unread));
    const [all, areas] = plan.levels;
    expect(sum(all?.charges ?? [])).toBe("3/10");
    expect(all?.charges.every((charge) => charge.groups === undefined && charge.clique.length > 0)).toBe(
      true,
    );
    const [count, ...workload] = areas?.charges ?? [];
    expect([sum([count as { cost: string }]), sum(workload)]).toEqual(["1/10", "3/5"]);
    expect(plan.forecast?.candidates.length).toBeGreaterThan(1);
    expect(JSON.parse(JSON.stringify(plan)).levels[0]).toMatchObject({ by: [], groups: 1 });
  });

  it("is the same to the byte for private tables of any length", async () => {
    const release = await mechanism({ groups: [["state"], ["area"]], draws: 1 });
    const texts: string[] = [];
    for (const rows of [rows2019, rows2019.slice(0, 100), rows2019.slice(0, 1)]) {
      const plan = await release.plan(await sealing({}, rows));
      texts.push(`${plan}\n${JSON.stringify(plan)}`);
    }
    expect(texts[1]).toBe(texts[0]);
    expect(texts[2]).toBe(texts[0]);
  });

  it.each([
    ["a derived attribute without its source", { groups: [["state"]] }],
    ["levels that are no chain", { groups: [["sex"], ["area"]] }],
    ["a workload with a group attribute", { groups: [{ by: ["area"], workload: [["state", "sex"]] }] }],
    ["nothing to say how many records there are", { groups: [{ by: ["area"], count: 0, share: 0 }] }],
    ["counts alone without counts", { totals: "count", groups: [{ by: ["area"], count: 0 }] }],
    ["a denied group", { deny: [{ area: "AR101", sex: "F" }] }],
    ["no level", { groups: [] }],
    ["an unknown option of a level", { groups: [{ by: ["area"], spend: 1 }] }],
    ["a negative part", { groups: [{ by: ["area"], share: -1 }] }],
  ])("refuses %s", async (_, change) => {
    const data = await sealing({}, unread);
    const release = await mechanism(change as unknown as Partial<Options>);
    await refusal(release.plan(data), "OPTION_INVALID");
  });

  it("refuses options of a release without groups", async () => {
    const prior = await publicYear();
    expect(() => priorAware({ prior, groups: [["area"]], pool: false } as never)).toThrow(/pool/);
    expect(() => priorAware({ prior, totals: "count" } as never)).toThrow(/totals/);
  });
});

describe("a release of groups", () => {
  it("has totals that sum up, and exactly so many records of each group", async () => {
    const release = kept(await (await mechanism()).run(await sealing()));
    const { states, areas } = totals(release);
    for (const { by, records } of states) {
      const own = areas.filter(
        (one) =>
          (one.by.area as string | null)?.slice(0, 2) === by.state ||
          (by.state === null && one.by.area === null),
      );
      expect(own.reduce((so, one) => so + one.records, 0)).toBeCloseTo(records, 6);
    }
    expect(Math.abs(release.total - 4800)).toBeLessThan(200);
    for (const rows of [undefined, 0, 1, 777, 5001]) {
      const table = kept(await release.table(rows === undefined ? {} : { rows }));
      const all = rows ?? Math.round(release.total);
      expect(table.rows).toBe(all);
      const counts = await table.marginal(["area"]);
      const positive = areas.map(({ records }) => Math.max(0, records));
      const whole = positive.reduce((so, one) => so + one, 0);
      // The largest remainders: none is a record or more off its share.
      for (const [i, count] of counts.entries())
        expect(Math.abs(count - (all * (positive[i] as number)) / whole)).toBeLessThan(1);
    }
  });

  it("answers for groups as for their records, at any level", async () => {
    const release = kept(await (await mechanism()).run(await sealing()));
    const group = { area: "BE202" } as const;
    using model = await release.model(group);
    expect(model.total).toBeCloseTo(Math.max(0, release.group(group).records), 9);
    const [byModel, byRelease] = [
      await model.marginal(["tenure", "area"]),
      await release.marginal(["tenure", "area"], { group }),
    ];
    for (const [i, cell] of byModel.entries()) expect(byRelease[i]).toBeCloseTo(cell, 6);
    const state = await release.marginal(["tenure"], { group: { state: "BE" } });
    const parts = await Promise.all(
      ["BE201", "BE202", "BE203"].map((area) => release.marginal(["tenure"], { group: { area } as never })),
    );
    for (const [i, cell] of state.entries())
      expect(parts.reduce((so, one) => so + (one[i] as number), 0)).toBeCloseTo(cell, 6);
    const pairs = kWay(people, 2, ["state", "sex", "tenure"]);
    const all = await release.answer(pairs);
    const shares = await release.answer(pairs, { normalize: true });
    expect(all).toHaveLength(3);
    for (const cells of shares) expect(cells.reduce((a, b) => a + b)).toBeCloseTo(1, 9);
    // A public table has nobody of an unknown area, and neither has the private one: next to nobody is estimated.
    expect(Math.abs(release.group({ area: null }).records)).toBeLessThan(100);
    await refusal(release.model({ state: "BE" }), "OPTION_INVALID");
    for (const key of [{ area: "XX" }, { sex: "F" }, {}])
      await refusal((async () => release.group(key as never))(), "OPTION_INVALID");
  });

  it("is nearer to each area's records than last year's table is", async () => {
    const release = kept(
      await (await mechanism({ ...quick, groups: [["state"], ["area"]] })).run(
        await sealing({ budget: pure(8) }),
      ),
    );
    const records = kept(await release.table({ seed: "a" }));
    const truth = kept(await readTable(file(2019), people));
    const before = await publicYear();
    const within = kWay(people, 3).within(["area", "tenure", "employment", "education", "industry"]);
    const distance = async (other: { answer: typeof truth.answer; rows: number }) => {
      const [ours, theirs] = [await truth.answer(within), await other.answer(within)];
      const of = (cells: Float64Array, i: number) =>
        cells.reduce(
          (so, n, at) =>
            so + Math.abs(n / truth.rows - ((theirs[i] as Float64Array)[at] as number) / other.rows),
          0,
        );
      return ours.reduce((so, cells, i) => so + of(cells, i), 0);
    };
    expect(await distance(records)).toBeLessThan(0.97 * (await distance(before)));
  });

  it("takes totals from counts alone where it is asked to", async () => {
    const data = await sealing();
    const release = kept(await (await mechanism({ totals: "count" })).run(data));
    const [counts] = release.measurements[1] ?? [];
    const { areas } = totals(release);
    expect(areas.map(({ records }) => records)).toEqual(
      [...(counts?.values ?? [])].map((n) => Math.floor(Math.max(0, n))),
    );
    const table = kept(await release.table());
    expect([...(await table.marginal(["area"]))]).toEqual(areas.map(({ records }) => records));
  });

  it("meets answers as the paper does where it is asked to", async () => {
    const how = { estimator: "iterative", local: false, totals: "count" } as const;
    const release = kept(await (await mechanism(how)).run(await sealing({ budget: pure(50) })));
    const [, tenure] = release.measurements[1] ?? [];
    const width = people.size("tenure");
    // Of the two marginals of a group the last one that is met is met exactly, but for its negative answers.
    const [first] = totals(release).areas;
    expect(first?.by).toEqual({ area: "AR101" });
    const model = await release.marginal(["tenure"], { group: { area: "AR101" } });
    const off = model.reduce((so, n, i) => so + Math.abs(n - (tenure?.values[i] as number)), 0);
    expect(off).toBeLessThan(0.15 * (first?.records as number));
    expect(tenure?.values.length).toBe(9 * width);
    expect(release.groups.every(({ status }) => status === "limit" || status === "converged")).toBe(true);
    expect(JSON.parse(JSON.stringify(release.plan)).estimate.estimator).toBe("iterative");
    expect(kept(await release.table({ rows: 60 })).rows).toBe(60);
  });

  it("survives groups without anybody, and a table without anybody", async () => {
    const release = kept(
      await (await mechanism({ totals: "combined" })).run(
        await sealing({ budget: pure(20) }, rows2019.slice(0, 1)),
      ),
    );
    expect(Math.abs(release.total)).toBeLessThan(20);
    const table = kept(await release.table({ rows: 50 }));
    expect(table.rows).toBe(50);
    expect(
      release.groups.every(({ records, standardError }) => Number.isFinite(records) && standardError > 0),
    ).toBe(true);
  });

  it.each(["controlled", "systematic", "iid"] as const)("has no denied combination: %s", async (method) => {
    const deny = [{ sex: "F", carer: "yes" }] as const;
    const release = kept(await (await mechanism({ deny, widen: { share: 0.3 } })).run(await sealing()));
    const records = kept(await release.table({ method, rows: 5000 }));
    const cells = await records.marginal(["sex", "carer"]);
    expect(cells[people.labels("carer").indexOf("yes")]).toBe(0);
  });

  it("writes the same file from the same measurements and seed, of the types that came in", async () => {
    const place = await folder();
    const release = kept(await (await mechanism()).run(await sealing()));
    const path = (name: string) => join(place, name);
    for (const [name, seed] of [
      ["a", "v1"],
      ["b", "v1"],
      ["c", "v2"],
    ] as const)
      await release.writeCsv(path(name), { seed, rows: 300 });
    expect(readFileSync(path("a"), "utf8")).toBe(readFileSync(path("b"), "utf8"));
    expect(readFileSync(path("a"), "utf8")).not.toBe(readFileSync(path("c"), "utf8"));
    const [header] = readFileSync(path("a"), "utf8").split("\n");
    expect(header).toBe(readFileSync(file(2018), "utf8").split("\n")[0]);
    // A record or two may be of the declared group without an area: noise does not know that nobody is in it.
    using again = await readTable(path("a"), people);
    expect(again.rows).toBe(300);
    expect([...(await again.marginal(["state"]))].at(-1)).toBeLessThan(10);
  });

  it("outlives its mechanism, and ends once", async () => {
    const maker = await mechanism();
    const release = await maker.run(await sealing());
    maker.dispose();
    expect(kept(await release.table({ rows: 10 })).rows).toBe(10);
    release.dispose();
    release.dispose();
    await refusal(release.table(), "HANDLE_DISPOSED");
  });

  it("reports every group, in JSON", async () => {
    const provenance = { name: "2018" };
    const told: string[] = [];
    const onGroup = ({ by }: { by: object }) => void told.push(JSON.stringify(by));
    const release = kept(await (await mechanism({ provenance })).run(await sealing(), { onGroup }));
    const report = JSON.parse(JSON.stringify(release.report)) as typeof release.report;
    expect(report.plan.prior.name).toBe("2018");
    expect(report.groups).toHaveLength(13);
    expect(report.groups.every(({ status }) => status === "converged")).toBe(true);
    expect(report.total).toBeCloseTo(release.total, 9);
    expect(told).toHaveLength(13);
    // Each after what it lies within.
    expect(told.indexOf('{"state":"BE"}')).toBeLessThan(told.indexOf('{"area":"BE202"}'));
    expect(`${release.ledger}`).toContain("in every area");
  });
});

describe("a run of groups", () => {
  /** What a program does until it is stopped, if it is. */
  const attempt = async (ledger: string, stop?: string) => {
    const data = await sealing({ ledger });
    const end = new AbortController();
    let fired = Number.POSITIVE_INFINITY;
    const onProgress = ({ phase }: { phase: string }) => {
      if (phase !== stop || end.signal.aborted) return;
      fired = performance.now();
      end.abort();
    };
    const maker = await mechanism();
    try {
      const release = kept(await maker.run(data, { onProgress, signal: end.signal }));
      const records = kept(await release.table({ rows: 400, seed: 1, onProgress, signal: end.signal }));
      return { release, csv: await records.toCsv() };
    } catch (error) {
      expect((error as { code?: string }).code).toBe("ABORTED");
      // A tenth of a second, and what a busy machine adds.
      expect(performance.now() - fired).toBeLessThan(500);
      return undefined;
    } finally {
      expect(Number(data.spent)).toBeLessThanOrEqual(1);
      await data.close();
    }
  };

  it("that ended at any stage goes on from the ledger, and pays nothing twice", async () => {
    const ledger = join(await folder(), "account.json");
    for (const stop of ["prior", "estimate", "records"]) expect(await attempt(ledger, stop)).toBeUndefined();
    const first = await attempt(ledger);
    const second = await attempt(ledger);
    expect(second?.csv).toBe(first?.csv);
    expect(second?.release.groups).toEqual(first?.release.groups);
    const entries = first?.release.ledger.entries() ?? [];
    expect(entries).toHaveLength(2);
    expect(entries.map(({ cost }) => cost)).toEqual(["1/2", "1/2"]);
  });

  it("asked for twice in a program is two releases, and each has to be paid", async () => {
    const data = await sealing({ budget: pure(2) });
    const maker = await mechanism({ spend: 1 });
    const values: number[][] = [];
    for (let time = 0; time < 2; time++) {
      const { measurements } = kept(await maker.run(data));
      values.push(measurements.flat().flatMap((one) => [...one.values]));
    }
    expect(values[1]).not.toEqual(values[0]);
    await refusal(maker.run(data), "BUDGET_EXCEEDED");
    expect(data.ledger.entries()).toHaveLength(4);
    expect(`${data.spent}`).toBe("2");
  });

  it("that ended between two levels has paid for the first alone", async () => {
    const ledger = join(await folder(), "account.json");
    const data = await sealing({ ledger });
    const maker = await mechanism();
    const plan = await maker.plan(data);
    const end = new AbortController();
    const { measure } = data;
    data.measure = async (...args) => {
      const answers = await measure.apply(data, args);
      end.abort();
      return answers;
    };
    await refusal(maker.run(data, { plan, signal: end.signal }), "ABORTED");
    expect(`${data.spent}`).toBe("1/2");
    await data.close();
    const again = await sealing({ ledger });
    const release = kept(await (await mechanism()).run(again));
    expect(`${again.spent}`).toBe("1");
    expect(release.ledger.entries()).toHaveLength(2);
  });

  it("refuses what does not fit before the first level is paid", async () => {
    const data = await sealing();
    await data.measure([{ clique: ["sex"], spend: "2/5" }]);
    await refusal((await mechanism({ spend: "4/5" })).run(data), "BUDGET_EXCEEDED");
    expect(data.ledger.entries()).toHaveLength(1);
  });

  it("runs exactly a plan that came back as JSON, and refuses another", async () => {
    const data = await sealing();
    const release = await mechanism();
    const plan = JSON.parse(JSON.stringify(await release.plan(data)));
    await refusal(release.run(data, { plan: { ...plan, expectedRows: 5 } }), "OPTION_INVALID");
    const made = kept(await release.run(data, { plan }));
    expect(made.measurements.flat().map(({ noise }) => noise.scale)).toEqual(
      plan.measure.charges.map(({ scale }: { scale: string }) => scale),
    );
  });
});
