import {
  estimate,
  type GroupedOptions,
  type GroupedRelease,
  load,
  prior,
  priorAware,
  readTable,
} from "marginalia";
import { describe, expect, it } from "vitest";
import { apart, together } from "./saving.js";
import { file, kept, people, publicYear, refusal, sealing } from "./support.js";

type Options = GroupedOptions<typeof people>;
type Release = GroupedRelease<typeof people>;

const groups = [
  { by: ["state"], workload: [["age", "employment"], ["sex"]] },
  { by: ["area"], workload: [["tenure"], ["age"]] },
] as const;

async function survey(change: Partial<Options> = {}): Promise<Release> {
  const options: Options = { prior: await publicYear(), groups, widen: false, ...change };
  return kept(await kept(priorAware(options)).run(await sealing()));
}

const near = (found: Float64Array, expected: Float64Array, part: number) => {
  expect(found.length).toBe(expected.length);
  found.forEach((one, i) => {
    const other = expected[i] as number;
    expect(Math.abs(one - other), `${one} and ${other}`).toBeLessThanOrEqual(part * Math.abs(other) + 1e-6);
  });
};

describe("standard errors of groups", () => {
  it("are those of one table where there is one group", async () => {
    const workload = [["age", "employment"], ["sex"], ["tenure"]] as const;
    const one = { by: [], count: 0, share: 1, workload } as const;
    const release = await survey({ groups: [one], totals: "combined", tolerance: 1e-10 });
    const worth = kept(await release.model({})).prior.strength as number;
    const { model } = kept(
      await estimate.calibrated({
        prior: kept(await prior(await publicYear())),
        measurements: release.measurements.flat(),
        strength: worth - release.total,
        tolerance: 1e-10,
      }),
    );
    expect(model.total).toBeCloseTo(release.total, 6);
    const query = { clique: ["age"], query: { type: "prefix" } } as const;
    for (const standardErrors of ["noise", "all"] as const) {
      const settings = { standardErrors };
      const flat = await model.answer([query, { clique: ["age", "sex"] }], settings);
      const found = await release.answer([query, { clique: ["age", "sex"] }], settings);
      found.forEach((of, i) => {
        near(of.values, flat[i]?.values as Float64Array, 1e-4);
        near(of.standardErrors, flat[i]?.standardErrors as Float64Array, 1e-3);
      });
      const where = { sex: "F", tenure: "rented" } as const;
      using part = await model.where(where);
      for (const normalize of [true, false]) {
        const expected = await part.marginal(["employment"], { ...settings, normalize });
        const of = await release.marginal(["employment"], { ...settings, where, normalize });
        near(of.values, expected.values, 1e-4);
        near(of.standardErrors, expected.standardErrors, 1e-3);
      }
    }
  });

  it("of numbers of records are those of the totals", async () => {
    const release = await survey();
    for (const group of [{ state: "BE" }, { area: "BE202" }] as const) {
      const { values, standardErrors } = await release.marginal([], { group, standardErrors: "all" });
      const { records, standardError } = release.group(group);
      expect(values[0]).toBeCloseTo(records, 6);
      expect(standardErrors[0]).toBeCloseTo(standardError, 4);
    }
  });

  it("are about as far as answers are from the table, and less by the noise alone", async () => {
    const release = await survey();
    const truth = kept(await readTable(file(2019), people));
    const [counts, cliques] = [
      [] as Float64Array[],
      [
        ["area", "tenure"],
        ["age", "sex"],
      ] as const,
    ];
    for (const clique of cliques) counts.push(await truth.marginal(clique));
    for (const [i, clique] of cliques.entries()) {
      const all = await release.marginal(clique, { standardErrors: "all" });
      const noise = await release.marginal(clique, { standardErrors: "noise" });
      let [held, cells] = [0, 0];
      all.values.forEach((value, cell) => {
        const error = all.standardErrors[cell] as number;
        expect(noise.standardErrors[cell] as number).toBeLessThanOrEqual(error * (1 + 1e-9));
        if (error < 1e-9) return;
        cells += 1;
        if (Math.abs(value - ((counts[i] as Float64Array)[cell] as number)) <= 2.5 * error) held += 1;
      });
      expect(held / cells).toBeGreaterThan(0.8);
    }
  });

  it("are known of what is known, and refused otherwise", async () => {
    const release = await survey();
    const ask = (settings: object) => release.marginal(["sex"], settings as never);
    await refusal(ask({ standardErrors: "some" }), "OPTION_INVALID");
    await refusal(release.answer([{ clique: ["sex"], of: 1 }] as never), "OPTION_INVALID");
    await refusal(
      ask({ standardErrors: "all", where: { state: "BE", area: "AR101" } }),
      "CONDITION_IMPOSSIBLE",
    );
    const paper = await survey({ estimator: "iterative", totals: "count" });
    await refusal(paper.marginal(["sex"], { standardErrors: "noise" }), "QUERY_UNSUPPORTED");
    const [cells] = await paper.answer([{ clique: ["sex"], query: { type: "prefix" } }]);
    const sexes = await paper.marginal(["sex"]);
    expect(cells?.at(-1)).toBeCloseTo(
      sexes.reduce((a, b) => a + b),
      6,
    );
  });

  it("are known of a file that says nothing of trust, as files of before did not", async () => {
    const release = await survey();
    expect(release.report.trust).toHaveLength(2);
    for (const one of release.report.trust ?? []) {
      expect(one?.factor).toBeGreaterThan(0);
      expect(one?.factor).toBeLessThanOrEqual(1);
    }
    const parts = apart(await release.toBytes());
    const { trust, ...report } = parts.header.report as { trust: unknown };
    expect(trust).toEqual(release.report.trust);
    const old = { ...parts, header: { ...parts.header, report } };
    const before = kept(await load(together(old), { groups: true, schema: people }));
    expect(before.report.trust).toBe(undefined);
    const settings = { group: { state: "BE" }, standardErrors: "all" } as const;
    expect(await before.marginal(["sex"], settings)).toEqual(await release.marginal(["sex"], settings));
    const wrong = { ...report, trust: [{ factor: 0, excess: 1 }, null] };
    const bytes = together({ ...parts, header: { ...parts.header, report: wrong } });
    await refusal(load(bytes, { groups: true }), "RELEASE_DAMAGED");
  });
});

