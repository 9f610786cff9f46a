import {
  estimate,
  type MeasurementJson,
  measurement,
  prior,
  type Schema,
  type SupportModel,
} from "marginalia";
import { afterAll, describe, expect, it } from "vitest";
import { stream } from "../../ts/seed.js";
import { codeOf, domain, tableOf } from "./support.js";

const open: Disposable[] = [];
const kept = <T extends Disposable>(one: T): T => {
  open.push(one);
  return one;
};
afterAll(() => {
  for (const one of open) one[Symbol.dispose]();
});

const over = domain([3, 4, 2]);
const cliques = [["a", "b"], ["b", "c"], ["a"]] as const;
const variances = [60, 35, 20];
/** All combinations but three, with public weights. */
const rows = Array.from({ length: 24 }, (_, i) => [i % 3, Math.floor(i / 3) % 4, Math.floor(i / 12)]).filter(
  ([a, b, c]) => !(a === 2 && b === 3) && !(a === 0 && b === 1 && c === 1),
) as [number, number, number][];
const weights = rows.map(([a, b, c]) => 3 + 2 * a + ((b * 5 + c * 3) % 7));
const sum = (list: ArrayLike<number>) => Array.from(list).reduce((all, one) => all + one, 0);
const p = weights.map((weight) => weight / sum(weights));

const start = async () => kept(await prior(kept(await tableOf(over, rows, weights)), { strength: 500 }));

const cellOf = (schema: Schema, clique: readonly string[], row: readonly number[]) =>
  clique.reduce((cell, name) => cell * schema.size(name) + (row[schema.index(name)] as number), 0);

/** The cells of a clique where rows have so many records. */
function counted(clique: readonly string[], records: readonly number[]): number[] {
  const cells = new Array<number>(clique.reduce((all, name) => all * over.size(name), 1)).fill(0);
  rows.forEach((row, i) => {
    (cells[cellOf(over, clique, row)] as number) += records[i] as number;
  });
  return cells;
}

const measured = (clique: readonly string[], values: readonly number[], variance: number): MeasurementJson =>
  measurement({
    version: 1,
    clique,
    query: { type: "identity" },
    shape: clique.map((name) => over.size(name)),
    values,
    noise: { law: "gaussian", scale: `${variance}`, variance },
    relation: "add-remove",
  });

/** Standard normal draws. */
function normal(seed: string): () => number {
  const draws = stream(seed, "spread");
  return () => Math.sqrt(-2 * Math.log(1 - draws.double())) * Math.cos(2 * Math.PI * draws.double());
}

const exact = (records: readonly number[]) =>
  cliques.map((clique, i) => measured(clique, counted(clique, records), variances[i] as number));
const noisy = (records: readonly number[], draw: () => number) =>
  exact(records).map((one) => {
    const values = Array.from(one.values, (value) => value + Math.sqrt(one.noise.variance) * draw());
    return measured(one.clique, values, one.noise.variance);
  });

async function fitted(measurements: readonly MeasurementJson[], total?: number): Promise<SupportModel> {
  const options = {
    prior: await start(),
    measurements,
    strength: 300,
    tolerance: 1e-13,
    ...(total && { total }),
  };
  return kept((await estimate.calibrated(options)).model);
}

const truth = p.map((share, i) => 900 * share * (1 + 0.3 * Math.sin(i)));

/** Every kind of answer: cells that were measured and such that were not, sums, parts of the model, and shares. */
async function answers(model: SupportModel, of: "noise" | "all") {
  const queries = [
    { clique: ["a", "c"] },
    { clique: ["b"], query: { type: "prefix" } },
    { clique: ["c"], query: { type: "matrix", rows: [[2, -1]] } },
  ] as const;
  using part = await model.where({ b: [0, 1, 3], c: 0 });
  using within = await part.where({ b: { from: 1 } });
  const settings = { standardErrors: of };
  const all = [
    ...(await model.answer(queries as never, settings)),
    await model.marginal(["b", "c"], { ...settings, normalize: true }),
    await part.marginal(["a"], settings),
    await part.marginal(["a"], { ...settings, normalize: true }),
    await within.marginal(["a"], settings),
    await within.marginal(["a", "b"], { ...settings, normalize: true }),
  ];
  const flat = (name: "values" | "standardErrors") => all.flatMap((one) => Array.from(one[name]));
  return { values: flat("values"), errors: flat("standardErrors") };
}

