import { describe, expect, test } from "vitest";
import { codeOf, MODES, makeEngine } from "./harness.js";

describe.each(MODES)("calls with $mode", ({ options }) => {
  const start = async () => {
    const { engine } = makeEngine();
    await engine.init(options);
    return engine;
  };

  test("are served one at a time, in the order they were made", async () => {
    const engine = await start();
    const order: number[] = [];
    const durations = [30, 0, 20, 0];
    await Promise.all(
      durations.map(async (ms, i) => {
        await (ms > 0 ? engine.call("busy", { ms }) : engine.call("echo", i));
        order.push(i);
      }),
    );
    expect(order).toEqual([0, 1, 2, 3]);
  });

  test("answer with what the operation returned, by value", async () => {
    const engine = await start();
    const args = { text: "ü", big: 2 ** 53, bytes: Uint8Array.of(1, 2), nothing: undefined };
    expect(await engine.call("echo", args)).toEqual(args);
  });

  test("reach the real module, with the default memory limit", async () => {
    const engine = await start();
    const { used, limit } = (await engine.call("memory", undefined)) as { used: number; limit: number };
    expect(limit).toBe(2 ** 31);
    expect(used).toBeGreaterThanOrEqual(0);
    expect(used).toBeLessThan(2 ** 26);
  });

  test("pass on typed errors and call everything else a defect", async () => {
    const engine = await start();
    expect(await codeOf(engine.call("refuse", undefined))).toBe("COLUMN_MISSING");
    expect(await codeOf(engine.call("fail", undefined))).toBe("INTERNAL");
    expect(await codeOf(engine.call("hoard", undefined))).toBe("OUT_OF_MEMORY");
    expect(await codeOf(engine.call("no such operation", undefined))).toBe("INTERNAL");
    expect(await engine.call("echo", 1)).toBe(1);
  });

  test("report progress at most about ten times a second, and at the end", async () => {
    const engine = await start();
    const seen: { done: number; total: number }[] = [];
    const begun = performance.now();
    await engine.call("busy", { ms: 450 }, { onProgress: (progress) => void seen.push(progress) });
    expect(seen.length).toBeGreaterThanOrEqual(3);
    // One when it begins, one a tenth of a second, one at the end; a busy machine takes longer than 450 ms.
    expect(seen.length).toBeLessThanOrEqual(3 + (performance.now() - begun) / 100);
    expect(seen.at(-1)).toEqual({ done: 45_000_000, total: 45_000_000 });
    expect(seen.map(({ done }) => done)).toEqual(seen.map(({ done }) => done).toSorted((a, b) => a - b));
  });

  test("end with what a progress callback throws", async () => {
    const engine = await start();
    const fault = new Error("from the callback");
    const onProgress = () => {
      throw fault;
    };
    const before = performance.now();
    await expect(engine.call("busy", { ms: 5000 }, { onProgress })).rejects.toBe(fault);
    expect(performance.now() - before).toBeLessThan(2500);
    expect(await engine.call("echo", 1)).toBe(1);
  });
});

describe("values that cross to a worker", () => {
  test("fail their own call only, when they cannot be cloned", async () => {
    const { engine } = makeEngine();
    const first = engine.call("echo", () => 1);
    const second = engine.call("echo", 2);
    await expect(first).rejects.toThrow(/could not be cloned/);
    expect(await second).toBe(2);
    await expect(engine.call("echo", () => 1)).rejects.toThrow(/could not be cloned/);
    expect(await codeOf(engine.call("function", undefined))).toBe("INTERNAL");
    expect(await engine.call("echo", 3)).toBe(3);
  });

  test("move instead of being copied where asked", async () => {
    const { engine } = makeEngine();
    const bytes = new Uint8Array(1000);
    expect(await engine.call("echo", bytes, { transfer: [bytes.buffer] })).toHaveLength(1000);
    expect(bytes.byteLength).toBe(0);
    expect(await engine.call("give", { length: 10 })).toEqual(new Float64Array(10).fill(1));
  });
});
