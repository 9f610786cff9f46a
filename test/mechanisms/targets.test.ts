import { kWay } from "marginalia";
import { expect, it } from "vitest";
import { mechanism, people, sealing } from "./support.js";

const targetsOf = async (options: Parameters<typeof mechanism>[0]) => {
  const plan = await (await mechanism({ draws: 1, ...options })).plan(await sealing());
  const has = (clique: readonly string[]) =>
    [...plan.parts.targets].some((target) => clique.every((name) => target.includes(name as never)));
  return { plan, targets: [...plan.parts.targets], has };
};

it("records keep every pair that is measured, and as many others as there were before", async () => {
  const { plan, targets, has } = await targetsOf({});
  // 13 attributes have 78 pairs, of which 60 are kept.
  expect(targets.length).toBe(60);
  for (const { clique } of plan.charges) expect(has(clique), clique.join()).toBe(true);
  expect(new Set(targets.map((target) => [...target].sort().join())).size).toBe(60);
});

it("records keep what is measured with a group, and wider marginals, in the place of their pairs", async () => {
  const grouped = await targetsOf({ group: "area", pool: false });
  for (const { clique } of grouped.plan.charges) expect(grouped.has(clique), clique.join()).toBe(true);
  const triple = ["age", "sex", "tenure"] as const;
  const { targets } = await targetsOf({ workload: [triple] });
  const within = targets.filter((target) => target.every((name) => triple.includes(name as never)));
  expect(within).toEqual([triple]);
});

it("records keep no more tables where more are measured", async () => {
  const { targets } = await targetsOf({ workload: kWay(people, 3), widen: false });
  expect(targets.length).toBe(60);
});
