import { describe, expect, test } from "vitest";
import { built, codeOf, MODES, makeEngine, pause } from "./harness.js";

describe.each(MODES)("an abort with $mode", ({ options }) => {
  test("before the call starts no engine", async () => {
    const { engine, links } = makeEngine();
    expect(await codeOf(engine.call("echo", 1, { signal: AbortSignal.abort() }))).toBe("ABORTED");
    expect(links).toHaveLength(0);
  });

  test("while the engine starts rejects at once and leaves the other calls alone", async () => {
    const { engine } = makeEngine();
    const started = engine.init(options);
    const controller = new AbortController();
    const call = engine.call("echo", 1, { signal: controller.signal });
    const other = engine.call("echo", 2);
    controller.abort();
    expect(await codeOf(call)).toBe("ABORTED");
    await started;
    expect(await other).toBe(2);
  });

  test("during a call takes effect within 100 ms, with the signal's reason as the cause", async () => {
    const { engine } = makeEngine();
    await engine.init(options);
    const controller = new AbortController();
    const reason = new Error("enough");
    const call = engine.call("busy", { ms: 20_000 }, { signal: controller.signal });
    let abortedAt = 0;
    setTimeout(() => {
      abortedAt = performance.now();
      controller.abort(reason);
    }, 150);
    const thrown = await call.catch((error: unknown) => error);
    expect(performance.now() - abortedAt).toBeLessThan(100);
    expect(thrown).toBeInstanceOf(built.MarginaliaError);
    expect(thrown).toMatchObject({ code: "ABORTED", cause: reason });
    expect(await engine.call("echo", 1)).toBe(1);
  });

  test("of a waiting call takes effect while another is served", async () => {
    const { engine } = makeEngine();
    await engine.init(options);
    const served = engine.call("busy", { ms: 600 });
    const controller = new AbortController();
    const waiting = engine.call("busy", { ms: 600 }, { signal: controller.signal });
    await pause(30);
    const before = performance.now();
    controller.abort();
    expect(await codeOf(waiting)).toBe("ABORTED");
    expect(performance.now() - before).toBeLessThan(100);
    expect(await served).toBe(600);
  });

  test("after a call changes nothing", async () => {
    const { engine } = makeEngine();
    await engine.init(options);
    const controller = new AbortController();
    expect(await engine.call("echo", 1, { signal: controller.signal })).toBe(1);
    controller.abort();
    expect(await engine.call("echo", 2)).toBe(2);
  });

  test("frees what the call had kept", async () => {
    const { engine } = makeEngine();
    await engine.init(options);
    const freed = await engine.call("freed", undefined);
    const controller = new AbortController();
    const call = engine.open("openSlowly", { name: "x", ms: 10_000 }, { signal: controller.signal });
    setTimeout(() => controller.abort(), 50);
    expect(await codeOf(call)).toBe("ABORTED");
    expect(await engine.call("memory", undefined)).toMatchObject({ objects: 0 });
    expect(await engine.call("freed", undefined)).toBe((freed as number) + 1);
  });

  test("that comes too late to stop the call still rejects, and frees what it opened", async () => {
    const { engine } = makeEngine();
    await engine.init(options);
    const controller = new AbortController();
    const call = engine.open("open", { name: "x" }, { signal: controller.signal });
    controller.abort();
    expect(await codeOf(call)).toBe("ABORTED");
    expect(await engine.call("memory", undefined)).toMatchObject({ objects: 0 });
  });
});
