import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

export const program = resolve("dist/cli.js");
export const data = (name: string) => resolve("examples/data", name);

export interface Outcome {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  bytes: Buffer;
  stderr: string;
}

/** A folder of its own. */
export const folder = () => mkdtemp(join(tmpdir(), "marginalia-cli-"));

/** Starts the command; standard input stays open. */
export function begin(args: readonly string[], options: SpawnOptions = {}): ChildProcess {
  return spawn(process.execPath, [program, ...args], { stdio: "pipe", ...options });
}

/** What a started command comes to. */
export function outcome(child: ChildProcess): Promise<Outcome> {
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  child.stdout?.on("data", (bytes: Buffer) => out.push(bytes));
  child.stderr?.on("data", (bytes: Buffer) => err.push(bytes));
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("close", (code, signal) => {
      const bytes = Buffer.concat(out);
      done({ code, signal, bytes, stdout: `${bytes}`, stderr: `${Buffer.concat(err)}` });
    });
  });
}

/** Runs the command to its end, in a folder, with this on its standard input. */
export async function marginalia(
  args: readonly string[],
  { cwd, input = "" }: { cwd?: string; input?: string | Uint8Array } = {},
): Promise<Outcome> {
  const child = begin(args, cwd === undefined ? {} : { cwd });
  child.stdin?.on("error", () => undefined);
  child.stdin?.end(input);
  return outcome(child);
}

/** A small private table and its schema. */
export const csv = `age,sex\n${"1,F\n2,M\n".repeat(500)}`;
export const schema = {
  attributes: [
    { name: "age", type: "integer", min: 0, max: 9, other: "clamp", nullable: true },
    { name: "sex", type: "category", values: ["F", "M"], other: null },
  ],
};
