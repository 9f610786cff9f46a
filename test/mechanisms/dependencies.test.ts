import {
  adaptive,
  category,
  type GroupedOptions,
  integer,
  type LoadedGroupedRelease,
  load,
  type PriorAwareOptions,
  priorAware,
  pure,
  readTable,
  schema,
  seal,
} from "marginalia";
import { describe, expect, it } from "vitest";
import { kept, refusal } from "./support.js";

const AREAS = ["N1", "N2", "N3", "S1", "S2", "S3"];
const DENSITY = [12, 48, 55, 80, 81, 99];
const SECTORS = ["farm", "shop", "office", "other"];
const people = schema({
  area: category(AREAS, { other: null }),
  density: integer({ min: 0, max: 99, width: 50, other: "clamp", nullable: true }),
  job: integer({ min: 0, max: 59, width: 10, other: "clamp", nullable: true }),
  sector: category(SECTORS, { other: null }),
  age: integer({ min: 0, max: 4, other: "clamp", nullable: true }),
  pets: category(["none", "some"], { other: null }),
});
type People = typeof people;

/** Rows in which density follows from the area, and the sector from the job; others are likely or not. */
function survey(rows: number, seed: number, unknown: readonly string[] = []) {
  let state = seed;
  const below = (n: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
  return Array.from({ length: rows }, () => {
    const area = below(AREAS.length);
    const job = below(60);
    const age = below(5);
    return {
      ...{ area: AREAS[area] as string, density: DENSITY[area] as number, job },
      ...{ sector: SECTORS[(job * 7) % 4] as string, age, pets: below(5) > age ? "some" : "none" },
    };
  }).filter(({ area }) => !unknown.includes(area));
}

const readPublic = async (unknown: readonly string[] = []) =>
  kept(await readTable(survey(900, 1, unknown), people, { keepRaw: ["density", "job", "age"] }));

const sealing = () => seal(survey(1100, 2), people, { dataset: "made up", unit: "row", budget: pure(1) });

/** How many records break what all public rows keep. */
function broken(csv: string): { density: number; sector: number } {
  const rows = csv
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => line.split(","));
  const found = { density: 0, sector: 0 };
  for (const [area, density, job, sector] of rows) {
    if (`${DENSITY[AREAS.indexOf(area as string)]}` !== density && area !== "") found.density++;
    if (SECTORS[(Number(job) * 7) % 4] !== sector) found.sector++;
  }
  expect(rows.length).toBeGreaterThan(900);
  return found;
}

const written = async (
  release: { table(options: object): Promise<{ toCsv(o: object): Promise<string>; dispose(): void }> },
  method = "controlled",
) => {
  const table = kept(await release.table({ seed: "r", method }));
  return broken(await table.toCsv({ seed: "r" }));
};

const NONE = { density: 0, sector: 0 };

describe("what follows from another attribute in all public rows", () => {
  const ways: [string, Partial<PriorAwareOptions<People>>][] = [
    ["with a widened prior", {}],
    ["with many drawn rows", { widen: { share: 0.5, rows: 4000 } }],
    ["with groups that lend each other rows", { group: "area" }],
  ];
  it.each(ways)("is kept by records %s", async (_, options) => {
    const prior = await readPublic();
    for (const dependencies of ["keep", "ignore"] as const) {
      await using data = await sealing();
      using mechanism = priorAware({ prior, ...options, dependencies });
      const plan = await mechanism.plan(data);
      const release = kept(await mechanism.run(data, { plan }));
      const found = await written(release, "iid");
      if (dependencies === "keep") {
        expect(found).toEqual(NONE);
        expect(await written(release)).toEqual(NONE);
        expect(`${plan}`).toContain("area and density from each other, sector from job");
        expect(plan.toJSON().prior.dependencies).toEqual([
          { from: "area", to: "density" },
          { from: "density", to: "area" },
          { from: "job", to: "sector" },
        ]);
      } else {
        expect(found.density).toBeGreaterThan(0);
        expect(`${plan}`).not.toContain("Dependencies");
        expect("dependencies" in plan.toJSON().prior).toBe(false);
      }
    }
  });

  it("is kept by an adaptive release", async () => {
    await using data = await sealing();
    using mechanism = adaptive({ prior: await readPublic(), rounds: 3 });
    const plan = await mechanism.plan(data);
    expect(`${plan}`).toContain("sector from job");
    expect(await written(kept(await mechanism.run(data, { plan })))).toEqual(NONE);
  });

  it("is kept in groups, saved ones too, also in one that no public row is in", async () => {
    const options: GroupedOptions<People> = {
      prior: await readPublic(["N2"]),
      groups: [[], ["area"]],
      widen: { share: 0.2, rows: 2000 },
    };
    await using data = await sealing();
    using mechanism = priorAware(options);
    const plan = await mechanism.plan(data);
    expect(`${plan}`).toContain("density from area, sector from job");
    const release = kept(await mechanism.run(data, { plan }));
    const file = await release.toBytes();
    const loaded: LoadedGroupedRelease<People> = kept(await load(file, { groups: true, schema: people }));
    const tables = await Promise.all([release, loaded].map((one) => one.table({ seed: "r" })));
    const texts = await Promise.all(tables.map((table) => kept(table).toCsv({ seed: "r" })));
    expect(texts[1]).toBe(texts[0]);
    // The nearest area that public rows know stands in for the one that they do not.
    const csv = (texts[0] as string).replace(/^N2,12,/gm, "N2,48,");
    expect(csv).not.toBe(texts[0]);
    expect(broken(csv)).toEqual(NONE);
    for (const one of [release, loaded]) {
      const where = { area: "S1", density: { from: 50, to: 99 } } as const;
      const [of, all] = await Promise.all(
        [{ where }, { where: { area: "S1" } as const }].map((how) => one.marginal(["pets"], how)),
      );
      expect(of).toEqual(all);
      await refusal(
        one.marginal(["pets"], { where: { area: "S1", density: { from: 0, to: 49 } } }),
        "CONDITION_IMPOSSIBLE",
      );
    }
    await using again = await sealing();
    using other = priorAware({ ...options, dependencies: "ignore" });
    const free = kept(await other.run(again));
    expect((await written(free)).density).toBeGreaterThan(0);
  });

  it("is said where groups cannot keep it", async () => {
    await using data = await sealing();
    using mechanism = priorAware({ prior: await readPublic(), groups: [["sector"]] });
    const plan = await mechanism.plan(data);
    expect(`${plan}`).toContain("Not kept: sector from job.");
    expect(plan.toJSON().prior.dependencies).toEqual([
      { from: "area", to: "density" },
      { from: "density", to: "area" },
    ]);
    using above = priorAware({
      prior: await readPublic(),
      groups: [{ by: ["area"], workload: [["density"]] }],
    });
    expect((await refusal(above.plan(data), "OPTION_INVALID")).message).toContain("follow");
  });

  it("is told from what is neither kept nor ignored", async () => {
    await using data = await sealing();
    using mechanism = priorAware({ prior: await readPublic(), dependencies: "perhaps" as "keep" });
    await refusal(mechanism.plan(data), "OPTION_INVALID");
  });
});
