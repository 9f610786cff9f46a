import { defineConfig, type Options } from "tsup";
import {
  besideIndex,
  DEFINE,
  type PlatformName,
  plugins,
  SEEDRANDOM_LICENCE,
  WORKERS,
} from "./bundles.config.js";

const shared: Options = {
  outDir: "dist",
  target: "es2022",
  clean: false,
  removeNodeProtocol: false,
};

/** The entries of the package. */
const ENTRIES = ["index", "check", "evaluate", "report"];

/** The public names of all entries, bundled for one platform. */
function entry(suffix: string, platform: PlatformName, format: "esm" | "cjs"): Options {
  return {
    ...shared,
    entry: Object.fromEntries(ENTRIES.map((name) => [`${name}${suffix}`, `ts/${name}.ts`])),
    format,
    platform: platform === "node" ? "node" : "neutral",
    splitting: format === "esm",
    define: DEFINE,
    esbuildPlugins: plugins(platform),
    ...(platform === "node" ? {} : { noExternal: [/^seedrandom/], banner: { js: SEEDRANDOM_LICENCE } }),
  };
}

/** Declares `Disposable` to users whose own `lib` is older. */
const banner = '/// <reference lib="esnext.disposable" />';
const dts = process.env.MARGINALIA_DECLARATIONS === "none" ? false : { banner };

/** tsup's own shim for `import.meta.url` breaks on paths with `#` or `%`. */
const commonjs: Options = {
  ...entry("", "node", "cjs"),
  banner: { js: 'const importMetaUrl = require("node:url").pathToFileURL(__filename).href;' },
  define: { ...DEFINE, "import.meta.url": "importMetaUrl" },
  dts,
};

function workers({ format, names }: (typeof WORKERS)[number]): Options {
  return {
    ...shared,
    entry: Object.fromEntries(names.map((name) => [name, `ts/engine/workers/${name}.ts`])),
    format,
    platform: format === "cjs" ? "node" : "neutral",
    splitting: false,
    minify: true,
    define: DEFINE,
    esbuildPlugins: plugins("node"),
  };
}

/** The command `marginalia`: a program of its own that imports the public names from the bundle beside it. */
const cli: Options = {
  ...shared,
  entry: { cli: "ts/cli/main.ts" },
  format: "esm",
  platform: "node",
  target: "node20",
  splitting: false,
  define: DEFINE,
  esbuildPlugins: [besideIndex(), ...plugins("node")],
};

export default defineConfig([
  { ...entry("", "node", "esm"), dts },
  commonjs,
  entry(".browser", "browser", "esm"),
  entry(".workerd", "edge", "esm"),
  cli,
  ...WORKERS.map(workers),
]);
