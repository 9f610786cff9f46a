// Builds bench/native, where there is a Rust compiler: for any processor of the family, or with AVX2.

import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { arch } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const folder = fileURLToPath(new URL("../native", import.meta.url));

const FLAGS = { baseline: "", avx2: "-C target-feature=+avx2,+bmi2" };

/** The native contender for a target; it is built when its turn comes. */
export const native = (target) => ({
  name: `marginalia native, ${target}`,
  threads: 1,
  args: [],
  build: () => build(target),
});

/** Its command, or why it cannot take part. */
async function build(target) {
  if (target === "avx2" && !(await hasAvx2())) return { unavailable: "the processor has no AVX2" };
  const targetFolder = join(folder, "target", target);
  const args = ["build", "--release", "--locked", "--quiet", "--target-dir", targetFolder];
  try {
    await run("cargo", args, { cwd: folder, env: { ...process.env, RUSTFLAGS: FLAGS[target] } });
  } catch (error) {
    return { unavailable: reason(error) };
  }
  return { command: join(targetFolder, "release", "marginalia-bench-native") };
}

function reason(error) {
  if (error.code === "ENOENT") return "no Rust compiler on this machine";
  const lines = (error.stderr ?? error.message).split("\n");
  return `it does not build: ${lines.find((line) => line.startsWith("error")) ?? lines[0]}`;
}

async function hasAvx2() {
  if (arch() !== "x64") return false;
  const info = await readFile("/proc/cpuinfo", "utf8").catch(() => "");
  return /\bavx2\b/.test(info);
}
