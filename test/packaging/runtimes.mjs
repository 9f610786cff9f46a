// Consumers in Node, Deno and Bun, and those that TypeScript checks.

import { availableParallelism } from "node:os";
import { join } from "node:path";
import { check } from "./lib/expected.mjs";
import { lend, program, script } from "./lib/install.mjs";
import { run } from "./lib/run.mjs";

const cores = Math.min(16, availableParallelism());
const node = { runtime: "node", threads: cores, worker: true };
const inThread = { runtime: "node", threads: 1, worker: false };

/** Less than the engine is patient for: what it waits for by mistake would show. */
const SOON = 9_000;

/** Runs a program of the consumer that prints its report as its last line, and ends by itself. */
async function reports(command, args, own, capabilities) {
  const { stdout } = await run(command, args, { ...own, patience: SOON });
  check(stdout.trim().split("\n").at(-1), capabilities);
}

const nodeRuns = (args, own, capabilities) => reports(process.execPath, args, own, capabilities);

/** Bundles with esbuild, as users do for Node. */
const esbuild = (own, entry, ...options) =>
  run(script("esbuild"), [entry, "--bundle", "--platform=node", "--target=node20", ...options], own);

const deno = () => program("@deno", /linux|darwin|win32/, "deno");
const bun = () => program("@oven", /^bun-/, "bin/bun");

export const runtimes = [
  {
    name: "Node, import",
    files: "node-esm",
    run: (own) => nodeRuns(["main.mjs"], own, { ...node, reason: cores > 1 ? undefined : /one core/ }),
  },
  {
    name: "Node, require, in a folder with an odd name",
    files: "node-cjs",
    folder: "node cjs #1 %41 ü",
    run: (own) => nodeRuns(["main.cjs"], own, node),
  },
  {
    name: "Node, two threads",
    files: "node-threads",
    run: (own) => nodeRuns(["main.mjs", "2"], own, { ...node, threads: 2 }),
  },
  {
    name: "Node, one thread",
    files: "node-threads",
    run: (own) => nodeRuns(["main.mjs", "1"], own, { ...node, threads: 1 }),
  },
  {
    name: "Node, the command",
    files: "node-esm",
    async run(own) {
      const { stdout } = await run("npx", ["--no-install", "marginalia", "--help"], own);
      if (!/^ {2}measure /m.test(stdout)) throw new Error(`the help of the command is ${stdout}`);
    },
  },
  {
    name: "TypeScript, nodenext, types of Node only",
    files: "typescript",
    async run(own) {
      for (const name of ["@types/node", "undici-types"]) lend(own.cwd, name);
      await run(process.execPath, [script("typescript", "tsc"), "-p", "tsconfig.nodenext.json"], own);
      await run("cp", ["story.mjs", "saved.mjs", "out"], own);
      await nodeRuns(["out/main.mjs"], own, node);
      await nodeRuns(["out/legacy.cjs"], own, node);
    },
  },
  {
    name: "TypeScript, bundler, types of browsers only",
    files: "typescript",
    run: (own) => run(process.execPath, [script("typescript", "tsc"), "-p", "tsconfig.bundler.json"], own),
  },
  {
    name: "esbuild for Node, package beside",
    files: "esbuild-node",
    async run(own) {
      await esbuild(own, "beside.mjs", "--format=esm", "--packages=external", "--outfile=out/main.mjs");
      await nodeRuns(["out/main.mjs"], own, node);
    },
  },
  {
    name: "esbuild for Node, package within",
    files: "esbuild-node",
    async run(own) {
      await esbuild(own, "within.mjs", "--format=esm", "--loader:.wasm=binary", "--outfile=out/main.mjs");
      await nodeRuns(["out/main.mjs"], own, inThread);
      await esbuild(own, "within.mjs", "--format=cjs", "--loader:.wasm=binary", "--outfile=out/main.cjs");
      await nodeRuns(["out/main.cjs"], own, inThread);
    },
  },
  {
    name: "esbuild for Node, nothing prepared: an error that helps",
    files: "esbuild-node",
    async run(own) {
      await esbuild(own, "unaware.mjs", "--format=esm", "--outfile=out/main.mjs");
      const { stdout } = await run(process.execPath, ["out/main.mjs"], own);
      const { code, hint } = JSON.parse(stdout);
      if (code !== "ENGINE_UNAVAILABLE" || !hint.includes("init({")) throw new Error(`it says ${stdout}`);
    },
  },
  {
    name: "Deno",
    files: "deno",
    run: (own) =>
      reports(deno(), ["run", "--no-prompt", "--allow-read=.", "main.mjs"], own, {
        ...node,
        runtime: "deno",
      }),
  },
  {
    name: "Bun",
    files: "bun",
    run: (own) => reports(bun(), ["main.mjs"], own, { ...node, runtime: "bun" }),
  },
  {
    name: "Bun, compiled into one program",
    files: "bun-compiled",
    async run(own) {
      await run(bun(), ["build", "--compile", "main.mjs", "--outfile", "app"], own);
      await reports(join(own.cwd, "app"), [], own, { ...inThread, runtime: "bun" });
    },
  },
];
