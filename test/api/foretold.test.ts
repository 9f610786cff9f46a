import { cpuUsage } from "node:process";
import { close, priorAware, pure, readTable, schemaFromJson, seal } from "marginalia";
import { afterAll, expect, it } from "vitest";
import { stream } from "../../ts/seed.js";

afterAll(() => close());

/** Seconds that the forecast of a plan is said to take, and those of the processor that it takes. */
async function forecast(attributes: number, rows: number) {
  const draws = stream(`foretold ${attributes}`);
  const names = Array.from({ length: attributes }, (_, i) => `a${i}`);
  const values = Array.from({ length: 5 }, (_, i) => `v${i}`);
  const spec = (name: string) => ({ name, type: "category", values, other: null }) as const;
  const schema = schemaFromJson({ attributes: names.map(spec) });
  const line = () => {
    const group = draws.double();
    return names.map(() => `v${Math.floor(5 * (draws.double() < 0.5 ? group : draws.double()))}`).join(",");
  };
  const lines = [names.join(","), ...Array.from({ length: rows }, line), ""];
  using prior = await readTable(new Blob([lines.join("\n")]), schema);
  const dataset = `foretold ${attributes}`;
  await using data = await seal([], schema, { dataset, unit: "row", budget: pure(1), expectedRows: rows });
  using mechanism = priorAware({ prior });
  let [foretold, before] = [0, cpuUsage()];
  await mechanism.plan(data, {
    onProgress({ phase, seconds }) {
      if (phase !== "forecast" || seconds === undefined || foretold > 0) return;
      [foretold, before] = [seconds, cpuUsage()];
    },
  });
  const { user, system } = cpuUsage(before);
  return { foretold, taken: (user + system) / 1e6 };
}

/** In ratios, since how fast a machine is nobody knows before; and not of the first plan, while the engine is still compiled. */
it("what a plan takes is foretold within a factor of three, for work of 1 to 10", async () => {
  await forecast(16, 2000);
  const all = [await forecast(26, 3000), await forecast(40, 4000), await forecast(70, 4000)];
  const ratios = all.map(({ foretold, taken }) => taken / foretold);
  expect(Math.max(...ratios) / Math.min(...ratios), `${ratios}`).toBeLessThan(3);
  expect((all[2]?.foretold as number) / (all[0]?.foretold as number)).toBeGreaterThan(5);
}, 300_000);
