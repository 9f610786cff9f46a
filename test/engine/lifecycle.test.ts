import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { codeOf, dist, MODES, makeEngine, pause } from "./harness.js";

const run = promisify(execFile);

/** Runs a program that sees the engine as `engine`; it must end by itself within 20 s. */
async function program(text: string): Promise<string> {
  const source = `import * as engine from ${JSON.stringify(`file://${dist}/index.js`)};\n${text}`;
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", source], { timeout: 20_000 });
  return stdout.trim();
}

describe("the start", () => {
  test("is shared by all first calls", async () => {
    const { engine, links } = makeEngine();
    const calls = Array.from({ length: 20 }, (_, i) => engine.call("echo", i));
    expect(await Promise.all(calls)).toEqual(Array.from({ length: 20 }, (_, i) => i));
    expect(links).toHaveLength(2);
    await Promise.all([engine.init(), engine.init({}), engine.capabilities()]);
    expect(links).toHaveLength(2);
  });

  test("takes threads where there are cores, and says what runs", async () => {
    const { engine } = makeEngine();
    expect(await engine.capabilities()).toEqual({ runtime: "node", threads: 2, simd: true, worker: true });
  });

  test("takes as many threads as asked for", async () => {
    const { engine, links } = makeEngine();
    await engine.init({ threads: 3 });
    expect((await engine.capabilities()).threads).toBe(3);
    expect(links).toHaveLength(3);
    await engine.close();
    await engine.init({ threads: 1 });
    expect(await engine.capabilities()).toEqual({ runtime: "node", threads: 1, simd: true, worker: true });
  });

  test("with the same options is idempotent; with others it needs close()", async () => {
    const { engine } = makeEngine();
    await engine.init({ threads: false });
    await engine.init({ threads: false });
    await engine.init();
    expect(await codeOf(engine.init({ threads: 2 }))).toBe("OPTION_INVALID");
    await engine.close();
    await engine.init({ threads: 2 });
    expect((await engine.capabilities()).threads).toBe(2);
  });

  test.each([
    [{ thread: 2 }],
    [{ threads: 0 }],
    [{ threads: 1.5 }],
    [{ threads: true }],
    [{ memoryLimit: 1000 }],
    [{ memoryLimit: 2 ** 33 }],
    [{ worker: "yes" }],
    [{ url: "file:///x", bytes: new Uint8Array() }],
  ])("refuses %j by name", async (options) => {
    const { engine, links } = makeEngine();
    expect(await codeOf(engine.init(options as never))).toBe("OPTION_INVALID");
    expect(links).toHaveLength(0);
  });

  test.each(MODES)("hands the memory limit to the module with $mode", async ({ options }) => {
    const { engine } = makeEngine();
    await engine.init({ ...options, memoryLimit: 2 ** 25 });
    expect(await engine.call("memory", undefined)).toMatchObject({ limit: 2 ** 25 });
  });
});

describe("close()", () => {
  test.each(MODES)(
    "while busy rejects what is pending and ends the workers, with $mode",
    async ({ options }) => {
      const { engine } = makeEngine();
      await engine.init(options);
      const calls = [engine.call("busy", { ms: 20_000 }), engine.call("echo", 1)].map(codeOf);
      await pause(30);
      const before = performance.now();
      await engine.close();
      expect(performance.now() - before).toBeLessThan(500);
      expect(await Promise.all(calls)).toEqual(["ENGINE_CLOSED", "ENGINE_CLOSED"]);
      expect(await engine.call("echo", 2)).toBe(2);
    },
  );

  test("during the start rejects what waits, and a later call starts anew", async () => {
    const { engine, links } = makeEngine();
    const codes = [codeOf(engine.init()), codeOf(engine.call("echo", 1))];
    await engine.close();
    expect(await Promise.all(codes)).toEqual(["ENGINE_CLOSED", "ENGINE_CLOSED"]);
    const before = links.length;
    await pause(50);
    expect(links).toHaveLength(before);
    expect(await engine.call("echo", 2)).toBe(2);
  });

  test("ends a worker that is stuck", async () => {
    const { engine } = makeEngine();
    const code = codeOf(engine.call("block", undefined));
    await engine.capabilities();
    await engine.close();
    expect(await code).toBe("ENGINE_CLOSED");
  });

  test("is harmless when nothing runs, and twice", async () => {
    const { engine, links } = makeEngine();
    await engine.close();
    await engine.init({ threads: false });
    await Promise.all([engine.close(), engine.close()]);
    await engine.close();
    expect(links).toHaveLength(1);
  });
});

describe("Node", () => {
  test.each(MODES)("exits by itself after a call, with $mode", async ({ options }) => {
    const text = `await engine.init(${JSON.stringify(options)}); console.log(await engine.call("echo", 7));`;
    expect(await program(text)).toBe("7");
  });

  test.each(MODES)("stays for a pending call that nobody waits for, with $mode", async ({ options }) => {
    const text = `await engine.init(${JSON.stringify(options)});
      engine.call("busy", { ms: 300 }).then(console.log);`;
    expect(await program(text)).toBe("300");
  });

  test.each(MODES)("waits for close() while answers still come in, with $mode", async ({ options }) => {
    const text = `await engine.init(${JSON.stringify(options)});
      const calls = Array.from({ length: 3000 }, (_, i) => engine.call("echo", i).catch(() => undefined));
      await calls[0];
      await engine.close();
      console.log("closed");`;
    expect(await program(text)).toBe("closed");
  });

  test("exits by itself after init() alone, and after a start that nobody waits for", async () => {
    expect(await program("await engine.init(); console.log(1);")).toBe("1");
    expect(await program("engine.init().then(() => console.log(2));")).toBe("2");
  });

  test("starts nothing at import", async () => {
    const text = `console.log(process.getActiveResourcesInfo().filter((name) => /Worker|Message/.test(name)).length,
      Object.getOwnPropertySymbols(globalThis).some((symbol) => symbol.description?.startsWith("marginalia")));`;
    expect(await program(text)).toBe("0 false");
  });
});
