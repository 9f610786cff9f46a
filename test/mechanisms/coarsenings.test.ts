import { category, integer, priorAware, pure, readTable, schema, seal } from "marginalia";
import { expect, it } from "vitest";
import { coarsenings, tells } from "../../ts/mechanisms/kit/coarsenings.js";
import { kept } from "./support.js";

const AGES = 60;
const inBins = (width: number) =>
  Object.fromEntries(Array.from({ length: AGES }, (_, age) => [`${age}`, `bin ${Math.floor(age / width)}`]));
const attributes = {
  age: integer({ min: 0, max: AGES - 1, other: null }),
  sex: category(["F", "M"], { other: null }),
  area: category(["a", "b", "c"], { other: null }),
};
const people = schema(attributes, {
  derive: { grown: { from: "age", map: inBins(30) }, bins: { from: "age", map: inBins(5) } },
});

it("takes bins for a coarsening, and neither questions of their own nor other kinds", () => {
  expect([...coarsenings(people)]).toEqual([[0, 4]]);
  const nearly = schema(attributes, { derive: { bins: { from: "age", map: inBins(2) } } });
  // More than half as many codes are hardly coarser.
  expect([...coarsenings(nearly)]).toEqual([]);
  const places = Array.from({ length: 60 }, (_, i) => `${100 + i}`);
  const states = schema({ place: category(places) }, { derive: { state: { from: "place", prefix: 2 } } });
  expect([...coarsenings(states)]).toEqual([]);
});

it("knows when counting alone tells more than the prior does", () => {
  const one = { cells: 100, rows: 10_000, strength: 10_000 };
  expect(tells({ ...one, variance: 200 })).toBe(true);
  expect(tells({ ...one, variance: 201 })).toBe(false);
});

/** Rows of people who mostly live elsewhere when they are older; neither follows from the age. `now` many of the young of each bin are as old as its oldest. */
const rowsOf = (n: number, now: boolean) => {
  const before = Array.from({ length: n }, (_, i) => ((i * 7919) % 1000) % AGES);
  const age = before.map((years, i) => (now && i % 3 > 0 && years % 5 < 2 ? years - (years % 5) + 4 : years));
  const area = age.map(
    (years, i) => "abc"[(Math.floor(years / 20) + (Math.floor(i / 7) % 5 === 0 ? 1 : 0)) % 3] as string,
  );
  return { age, sex: age.map((_, i) => "FM"[Math.floor(i / 3) % 2] as string), area };
};

async function planned(epsilon: number, options: object = {}) {
  const prior = kept(await readTable(rowsOf(3000, false), people));
  const csv = ["age,sex,area"];
  const { age, sex, area } = rowsOf(3000, true);
  for (const [i, years] of age.entries()) csv.push(`${years},${sex[i]},${area[i]}`);
  const sealed = await seal(new Blob([csv.join("\n")]), people, {
    ...{ dataset: "ages", unit: "row", budget: pure(epsilon) },
  });
  const mechanism = kept(priorAware({ prior, draws: 1, ...options }));
  return { sealed, mechanism, plan: await mechanism.plan(sealed) };
}

const asked = ({ plan }: Awaited<ReturnType<typeof planned>>) =>
  plan.measure.charges.flatMap((charge) =>
    "clique" in charge ? [(charge.clique as string[]).join("*")] : [],
  );

it("counts pairs by the coarsening, and each value alone where the noise allows", async () => {
  const much = await planned(8);
  const cliques = asked(much);
  expect(cliques).toContain("age");
  expect(cliques.filter((clique) => clique.includes("*") && /\bage\b/.test(clique))).toEqual([]);
  expect(cliques.some((clique) => clique.includes("bins"))).toBe(true);
  expect(much.plan.reasons[0]).toContain("each value of age");
  const little = await planned(0.05);
  expect(asked(little)).not.toContain("age");
  const own = await planned(20, { workload: [["age", "sex"]] });
  expect(asked(own)).toEqual(["age*sex"]);
  const grouped = await planned(50, { group: "area" });
  expect(asked(grouped)).toContain("area*age");
  // The records have the ages of the private table, not only the bins.
  const release = kept(await much.mechanism.run(much.sealed, { plan: much.plan }));
  const records = kept(await release.table({ rows: 3000 }));
  const [counts] = [await records.marginal(["age"])];
  const truth = kept(await readTable(rowsOf(3000, true), people));
  const expected = await truth.marginal(["age"]);
  const prior = await kept(await readTable(rowsOf(3000, false), people)).marginal(["age"]);
  const apart = (cells: Float64Array) =>
    cells.reduce((sum, n, i) => sum + Math.abs(n - (expected[i] as number)), 0);
  expect(apart(counts)).toBeLessThan(apart(prior) / 2);
  for (const { sealed } of [much, little, own, grouped]) await sealed.close();
});
