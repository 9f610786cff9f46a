import { cp, rm, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type * as Built from "marginalia";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launch } from "./chromium.js";
import { serve } from "./server.js";

const folder = resolve(`target/engine-test/browser-seal-${process.pid}`);
let browser: Browser;

beforeAll(async () => {
  await cp("dist", `${folder}/dist`, { recursive: true });
  await cp("pkg", `${folder}/pkg`, { recursive: true });
  await writeFile(`${folder}/dist/index.js`, 'export * from "./index.browser.js";');
  browser = await launch();
});

afterAll(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

/** In the page: seals, measures, and goes on with the account that was exported. */
async function sealing() {
  const { engine } = globalThis as unknown as { engine: typeof Built };
  const { category, integer, memoryStore, pure, schema, seal } = engine;
  const people = schema({
    age: integer({ min: 0, max: 9, other: "clamp", nullable: true }),
    sex: category(["F", "M"], { other: null }),
  });
  const file = new Blob(["age,sex\n", "1,F\n".repeat(1000)]);
  const options = { dataset: "d", unit: "row", budget: pure(1) } as const;
  const asked = [{ clique: ["age"], spend: 0.1 }] as const;
  const first = await seal(file, people, options);
  const one = await first.measure(asked);
  const kept = await first.ledger.export();
  await first.close();
  const second = await seal(file, people, { ...options, ledger: memoryStore(kept) });
  const again = await second.measure(asked);
  await second.measure(asked);
  const files = await seal(file, people, { ...options, ledger: "a.json" }).catch(
    (error: { code: string }) => error.code,
  );
  const result = { one: JSON.stringify(one), again: JSON.stringify(again), spent: `${second.spent}`, files };
  await second.close();
  return result;
}

const lines = Array.from({ length: 30_000 }, (_, i) => `${(i * i) % 13},${"FMx"[i % 3]}\n`).join("");

/** Measures a sealed file, with so little noise that it is none: in the page, and here. */
async function counting(text: string, built?: typeof Built) {
  const { category, integer, pure, schema, seal } =
    built ?? (globalThis as unknown as { engine: typeof Built }).engine;
  const people = schema({
    age: integer({ min: 0, max: 9, other: "clamp", nullable: true }),
    sex: category(["F", "M"], { other: null }),
  });
  const zipped = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  const files = [new Blob([text]), zipped, (await new Response(text).blob()).stream()];
  const found: string[] = [];
  for (const file of files) {
    const sealed = await seal(file, people, { dataset: "d", unit: { maxRows: 2 }, budget: pure(24_000) });
    const scale = "1/1000";
    const asked = [
      { clique: ["age", "sex"], scale },
      { clique: ["age"], query: { type: "prefix" }, scale },
    ] as const;
    found.push(JSON.stringify(await sealed.measure(asked)), `${sealed.spent}`);
    await sealed.close();
  }
  return found;
}

test.each([true, false])("a page counts sealed files as Node does (isolated: %s)", async (isolated) => {
  const { origin, server } = await serve(folder, { isolated, strict: true });
  const page = await browser.newPage();
  try {
    await page.goto(origin);
    await page.waitForFunction(() => "engine" in globalThis);
    const text = `age,sex\n${lines}`;
    const here = await counting(
      text,
      (await import(pathToFileURL(resolve("dist/index.js")).href)) as typeof Built,
    );
    expect(await page.evaluate(counting, text)).toEqual(here);
    expect(new Set(here).size).toBe(2);
    const [{ values }] = JSON.parse(here[0] as string) as [{ values: number[] }];
    expect(values.reduce((sum, count) => sum + count)).toBe(30_000);
  } finally {
    await page.close();
    server.close();
  }
});

test.each([true, false])("a page seals, measures and keeps its account (isolated: %s)", async (isolated) => {
  const { origin, server } = await serve(folder, { isolated, strict: true });
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  try {
    await page.goto(origin);
    await page.waitForFunction(() => "engine" in globalThis);
    const { one, again, spent, files } = await page.evaluate(sealing);
    expect(again).toBe(one);
    const [{ values }] = JSON.parse(one) as [{ values: number[] }];
    // Laplace noise of scale 10 is beyond 500 once in 10²¹ draws.
    expect(Math.abs((values[1] ?? 0) - 1000)).toBeLessThan(500);
    expect([spent, files]).toEqual(["1/5", "OPTION_INVALID"]);
    expect(complaints).toEqual([]);
  } finally {
    await page.close();
    server.close();
  }
});
