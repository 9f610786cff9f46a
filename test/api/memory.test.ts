import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { close, init, integer, kWay, memory, readTable, schema, workload } from "marginalia";
import { afterEach, describe, expect, it } from "vitest";

const run = promisify(execFile);
const s = schema({ a: integer({ min: 0, max: 9 }), b: integer({ min: 0, max: 299 }) });
const rows = (n: number) => ({
  a: Uint8Array.from({ length: n }, (_, i) => i % 10),
  b: Uint16Array.from({ length: n }, (_, i) => i % 300),
});

afterEach(() => close());

describe("memory", () => {
  it("grows with the codes and not with the text", async () => {
    const millions = process.env.MARGINALIA_FULL ? 10 : 2;
    const { stdout } = await run(process.execPath, ["test/api/memory-child.mjs", `${millions}000000`]);
    const { above, codes, used } = JSON.parse(stdout) as { above: number; codes: number; used: number };
    // 300 MB for 10 M rows of 20 attributes, whose codes are 200 MB; the text would be 400 MB.
    expect(above).toBeLessThan(codes + 100);
    expect(used).toBeLessThan(codes * 1.05 + 8);
  }, 120_000);

  it.each(["iterable", "blob"])(
    "stays flat while an Arrow stream passes, from a %s",
    async (kind) => {
      const child = ["--expose-gc", "test/api/arrow-child.mjs", kind];
      const { stdout } = await run(process.execPath, child);
      const { samples, whole } = JSON.parse(stdout) as { samples: number[]; whole: number };
      const half = samples.length / 2;
      const [early, late] = [Math.max(...samples.slice(0, half)), Math.max(...samples.slice(half))];
      expect(samples.length).toBeGreaterThan(30);
      expect(whole).toBeGreaterThan(300);
      // What is held after collecting does not grow with what has passed.
      expect(late).toBeLessThan(early + 20);
      expect(late - Math.min(...samples)).toBeLessThan(60);
    },
    120_000,
  );

  it.each([false, 2] as const)(
    "does not leak in 1,000 rounds of read, count, write and dispose, with threads: %s",
    async (threads) => {
      await init({ threads });
      const source = rows(200);
      const round = async () => {
        using table = await readTable(source, s);
        using distinct = await table.distinct();
        using answers = await distinct.count(kWay(s, 2));
        await answers.clique(0);
        await table.toCsv();
      };
      for (let i = 0; i < 50; i++) await round();
      const before = await memory();
      for (let i = 0; i < 1000; i++) await round();
      const after = await memory();
      expect(after.objects).toBe(0);
      expect(Math.abs(after.used - before.used)).toBeLessThanOrEqual(0.05 * before.used);
    },
    120_000,
  );

  it("has a limit: what would exceed it is refused by a typed error, and the engine works on", async () => {
    await init({ memoryLimit: 2 ** 23 });
    await expect(readTable(rows(4_000_000), s)).rejects.toMatchObject({ code: "OUT_OF_MEMORY" });
    using table = await readTable(rows(1000), s);
    const many = workload(
      s,
      Array.from({ length: 1000 }, () => ["a", "b"] as const),
    );
    await expect(table.count(many)).rejects.toMatchObject({ code: "MODEL_TOO_LARGE" });
    expect((await table.marginal(["a"]))[0]).toBe(100);
    expect((await memory()).objects).toBe(1);
  });
});

describe("a long call", () => {
  const wide = schema(
    Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`w${i}`, integer({ min: 0, max: 19 })])),
  );
  const column = Uint8Array.from({ length: 300_000 }, (_, i) => (i * 7919) % 20);
  const source = Object.fromEntries(wide.names.map((name) => [name, column]));

  it.each([
    ["threads", { threads: 2 }],
    ["one worker", { threads: false }],
    ["the caller's thread", { worker: false }],
  ] as const)(
    "with %s tells its progress and is aborted within a tenth of a second",
    async (_, options) => {
      await init(options);
      using table = await readTable(source, wide);
      const controller = new AbortController();
      const seen: number[] = [];
      let at = 0;
      const call = table.count(kWay(wide, 3), {
        signal: controller.signal,
        onProgress: ({ done, total = 0 }) => {
          seen.push(done / total);
          if (seen.length === 3) {
            at = performance.now();
            controller.abort();
          }
        },
      });
      await expect(call).rejects.toMatchObject({ code: "ABORTED" });
      expect(performance.now() - at).toBeLessThan(100);
      expect(seen).toEqual(seen.toSorted((a, b) => a - b));
      expect((await table.marginal(["w0"]))[0]).toBe(15_000);
    },
    60_000,
  );

  it("is rejected when the engine is closed while it runs, and the next call starts anew", async () => {
    const table = await readTable(source, wide);
    const call = table.count(kWay(wide, 3));
    await Promise.all([expect(call).rejects.toMatchObject({ code: "ENGINE_CLOSED" }), close()]);
    await expect(table.marginal(["w0"])).rejects.toMatchObject({ code: "ENGINE_CLOSED" });
    table.dispose();
    using again = await readTable(rows(10), s);
    expect(again.rows).toBe(10);
  });
});

it("the same bytes come out of one thread, many, and the caller's own", async () => {
  const weights = Float64Array.from({ length: 200_000 }, (_, i) => (i % 1000) / 7);
  const source = { ...rows(200_000), w: weights };
  const outcomes: unknown[] = [];
  for (const options of [{ threads: false }, { threads: 2 }, { threads: 3 }, { worker: false }] as const) {
    await init(options);
    using table = await readTable(source, s, { weight: "w" });
    outcomes.push([
      await table.answer(kWay(s, 2)),
      await table.marginal(["a"]),
      await table.toCsv({ weight: "w", seed: 1 }),
    ]);
    await close();
  }
  for (const outcome of outcomes.slice(1)) expect(outcome).toEqual(outcomes[0]);
});
