// Builds bench/native, where there is a Rust compiler: for any processor of the family, or with AVX2.

import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { arch } from "node:os";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const folder = fileURLToPath(new URL("../native", import.meta.url));

const FLAGS = { baseline: "", avx2: "-C target-feature=+avx2,+bmi2" };

/** The native contender for a target; `unavailable` says why it cannot take part. */
export async function native(target) {
  const contender = { name: `marginalia native, ${target}`, threads: 1, args: [] };
  if (target === "avx2" && !(await hasAvx2())) return { ...contender, unavailable: "the processor has no AVX2" };
  const targetFolder = `${folder}/target/${target}`;
  const args = ["build", "--release", "--locked", "--quiet", "--target-dir", targetFolder];
  const env = { ...process.env, RUSTFLAGS: FLAGS[target] };
  try {
    await run("cargo", args, { cwd: folder, env });
  } catch (error) {
    const lines = (error.stderr ?? "").split("\n");
    const first = lines.find((line) => line.startsWith("error")) ?? "no Rust compiler on this machine";
    return { ...contender, unavailable: error.code === "ENOENT" ? "no Rust compiler on this machine" : first };
  }
  return { ...contender, command: `${targetFolder}/release/marginalia-bench-native` };
}

async function hasAvx2() {
  if (arch() !== "x64") return false;
  const info = await readFile("/proc/cpuinfo", "utf8").catch(() => "");
  return /\bavx2\b/.test(info);
}
