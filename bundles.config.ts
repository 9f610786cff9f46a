import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { build, type Plugin } from "esbuild";

/** What the bundles of the package and those of the engine's tests have in common. Runs in the root folder. */

const engine = resolve("ts/engine");
const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };

export type PlatformName = "node" | "browser" | "edge";

/** Files that run in workers: each is self-contained, by format and name. */
export const WORKERS = [
  { format: "cjs", names: ["node-simd", "node-threads"] },
  { format: "esm", names: ["web-simd", "web-threads"] },
] as const;

export const DEFINE = { MARGINALIA_VERSION: JSON.stringify(version) };

/** The bindings, the platform in the place of `platform.ts`, and the WebAssembly file left to the runtime. */
export function plugins(platform: PlatformName, pkg = "pkg"): Plugin[] {
  const shared = [glue(pkg), choose("platform.js", resolve(engine, `${platform}.ts`)), wasmBeside()];
  return platform === "node" ? shared : [...shared, seedrandomWithin()];
}

/** Puts a file in the place of a module of the engine. */
export function choose(name: string, file: string): Plugin {
  const meant = resolve(engine, name);
  return {
    name: `choose ${name}`,
    setup(b) {
      const place = (path: string) => (path === meant ? { path: file } : undefined);
      b.onResolve({ filter: /^\./ }, ({ resolveDir, path }) => place(resolve(resolveDir, path)));
    },
  };
}

/**
 * Serves `glue:simd` and the like: wasm-bindgen's module from `<pkg>/<flavour>`, wrapped into a function that makes fresh
 * bindings each time. `export *` leaves out its default export, which would load the file by a
 * URL that users' bundlers then look for.
 */
function glue(pkg: string): Plugin {
  return {
    name: "glue",
    setup(b) {
      b.onResolve({ filter: /^glue:/ }, ({ path }) => ({ path, namespace: "glue" }));
      b.onLoad({ filter: /.*/, namespace: "glue" }, async ({ path }) => {
        const flavour = path.slice("glue:".length);
        const [module] = flavour.split("-");
        const name = /^(model|graph|lp)$/.test(module ?? "") ? `marginalia_${module}` : "marginalia";
        const file = resolve(pkg, flavour, `${name}.js`);
        return { contents: await factory(file), loader: "js", watchFiles: [file] };
      });
    },
  };
}

async function factory(file: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: `export * from ${JSON.stringify(file)};`, resolveDir: "." },
    bundle: true,
    format: "iife",
    globalName: "raw",
    target: "es2022",
    write: false,
    logOverride: { "empty-import-meta": "silent" },
  });
  return `export default function create() {\n${outputFiles[0]?.text}\nreturn raw;\n}\n`;
}

/** Leaves the public names to the bundles that lie beside this one, or in another folder. */
export function besideIndex(folder = "."): Plugin {
  const entries = new Map(
    ["index", "check", "evaluate", "report"].map((name) => [
      resolve(`ts/${name}.js`),
      `${folder}/${name}.js`,
    ]),
  );
  const beside = (path: string | undefined) => (path === undefined ? undefined : { path, external: true });
  return {
    name: "beside the index",
    setup(b) {
      b.onResolve({ filter: /^\./ }, ({ resolveDir, path }) =>
        beside(entries.get(resolve(resolveDir, path))),
      );
    },
  };
}

const SEEDRANDOM = readFileSync("node_modules/seedrandom/seedrandom.js", "utf8");

/** The copyright and licence of `seedrandom`, for the bundles that hold it. */
export const SEEDRANDOM_LICENCE = `/* seedrandom.js:${/^\/\*(.*?\*\/)/s.exec(SEEDRANDOM)?.[1]}`;

/**
 * Takes `seedrandom` into the bundle: it is CommonJS, which a page without a bundler cannot import, nor one behind
 * Vite's development server from a package that is not pre-bundled. Here it is a module that users' bundlers can
 * leave out. Node's `crypto`, which it asks for, only serves those who give no seed.
 */
function seedrandomWithin(): Plugin {
  const contents = `function create() {
    const [module, require] = [{ exports: {} }, () => null];
    ${SEEDRANDOM}
    return module.exports;
  }
  export default /* @__PURE__ */ create();`;
  return {
    name: "seedrandom within",
    setup(b) {
      b.onResolve({ filter: /^seedrandom\/seedrandom\.js$/ }, ({ path }) => ({ path, namespace: "within" }));
      b.onLoad({ filter: /.*/, namespace: "within" }, () => ({ contents, loader: "js" }));
    },
  };
}

/** The bundles lie in `dist/`, beside `pkg/`. */
function wasmBeside(): Plugin {
  const beside = (path: string) => ({ path: path.replace(/^.*\/pkg\//, "../pkg/"), external: true });
  return {
    name: "wasm beside",
    setup: (b) => b.onResolve({ filter: /\.wasm$/ }, ({ path }) => beside(path)),
  };
}
