import { describe, expect, test } from "vitest";
import { built, codeOf, MODES, makeEngine } from "./harness.js";

describe.each(MODES)("handles with $mode", ({ options }) => {
  const start = async () => {
    const { engine } = makeEngine();
    await engine.init(options);
    return engine;
  };

  test("stand for objects of the engine, in the order given", async () => {
    const engine = await start();
    const [a, length] = await engine.open("open", { name: "first" });
    const [b] = await engine.open("open", { name: "second" });
    expect(a).toBeInstanceOf(built.Handle);
    expect(length).toBe(5);
    expect(await engine.call("names", { count: 1 }, { on: b })).toEqual(["second"]);
    expect(await engine.call("names", { count: 2 }, { on: [b, a] })).toEqual(["second", "first"]);
    expect(await codeOf(engine.call("names", { count: 2 }, { on: a }))).toBe("HANDLE_DISPOSED");
  });

  test("are freed once, after the calls that came before", async () => {
    const engine = await start();
    const freed = (await engine.call("freed", undefined)) as number;
    const [handle] = await engine.open("open", { name: "x" });
    const busy = engine.call("busy", { ms: 20 }, { on: handle });
    const before = engine.call("names", { count: 1 }, { on: handle });
    handle.dispose();
    handle.dispose();
    expect(await codeOf(engine.call("names", { count: 1 }, { on: handle }))).toBe("HANDLE_DISPOSED");
    await busy;
    expect(await before).toEqual(["x"]);
    expect(await engine.call("freed", undefined)).toBe(freed + 1);
    expect(await engine.call("memory", undefined)).toMatchObject({ objects: 0 });
  });

  test("can be declared with using", async () => {
    const engine = await start();
    {
      using handle = (await engine.open("open", { name: "x" }))[0];
      expect(await engine.call("names", { count: 1 }, { on: handle })).toEqual(["x"]);
    }
    expect(await engine.call("memory", undefined)).toMatchObject({ objects: 0 });
  });

  test("are not left behind by a call that fails", async () => {
    const engine = await start();
    expect(await codeOf(engine.open("openAndFail", undefined))).toBe("OPTION_INVALID");
    expect(await engine.call("memory", undefined)).toMatchObject({ objects: 0 });
  });

  test("outlive the engine harmlessly and name its end", async () => {
    const engine = await start();
    const [handle] = await engine.open("open", { name: "x" });
    const [other] = await engine.open("open", { name: "y" });
    await engine.close();
    expect(await codeOf(engine.call("names", { count: 1 }, { on: handle }))).toBe("ENGINE_CLOSED");
    handle.dispose();
    handle.dispose();
    await engine.init(options);
    const [fresh] = await engine.open("open", { name: "z" });
    other.dispose();
    expect(await engine.call("names", { count: 1 }, { on: fresh })).toEqual(["z"]);
    expect(await codeOf(engine.call("names", { count: 2 }, { on: [fresh, other] }))).toBe("HANDLE_DISPOSED");
  });

  test("leave nothing behind in 1,000 rounds", async () => {
    const engine = await start();
    const before = (await engine.call("memory", undefined)) as { used: number };
    for (let round = 0; round < 1000; round++) {
      const [handle] = await engine.open("open", { name: "x" });
      handle.dispose();
    }
    const after = (await engine.call("memory", undefined)) as { used: number; objects: number };
    expect(after.objects).toBe(0);
    // A thread of the pool may take its own few bytes only now.
    expect(Math.abs(after.used - before.used)).toBeLessThanOrEqual(0.05 * before.used);
  });
});
