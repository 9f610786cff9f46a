// pkg/manifest.json: what went into the WebAssembly modules and what came out, so that a stale or
// altered pkg/ is seen without a compiler.
//
//   node scripts/lib/manifest.mjs write DIR TOOL-VERSION…

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../", import.meta.url));
/** The modules, and the names of their files. */
export const outputs = {
  simd: "marginalia",
  threads: "marginalia",
  "model-simd": "marginalia_model",
  "model-threads": "marginalia_model",
  graph: "marginalia_graph",
  lp: "marginalia_lp",
};

/** Every file under `folder`, as sorted paths relative to `base`, with forward slashes. */
export function filesUnder(folder, base = root) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(base, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .sort();
}

function sha256(path) {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

/** Hashes of all that the modules depend on. A crate's own tests and benches are not among it. */
export function inputHashes() {
  const sources = filesUnder(join(root, "crates")).filter((path) =>
    /^crates\/[^/]+\/(src\/|Cargo\.toml$|build\.rs$)/.test(path),
  );
  const paths = ["Cargo.toml", "Cargo.lock", "scripts/build-wasm", ...sources];
  return Object.fromEntries(paths.sort().map((path) => [path, sha256(join(root, path))]));
}

/** Hashes of the built files in `folder`. */
export function outputHashes(folder) {
  const paths = Object.entries(outputs).flatMap(([module, name]) =>
    [".js", ".d.ts", "_bg.wasm"].map((end) => `${module}/${name}${end}`),
  );
  return Object.fromEntries(
    paths.filter((path) => existsSync(join(folder, path))).map((path) => [path, sha256(join(folder, path))]),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [verb, folder, ...tools] = process.argv.slice(2);
  if (verb !== "write" || folder === undefined) {
    throw new Error("usage: manifest.mjs write DIR TOOL-VERSION…");
  }
  const manifest = { tools, inputs: inputHashes(), outputs: outputHashes(folder) };
  writeFileSync(join(folder, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}
