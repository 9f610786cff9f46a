import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { gunzip } from "../../ts/tables/gunzip.js";
import { launch } from "./chromium.js";

let browser: Browser;
let script: string;

beforeAll(async () => {
  const { outputFiles } = await build({
    entryPoints: ["ts/tables/gunzip.ts"],
    bundle: true,
    write: false,
    format: "iife",
    globalName: "gzip",
    target: "es2022",
  });
  script = outputFiles[0]?.text as string;
  browser = await launch();
});
afterAll(() => browser?.close());

/** What Chromium makes of gzip data: its text, or the error. */
async function read(bytes: Uint8Array): Promise<string | { code: string; message: string }> {
  const page = await browser.newPage();
  try {
    await page.addScriptTag({ content: script });
    return await page.evaluate(
      async (list) => {
        const gzip = (globalThis as unknown as { gzip: { gunzip: typeof gunzip } }).gzip;
        async function* source() {
          yield Uint8Array.from(list);
        }
        try {
          const parts: BlobPart[] = [];
          for await (const part of gzip.gunzip(source())) parts.push(part as BlobPart);
          return await new Blob(parts).text();
        } catch (error) {
          const { code, message } = error as { code: string; message: string };
          return { code, message };
        }
      },
      [...bytes],
    );
  } finally {
    await page.close();
  }
}

test("Chromium reads gzip of one member, and refuses several by name", async () => {
  expect(await read(gzipSync("a\nx\n"))).toBe("a\nx\n");
  for (const second of ["y\n", ""]) {
    expect(await read(Buffer.concat([gzipSync("a\nx\n"), gzipSync(second)]))).toEqual({
      code: "GZIP_INVALID",
      message: expect.stringContaining("several members, of which this runtime reads only the first"),
    });
  }
  expect(await read(gzipSync("a\nx\n").subarray(0, 12))).toMatchObject({ code: "GZIP_INVALID" });
});
