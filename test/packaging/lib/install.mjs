// The packed package in an empty folder, and what else a consumer needs to start from.

import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const here = fileURLToPath(new URL("..", import.meta.url));
const root = fileURLToPath(new URL("../../..", import.meta.url));
const tools = join(here, "node_modules");
const from = createRequire(join(here, "package.json"));

/** A folder outside of the repository, so that nothing of it is found by accident; gone at the end. */
export function workshop() {
  const folder = mkdtempSync(join(tmpdir(), "marginalia-packaging-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "home"));
  return folder;
}

function npm(args, cwd) {
  const { status, stdout, stderr } = spawnSync("npm", args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`npm ${args[0]} fails:\n${stderr}`);
  return stdout;
}

/** Installs the consumers' tools, unless they are there as the lock file says. Who then lacks one is skipped. */
export function installTools() {
  const installed = spawnSync(process.execPath, [join(root, "scripts/lib/installed.mjs")], { cwd: here });
  if (installed.status === 0) return;
  try {
    npm(["ci", "--no-audit", "--no-fund", "--ignore-scripts"], here);
  } catch (error) {
    console.error(error.message.split("\n", 12).join("\n"));
  }
}

/** Packs the package as it is, and installs the tarball into an empty folder as a user would. */
export function installPackage(folder) {
  if (!existsSync(join(root, "dist/index.js"))) throw new Error("there is no dist/: npm run bundle");
  const [{ filename }] = JSON.parse(npm(["pack", "--json", "--pack-destination", folder], root));
  const empty = join(folder, "installed");
  mkdirSync(empty);
  writeFileSync(join(empty, "package.json"), '{ "private": true }\n');
  const tarball = join(folder, filename);
  npm(["install", tarball, "--no-audit", "--no-fund"], empty);
  return join(empty, "node_modules");
}

/** A consumer's own folder: its files, the story, and the installed package. */
export function consumerFolder(folder, name, files, modules) {
  const own = join(folder, name);
  cpSync(join(here, files), own, { recursive: true });
  cpSync(join(here, "shared"), own, { recursive: true });
  cpSync(modules, join(own, "node_modules"), { recursive: true });
  writeFileSync(join(own, "package.json"), '{ "private": true }\n');
  return own;
}

/** Lends a consumer one of the tools as an installed package. */
export function lend(own, name) {
  mkdirSync(dirname(join(own, "node_modules", name)), { recursive: true });
  symlinkSync(join(tools, name), join(own, "node_modules", name));
}

/** One of the tools as a library. */
export async function library(name) {
  if (!existsSync(join(tools, name))) throw new Missing(`${name} is not installed`);
  return import(name);
}

/** A script that one of the tools' packages offers as a command. */
export function script(name, command = name) {
  const manifest = join(tools, name, "package.json");
  if (!existsSync(manifest)) throw new Missing(`${name} is not installed`);
  const { bin } = from(manifest);
  return join(tools, name, typeof bin === "string" ? bin : bin[command]);
}

/** The program of a runtime, which npm installs in a package for this system: `path` inside of it. */
export function program(scope, pattern, path) {
  const found = existsSync(join(tools, scope)) ? readdirSync(join(tools, scope)) : [];
  const file = found.filter((name) => pattern.test(name)).map((name) => join(tools, scope, name, path));
  if (file[0] === undefined || !existsSync(file[0]))
    throw new Missing(`${scope}/* has no program for this system`);
  return file[0];
}

/** A tool that this machine does not have. */
export class Missing extends Error {}
