import { rm } from "node:fs/promises";
import { resolve } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundle } from "../engine/bundle.js";
import type * as Built from "../engine/entry.js";
import { launch } from "./chromium.js";
import { type Site, serve } from "./server.js";

const folder = resolve(`target/engine-test/browser-${process.pid}`);
let browser: Browser;

beforeAll(async () => {
  await bundle(folder, "browser");
  browser = await launch();
});

afterAll(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

/** What the page's script leaves for the tests. */
type Window = { engine: typeof Built };

/** Opens the page on a site and hands it over, with the console's errors. */
async function visit(site: Site, use: (page: Page, complaints: string[]) => Promise<void>): Promise<void> {
  const { origin, server } = await serve(folder, site);
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  try {
    await page.goto(origin);
    await page.waitForFunction(() => "engine" in globalThis);
    await use(page, complaints);
  } finally {
    await page.close();
    server.close();
  }
}

const capabilities = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as Window).engine.capabilities());

const call = (page: Page, name: string, args: unknown) =>
  page.evaluate(
    ([name, args]) =>
      (globalThis as unknown as Window).engine.call(name as "engine.memory", args as undefined),
    [name, args],
  ) as Promise<unknown>;

/** The exact two-stage estimate of three rows, the answers of which sum to .9. */
const exact = (page: Page) =>
  page.evaluate(async () => {
    const { q, status } = await (globalThis as unknown as Window).engine.solveTwoStage({
      sizes: new Uint32Array([3]),
      cells: new Uint32Array([0, 1, 2]),
      prior: new Float64Array([1, 1, 2]),
      answers: new Float64Array([0.5, 0.2, 0.2]),
      target: "loss",
      tolerance: 1e-6,
      iterations: 100,
    });
    return { status, q: [...q].map((mass) => Math.round(mass * 1e9) / 1e9) };
  });

describe("in Chromium", () => {
  test("the exact solver is fetched when it is first used, isolated or not", async () => {
    for (const isolated of [true, false]) {
      await visit({ isolated, strict: true }, async (page, complaints) => {
        const fetched: string[] = [];
        page.on("request", (request) => fetched.push(new URL(request.url()).pathname));
        await call(page, "echo", 1);
        expect(fetched.filter((path) => path.includes("/lp/"))).toEqual([]);
        expect(await exact(page)).toEqual({ status: "converged", q: [0.5, 0.2, 0.3] });
        expect(await exact(page)).toEqual({ status: "converged", q: [0.5, 0.2, 0.3] });
        expect(fetched.filter((path) => path.includes("/lp/"))).toEqual(["/pkg/lp/marginalia_lp_bg.wasm"]);
        expect(complaints).toEqual([]);
      });
    }
  });

  test("an isolated page under a strict policy has threads", async () => {
    await visit({ isolated: true, strict: true }, async (page, complaints) => {
      const cores = await page.evaluate(() => navigator.hardwareConcurrency);
      expect(await capabilities(page)).toEqual({
        runtime: "browser",
        threads: cores,
        simd: true,
        worker: true,
      });
      expect(cores).toBeGreaterThan(1);
      expect(await call(page, "echo", [1, "ü"])).toEqual([1, "ü"]);
      expect(complaints).toEqual([]);
    });
  });

  test("a page without isolation has one worker, and says why", async () => {
    await visit({ strict: true }, async (page, complaints) => {
      expect(await capabilities(page)).toEqual({
        runtime: "browser",
        threads: 1,
        simd: true,
        worker: true,
        reason: expect.stringMatching(/^no threads: the page is not cross-origin isolated/),
      });
      expect(await call(page, "memory", null)).toMatchObject({ limit: 2 ** 29 });
      expect(complaints).toEqual([]);
    });
  });

  test("a worker file that does not load leads to the caller's thread", async () => {
    const odd = { "/dist/web-simd.js": "absent", "/dist/web-threads.js": "absent" } as const;
    await visit({ isolated: true, odd }, async (page) => {
      const { worker, threads, reason } = await capabilities(page);
      expect({ worker, threads }).toEqual({ worker: false, threads: 1 });
      expect(reason).toBe(
        "no threads: the worker file did not load; no worker: the worker file did not load",
      );
      expect(await call(page, "busy", { ms: 50 })).toBe(50);
    });
  });

  test("a WebAssembly file under a wrong type still compiles; one that is absent is a typed error", async () => {
    const path = "/pkg/simd/marginalia_bg.wasm";
    await visit({ odd: { [path]: { type: "application/octet-stream" } } }, async (page) => {
      expect((await capabilities(page)).worker).toBe(true);
    });
    await visit({ odd: { [path]: "absent" } }, async (page) => {
      const failure = await page.evaluate(() =>
        (globalThis as unknown as Window).engine.init().catch(({ code, hint }) => ({ code, hint })),
      );
      expect(failure).toEqual({
        code: "ENGINE_UNAVAILABLE",
        hint: expect.stringContaining("init({ module })"),
      });
    });
  });

  test("progress and aborts work while the page stays responsive", async () => {
    await visit({ isolated: true, strict: true }, async (page) => {
      const seen = await page.evaluate(async () => {
        const { call, init } = (globalThis as unknown as Window).engine;
        await init();
        const controller = new AbortController();
        let [progress, ticks, abortedAt] = [0, 0, 0];
        // The page stops the work once it has seen both: that the work goes on, and that its own timers do.
        const ticking = setInterval(() => {
          ticks++;
          if (progress < 2 || ticks < 15 || abortedAt > 0) return;
          abortedAt = performance.now();
          controller.abort("enough");
        }, 10);
        const options = { signal: controller.signal, onProgress: () => void progress++ };
        const started = performance.now();
        const failure = await call("busy" as "engine.memory", { ms: 20_000 } as never, options).catch(
          (e) => e,
        );
        clearInterval(ticking);
        const { code, cause } = failure as { code: string; cause: unknown };
        const ended = performance.now();
        return { code, cause, progress, ticks, waited: ended - abortedAt, took: ended - started };
      });
      expect(seen).toMatchObject({ code: "ABORTED", cause: "enough" });
      // Far from the 20 s of the work, whatever else the machine does.
      expect(seen.waited).toBeLessThan(2000);
      expect(seen.took).toBeLessThan(10_000);
    });
  });

  test("close() while busy ends every worker, and a trap leads to a fresh engine", async () => {
    await visit({ isolated: true, strict: true }, async (page) => {
      const code = await page.evaluate(async () => {
        const { call, close, init } = (globalThis as unknown as Window).engine;
        await init();
        const busy = call("busy" as "engine.memory", { ms: 20_000 } as never).catch((e) => e.code);
        await close();
        return busy;
      });
      expect(code).toBe("ENGINE_CLOSED");
      // Chromium gives a busy worker two seconds to end.
      await expect.poll(() => page.workers().length, { timeout: 10_000 }).toBe(0);
      const failure = await call(page, "trap", null).catch((error: Error) => error.message);
      expect(failure).toContain("the engine ended unexpectedly (unreachable)");
      expect(await call(page, "echo", 5)).toBe(5);
    });
  });
});
