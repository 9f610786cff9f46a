// What a user downloads: each module after brotli, each bundle after gzip, against limits and against the
// sizes recorded in size.json.
//
//   node scripts/gates/size.mjs [--update]      --update records today's sizes

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { finish, need, scratchFolder } from "../lib/gate.mjs";
import { outputs } from "../lib/manifest.mjs";
import { install, pack } from "../lib/pack.mjs";

const kB = 1000;
const limits = {
  "simd.wasm (brotli)": 250 * kB,
  "threads.wasm (brotli)": 250 * kB,
  "model-simd.wasm (brotli)": 450 * kB,
  "model-threads.wasm (brotli)": 450 * kB,
  "graph.wasm (brotli)": 225 * kB,
  "import { schema, readTable } (gzip)": 15 * kB,
  "import everything (gzip)": 46_000,
};
// A larger change than this must be recorded, so that a review sees it.
const unrecorded = 0.05;

const brotli = (bytes) =>
  brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  });
const gzip = (bytes) => gzipSync(bytes, { level: 9 });

/** Bytes of chunks that a page loads at once, from the one that starts it; what loads later is not in it. */
function atOnce(chunks, entry) {
  const queue = [entry];
  for (const name of queue) {
    const next = chunks.get(name).imports.filter((other) => chunks.has(other) && !queue.includes(other));
    queue.push(...next);
  }
  return queue.reduce((sum, name) => sum + gzip(chunks.get(name).code).length, 0);
}

/** A page of `code` as Vite builds it. */
async function byVite(folder, code) {
  const { build } = await import("vite");
  writeFileSync(join(folder, "page.js"), code);
  const { output } = await build({
    root: folder,
    configFile: false,
    logLevel: "error",
    build: {
      write: false,
      target: "es2022",
      modulePreload: false,
      rolldownOptions: { input: join(folder, "page.js") },
    },
  });
  const chunks = output.filter(({ type }) => type === "chunk");
  const { fileName } = chunks.find(({ isEntry }) => isEntry);
  return atOnce(new Map(chunks.map((chunk) => [chunk.fileName, chunk])), fileName);
}

/**
 * The same by esbuild with splitting, for the record: it takes whatever the package imports by `import()` for used, and puts
 * into the page what that shares with the package's index.
 */
async function byEsbuild(folder, code) {
  const { build } = await import("esbuild");
  const { metafile, outputFiles } = await build({
    stdin: { contents: code, resolveDir: folder },
    outdir: join(folder, "out"),
    bundle: true,
    write: false,
    minify: true,
    splitting: true,
    metafile: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    external: ["node:*"],
    loader: { ".wasm": "file" },
    absWorkingDir: folder,
    logLevel: "error",
  });
  const entries = Object.entries(metafile.outputs);
  const text = new Map(outputFiles.map((file) => [file.path, file.contents]));
  const chunks = entries.map(([path, { imports }]) => {
    const statically = imports.filter(({ kind }) => kind === "import-statement");
    return [path, { code: text.get(join(folder, path)), imports: statically.map((one) => one.path) }];
  });
  // A chunk that is loaded later is an entry point too; the page's own is the one that was given as text.
  const [entry] = entries.find(([, { entryPoint }]) => entryPoint === "<stdin>");
  return atOnce(new Map(chunks), entry);
}

async function measure() {
  const folder = scratchFolder();
  const own = install(folder, pack(folder).tarball);
  const sizes = {};
  for (const [module, name] of Object.entries(outputs)) {
    sizes[`${module}.wasm (brotli)`] = brotli(
      readFileSync(join(own, "pkg", module, `${name}_bg.wasm`)),
    ).length;
  }
  const some = 'import { schema, readTable } from "marginalia"; console.log(schema, readTable);';
  const all = 'import * as everything from "marginalia"; console.log(everything);';
  sizes["import { schema, readTable } (gzip)"] = await byVite(folder, some);
  sizes["import everything (gzip)"] = await byVite(folder, all);
  sizes["import { schema, readTable } by esbuild (gzip)"] = await byEsbuild(folder, some);
  sizes["import everything by esbuild (gzip)"] = await byEsbuild(folder, all);
  for (const file of readdirSync(join(own, "dist"), { recursive: true }).sort()) {
    if (/(^(node|web)-|worker[.-]).*js$/.test(file)) {
      sizes[`dist/${file.replaceAll("\\", "/")} (gzip)`] = gzip(readFileSync(join(own, "dist", file))).length;
    }
  }
  return sizes;
}

need("node");
const file = new URL("size.json", import.meta.url);
const recorded = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
const sizes = await measure();
const problems = [];
for (const [name, bytes] of Object.entries(sizes)) {
  const before = recorded[name];
  const change =
    before === undefined
      ? "new"
      : `${bytes >= before ? "+" : ""}${((bytes / before - 1) * 100).toFixed(1)} %`;
  const limit = limits[name] === undefined ? "" : `, limit ${limits[name]}`;
  console.log(`${name}: ${bytes} (${change}${limit})`);
  if (bytes > limits[name]) {
    problems.push(`${name} is ${bytes} bytes, above its limit of ${limits[name]}; look at what was added`);
  }
  if (name in limits && (before === undefined || Math.abs(bytes / before - 1) > unrecorded)) {
    problems.push(`${name} is not what size.json says`);
  }
}
if (process.argv.includes("--update")) {
  writeFileSync(file, `${JSON.stringify(sizes, null, 2)}\n`);
  problems.splice(0, problems.length, ...problems.filter((line) => line.includes("above its limit")));
}
finish(
  problems,
  "if the change is meant, run node scripts/gates/size.mjs --update and commit size.json",
  "all sizes are within their limits",
);
