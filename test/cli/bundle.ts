// The command without its program, once for all tests that run it within their own process.

import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { besideIndex, DEFINE, plugins } from "../../bundles.config.js";

export const bundle = resolve("node_modules/.cache/marginalia-command.mjs");

export async function setup(): Promise<void> {
  await build({
    entryPoints: ["ts/cli/run.ts"],
    outfile: bundle,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    packages: "external",
    define: DEFINE,
    plugins: [besideIndex(`${pathToFileURL(resolve("dist"))}`), ...plugins("node")],
  });
}
