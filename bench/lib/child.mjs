// The parent's side of lib/serve.mjs.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** Starts a contender's process; `ready` and `missing` say how that went. */
export async function start(command, args, task, env = {}) {
  const child = spawn(command, [...args, JSON.stringify(task)], {
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });
  const errors = collect(child.stderr);
  const ended = new Promise((resolve) => {
    child.once("error", (error) => resolve({ error }));
    child.once("close", (code) => resolve({ code }));
  });
  child.stdin.on("error", () => {}); // A write after the child ended: `ended` tells the story.
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const reply = async () => {
    const { value, done } = await lines.next();
    return done ? broken(await ended, errors()) : JSON.parse(value);
  };
  const ask = (message) => {
    child.stdin.write(`${JSON.stringify(message)}\n`);
    return reply();
  };
  const close = () => {
    child.stdin.end();
    const patience = setTimeout(() => child.kill(), 10_000);
    return ended.finally(() => clearTimeout(patience));
  };
  return { ...(await reply()), ask, close };
}

function collect(stream) {
  let text = "";
  stream.setEncoding("utf8").on("data", (chunk) => {
    text = (text + chunk).slice(-2000);
  });
  return () => text.trim().split("\n").at(-1);
}

/** Why a process that should have answered did not: a program that is not there is no error. */
function broken({ error, code }, lastLine) {
  if (error?.code === "ENOENT") return { missing: "its program is not on this machine" };
  throw new Error(`a contender ended (${error?.message ?? `exit code ${code}`}): ${lastLine}`);
}