describe("records of the part that meets a condition", () => {
  it("are as many as the groups say, in each", async () => {
    const release = await survey();
    const where = { sex: "F", tenure: ["rented", "owned"] } as const;
    // The number of all is that of groups below zero too, so that it is the same whatever part is asked for; answers have none.
    const areas = release.groups.filter(({ level }) => level === 1);
    const below = areas.reduce((so, { records }) => so - Math.min(0, records), 0);
    for (const method of ["controlled", "systematic", "iid"] as const) {
      using table = await release.table({ where, method });
      const expected = await release.marginal(["area", "tenure"], { where });
      const all = expected.reduce((a, b) => a + b);
      expect(Math.abs(table.rows - all)).toBeLessThan(0.5 + below + 1e-6);
      const [counts, sexes] = [await table.marginal(["area", "tenure"]), await table.marginal(["sex"])];
      expect(sexes[people.labels("sex").indexOf("F")]).toBe(table.rows);
      const tenures = people.labels("tenure");
      people.labels("area").forEach((_, area) => {
        const of = (cells: Float64Array) =>
          cells.subarray(area * tenures.length, (area + 1) * tenures.length).reduce((a, b) => a + b, 0);
        expect(Math.abs(of(counts) - of(expected))).toBeLessThan(1 + below + 1e-6);
      });
      tenures.forEach((tenure, t) => {
        if (tenure === "rented" || tenure === "owned") return;
        for (let at = t; at < counts.length; at += tenures.length) expect(counts[at]).toBe(0);
      });
    }
    using some = await release.table({ where, rows: 321 });
    expect(some.rows).toBe(321);
  });

  it("are all records where the parts are put together", async () => {
    const release = await survey();
    let rows = 0;
    for (const sex of people.labels("sex")) {
      try {
        using table = await release.table({ where: { sex } as never });
        rows += table.rows;
      } catch (error) {
        // A sex that no public row has.
        expect(error).toMatchObject({ code: "CONDITION_IMPOSSIBLE" });
      }
    }
    expect(Math.abs(rows - release.total)).toBeLessThanOrEqual(2);
  });

  it("are of no part that cannot be", async () => {
    const release = await survey();
    const cells = await (await publicYear()).marginal(["age", "employment"]);
    const works = people.labels("employment");
    const never = cells.indexOf(0);
    expect(never).toBeGreaterThanOrEqual(0);
    const where = {
      age: people.labels("age")[Math.floor(never / works.length)],
      employment: works[never % works.length],
    };
    await refusal(release.table({ where } as never), "CONDITION_IMPOSSIBLE");
    await refusal(
      release.table({ where: { ...where, state: "BE" }, rows: 5 } as never),
      "CONDITION_IMPOSSIBLE",
    );
    await refusal(release.table({ where: { sex: "none" } as never }), "CONDITION_IMPOSSIBLE");
  });
});
