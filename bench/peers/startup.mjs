// Runs first-count.mjs in a new process of a runtime, each time.

import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { sizesOf } from "../lib/data.mjs";
import { Missing, serve } from "../lib/serve.mjs";
import * as ours from "../ours.mjs";

const run = promisify(execFile);
const local = (name) => fileURLToPath(new URL(`../node_modules/.bin/${name}`, import.meta.url));
const program = fileURLToPath(new URL("first-count.mjs", import.meta.url));

/** Bun's program, from the package of this platform: its launcher would need an install script. */
function localBun() {
  const folder = local("../@oven");
  if (!existsSync(folder)) return undefined;
  const programs = readdirSync(folder).flatMap((name) =>
    ["bun", "bun.exe"].map((file) => join(folder, name, "bin", file)),
  );
  return programs.find((path) => existsSync(path));
}

/** The command of a runtime: what is installed beside the benchmarks, or else on the machine. */
function command(runtime) {
  if (runtime === "node") return process.execPath;
  const installed = runtime === "bun" ? localBun() : local(runtime);
  return installed && existsSync(installed) ? installed : runtime;
}

/** The runtime's version, or why it cannot take part. */
async function versionOf(runtime) {
  try {
    const { stdout } = await run(command(runtime), ["--version"]);
    return stdout.trim().split("\n")[0];
  } catch {
    throw new Missing(`${runtime} is not on this machine (npm ci --prefix bench installs it)`);
  }
}

await serve(async ({ runtime, rows, attributes, threads }) => {
  const version = await versionOf(runtime);
  if (!ours.built()) throw new Missing("the package is not built (npm run build)");
  const flags = runtime === "deno" ? ["run", "--allow-all"] : [];
  const task = JSON.stringify({ rows, sizes: sizesOf(attributes), threads });
  async function start() {
    const { stdout } = await run(command(runtime), [...flags, program, task]);
    return JSON.parse(stdout.trim().split("\n").at(-1));
  }
  await start().catch((error) => {
    const lines = (error.stderr ?? "").split("\n");
    throw new Missing(lines.find((line) => /rror: /.test(line)) ?? `${runtime} ended without a first count`);
  });
  return { versions: { [runtime]: version, marginalia: await ours.version() }, run: start };
});
