import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import {
  built,
  codeOf,
  dist,
  type Engine,
  type Link,
  MODES,
  makeEngine,
  type Platform,
  pause,
} from "./harness.js";

/** The module for models: loaded when an operation first needs it, beside the core and with it under one limit. */

const file = (build: string) =>
  new URL(`../pkg/model-${build}/marginalia_model_bg.wasm`, pathToFileURL(`${dist}/`));

/** Loads as the platform does, and keeps a record; `before` may throw or wait. */
function recording(before: (source: unknown) => unknown = () => {}) {
  const loaded: unknown[] = [];
  const load: Platform["load"] = async (source) => {
    loaded.push(source);
    await before(source);
    return built.platform.load(source);
  };
  return { loaded, load };
}

const isPart = (source: unknown) => typeof source === "string" && source.startsWith("model");

interface Figures {
  own: number;
  used: number;
  limit: number;
}

const needed = (engine: Engine, signal?: AbortSignal) =>
  engine.call("model", undefined, { signal }) as Promise<Figures>;
const memory = (engine: Engine) =>
  engine.call("memory", undefined) as Promise<{ used: number; limit: number }>;

/** A table of one attribute with so many rows. */
async function table(engine: Engine, rows: number) {
  const attribute = { name: "x", type: "integer", lows: [0, 1, 2, 3], max: 3 };
  const schema = JSON.stringify({ nulls: [], attributes: [attribute] });
  const text = {
    format: "csv",
    delimiter: ",",
    decimalComma: false,
    records: "quoted",
    lineEnd: "lf",
    encoding: "utf-8",
  };
  const options = JSON.stringify({ ...text, weight: null, keepRaw: [], ignore: false });
  const [reader] = await engine.open("columns.open", { schema, options, names: ["x"] });
  using _ = reader;
  const columns = [Uint8Array.from({ length: rows }, (_, i) => i % 4)];
  await engine.call("columns.push", { columns }, { on: reader });
  const [handle] = await engine.open("columns.finish", undefined, { on: reader });
  return handle;
}

