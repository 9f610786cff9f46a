import { join } from "node:path";
import {
  adaptive,
  estimate,
  type GroupedOptions,
  type GroupedPlan,
  type Measurement,
  prior,
  priorAware,
  pure,
  Rational,
} from "marginalia";
import { describe, expect, it } from "vitest";
import { file, folder, kept, type people, publicYear, refusal, sealing } from "./support.js";

type Options = GroupedOptions<typeof people>;

const mechanism = async (change: Partial<Options>) => {
  const groups = [["state"], ["area"]] as const;
  return kept(priorAware<typeof people>({ prior: await publicYear(), groups, ...change }));
};
const unread = () => {
  throw new Error("the rows were read");
};
const sum = (costs: readonly { cost: string }[]) =>
  `${costs.reduce((so, { cost }) => so.plus(Rational.of(cost)), Rational.of(0n))}`;
const best = ({ split }: GroupedPlan<typeof people>) => split?.candidates[split.chosen];

describe("the division of a budget among levels", () => {
  it("is the best of a forecast on public data, which the plan shows", async () => {
    const plan = await (await mechanism({ attributes: ["age", "sex", "tenure", "employment"] })).plan(
      await sealing({}, unread),
    );
    const { candidates, chosen, untouched } = plan.split ?? {
      candidates: [],
      chosen: 0,
      untouched: { score: 0 },
    };
    expect(candidates.length).toBeGreaterThanOrEqual(6);
    expect(candidates.map(({ name }) => name)).toContain("even");
    for (const { levels, draws } of candidates) {
      expect(levels.reduce((so, { count, share }) => so + count + share, 0)).toBeCloseTo(1, 9);
      expect(draws).toBeGreaterThan(0);
    }
    const winner = best(plan);
    const all = candidates.filter(({ draws }) => draws === 3).map(({ score }) => score);
    expect(winner?.score).toBe(Math.max(...all));
    expect(winner?.score).toBeGreaterThan(untouched.score);
    expect(winner?.close).toBe(true);
    // What is planned is what was chosen, and nothing is left over.
    expect(sum(plan.charges)).toBe("1");
    const ones = plan.levels.map(({ charges }) => charges.filter(({ clique }) => clique.length === 0));
    ones.forEach((own, i) => {
      expect(
        Number(
          sum(own)
            .split("/")
            .reduce((a, b) => `${Number(a) / Number(b)}`),
        ),
      ).toBeCloseTo(winner?.levels[i]?.count as number, 9);
    });
    const text = `${plan}`;
    expect(text).toContain("the best of the forecast");
    expect(text).toContain("How the budget is divided");
    expect(text.split("\n").filter((line) => line.startsWith("→"))).toHaveLength(1);
    expect(JSON.parse(JSON.stringify(plan)).split.chosen).toBe(chosen);
  });

  it("changes with the budget, and what somebody asked for holds in all of it", async () => {
    const attributes = ["age", "sex", "tenure"] as const;
    const rich = await (await mechanism({ attributes, draws: 1 })).plan(
      await sealing({ budget: pure(50) }, unread),
    );
    const counted = rich.split?.candidates.find(({ name }) => name === "coarsest, and counts");
    // Where noise is no matter, areas are measured themselves.
    expect(best(rich)?.levels[1]?.share).toBeGreaterThan(0.1);
    expect(counted?.score).toBeLessThan((best(rich)?.score as number) - 5);
    const asked = await mechanism({
      attributes,
      draws: 1,
      groups: [{ by: ["state"], count: 2 }, { by: ["area"] }],
    });
    const plan = await asked.plan(await sealing({}, unread));
    for (const { levels } of plan.split?.candidates ?? []) expect(levels[0]?.count).toBeGreaterThan(0);
    const [first] = plan.levels[0]?.charges ?? [];
    expect(first?.clique).toEqual([]);
  });

  it.each([
    ["all parts are given", { groups: [{ by: ["area"], count: 1, share: 3 }] }, "1/4"],
    ["it is the paper's algorithm", { groups: [["area"]], estimator: "iterative", totals: "count" }, "1/2"],
  ] as const)("is no forecast's where %s", async (_, change, count) => {
    const plan = await (await mechanism(change as unknown as Partial<Options>)).plan(
      await sealing({}, unread),
    );
    expect(plan.split).toBeUndefined();
    expect(plan.charges[0]?.cost).toBe(count);
    expect(`${plan}`).toContain("Budget: divided ");
  });

  it("reports progress of the forecast, and ends when it is told to", async () => {
    const end = new AbortController();
    let fired = 0;
    const onProgress = ({ phase, done }: { phase: string; done: number }) => {
      if (phase !== "forecast" || done < 2 || fired > 0) return;
      fired = performance.now();
      end.abort();
    };
    const data = await sealing({}, unread);
    await refusal((await mechanism({})).plan(data, { onProgress, signal: end.signal }), "ABORTED");
    // A tenth of a second, and what a busy machine adds.
    expect(performance.now() - fired).toBeLessThan(500);
  });

  it("may leave levels out, and their totals are those of what is within them", async () => {
    const groups = [
      { by: ["state"], count: 0, share: 0 },
      { by: ["area"], count: 0, share: 1, workload: [["tenure"], ["sex"]] },
    ] as const;
    const data = await sealing();
    const release = kept(await (await mechanism({ groups })).run(data));
    expect(data.ledger.entries()).toHaveLength(1);
    expect(release.measurements[0]).toEqual([]);
    const of = (level: number) => release.groups.filter((one) => one.level === level);
    const all = (level: number) => of(level).reduce((so, { records }) => so + records, 0);
    expect(all(0)).toBeCloseTo(all(1), 6);
    expect(Math.abs(all(0) - 4800)).toBeLessThan(150);
    expect(of(0).every(({ standardError }) => standardError < 100)).toBe(true);
    const text = `${release.plan}`;
    expect(text).toContain("In each state: nothing");
    const apart = await mechanism({ groups, totals: "combined" });
    await refusal(apart.plan(await sealing({}, unread)), "OPTION_INVALID");
  });
});

