// What takes long is given up within a tenth of a second, whatever it is doing: planning, counting, ranking, copying.

import {
  type CallSettings,
  close,
  init,
  integer,
  kWay,
  type MarginaliaError,
  readTable,
  schema,
  topPairs,
  workload,
} from "marginalia";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/** Attributes of so many codes each. */
const wide = (attributes: number, codes: number) =>
  schema(
    Object.fromEntries(
      Array.from({ length: attributes }, (_, i) => [`a${i}`, integer({ min: 0, max: codes - 1 })]),
    ),
  );

/** A table of skewed rows, hardly two of which are equal where there are many attributes. */
function table(attributes: number, codes: number, rows: number) {
  const s = wide(attributes, codes);
  const column = (a: number) =>
    Uint32Array.from({ length: rows }, (_, row) => {
      const mixed = Math.imul(row ^ Math.imul(a + 1, 0x9e3779b9), 0x85ebca6b);
      return Math.imul(mixed ^ (mixed >>> 15), 0xc2b2ae35) >>> 12;
    }).map((mixed) => mixed % codes);
  return readTable(Object.fromEntries(s.names.map((name, a) => [name, column(a)])), s);
}

/**
 * Aborts a call at several moments of the time that it takes when it is left alone, and says how long the rejections
 * took at most, each at best of three. A call that is over before it is aborted says nothing, but not all may be.
 */
async function patience(call: (settings: CallSettings) => Promise<Disposable>): Promise<number> {
  const begun = performance.now();
  (await call({}))[Symbol.dispose]();
  const whole = performance.now() - begun;
  const waits: number[] = [];
  for (const after of [0, 0.2 * whole, 0.5 * whole, 0.8 * whole]) {
    let best = Number.POSITIVE_INFINITY;
    for (let attempt = 0; attempt < 3 && best >= 100; attempt++) {
      const controller = new AbortController();
      let at = Number.NaN;
      const timer = setTimeout(() => {
        at = performance.now();
        controller.abort();
      }, after);
      const code = await call({ signal: controller.signal }).then(
        (made) => made[Symbol.dispose](),
        (error: MarginaliaError) => error.code,
      );
      clearTimeout(timer);
      if (code === "ABORTED") best = Math.min(best, performance.now() - at);
      else expect(code).toBeUndefined();
    }
    if (best < Number.POSITIVE_INFINITY) waits.push(best);
  }
  expect(waits.length).toBeGreaterThan(0);
  return Math.max(...waits);
}

describe.each([
  ["two threads", { threads: 2 }],
  ["one worker", { threads: false }],
] as const)("with %s an abort is felt within a tenth of a second", (_, options) => {
  beforeAll(() => init(options));
  afterAll(() => close());

  it("while the counting of 179,700 pairs is planned", async () => {
    using few = await table(600, 12, 1000);
    const pairs = kWay(few.schema, 2);
    expect(await patience((settings) => few.count(pairs, settings))).toBeLessThan(100);
  }, 60_000);

  it("while a clique of 10¹² cells is counted", async () => {
    using many = await table(6, 100, 1_000_000);
    const names = many.schema.names;
    const orders = Array.from({ length: 6 }, (_, i) => [...names.slice(i), ...names.slice(0, i)]);
    const large = workload(many.schema, orders);
    expect(await patience((settings) => many.count(large, settings))).toBeLessThan(100);
  }, 60_000);

  it("while a clique of 60 million cells is cleared, counted and copied out", async () => {
    // Fewer cells than eight times the rows are held one by one.
    using many = await table(2, 7746, 7_600_000);
    const large = workload(many.schema, [many.schema.names]);
    expect(large.cells).toBeGreaterThan(59_000_000);
    expect(await patience((settings) => many.count(large, settings))).toBeLessThan(100);
    using answers = await many.count(large);
    const copy = (take: (settings: CallSettings) => Promise<unknown>) =>
      patience(async (settings) => {
        await take(settings);
        return { [Symbol.dispose]: () => undefined };
      });
    expect(await copy(({ signal }) => answers.clique(0, signal ? { signal } : {}))).toBeLessThan(100);
    expect(await copy(({ signal }) => answers.all(signal ? { signal } : {}))).toBeLessThan(100);
    expect(await copy(({ signal }) => answers.nonzero(0, signal ? { signal } : {}))).toBeLessThan(100);
  }, 120_000);

  it("while large cliques are turned into other orders of their attributes", async () => {
    using many = await table(2, 4400, 2_500_000);
    const [a, b] = many.schema.names as [string, string];
    const both = workload(many.schema, [
      [a, b],
      [b, a],
      [a, b],
    ]);
    expect(await patience((settings) => many.count(both, settings))).toBeLessThan(100);
  }, 120_000);

  it("while distinct rows are looked for", async () => {
    using many = await table(20, 100, 500_000);
    expect(await patience((settings) => many.distinct(settings))).toBeLessThan(100);
  }, 60_000);

  it("while the most informative pairs are looked for", async () => {
    using many = await table(100, 60, 20_000);
    const ranked = async (settings: CallSettings) => {
      await topPairs(many, 10, settings);
      return { [Symbol.dispose]: () => undefined };
    };
    expect(await patience(ranked)).toBeLessThan(100);
  }, 60_000);
});
