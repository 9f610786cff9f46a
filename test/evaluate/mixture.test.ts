import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { close, estimate, integer, kWay, measurement, prior, readTable, schema, workload } from "marginalia";
import { bestMixture } from "marginalia/evaluate";
import { afterAll, expect, it } from "vitest";
import { codeOf, rowsOf, small } from "./support.js";

afterAll(() => close());

it("is what can be worked out by hand, and says which cells are why", async () => {
  // Of all records a half is p·a and a half q·b; public rows are p·a, p·b and q·a. With p·b at x the cell (g, a) of p·a misses ½ − (1 − x)
  // at least, and q·b always ½: nothing is less than ½.
  using truth = await rowsOf("pax", "qbx");
  using free = await rowsOf("pax", "pbx", "qax");
  const found = await bestMixture({ truth, public: free, workload: workload(small, [["g", "a"]]) });
  expect([found.error, found.bound, found.private]).toEqual([0.5, 0.5, false]);
  expect(found.obstacles).toEqual([
    { clique: ["g", "a"], values: ["q", "b"], weight: 1, answer: 0.5, mixture: 0 },
  ]);
  expect(found.absent).toEqual({ cells: 3, share: 0.5 });
  expect(`${found}`).toContain("g × a = q × b");
  // Alone each attribute can be met: p·b and q·a in halves.
  const alone = await bestMixture({ truth, public: free, workload: workload(small, [["g"], ["a"]]) });
  expect(alone.error).toBeLessThan(1e-4);
  expect(alone.bound).toBeLessThanOrEqual(alone.error);
  expect(alone.start).toBeCloseTo(1 / 6, 12);
});

it("refuses what it does not know, and tables of other schemas", async () => {
  using truth = await rowsOf("pax");
  const list = kWay(small, 1);
  expect(await codeOf(bestMixture({ truth, public: truth, workload: list, gap: 1 } as never))).toBe(
    "OPTION_INVALID",
  );
  const other = schema({ g: integer({ min: 0, max: 1 }) });
  using table = await readTable({ g: [0] }, other);
  expect(await codeOf(bestMixture({ truth, public: table as never, workload: list }))).toBe("OPTION_INVALID");
});

it("is on Adult what an exact solver finds", async () => {
  const folder = process.env.MARGINALIA_DATA;
  if (!folder || !existsSync(join(folder, "adult-pmw"))) {
    process.stderr.write("MARGINALIA_DATA has no adult-pmw: its best mixtures are not compared\n");
    return;
  }
  const at = (name: string) => join(folder, "adult-pmw", name);
  const { domain, triples } = JSON.parse(readFileSync(at("workload.json"), "utf8")) as {
    domain: Record<string, number>;
    triples: string[][];
  };
  const people = schema(
    Object.fromEntries(
      Object.entries(domain).map(([name, size]) => [name, integer({ min: 0, max: size - 1 })]),
    ),
  );
  using truth = await readTable(at("priv.csv.gz"), people);
  using free = await readTable(at("pub-sex20.csv.gz"), people, { weight: "count" });
  const list = workload(people, triples);
  const whole = await bestMixture({ truth, public: free, workload: list });
  // 78 of 43,944 records are in one cell without a public row.
  expect([whole.error, whole.bound]).toEqual([78 / 43_944, 78 / 43_944]);
  expect(whole.start).toBeCloseTo(0.184, 3);
  expect(whole.error.toFixed(5)).toBe("0.00177");

  // HiGHS finds 0.00113023 for the cells with public rows alone: records in others are taken to be in none.
  const [all, own] = [await truth.answer(list), await free.answer(list)];
  const measurements = all.map((counts, i) => {
    const values = counts.map((count, cell) => (own[i]?.[cell] ? count : 0));
    const noise = { law: "gaussian", scale: "1", variance: 1 } as const;
    const [clique, shape] = [list.clique(i), list.shape(i)];
    const query = { type: "identity" } as const;
    return measurement({ version: 1, clique, query, shape, values, noise, relation: "add-remove" });
  });
  using rows = await prior(free);
  using fit = await estimate.minimax({ prior: rows, measurements, total: 43_944, tolerance: 1e-6 });
  const { error, bound, gap } = fit.certificate;
  expect(bound).toBeLessThanOrEqual(0.0011302264);
  expect(error).toBeGreaterThanOrEqual(0.0011302262);
  expect([fit.status, gap <= 1e-6, error.toFixed(5)]).toEqual(["converged", true, "0.00113"]);
  expect(fit.obstacles.length).toBe(3);
  // What no model gets below the model has: its own answers say so.
  const found = await fit.model.answer(list, { normalize: true });
  const worst = found.map((shares, i) =>
    Math.max(
      ...shares.map((share, cell) => Math.abs(share - (measurements[i]?.values[cell] as number) / 43_944)),
    ),
  );
  expect(Math.max(...worst)).toBeCloseTo(error, 12);
}, 120_000);