describe("a public number of records", () => {
  const groups = [
    { by: ["state"], count: 1, share: 1, workload: [["tenure"]] },
    { by: ["area"], count: 1, share: 1, workload: [["sex"]] },
  ] as const;

  it("is that of a release by groups, and of its records", async () => {
    const release = kept(await (await mechanism({ groups, total: 4800 })).run(await sealing()));
    expect(release.total).toBeCloseTo(4800, 6);
    expect(kept(await release.table()).rows).toBe(4800);
    const states = release.groups.filter(({ level }) => level === 0);
    expect(states.reduce((so, { records }) => so + records, 0)).toBeCloseTo(4800, 6);
  });

  it("may be those of the coarsest groups", async () => {
    const total = [
      { group: { state: "AR" }, records: 1500 },
      { group: { state: "BE" }, records: 2000 },
    ] as const;
    const release = kept(await (await mechanism({ groups, total })).run(await sealing()));
    for (const { group, records } of total) {
      expect(release.group(group).records).toBeCloseTo(records, 6);
      expect(release.group(group).standardError).toBe(0);
    }
    const areas = release.groups.filter(({ by }) => (by.area as string | undefined)?.startsWith("BE"));
    expect(areas.reduce((so, { records }) => so + records, 0)).toBeCloseTo(2000, 6);
  });

  it("costs nothing to know: the table as a whole is not counted", async () => {
    const how = { total: 4800, groups: [[], ["area"]], attributes: ["sex", "tenure"], draws: 1 } as const;
    const plan = await (await mechanism(how)).plan(await sealing({}, unread));
    for (const { levels } of plan.split?.candidates ?? []) expect(levels[0]?.count).toBe(0);
  });

  it.each([
    ["an unknown label", { total: [{ group: { state: "XX" }, records: 3 }] }],
    ["another level", { total: [{ group: { area: "AR101" }, records: 3 }] }],
    ["a group twice", { total: [1, 2].map((records) => ({ group: { state: "AR" }, records })) }],
    ["no number", { total: [{ group: { state: "AR" }, records: -1 }] }],
    ["totals that do not agree", { total: 100, totals: "count" }],
    ["nobody", { total: 0 }],
  ])("is refused: %s", async (_, change) => {
    const asked = await mechanism({ groups, ...(change as unknown as Partial<Options>) });
    await refusal(asked.plan(await sealing({}, unread)), "OPTION_INVALID");
  });
});

