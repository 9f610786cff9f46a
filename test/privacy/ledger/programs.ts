import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** Makes one file of a program in this folder that Node runs without help. */
export async function compiled(program: string, to: string): Promise<string> {
  const outfile = `${to}/${program}.mjs`;
  await build({
    entryPoints: [fileURLToPath(new URL(`${program}.ts`, import.meta.url))],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    logLevel: "error",
  });
  return outfile;
}

/** Starts a program and waits until it says that it is ready. */
export async function started(file: string, ...args: string[]): Promise<ChildProcess> {
  const child = spawn(process.execPath, [file, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`the program ended with code ${code} before it was ready`);
  });
  await Promise.race([once(child.stdout!, "data"), ended]);
  ended.catch(() => undefined);
  return child;
}

/** Kills a program in the middle of whatever it does; returns when it is gone. */
export async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) throw new Error(`the program ended by itself with code ${child.exitCode}`);
  child.kill("SIGKILL");
  const [code, signal] = child.signalCode ? [null, child.signalCode] : await once(child, "exit");
  if (signal !== "SIGKILL") throw new Error(`the program ended by itself with code ${code}`);
}