describe.each(MODES)("the module for models with $mode", ({ mode, options }) => {
  const build = mode === "threads" ? "threads" : "simd";

  test("is loaded once, when it is first needed, and again by no later engine", async () => {
    const { loaded, load } = recording();
    const { engine, links } = makeEngine({ load });
    await engine.init(options);
    await table(engine, 10);
    expect(loaded).toEqual([build]);
    const before = links.length;
    await Promise.all([needed(engine), needed(engine)]);
    await needed(engine);
    expect(loaded).toEqual([build, `model-${build}`]);
    expect(links).toHaveLength(mode === "threads" ? before + 1 : before);
    await engine.close();
    await needed(engine);
    expect(loaded).toHaveLength(2);
  });

  test("shares one limit with the core, which counts both", async () => {
    const { engine } = makeEngine();
    await engine.init({ ...options, memoryLimit: 3 * 2 ** 24 });
    const handle = await table(engine, 4_000_000);
    const { own, used, limit } = await needed(engine);
    expect(used).toBeGreaterThan(own + 4_000_000);
    expect(limit).toBe(3 * 2 ** 24);
    expect(Math.abs((await memory(engine)).used - used)).toBeLessThan(2 ** 16);

    const [prior, sizes] = await engine.open("prior.open", undefined, { on: handle });
    expect(sizes).toEqual({ rows: 4_000_000, weight: 4_000_000 });
    expect((await memory(engine)).used).toBeGreaterThan(used + 4_000_000 + 8 * 4_000_000);
    // Neither a second one fits, nor more rows in the core.
    expect(await codeOf(engine.open("prior.open", undefined, { on: handle }))).toBe("OUT_OF_MEMORY");
    expect(await codeOf(table(engine, 12_000_000))).toBe("OUT_OF_MEMORY");
    prior.dispose();
    // The copy that crossed stays beside the table, and goes with it.
    expect((await memory(engine)).used).toBeLessThan(used + 4_000_000 + 2 ** 20);
    const again = await table(engine, 12_000_000);
    again.dispose();
    handle.dispose();
    expect((await memory(engine)).used).toBeLessThan(used - 4_000_000 + 2 ** 20);
  });

  test("that is missing is a typed error of its own calls, and is tried again", async () => {
    let absent = true;
    const { load } = recording((source) => {
      if (isPart(source) && absent) throw new Error("no such file");
    });
    const { engine } = makeEngine({ load });
    await engine.init(options);
    const handle = await table(engine, 10);
    const thrown = await engine
      .open("prior.open", undefined, { on: handle })
      .catch((error: unknown) => error);
    expect(thrown).toMatchObject({
      code: "ENGINE_UNAVAILABLE",
      message: expect.stringMatching(/for estimation.*no such file/),
      hint: expect.stringContaining("init({ model })"),
    });
    expect(await engine.call("echo", 1)).toBe(1);
    absent = false;
    const [, sizes] = await engine.open("prior.open", undefined, { on: handle });
    expect(sizes).toEqual({ rows: 10, weight: 10 });
  });

  test("can be waited for no longer, while it loads", async () => {
    let arrive = () => {};
    const arrived = new Promise<void>((done) => {
      arrive = done;
    });
    const { loaded, load } = recording((source) => (isPart(source) ? arrived : undefined));
    const { engine } = makeEngine({ load });
    await engine.init(options);
    const controller = new AbortController();
    const [first, second] = [needed(engine, controller.signal), needed(engine)];
    const code = codeOf(first);
    await pause(50);
    const before = performance.now();
    controller.abort();
    expect(await code).toBe("ABORTED");
    expect(performance.now() - before).toBeLessThan(100);
    expect(loaded.filter(isPart)).toHaveLength(1);
    arrive();
    expect((await second).limit).toBeGreaterThan(0);
    expect(loaded.filter(isPart)).toHaveLength(1);
  });

  test("goes with the engine that is closed while it loads, and after", async () => {
    const { loaded, load } = recording((source) => (isPart(source) ? pause(100) : undefined));
    const { engine, links } = makeEngine({ load });
    await engine.init(options);
    const code = codeOf(needed(engine));
    await pause(30);
    await engine.close();
    expect(await code).toBe("ENGINE_CLOSED");
    const before = links.length;
    await pause(150);
    expect(links).toHaveLength(before);
    expect((await needed(engine)).limit).toBeGreaterThan(0);
    expect(loaded.filter(isPart)).toHaveLength(1);
  });

  test("is there again for the engine that follows a trap", async () => {
    const { engine } = makeEngine();
    await engine.init(options);
    await needed(engine);
    expect(await codeOf(engine.call("trap", undefined))).toBe("ENGINE_LOST");
    const handle = await table(engine, 7);
    const [, sizes] = await engine.open("prior.open", undefined, { on: handle });
    expect(sizes).toEqual({ rows: 7, weight: 7 });
  });

  test("lets Node exit by itself", async () => {
    const text = `import * as engine from ${JSON.stringify(`file://${dist}/index.js`)};
      await engine.init(${JSON.stringify(options)});
      const { limit } = await engine.call("model", undefined);
      console.log(limit > 0);`;
    const run = promisify(execFile);
    const { stdout } = await run(process.execPath, ["--input-type=module", "-e", text], { timeout: 20_000 });
    expect(stdout.trim()).toBe("true");
  });
});

describe("the threads of the module for models", () => {
  const worker = (links: Link[], broken: (link: Link) => Link): NonNullable<Platform["worker"]> => {
    const { platform } = built;
    return (flavour) => {
      const link = platform.worker?.(flavour) as Link;
      links.push(link);
      // Two are the core's.
      return links.length > 2 ? broken(link) : link;
    };
  };
  const reason = "no threads for models: ";
  const dying = (link: Link) => {
    void link.end();
    return link;
  };

  test.each([
    [
      "do not start",
      () => {
        throw new Error("refused by the policy");
      },
      `${reason}refused by the policy`,
    ],
    ["never answer", (link: Link) => ({ ...link, post: () => {} }), `${reason}no answer within 4 s`],
    ["die", dying, expect.stringMatching(/models: its worker ended/)],
  ])("that %s leave one thread, and a reason", async (_, broken, said) => {
    const { engine } = makeEngine({ worker: worker([], broken as never), patience: 4_000 });
    await engine.init();
    expect(await engine.capabilities()).toMatchObject({ threads: 2 });
    expect((await needed(engine)).limit).toBeGreaterThan(0);
    const { threads, reason: told } = await engine.capabilities();
    expect({ threads, told }).toEqual({ threads: 2, told: said });
    const handle = await table(engine, 7);
    expect(await engine.open("prior.open", undefined, { on: handle })).toHaveLength(2);
  });

  test("that fail for want of their file leave one thread", async () => {
    const { load } = recording((source) => {
      if (source === "model-threads") throw new Error("no such file");
    });
    const { engine } = makeEngine({ load });
    expect((await needed(engine)).limit).toBeGreaterThan(0);
    expect((await engine.capabilities()).reason).toBe(`${reason}no such file`);
  });

  test("that are lost later end the engine", async () => {
    const links: Link[] = [];
    const { engine } = makeEngine({ worker: worker(links, (link) => link) });
    await needed(engine);
    expect(links).toHaveLength(3);
    const code = codeOf(engine.call("busy", { ms: 20_000 }));
    await pause(30);
    await links[2]?.end();
    expect(await code).toBe("ENGINE_LOST");
    expect((await needed(engine)).limit).toBeGreaterThan(0);
  });
});

describe("the module for graphical models", () => {
  const attribute = { name: "x", type: "integer", lows: [0, 1, 2, 3], max: 3 };
  const schema = JSON.stringify({ nulls: [], attributes: [attribute] });

  /** What a graphical estimate from one measurement is asked with. */
  function request(more: object = {}, records = 0) {
    const measurements = [{ clique: [0], query: { type: "identity" }, variance: 1 }];
    const options = {
      estimator: "graphical",
      options: { strength: 10, tolerance: 1e-6, products: 100 },
      public: records,
      total: 100,
      seed: "1",
      outside: false,
      rules: [],
    };
    return {
      measurements: JSON.stringify(measurements),
      values: Float64Array.of(10, 20, 30, 40),
      options: JSON.stringify(options),
      schema,
      kind: "graphical",
      onPrior: false,
      started: false,
      ...more,
    };
  }

  test.each(MODES)("is loaded alone where nothing else estimates, with $mode", async ({ mode, options }) => {
    const build = mode === "threads" ? "threads" : "simd";
    const { loaded, load } = recording();
    const { engine, links } = makeEngine({ load });
    await engine.init(options);
    const before = links.length;
    const [, made] = await engine.open("estimate.whole", request());
    const outcome = { status: "converged", certificate: { estimator: "graphical" } };
    expect(made).toMatchObject({ kind: "graphical", outcome });
    expect(loaded).toEqual([build, "graph"]);
    expect(links).toHaveLength(before);
    await needed(engine);
    expect(loaded).toEqual([build, "graph", `model-${build}`]);
  });

  test("takes a prior over once, and shares one limit with the others", async () => {
    const { engine } = makeEngine();
    await engine.init({ threads: false, memoryLimit: 2 ** 26 });
    await engine.call("rules.check", { schema, rules: "[]" });
    const handle = await table(engine, 300_000);
    const [prior] = await engine.open("prior.open", undefined, { on: handle });
    const { used } = await memory(engine);
    const open = () => engine.open("estimate.whole", request({ onPrior: true }, 300_000), { on: prior });
    const [model] = await open();
    model.dispose();
    // A code and a share for each row, and once as a weight.
    const more = (await memory(engine)).used - used;
    expect(more).toBeGreaterThan(9 * 300_000);
    expect(more).toBeLessThan(18 * 300_000);
    const [again] = await open();
    again.dispose();
    expect((await memory(engine)).used - used).toBeLessThan(more + 2 ** 16);
    expect((await needed(engine)).used).toBeGreaterThan(used + 9 * 300_000);
    prior.dispose();
    expect((await memory(engine)).used).toBeLessThan(used + 2 ** 16);
  });

  test("starts from no model of another", async () => {
    const { engine } = makeEngine();
    const product = {
      estimator: "independent",
      options: {},
      total: 100,
      seed: "1",
      public: 0,
      outside: false,
    };
    const [start] = await engine.open(
      "estimate.whole",
      request({ kind: "product", options: JSON.stringify(product) }),
    );
    const started = engine.open("estimate.whole", request({ started: true }), { on: start });
    expect(await codeOf(started)).toBe("MODEL_UNSUPPORTED");
  });

  test("that is missing is a typed error of its own", async () => {
    const { load } = recording((source) => {
      if (source === "graph") throw new Error("no such file");
    });
    const { engine } = makeEngine({ load });
    const refused = await engine.open("estimate.whole", request()).catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: "ENGINE_UNAVAILABLE",
      message: expect.stringMatching(/graphical models.*no such file/),
      hint: expect.stringContaining("init({ graph })"),
    });
    expect((await needed(engine)).limit).toBeGreaterThan(0);
  });

  test("may be given by init()", async () => {
    const { load } = recording((source) => {
      if (source === "graph") throw new Error("must not be loaded");
    });
    const { engine } = makeEngine({ load });
    const graph = new URL("../pkg/graph/marginalia_graph_bg.wasm", pathToFileURL(`${dist}/`));
    await engine.init({ graph });
    expect(await engine.open("estimate.whole", request())).toHaveLength(2);
  });
});

describe("the file for estimation", () => {
  test.each(["module", "bytes", "url", "text"])("may be given by init() as its %s", async (form) => {
    const bytes = await readFile(file("simd"));
    const forms = {
      module: new WebAssembly.Module(bytes),
      bytes,
      url: file("simd"),
      text: file("simd").href,
    };
    const { load } = recording((source) => {
      if (isPart(source)) throw new Error("must not be loaded");
    });
    for (const threads of [false, 2] as const) {
      const { engine } = makeEngine({ load });
      await engine.init({ threads, model: forms[form as keyof typeof forms] });
      expect((await needed(engine)).limit).toBeGreaterThan(0);
    }
  });

  test("may be that with threads", async () => {
    const { engine } = makeEngine();
    await engine.init({ model: file("threads") });
    await needed(engine);
    expect((await engine.capabilities()).reason).toBeUndefined();
  });

  test("given as anything else is refused", async () => {
    expect(await codeOf(makeEngine().engine.init({ model: 7 as never }))).toBe("OPTION_INVALID");
  });
});
