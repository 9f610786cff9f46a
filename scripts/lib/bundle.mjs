// Makes dist/ from ts/ and the bindings in pkg/, unless it is what they give: what went in and what came out is on record beside the
// installed packages, so that gates that all need a bundle make it once. A version of Node, of a package or of a setting that differs
// makes it anew, as does a change of any file in dist/.
//
//   node scripts/lib/bundle.mjs [--untyped]      declarations take most of the time, and no program that runs needs them

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { filesUnder, root } from "./manifest.mjs";

const record = join(root, "node_modules/.cache/marginalia-bundle.json");
const SETTINGS = [
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "tsup.config.ts",
  "bundles.config.ts",
];

/** One hash of all these files, their names and their contents. */
function hashOf(paths) {
  const hash = createHash("sha256");
  for (const path of paths) {
    const bytes = readFileSync(join(root, path));
    hash.update(`${path}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest("hex");
}

function inputs() {
  const bindings = filesUnder(join(root, "pkg")).filter((path) => path.endsWith(".js"));
  const sources = filesUnder(join(root, "ts"));
  return [process.version, hashOf([...SETTINGS, "scripts/lib/bundle.mjs", ...bindings, ...sources])];
}

const outputs = () => (existsSync(join(root, "dist")) ? hashOf(filesUnder(join(root, "dist"))) : "");

/** Whether dist/ is what it would be; one with declarations serves whoever needs none. */
function isFresh(given, untyped) {
  if (!existsSync(record)) return false;
  const known = JSON.parse(readFileSync(record, "utf8"));
  return known.given?.join() === given.join() && (known.typed || untyped) && known.made === outputs();
}

const untyped = process.argv.includes("--untyped");
const given = inputs();
if (!isFresh(given, untyped)) {
  rmSync(record, { force: true });
  // Nothing of an earlier bundle stays in the package.
  rmSync(join(root, "dist"), { recursive: true, force: true });
  const tsup = join(root, "node_modules/tsup/dist/cli-default.js");
  const env = { ...process.env, MARGINALIA_DECLARATIONS: untyped ? "none" : "all" };
  const { status } = spawnSync(process.execPath, [tsup, "--silent"], { cwd: root, env, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
  mkdirSync(dirname(record), { recursive: true });
  writeFileSync(record, JSON.stringify({ given, typed: !untyped, made: outputs() }));
}
