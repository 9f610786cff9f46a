import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
import type { TwoStageProblem } from "../../ts/engine/operations/lp.js";
import { built, codeOf, dist, MODES, makeEngine } from "./harness.js";

const { close, init, solveTwoStage } = built;
const file = new URL("../pkg/lp/marginalia_lp_bg.wasm", pathToFileURL(`${dist}/`));

afterEach(() => close());

const settings = { target: "loss", tolerance: 1e-8, iterations: 200 } as const;

/** Two attributes over five rows; the answers are inconsistent and one is negative. */
const golden: TwoStageProblem = {
  sizes: new Uint32Array([2, 3]),
  cells: new Uint32Array([0, 0, 0, 1, 1, 0, 1, 2, 1, 2]),
  prior: new Float64Array([0.3, 0.2, 0.1, 0.15, 0.25]),
  answers: new Float64Array([0.45, 0.52, -0.03, 0.55, 0.5]),
  ...settings,
};

/** Takes seconds, when it is large. */
function large(rows: number, marginals: number, size: number): TwoStageProblem {
  let state = 1;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return {
    sizes: new Uint32Array(marginals).fill(size),
    cells: Uint32Array.from({ length: marginals * rows }, () => Math.floor(random() * size)),
    prior: Float64Array.from({ length: rows }, () => 0.1 + random()),
    answers: Float64Array.from({ length: marginals * size }, () => (2 * random()) / size),
    ...settings,
  };
}

describe.each(MODES)("the exact two-stage estimate with $mode", ({ options }) => {
  test("gives the golden values, with its certificate", async () => {
    await init(options);
    const found = await solveTwoStage(golden);
    expect(found).toMatchObject({ status: "converged", reason: "negative", unsupported: 0 });
    expect(found.loss).toBeCloseTo(0.11, 10);
    expect(found.kl).toBeCloseTo(0.357608850764, 10);
    [0, 0.3, 0.15, 0.20625, 0.34375].forEach((mass, row) => {
      expect(found.q[row]).toBeCloseTo(mass, 9);
    });
    expect(found.u).toHaveLength(5);
    expect(found.relativeGap).toBeLessThan(1e-8);
    expect(golden.prior).toHaveLength(5);
  });

  test("reports progress, and refuses what makes no sense by its code", async () => {
    await init(options);
    const seen: number[] = [];
    await solveTwoStage(golden, { onProgress: ({ done, total }) => void seen.push(done / total) });
    expect(seen.at(-1)).toBe(1);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    const short = { ...golden, answers: new Float64Array(3) };
    expect(await codeOf(solveTwoStage(short))).toBe("OPTION_INVALID");
    expect(await codeOf(solveTwoStage({ ...golden, tolerance: 2 }))).toBe("OPTION_INVALID");
    expect((await solveTwoStage(golden)).status).toBe("converged");
  });

  test("says before it starts that memory will not do", async () => {
    await init({ ...options, memoryLimit: 2 ** 24 });
    expect(await codeOf(solveTwoStage(large(3000, 4, 700)))).toBe("OUT_OF_MEMORY");
    expect((await solveTwoStage(golden)).status).toBe("converged");
  });
});

describe.each(MODES.slice(0, 2))("an abort with $mode", ({ options }) => {
  test("is felt between two iterations", async () => {
    await init(options);
    const controller = new AbortController();
    const seen: number[] = [];
    const onProgress = ({ done }: { done: number }) => {
      seen.push(done);
      controller.abort();
    };
    const solving = solveTwoStage(large(900, 12, 60), { signal: controller.signal, onProgress });
    expect(await codeOf(solving)).toBe("ABORTED");
    // The first stage, which takes more than a second, was never finished.
    expect(seen.length).toBeGreaterThan(0);
    expect(Math.max(...seen)).toBeLessThan(settings.iterations);
    expect((await solveTwoStage(golden)).status).toBe("converged");
  });

  test("before the call starts nothing", async () => {
    await init(options);
    const over = solveTwoStage(golden, { signal: AbortSignal.abort() });
    expect(await codeOf(over)).toBe("ABORTED");
  });
});

describe("the file of the exact solver", () => {
  test("is loaded once, when it is first used", async () => {
    const loaded: unknown[] = [];
    const { load } = built.platform;
    const { engine } = makeEngine({
      load: (source) => {
        loaded.push(source);
        return load(source);
      },
    });
    await engine.init({ threads: false });
    expect(loaded).toEqual(["simd"]);
    const module = await engine.module("lp");
    expect(await engine.module("lp")).toBe(module);
    expect(loaded).toEqual(["simd", "lp"]);
    const args = { ...golden, module, stop: undefined };
    expect(await engine.call("lp.solve", args)).toMatchObject({ status: "converged" });
  });

  test("that is missing fails its own calls only, and is tried again", async () => {
    let absent = true;
    const { load } = built.platform;
    const { engine } = makeEngine({
      load: async (source) => {
        if (source === "lp" && absent) throw new Error("no such file");
        return load(source);
      },
    });
    const thrown = await engine.module("lp").catch((error: unknown) => error);
    expect(thrown).toMatchObject({ code: "ENGINE_UNAVAILABLE", hint: expect.stringMatching(/lp\.wasm/) });
    expect(await engine.call("echo", 1)).toBe(1);
    absent = false;
    expect(await engine.module("lp")).toBeInstanceOf(WebAssembly.Module);
  });

  test.each(["module", "bytes", "url", "text"])("may be given by init() as its %s", async (form) => {
    const bytes = await readFile(file);
    const forms = { module: new WebAssembly.Module(bytes), bytes, url: file, text: file.href };
    const { engine } = makeEngine({
      load: (source) => built.platform.load(source === "lp" ? "simd" : source),
    });
    await engine.init({ threads: false, lp: forms[form as keyof typeof forms] });
    const args = { ...golden, module: await engine.module("lp"), stop: undefined };
    expect(await engine.call("lp.solve", args)).toMatchObject({ status: "converged" });
  });

  test("given as anything else is refused", async () => {
    expect(await codeOf(init({ lp: 7 as never }))).toBe("OPTION_INVALID");
  });
});
