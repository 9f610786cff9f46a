// What the gates written in JavaScript share.

import { spawnSync } from "node:child_process";
import { lstatSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, join } from "node:path";
import { root } from "./manifest.mjs";

const path = [join(root, "node_modules", ".bin"), process.env.PATH].join(delimiter);
const options = { cwd: root, encoding: "utf8", env: { ...process.env, PATH: path }, maxBuffer: 1 << 30 };
const gate = basename(process.argv[1]).replace(/\.mjs$/, "");

/** Installs the parts of scripts/toolchain that the gate cannot do without. */
export function need(...parts) {
  output("scripts/toolchain", parts);
}

/** The standard output of a command that must succeed; without it the gate fails. */
export function output(command, args, more = {}) {
  const result = spawnSync(command, args, { stdio: ["ignore", "pipe", "inherit"], ...options, ...more });
  if (result.status !== 0) {
    console.error(`${gate}: "${[command, ...args].join(" ")}" fails; mend that first`);
    process.exit(1);
  }
  return result.stdout;
}

/** Runs a command that may fail; both streams come back as one text. */
export function attempt(command, args, more = {}) {
  const result = spawnSync(command, args, { ...options, ...more });
  return { ok: result.status === 0, text: `${result.stdout ?? ""}${result.stderr ?? ""}` };
}

/** A folder that is gone when the gate ends. */
export function scratchFolder() {
  const folder = mkdtempSync(join(tmpdir(), `marginalia-${gate}-`));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * Files that git knows or would add, relative to the root. A link, such as `node_modules` in a second worktree, is none,
 * and neither is what was removed since.
 */
export function committedFiles(folder = root) {
  return output("git", ["ls-files", "--cached", "--others", "--exclude-standard", "-z"], { cwd: folder })
    .split("\0")
    .filter((file) => file !== "" && lstatSync(join(folder, file), { throwIfNoEntry: false })?.isFile());
}

/** Ends the gate: prints each problem and the remedy, or a line that says what was shown. */
export function finish(problems, remedy, shown) {
  for (const problem of problems) {
    console.error(`  ${problem}`);
  }
  if (problems.length > 0) {
    console.error(`${gate}: ${remedy}`);
    process.exit(1);
  }
  console.log(shown);
}
