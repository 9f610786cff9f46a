import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";

/** The policy that users with strict pages have: no `blob:`, no `data:`, no `eval`. */
const STRICT =
  "default-src 'none'; connect-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'";

const ISOLATION = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
};

const TYPES: Record<string, string> = {
  ".js": "text/javascript",
  ".html": "text/html",
  ".wasm": "application/wasm",
};

export interface Site {
  isolated?: boolean;
  strict?: boolean;
  /** Files by path that answer otherwise: with another type, or not at all (404). */
  odd?: Record<string, { type: string } | "absent">;
}

const PAGE = `<!doctype html><title>engine</title><script type="module" src="/page.js"></script>`;
const SCRIPT = `import * as engine from "/dist/index.js"; globalThis.engine = engine;`;

/** Serves a folder of bundles, and a page that imports them. */
export async function serve(folder: string, site: Site): Promise<{ origin: string; server: Server }> {
  const headers = {
    ...(site.isolated ? ISOLATION : {}),
    ...(site.strict ? { "content-security-policy": STRICT } : {}),
  };
  const server = createServer(async (request, response) => {
    const path = normalize(new URL(request.url ?? "/", "http://localhost").pathname);
    const odd = site.odd?.[path];
    const body = odd === "absent" ? undefined : await content(folder, path);
    const type = typeof odd === "object" ? odd.type : (TYPES[extname(path)] ?? "text/html");
    response.writeHead(body === undefined ? 404 : 200, { ...headers, "content-type": type });
    response.end(body);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return { origin: `http://localhost:${(server.address() as AddressInfo).port}`, server };
}

async function content(folder: string, path: string): Promise<Buffer | string | undefined> {
  if (path === "/") return PAGE;
  if (path === "/page.js") return SCRIPT;
  return readFile(join(folder, path)).catch(() => undefined);
}
