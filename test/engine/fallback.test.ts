import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { describe, expect, test, vi } from "vitest";
import { built, codeOf, folder, type Link, makeEngine, type Platform } from "./harness.js";

type Worker = NonNullable<Platform["worker"]>;
const worker: Worker = (flavour) => built.platform.worker?.(flavour) as Link;

/** A worker that never answers. */
const silent = (): Link => ({
  post: () => {},
  onMessage: () => {},
  onLost: () => {},
  hold: () => {},
  end: async () => {},
});

/** A worker of the pool that answers, but whose threads never come to be. */
const idle = (): Link => {
  const link = silent();
  link.post = () => queueMicrotask(() => link.onMessage({ type: "ready" }));
  return link;
};

const withThreads =
  (broken: Worker): Worker =>
  (flavour) =>
    flavour === "threads" ? broken(flavour) : worker(flavour);

const refuse: Worker = () => {
  throw new Error("refused by the policy");
};

describe("without threads", () => {
  const one = { runtime: "node", threads: 1, simd: true, worker: true };

  test.each([
    ["the constructor fails", { worker: withThreads(refuse) }, /^no threads: refused by the policy$/],
    [
      "nothing answers",
      { worker: withThreads(silent), patience: 200 },
      /^no threads: no answer within 0.2 s$/,
    ],
    ["there is a barrier", { barrier: () => "not isolated" }, /^no threads: not isolated$/],
    ["there is one core", { cores: () => 1 }, /^no threads: this machine has one core$/],
  ] satisfies [string, Partial<Platform>, RegExp][])("when %s", async (_, change, reason) => {
    const { engine } = makeEngine(change);
    expect(await engine.capabilities()).toEqual({ ...one, reason: expect.stringMatching(reason) });
    expect(await engine.call("echo", 1)).toBe(1);
  });

  test("when the pool never starts, and the engine's worker is stuck waiting for it", async () => {
    let made = 0;
    const change = {
      worker: withThreads((flavour) => (made++ === 0 ? worker(flavour) : idle())),
      patience: 300,
    };
    const { engine } = makeEngine(change);
    expect(await engine.capabilities()).toEqual({ ...one, reason: "no threads: no answer within 0.3 s" });
  });

  test("when a worker of the pool dies at the start", async () => {
    let made = 0;
    const dying: Worker = (flavour) => {
      const link = worker(flavour);
      made += 1;
      if (made === 2) void link.end();
      return link;
    };
    const { engine } = makeEngine({ worker: withThreads(dying) });
    expect(await engine.capabilities()).toEqual({
      ...one,
      reason: expect.stringMatching(/^no threads: its worker/),
    });
  });

  test("when memory for them is refused", async () => {
    class Refused {
      constructor() {
        throw new RangeError("could not allocate memory");
      }
    }
    const spy = vi.spyOn(WebAssembly, "Memory").mockImplementation(Refused as never);
    const { engine } = makeEngine();
    const seen = await engine.capabilities().finally(() => spy.mockRestore());
    expect(seen).toEqual({ ...one, reason: "no threads: could not allocate memory" });
  });

  test("when their file is missing", async () => {
    const load: Platform["load"] = (source) =>
      source === "threads" ? Promise.reject(new Error("no such file")) : built.platform.load(source);
    const { engine } = makeEngine({ load });
    expect(await engine.capabilities()).toEqual({ ...one, reason: "no threads: no such file" });
  });
});

describe("without workers", () => {
  test("the engine runs in the caller's thread, and both reasons are told", async () => {
    const { engine } = makeEngine({ worker: refuse });
    expect(await engine.capabilities()).toEqual({
      runtime: "node",
      threads: 1,
      simd: true,
      worker: false,
      reason: "no threads: refused by the policy; no worker: refused by the policy",
    });
    expect(await engine.call("echo", 1)).toBe(1);
  });
});

describe("a module of the caller's own", () => {
  const file = (flavour: string) => `${folder}/pkg/${flavour}/marginalia_bg.wasm`;
  const none = { load: () => Promise.reject(new Error("must not be loaded")) };

  test("is taken as module, bytes or response, and has no threads", async () => {
    const bytes = await readFile(file("simd"));
    const module = await WebAssembly.compile(bytes);
    const response = new Response(bytes, { headers: { "content-type": "application/wasm" } });
    for (const options of [
      { module },
      { bytes },
      { response },
      { response: Promise.resolve(response.clone()) },
    ]) {
      const { engine } = makeEngine(none);
      await engine.init(options);
      const reason = "no threads: init() was given the build without threads";
      expect(await engine.capabilities()).toMatchObject({ threads: 1, worker: true, reason });
    }
  });

  test("is taken as an address, also after the engine was lost", async () => {
    const { engine } = makeEngine();
    await engine.init({ url: pathToFileURL(file("simd")), threads: false });
    expect(await codeOf(engine.call("trap", undefined))).toBe("ENGINE_LOST");
    expect(await engine.call("echo", 1)).toBe(1);
    await engine.close();
    expect(await codeOf(engine.init({ url: "file:///nowhere.wasm" }))).toBe("ENGINE_UNAVAILABLE");
  });

  test("with threads is used for threads", async () => {
    const { engine } = makeEngine(none);
    await engine.init({ bytes: await readFile(file("threads")) });
    expect(await engine.capabilities()).toEqual({ runtime: "node", threads: 2, simd: true, worker: true });
  });

  test("that is none is a typed error", async () => {
    const { engine } = makeEngine();
    expect(await codeOf(engine.init({ bytes: Uint8Array.of(1, 2, 3) }))).toBe("ENGINE_UNAVAILABLE");
  });
});

test("a worker that is lost before the module is there leaves nothing that keeps the process alive", async () => {
  let load = () => {};
  const late = new Promise<void>((done) => {
    load = done;
  });
  const worker = (): Link => {
    const link = silent();
    setTimeout(() => link.onLost("the file is missing"), 10);
    return link;
  };
  const patience = 4_321;
  const timers = vi.spyOn(globalThis, "setTimeout");
  const loading: Platform["load"] = (source) => late.then(() => built.platform.load(source));
  const { engine } = makeEngine({ cores: () => 1, patience, worker, load: loading });
  const started = engine.capabilities();
  await new Promise((done) => setTimeout(done, 50));
  load();
  expect((await started).reason).toContain("no worker: the file is missing");
  // Of the worker's and the caller's thread, only the second was ever waited for.
  expect(timers.mock.calls.filter(([, ms]) => ms === patience)).toHaveLength(1);
  timers.mockRestore();
});