describe("standard errors", () => {
  it.each([
    ["a total that is known", 900, 2e-3],
    ["a total that the answers say", undefined, 0.02],
  ])(
    "are what moving each measured value says: %s",
    async (_, total, tolerance) => {
      const list = noisy(truth, normal("moved"));
      const { values, errors } = await answers(await fitted(list, total), "noise");
      const squares = values.map(() => 0);
      const step = 1e-2;
      for (const [i, { clique, values: own, noise }] of list.entries()) {
        for (const cell of own.keys()) {
          const moved = async (by: number) => {
            const changed = Array.from(own, (value, at) => (at === cell ? value + by : value));
            const now = list.map((one, at) => (at === i ? measured(clique, changed, noise.variance) : one));
            return (await answers(await fitted(now, total), "noise")).values;
          };
          const [up, down] = [await moved(step), await moved(-step)];
          up.forEach((value, at) => {
            const slope = (value - (down[at] as number)) / (2 * step);
            (squares[at] as number) += noise.variance * slope ** 2;
          });
        }
      }
      const largest = Math.max(
        ...errors.map((error, i) => error / Math.max(1, Math.abs(values[i] as number))),
      );
      expect(largest).toBeGreaterThan(0);
      errors.forEach((error, i) => {
        const moved = Math.sqrt(squares[i] as number);
        expect(Math.abs(error - moved)).toBeLessThanOrEqual(tolerance * moved + 1e-6);
      });
    },
    120_000,
  );

  /**
   * Of 300 draws and 33 answers that hang together. With 8 of them apart, a share of 0.9 has a deviation of 0.006; 0.03
   * are five.
   */
  it("hold the answers of other draws of the noise as often as they say", async () => {
    const center = (await answers(await fitted(exact(truth)), "noise")).values;
    const draw = normal("coverage");
    let [inside, all] = [0, 0];
    for (let time = 0; time < 300; time++) {
      const { values, errors } = await answers(await fitted(noisy(truth, draw)), "noise");
      values.forEach((value, i) => {
        const error = errors[i] as number;
        if (error < 1e-9) return;
        all += 1;
        if (Math.abs(value - (center[i] as number)) <= 1.645 * error) inside += 1;
      });
    }
    expect(all).toBeGreaterThan(300 * 25);
    expect(Math.abs(inside / all - 0.9)).toBeLessThan(0.03);
  }, 120_000);

  it("of all hold the table itself, where the prior is worth what it was taken for", async () => {
    const draw = normal("tables");
    const uniform = stream("tables", "rows");
    let [inside, short, all] = [0, 0, 0];
    for (let time = 0; time < 300; time++) {
      // As far from the prior as a sample of 300 records is.
      const records = p.map(() => 0);
      for (let i = 0; i < 300; i++) {
        let left = uniform.double();
        const row = p.findIndex((share) => {
          left -= share;
          return left < 0;
        });
        (records[Math.max(row, 0)] as number) += 3;
      }
      const model = await fitted(noisy(records, draw), 900);
      for (const clique of [["a", "c"], ["b"]]) {
        const { values, standardErrors } = await model.marginal(clique, { standardErrors: "all" });
        const noise = await model.marginal(clique, { standardErrors: "noise" });
        counted(clique, records).forEach((count, i) => {
          const off = Math.abs((values[i] as number) - count);
          all += 1;
          if (off <= 1.645 * (standardErrors[i] as number)) inside += 1;
          if (off <= 1.645 * (noise.standardErrors[i] as number)) short += 1;
        });
      }
    }
    expect(Math.abs(inside / all - 0.9)).toBeLessThan(0.03);
    // By the noise alone they are too small for that, which is why both are there.
    expect(short / all).toBeLessThan(0.85);
  }, 120_000);
});

it("is asked only what is known, and as it can be", async () => {
  const list = exact(truth);
  const model = await fitted(list);
  const ask = (settings: object, of: object = ["a"]) =>
    codeOf(model.marginal(of as never, settings as never));
  expect(await ask({ standardErrors: "noise" })).toBe(undefined);
  expect(await ask({ standardErrors: "some" })).toBe("OPTION_INVALID");
  expect(await ask({ errors: true })).toBe("OPTION_INVALID");
  const question = (one: object) => codeOf(model.answer([one] as never));
  expect(await question({ clique: ["a"], query: { type: "ranges", ranges: [[0, 3]] } })).toBe(
    "MEASUREMENT_INVALID",
  );
  expect(await question({ clique: ["a"], queries: [] })).toBe("OPTION_INVALID");
  expect(await question(["a"])).toBe("OPTION_INVALID");
  const { model: other } = kept(await estimate.iterative({ prior: await start(), measurements: list }));
  expect(await codeOf(other.marginal(["a"], { standardErrors: "all" }))).toBe("QUERY_UNSUPPORTED");
  const l1 = { prior: await start(), loss: "l1", measurements: [laplace()], strength: 50 } as const;
  const { model: distances } = kept(await estimate.calibrated(l1));
  expect(await codeOf(distances.marginal(["a"], { standardErrors: "all" }))).toBe("QUERY_UNSUPPORTED");
});

const laplace = () => {
  const json = measured(["a"], [300, 300, 300], 8) as ReturnType<typeof measurement>;
  return measurement({ ...json.toJSON(), noise: { law: "laplace", scale: "2", variance: 8 } });
};
