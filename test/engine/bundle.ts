import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { type BuildOptions, build } from "esbuild";
import { choose, DEFINE, type PlatformName, plugins, WORKERS } from "../../bundles.config.js";

const OPERATIONS = choose("operations.js", resolve("test/engine/operations.ts"));

/** Bundles the engine with the tests' operations into `<folder>/dist`, beside a copy of `pkg/`. */
export async function bundle(folder: string, platform: PlatformName): Promise<string> {
  const outdir = resolve(folder, "dist");
  await rm(folder, { recursive: true, force: true });
  await mkdir(outdir, { recursive: true });
  await cp("pkg", resolve(folder, "pkg"), { recursive: true });
  await writeFile(resolve(folder, "package.json"), JSON.stringify({ type: "module" }));
  const common: BuildOptions = {
    bundle: true,
    outdir,
    target: "es2022",
    define: DEFINE,
    platform: platform === "node" ? "node" : "neutral",
    plugins: [OPERATIONS, ...plugins(platform)],
    entryPoints: { index: "test/engine/entry.ts" },
  };
  const workers = WORKERS.find(({ format }) => (format === "cjs") === (platform === "node"));
  const names = workers?.names ?? [];
  const entryPoints = Object.fromEntries(names.map((name) => [name, `ts/engine/workers/${name}.ts`]));
  const format = platform === "node" ? "cjs" : "esm";
  await Promise.all([
    build({ ...common, format: "esm", splitting: true }),
    build({ ...common, entryPoints, format, outExtension: { ".js": format === "cjs" ? ".cjs" : ".js" } }),
    platform === "node" ? build({ ...common, ...COMMONJS }) : undefined,
  ]);
  return outdir;
}

const COMMONJS: BuildOptions = {
  format: "cjs",
  outExtension: { ".js": ".cjs" },
  banner: { js: 'const importMetaUrl = require("node:url").pathToFileURL(__filename).href;' },
  define: { ...DEFINE, "import.meta.url": "importMetaUrl" },
};