describe("what is left to be paid", () => {
  const groups = [
    { by: ["state"], count: 1, share: 1, workload: [["tenure"]] },
    { by: ["area"], count: 1, share: 1, workload: [["sex"]] },
  ] as const;

  it("is what this very run has not paid: a second one is refused before its first charge", async () => {
    const data = await sealing({ budget: pure("3/2") });
    const maker = await mechanism({ groups, spend: 1 });
    kept(await maker.run(data));
    await refusal(maker.run(data), "BUDGET_EXCEEDED");
    expect(data.ledger.entries()).toHaveLength(2);
    // Another label is another release.
    await refusal((await mechanism({ groups, spend: 1, label: "another" })).run(data), "BUDGET_EXCEEDED");
    expect(`${data.spent}`).toBe("1");
    kept(await (await mechanism({ groups, spend: "1/2", label: "another" })).run(data));
    expect(`${data.spent}`).toBe("3/2");
  });

  it.each([0, 1, 2])("is less after %i levels, in the same program and in another", async (levels) => {
    const ledger = join(await folder(), "account.json");
    const first = await sealing({ ledger });
    const maker = await mechanism({ groups });
    const { measure } = first;
    const end = new AbortController();
    let answered = 0;
    first.measure = async (...args) => {
      if (answered++ === levels) throw new Error("stopped");
      const answers = await measure.apply(first, args);
      if (answered === levels && levels === 2) end.abort();
      return answers;
    };
    await expect(maker.run(first, { signal: end.signal })).rejects.toThrow();
    expect(first.ledger.entries()).toHaveLength(levels);
    first.measure = measure;
    const same = kept(await maker.run(first));
    expect(`${first.spent}`).toBe("1");
    await first.close();
    const again = await sealing({ ledger }, levels === 2 ? unread : file(2019));
    const other = kept(await (await mechanism({ groups })).run(again));
    expect(other.groups).toEqual(same.groups);
    expect(again.ledger.entries()).toHaveLength(2);
  });
});

describe("a run whose estimate is refused", () => {
  const pairs = [
    ["age", "employment"],
    ["age", "tenure"],
    ["employment", "tenure"],
  ] as const;
  const flat = { workload: pairs, strength: 1e-15, widen: false, draws: 1 } as const;
  const start = async () => ({ prior: await publicYear() });

  it.each([
    ["priorAware", async () => priorAware({ ...(await start()), ...flat })],
    [
      "adaptive",
      async () => adaptive({ ...(await start()), workload: pairs, strength: 1e-15, widen: false, rounds: 3 }),
    ],
    [
      "priorAware with groups",
      async () =>
        priorAware({
          ...(await start()),
          groups: [{ by: [], count: 1, share: 9, workload: pairs, strength: 1e-15 }],
        }),
    ],
  ])("gives back what was paid for, and costs nothing again: %s", async (_, make) => {
    const data = await sealing({ budget: pure(10) });
    const maker = kept(await make());
    const run = (how: object) => (maker as { run: typeof maker.run }).run(data as never, how as never);
    const error = (await refusal(run({}), "ESTIMATE_REFUSED")) as { measurements?: readonly Measurement[] };
    const answers = error.measurements ?? [];
    const marginals = answers.filter(({ clique }) => clique.length > 0);
    expect(marginals.length).toBe(3);
    expect(error).toMatchObject({ hint: expect.stringContaining("estimate.calibrated") });
    const spent = `${data.spent}`;
    using from = await prior(await publicYear());
    using better = await estimate.calibrated({ prior: from, measurements: marginals, tolerance: 1e-2 });
    expect(better.model.total).toBeGreaterThan(4000);
    const release = kept(await run({ keepRefused: true }));
    expect(release.total).toBeGreaterThan(4000);
    const same = release.measurements.flat().map(({ values }: { values: Float64Array }) => [...values]);
    expect(same).toEqual(answers.map(({ values }) => [...values]));
    expect(`${data.spent}`).toBe(spent);
  });
});
