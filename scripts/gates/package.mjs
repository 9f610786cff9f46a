// The tarball: its list of files, its exports and types as publint and attw see them, and a publication that
// stops short of publishing.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { attempt, finish, need, scratchFolder } from "../lib/gate.mjs";
import { outputs, root } from "../lib/manifest.mjs";
import { install, pack } from "../lib/pack.mjs";

const allowed =
  /^(package\.json|README\.md|CHANGELOG\.md|LICENSE|((cli|ledger|measurement|release)\.)?schema\.json|dist\/[\w./-]+\.(js|mjs|cjs|d\.ts|d\.mts|d\.cts)|pkg\/((simd|threads)\/marginalia|model-(simd|threads)\/marginalia_model|graph\/marginalia_graph|lp\/marginalia_lp)_bg\.wasm)$/;
const required = [
  "README.md",
  "LICENSE",
  "CHANGELOG.md",
  "cli.schema.json",
  "dist/cli.js",
  ...Object.entries(outputs).map(([module, name]) => `pkg/${module}/${name}_bg.wasm`),
];

need("node");
const scratch = scratchFolder();
const { tarball, files } = pack(scratch);
const own = install(scratch, tarball);
const problems = [];

problems.push(
  ...files.filter((file) => !allowed.test(file)).map((file) => `${file} does not belong in the package`),
);
problems.push(
  ...required.filter((file) => !files.includes(file)).map((file) => `${file} is missing in the package`),
);
for (const file of files) {
  if (readFileSync(join(own, file), "latin1").includes(root.replace(/\/$/, ""))) {
    problems.push(`${file} contains the path of this folder`);
  }
}

const manifest = JSON.parse(readFileSync(join(own, "package.json"), "utf8"));
for (const script of ["preinstall", "install", "postinstall", "prepare"]) {
  if (manifest.scripts?.[script] !== undefined) {
    problems.push(`package.json has an install script: ${script}`);
  }
}

// A module is bytes, which have no types.
const modules = Object.keys(manifest.exports ?? {}).filter((name) => name.endsWith(".wasm"));
const untyped = modules.length > 0 ? ["--exclude-entrypoints", ...modules] : [];
// node10 is the resolution from before package exports; the package needs Node 20, so nobody is left on it.
const checks = [
  ["publint", ["run", tarball, "--strict"]],
  ["attw", [tarball, "--profile", "node16", "--no-color", "--no-emoji", ...untyped]],
  ["npm", ["publish", "--dry-run", "--access", "public", tarball]],
];
for (const [command, args] of checks) {
  const { ok, text } = attempt(command, args);
  // npm warns of what it had to mend in package.json, which must be nothing; that nobody is logged in is meant.
  const mended = text.split("\n").some((line) => /^npm warn publish (?!.*logged in)/.test(line));
  if (!ok || mended) {
    problems.push(`${command} ${args[0]}:\n${text.replaceAll(scratch, "")}`);
  }
}
finish(
  problems,
  "mend package.json or what is bundled",
  `${files.length} files; publint, attw and a dry publication are content`,
);
