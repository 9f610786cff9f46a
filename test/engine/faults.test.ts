import { describe, expect, test } from "vitest";
import { built, codeOf, type Link, MODES, makeEngine, pause } from "./harness.js";

describe.each(MODES)("a trap with $mode", ({ options }) => {
  test("rejects what is pending, spoils the handles, and the next call gets a fresh engine", async () => {
    const { engine } = makeEngine();
    await engine.init(options);
    const [handle] = await engine.open("open", { name: "x" });
    const codes = [engine.call("trap", undefined), engine.call("echo", 1)].map(codeOf);
    expect(await Promise.all(codes)).toEqual(["ENGINE_LOST", "ENGINE_LOST"]);
    expect(await codeOf(engine.call("names", { count: 1 }, { on: handle }))).toBe("ENGINE_LOST");
    expect(await engine.call("echo", 2)).toBe(2);
    expect(await engine.call("memory", undefined)).toMatchObject({ objects: 0 });
    expect(await codeOf(engine.call("names", { count: 1 }, { on: handle }))).toBe("ENGINE_LOST");
    handle.dispose();
    expect(await engine.capabilities()).toMatchObject({ threads: options === MODES[0].options ? 2 : 1 });
  });

  test("is also a stack that runs out", async () => {
    const { engine } = makeEngine();
    await engine.init(options);
    expect(await codeOf(engine.call("recurse", undefined))).toBe("ENGINE_LOST");
    expect(await engine.call("echo", 1)).toBe(1);
  });

  test("says what happened and what to do, and no more than the platform said", async () => {
    const { engine } = makeEngine();
    await engine.init(options);
    const thrown = await engine.call("trap", undefined).catch((error: Error) => error);
    expect((thrown as Error).message).toBe(
      "the engine ended unexpectedly (unreachable): call again for a fresh one; objects must be made again",
    );
  });
});

describe("a lost worker", () => {
  const recovers = async (harm: (links: Link[]) => unknown, options: object, operation = "busy") => {
    const { engine, links } = makeEngine();
    await engine.init(options);
    const code = codeOf(engine.call(operation, { ms: 20_000 }));
    await pause(50);
    const before = performance.now();
    harm(links);
    expect(await code).toBe("ENGINE_LOST");
    expect(performance.now() - before).toBeLessThan(1000);
    expect(await engine.call("echo", 1)).toBe(1);
  };

  test("that was killed while busy", async () => {
    await recovers((links) => links[0]?.end(), { threads: false });
    await recovers((links) => links[0]?.end(), {});
  });

  test("that was killed while it waits for the pool", async () => {
    await recovers((links) => links[0]?.end(), {}, "block");
  });

  test("of the pool, while the engine waits for it", async () => {
    await recovers((links) => links[1]?.end(), {}, "block");
  });

  test("that ended its own process", async () => {
    const { engine } = makeEngine();
    expect(await codeOf(engine.call("exit", undefined))).toBe("ENGINE_LOST");
    expect(await engine.call("echo", 1)).toBe(1);
  });

  test("while nothing is pending is noticed by the next call at the latest", async () => {
    const { engine, links } = makeEngine();
    await engine.init();
    const [handle] = await engine.open("open", { name: "x" });
    await links[1]?.end();
    await pause(20);
    expect(await codeOf(engine.call("names", { count: 1 }, { on: handle }))).toBe("ENGINE_LOST");
    expect(await engine.call("echo", 1)).toBe(1);
    expect(links).toHaveLength(4);
  });
});

describe("what cannot start", () => {
  test("is a typed error with a remedy, and is tried again by the next call", async () => {
    let broken = true;
    const load = async (...source: Parameters<typeof built.platform.load>) => {
      if (broken) throw new Error("no such file");
      return built.platform.load(...source);
    };
    const { engine } = makeEngine({ load });
    const thrown = await engine.call("echo", 1).catch((error: unknown) => error);
    expect(thrown).toMatchObject({ code: "ENGINE_UNAVAILABLE", cause: { message: "no such file" } });
    expect((thrown as { hint: string }).hint).toContain("marginalia/marginalia.wasm");
    expect(await codeOf(engine.capabilities())).toBe("ENGINE_UNAVAILABLE");
    broken = false;
    expect(await engine.call("echo", 1)).toBe(1);
  });
});
