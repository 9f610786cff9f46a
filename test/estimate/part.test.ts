import { createHash } from "node:crypto";
import {
  close,
  estimate,
  type InitOptions,
  init,
  integer,
  kWay,
  memory,
  number,
  prior,
  readTable,
  schema,
} from "marginalia";
import { afterEach, describe, expect, it } from "vitest";
import { cells, codeOf } from "./support.js";

/** Estimation is a module of its own beside the core: tables cross to it, and what it makes comes back. */

afterEach(() => close());

const MODES: { mode: string; options: InitOptions }[] = [
  { mode: "two threads", options: { threads: 2 } },
  { mode: "one thread", options: { threads: false } },
  { mode: "the caller's thread", options: { worker: false } },
];

const over = schema({
  age: integer({ min: 0, max: 99, width: 5 }),
  place: integer({ min: 0, max: 399 }),
  income: number({ cuts: [0, 10, 25, 80] }),
});
const ROWS = 150_000;
const draws = (seed: number, most: number) => {
  let state = seed;
  return Float64Array.from({ length: ROWS }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor(((state >>> 8) / 2 ** 24) ** 2 * most);
  });
};
const columns = { age: draws(1, 100), place: draws(2, 400), income: draws(3, 80) };

/** Everything that an estimate says, and everything that its table does, as one hash. */
async function story(): Promise<string> {
  using table = await readTable(columns, over);
  using before = await prior(table);
  const measurements = [
    cells(over, ["age", "income"], draws(4, 900).slice(0, 60) as unknown as number[], 4),
    cells(over, ["place"], draws(5, 500).slice(0, 400) as unknown as number[], 2),
  ];
  const soon = { tolerance: 1e-3, passes: 200, keepRefused: true };
  using fit = await estimate.calibrated({ prior: before, measurements, ...soon });
  using steps = await estimate.iterative({ prior: before, measurements, steps: 4, start: fit.model });
  const hash = createHash("sha256").update(JSON.stringify([fit.total, fit.certificate, before]));
  for (const { model } of [fit, steps]) {
    hash.update(await model.weights());
    for (const answer of await model.answer(kWay(over, 2))) hash.update(answer);
    hash.update(`${await model.relativeEntropy()} ${await model.effectiveSize()}`);
    using made = await model.table();
    for (const name of ["age", "place", "income"] as const) hash.update(await made.codes(name));
    using again = await made.distinct();
    expect(again.rows).toBe(made.rows);
    const [there, back] = [await model.marginal(["age"]), await made.marginal(["age"])];
    for (const [i, records] of there.entries()) expect(back[i]).toBeCloseTo(records, 6);
    hash.update(await made.toCsv({ seed: 1, weight: "w" }));
  }
  return hash.digest("hex");
}

let bytes: string | undefined;

describe.each(MODES)("estimation with $mode", ({ options }) => {
  it("gives the same bytes as with any other, and in the engine that follows", async () => {
    for (let round = 0; round < 2; round++) {
      await init(options);
      const made = await story();
      bytes ??= made;
      expect(made).toBe(bytes);
      expect((await memory()).objects).toBe(0);
      await close();
    }
  });

  it("refuses a prior that does not fit, and goes on", async () => {
    await init({ ...options, memoryLimit: 2 ** 24 });
    const small = schema({ x: integer({ min: 0, max: 999 }), y: integer({ min: 0, max: 999 }) });
    const of = (rows: number) => ({
      x: Uint16Array.from({ length: rows }, (_, i) => i % 1000),
      y: Uint16Array.from({ length: rows }, (_, i) => i / 1000),
    });
    using table = await readTable(of(500_000), small);
    const before = await memory();
    expect(await codeOf(prior(table))).toBe("OUT_OF_MEMORY");
    expect((await memory()).used).toBeLessThan(before.used + 2 ** 22);
    using other = await readTable(of(50_000), small);
    using made = await prior(other);
    expect(made.rows).toBe(50_000);
    expect((await memory()).used).toBeGreaterThan(before.used + 50_000 * 16);
  });
});
