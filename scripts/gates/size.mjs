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
  "model-simd.wasm (brotli)": 250 * kB,
  "model-threads.wasm (brotli)": 250 * kB,
  // These are to be 15 and 40 kB.
  "import { schema, readTable } (gzip)": 20 * kB,
  "import everything (gzip)": 42 * kB,
};
// A larger change than this must be recorded, so that a review sees it.
const unrecorded = 0.05;

const brotli = (bytes) =>
  brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  });
const gzip = (bytes) => gzipSync(bytes, { level: 9 });

/** Bytes of a browser bundle of `code`: its entry and all that it imports statically; what loads later is not in it. */
async function bundled(folder, code) {
  const { build } = await import("esbuild");
  const result = await build({
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
  const outputs = result.metafile.outputs;
  // A chunk that is loaded later is an entry point too; the program's own is the one that was given as text.
  const queue = Object.keys(outputs).filter((path) => outputs[path].entryPoint === "<stdin>");
  for (const path of queue) {
    const later = outputs[path].imports.filter(
      (entry) => entry.kind === "import-statement" && entry.path in outputs,
    );
    queue.push(...later.map((entry) => entry.path).filter((next) => !queue.includes(next)));
  }
  const wanted = new Set(queue.map((path) => join(folder, path)));
  const parts = result.outputFiles.filter((file) => wanted.has(file.path));
  return parts.reduce((sum, file) => sum + gzip(file.contents).length, 0);
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
  sizes["import { schema, readTable } (gzip)"] = await bundled(folder, some);
  sizes["import everything (gzip)"] = await bundled(folder, all);
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
