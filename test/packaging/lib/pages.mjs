// Folders as web sites, and pages in Chromium.

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { ARGUMENTS, executablePath } from "../../chromium.mjs";
import { library } from "./install.mjs";

const PATIENCE = 45_000;
const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".wasm": "application/wasm",
};

export const ISOLATION = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
};

/** Why pages cannot be opened, if so. */
export const noBrowser = existsSync(executablePath)
  ? undefined
  : `there is no Chromium at ${executablePath} ($CHROMIUM)`;

let browser;

/** Serves `folder` with headers while `use` works with the address. */
export async function site(folder, headers, use) {
  const server = createServer(async (request, response) => {
    const path = normalize(new URL(request.url ?? "/", "http://localhost").pathname);
    const file = path.endsWith("/") ? `${path}index.html` : path;
    const body = await readFile(join(folder, file)).catch(() => undefined);
    const type = { "content-type": TYPES[extname(file)] ?? "application/octet-stream" };
    response.writeHead(body === undefined ? 404 : 200, { ...headers, ...type });
    response.end(body);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  try {
    return await use(`http://localhost:${server.address().port}/`);
  } finally {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
}

/** What the page at an address writes into its body, and how many threads the browser could run. */
export async function visit(address) {
  const page = await open();
  const complaints = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  try {
    await page.goto(address);
    const written = () => globalThis.document.body.textContent.trim().startsWith("{");
    await page.waitForFunction(written, undefined, { timeout: PATIENCE });
    const text = await page.evaluate(() => globalThis.document.body.textContent);
    const cores = await page.evaluate(() => globalThis.navigator.hardwareConcurrency);
    // Every browser asks for a favicon.
    return { text, cores, complaints: complaints.filter((said) => !said.includes("404")) };
  } catch (error) {
    throw new Error([error.message, ...complaints].join("\n"));
  } finally {
    await page.close();
  }
}

async function open() {
  if (browser === undefined) {
    const { chromium } = await library("playwright-core");
    browser = await chromium.launch({ executablePath, args: ARGUMENTS });
  }
  return browser.newPage();
}

export async function closeBrowser() {
  await browser?.close();
  browser = undefined;
}
