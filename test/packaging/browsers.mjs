// Consumers in Chromium: what each bundler makes of the package, and a page without one.

import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { check } from "./lib/expected.mjs";
import { Missing, script } from "./lib/install.mjs";
import { ISOLATION, noBrowser, site, visit } from "./lib/pages.mjs";
import { during, run } from "./lib/run.mjs";

const NOT_ISOLATED = /^no threads: the page is not cross-origin isolated/;

/** Visits a page that must report without a word on the console. */
async function reports(address, capabilities) {
  if (noBrowser !== undefined) throw new Missing(noBrowser);
  const { text, cores, complaints } = await visit(address);
  check(text, { runtime: "browser", worker: true, ...capabilities(cores) });
  if (complaints.length > 0) throw new Error(`the console complains: ${complaints.join("; ")}`);
}

const isolated = (cores) => ({ threads: Math.min(16, cores), reason: undefined });
const plain = () => ({ threads: 1, reason: NOT_ISOLATED });

/** A folder as a site, with isolation and without. */
async function served(folder, headers = {}) {
  await site(folder, { ...headers, ...ISOLATION }, (address) => reports(address, isolated));
  await site(folder, headers, (address) => reports(address, plain));
}

/** A page of the development server of one version of Vite. */
async function developed(own, version, capabilities) {
  const server = [script(version, "vite"), "--host", "127.0.0.1", "--port", "0"];
  const address = /http:\/\/127\.0\.0\.1:\d+\//;
  await during(process.execPath, server, { ...own, address }, (found) => reports(found, capabilities));
}

/** The policy that the package needs, and the hash that a page's own import map needs. */
function policy(folder) {
  const [, map] = /<script type="importmap">(.*?)<\/script>/s.exec(
    readFileSync(join(folder, "index.html"), "utf8"),
  );
  const hash = createHash("sha256").update(map).digest("base64");
  const scripts = `script-src 'self' 'wasm-unsafe-eval' 'sha256-${hash}'`;
  return {
    "content-security-policy": `default-src 'none'; connect-src 'self'; worker-src 'self'; ${scripts}`,
  };
}

/** Where `dist/` and `pkg/` are copied, for bundlers that leave `new URL` alone: the bundle lies beside the workers. */
function copied(cwd) {
  const installed = join(cwd, "node_modules/marginalia");
  mkdirSync(join(cwd, "assets"), { recursive: true });
  for (const name of ["web-simd.js", "web-threads.js"])
    cpSync(join(installed, "dist", name), join(cwd, "assets", name));
  cpSync(join(installed, "pkg"), join(cwd, "pkg"), { recursive: true });
}

export const browsers = [
  {
    name: "Vite, production build",
    files: "vite",
    async run(own) {
      await run(process.execPath, [script("vite"), "build"], own);
      await served(join(own.cwd, "dist"));
    },
  },
  {
    name: "Vite, development server",
    files: "vite",
    run: (own) => developed(own, "vite", plain),
  },
  {
    name: "Vite, development server, headers for threads",
    files: "vite-threads",
    run: (own) => developed(own, "vite", isolated),
  },
  {
    name: "Vite 7, production build",
    files: "vite",
    async run(own) {
      await run(process.execPath, [script("vite-7", "vite"), "build"], own);
      await served(join(own.cwd, "dist"));
    },
  },
  {
    name: "Vite 7, development server, one line",
    files: "vite-7",
    run: (own) => developed(own, "vite-7", plain),
  },
  {
    name: "webpack",
    files: "webpack",
    async run(own) {
      await run(process.execPath, [script("webpack-cli"), "--mode", "production"], own);
      await served(own.cwd);
    },
  },
  {
    name: "esbuild for browsers, files copied",
    files: "copied",
    async run(own) {
      await run(script("esbuild"), ["main.js", "--bundle", "--format=esm", "--outfile=assets/main.js"], own);
      copied(own.cwd);
      await served(own.cwd);
    },
  },
  {
    name: "Rollup, files copied",
    files: "copied",
    async run(own) {
      const resolve = ["-p", join(script("rollup"), "../../../../@rollup/plugin-node-resolve")];
      await run(process.execPath, [script("rollup"), "main.js", ...resolve, "-d", "assets", "--silent"], own);
      copied(own.cwd);
      await served(own.cwd);
    },
  },
  {
    name: "no bundler, strict policy",
    files: "static",
    run: (own) => served(own.cwd, policy(own.cwd)),
  },
];
