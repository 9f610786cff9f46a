import {
  adaptive,
  type GroupedRelease,
  type LoadedGroupedRelease,
  type LoadedRelease,
  load,
  priorAware,
  type Release,
  readTable,
  type Table,
  workload,
} from "marginalia";
import { describe, expect, it } from "vitest";
import { file, kept, onRows, people, publicYear, sealing } from "./support.js";

type Flat = Release<typeof people> | LoadedRelease<typeof people>;
type Grouped = GroupedRelease<typeof people> | LoadedGroupedRelease<typeof people>;

const CLIQUES = [["education", "employment"], ["age", "employment"], ["tenure"]] as const;
const list = workload(people, CLIQUES);

/** Cells that no row of a table is in, but for areas of another state. */
async function empty(table: Table<typeof people>) {
  return (await table.answer(list)).map((cells) => Array.from(cells.keys()).filter((at) => cells[at] === 0));
}

async function shows(answers: Awaited<ReturnType<Flat["model"]["answer"]>>, rows: Table<typeof people>) {
  const found = answers as unknown as {
    values: Float64Array;
    standardErrors: Float64Array;
    uncovered: { places: Uint32Array; low: Float64Array; high: Float64Array };
  }[];
  const expected = await empty(rows);
  const truth = await kept(await readTable(file(2019), people)).answer(list);
  let [all, held] = [0, 0];
  for (const [i, { values, standardErrors, uncovered }] of found.entries()) {
    expect(Array.from(uncovered.places)).toEqual(expected[i]);
    for (const [at, place] of uncovered.places.entries()) {
      const [low, high] = [uncovered.low[at] as number, uncovered.high[at] as number];
      expect(values[place]).toBe(0);
      expect(standardErrors[place]).toBeCloseTo(high / 1.645, 9);
      expect(high).toBeGreaterThanOrEqual(1);
      const records = truth[i]?.[place] as number;
      all += 1;
      held += Number(records >= low && records <= high);
    }
    standardErrors.forEach((error, place) => {
      expect(error, `${CLIQUES[i]} ${place}`).toBeGreaterThan(0);
    });
  }
  expect(all).toBeGreaterThan(5);
  expect(held / all).toBeGreaterThan(0.9);
}

describe("answers that no public row is in", () => {
  it.each([
    ["a release", {}],
    ["one with groups that lend each other rows", { group: "area" }],
  ] as const)("are told alike by %s and by what was saved of it", async (_, options) => {
    const prior = await publicYear();
    const release = kept(
      await kept(
        priorAware({
          prior,
          widen: false,
          ...(options as { group?: "area" }),
          ...("group" in options && { widen: undefined as never }),
        }),
      ).run(await sealing()),
    );
    const loaded = kept(await load(await release.toBytes(), { schema: people }));
    const settings = { standardErrors: "all" } as const;
    const [live, again] = [
      await release.model.answer(list, settings),
      await loaded.model.answer(list, settings),
    ];
    expect(again).toEqual(live);
    await shows(live as never, kept(await release.model.table()));
    using part = await release.model.where({ sex: "F" });
    using same = await loaded.model.where({ sex: "F" });
    expect(await part.answer(list, settings)).toEqual(await same.answer(list, settings));
  });

  it("are told by an adaptive release and by what was saved of it", async () => {
    const prior = await publicYear();
    const release = kept(await kept(adaptive({ prior, widen: false, rounds: 2 })).run(await sealing()));
    const loaded = kept(await load(await release.toBytes(), { schema: people }));
    const settings = { standardErrors: "all", normalize: true } as const;
    const of = async (one: Flat) =>
      (await onRows(one.model).answer(list, settings)).map(({ uncovered }) => uncovered);
    expect(await of(loaded as never)).toEqual(await of(release as never));
    await shows(
      (await release.model.answer(list, { standardErrors: "all" })) as never,
      kept(await release.model.table()),
    );
  });

  it("are told by groups and by what was saved of them", async () => {
    const prior = await publicYear();
    const groups = [
      { by: ["state"], workload: [["age"]] },
      { by: ["area"], workload: [["tenure"]] },
    ] as const;
    const release = kept(await kept(priorAware({ prior, groups, widen: false })).run(await sealing()));
    const loaded = kept(await load(await release.toBytes(), { groups: true, schema: people }));
    const settings = { standardErrors: "all" } as const;
    const asked = async (one: Grouped) => [
      await one.answer(list, settings),
      await one.answer(list, { ...settings, group: { state: "BE" }, where: { sex: "F" } }),
      await one.answer(list, { ...settings, group: { area: "BE202" }, normalize: true }),
    ];
    const [live, again] = [await asked(release), await asked(loaded)];
    expect(again).toEqual(live);
    // All groups share their rows: what is missing is missing in each.
    const missing = await empty(prior);
    for (const answers of [live[0], live[2]] as const)
      answers?.forEach(({ uncovered }, i) => {
        expect(Array.from(uncovered.places)).toEqual(missing[i]);
      });
    const byArea = workload(people, [["area", "state", "education", "employment"]]);
    const [all] = await release.answer(byArea, settings);
    expect(all?.uncovered.places.length).toBe((missing[0] as number[]).length * people.size("area"));
    for (const [value, error] of Array.from(
      live[0]?.[0]?.values ?? [],
      (one, i) => [one, live[0]?.[0]?.standardErrors[i]] as const,
    ))
      if (value === 0) expect(error).toBeGreaterThan(0);
  });
});
