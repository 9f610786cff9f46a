import { cp, rm, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type * as Built from "marginalia";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launch } from "./chromium.js";
import { type Site, serve } from "./server.js";

/** The module for models in a page: fetched when something is first estimated, and never before. */

const folder = resolve(`target/engine-test/browser-estimate-${process.pid}`);
let browser: Browser;
let inNode: Learned;
let graphicalInNode: string;

beforeAll(async () => {
  await cp("dist", `${folder}/dist`, { recursive: true });
  await cp("pkg", `${folder}/pkg`, { recursive: true });
  await writeFile(`${folder}/dist/index.js`, 'export * from "./index.browser.js";');
  browser = await launch();
  const node = (await import(pathToFileURL(resolve("dist/index.js")).href)) as typeof Built;
  await node.init({ threads: 2 });
  inNode = await learning(node);
  graphicalInNode = await graphical(node);
  await node.close();
});

afterAll(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

type Learned = Awaited<ReturnType<typeof learning>>;

/** Reads, counts and writes a table, and estimates from it, in Node or in the page. */
async function learning(given: typeof Built | { count: true } | undefined) {
  const here = (globalThis as unknown as { engine: typeof Built }).engine;
  const { capabilities, estimate, integer, measurement, prior, readTable, schema } =
    given !== undefined && "schema" in given ? given : here;
  const people = schema({ age: integer({ min: 0, max: 99, width: 5 }), place: integer({ min: 0, max: 49 }) });
  const columns = {
    age: Uint8Array.from({ length: 30_000 }, (_, i) => ((i * i) >>> 3) % 100),
    place: Uint8Array.from({ length: 30_000 }, (_, i) => ((i * 7) >>> 2) % 50),
  };
  const table = await readTable(columns, people);
  const counts = [...(await table.marginal(["age"]))];
  const text = (await table.toCsv({ seed: 1 })).length;
  if (given !== undefined && "count" in given) return { counts, text, weights: [], reason: undefined };
  const asked = measurement({
    version: 1,
    clique: ["age"],
    query: { type: "identity" },
    shape: [20],
    values: counts.map((count, i) => count + 37 * (i % 3)),
    noise: { law: "laplace", scale: "1", variance: 2 },
    relation: "add-remove",
  });
  const before = await prior(table);
  const { model } = await estimate.calibrated({ prior: before, measurements: [asked], tolerance: 1e-4 });
  const weights = [...(await model.weights())];
  const made = await model.table();
  const again = (await made.toCsv({ seed: 2, weight: "w" })).length;
  return { counts, text: text + again, weights, reason: (await capabilities()).reason };
}

/** Estimates without a prior, in Node or in the page, and makes records. */
async function graphical(given: typeof Built | undefined) {
  const here = (globalThis as unknown as { engine: typeof Built }).engine;
  const { estimate, integer, measurement, schema } = given ?? here;
  const people = schema({ age: integer({ min: 0, max: 4 }), place: integer({ min: 0, max: 3 }) });
  const measured = measurement({
    version: 1,
    clique: ["age", "place"],
    query: { type: "identity" },
    shape: [5, 4],
    values: Array.from({ length: 20 }, (_, i) => 100 + 17 * ((i * i) % 7)),
    noise: { law: "laplace", scale: "1", variance: 2 },
    relation: "add-remove",
  });
  const { model } = await estimate.calibrated({ schema: people, measurements: [measured] });
  const made = await model.complete(Array(500).fill({ age: 2 }), { seed: 1 });
  return JSON.stringify([[...(await model.marginal(["age", "place"]))], await made.toCsv({ seed: 2 })]);
}

/** Opens the page on a site, and hands it over with the paths of what it fetches. */
async function visit(
  site: Site,
  use: (page: Awaited<ReturnType<Browser["newPage"]>>, fetched: string[]) => Promise<void>,
) {
  const { origin, server } = await serve(folder, site);
  const page = await browser.newPage();
  const fetched: string[] = [];
  const complaints: string[] = [];
  page.on("request", (request) => fetched.push(new URL(request.url()).pathname));
  page.on("pageerror", (error) => complaints.push(error.message));
  try {
    await page.goto(origin);
    await page.waitForFunction(() => "engine" in globalThis);
    await use(page, fetched);
    expect(complaints).toEqual([]);
  } finally {
    await page.close();
    server.close();
  }
}

const wasm = (fetched: readonly string[]) => [...new Set(fetched.filter((path) => path.endsWith(".wasm")))];

describe.each([true, false])("a page (isolated: %s)", (isolated) => {
  const core = `/pkg/${isolated ? "threads" : "simd"}/marginalia_bg.wasm`;
  const part = `/pkg/model-${isolated ? "threads" : "simd"}/marginalia_model_bg.wasm`;

  test("that only reads, counts and writes never fetches the module for models", async () => {
    await visit({ isolated, strict: true }, async (page, fetched) => {
      const { counts } = await page.evaluate(learning, { count: true } as const);
      expect(counts).toEqual(inNode.counts);
      expect(wasm(fetched)).toEqual([core]);
    });
  });

  test("that estimates fetches it once, and has the bytes of Node", async () => {
    await visit({ isolated, strict: true }, async (page, fetched) => {
      const { reason, ...made } = await page.evaluate(learning, undefined);
      const { reason: _, ...wanted } = inNode;
      expect(made).toEqual(wanted);
      expect(reason ?? "").not.toContain("models");
      await page.evaluate(learning, undefined);
      expect(fetched.filter((path) => path.endsWith(".wasm"))).toEqual([core, part]);
    });
  });

  test("that estimates without a prior fetches the module for graphical models alone, and has the bytes of Node", async () => {
    await visit({ isolated, strict: true }, async (page, fetched) => {
      expect(await page.evaluate(graphical, undefined)).toEqual(graphicalInNode);
      expect(wasm(fetched)).toEqual([core, "/pkg/graph/marginalia_graph_bg.wasm"]);
    });
  });
});

test("a file that is absent is a typed error, and counting goes on", async () => {
  const odd = { "/pkg/model-simd/marginalia_model_bg.wasm": "absent" } as const;
  await visit({ odd }, async (page) => {
    const refused = await page.evaluate(async () => {
      const { estimate: _, ...rest } = (globalThis as unknown as { engine: typeof Built }).engine;
      const { integer, prior, readTable, schema } = rest;
      const table = await readTable({ x: [1, 2, 2] }, schema({ x: integer({ min: 0, max: 2 }) }));
      const error = await prior(table).catch((thrown: { code: string; hint: string }) => thrown);
      const { code, hint } = error as { code: string; hint: string };
      return { code, hint, counts: [...(await table.marginal(["x"]))] };
    });
    expect(refused).toMatchObject({ code: "ENGINE_UNAVAILABLE", counts: [0, 1, 2] });
    expect(refused.hint).toContain("marginalia/model.wasm");
  });
});
