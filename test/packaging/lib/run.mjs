// Programs that the consumers run: with a clean environment, for a bounded time.

import { spawn } from "node:child_process";
import { once } from "node:events";

const PATIENCE = 60_000;

/** The environment of a user who has set nothing up; what tools would keep goes into `home`. */
export function environment(home) {
  const { NODE_PATH: _path, NODE_OPTIONS: _options, ...rest } = process.env;
  return {
    ...rest,
    HOME: home,
    XDG_CONFIG_HOME: `${home}/.config`,
    DENO_DIR: `${home}/deno`,
    DENO_NO_UPDATE_CHECK: "1",
    WRANGLER_SEND_METRICS: "false",
    NO_COLOR: "1",
  };
}

/** What a program printed, once it ended by itself with `status`. */
export async function run(command, args, { cwd, env, status = 0, patience = PATIENCE }) {
  const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const printed = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"]) {
    child[name].setEncoding("utf8").on("data", (text) => {
      printed[name] += text;
    });
  }
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    child.kill("SIGKILL");
  }, patience);
  const [code] = await once(child, "close").finally(() => clearTimeout(timer));
  const shown = `${printed.stdout}${printed.stderr}`.trim().slice(-2_000);
  if (late) throw new Error(`does not end within ${patience / 1_000} s:\n${shown}`);
  if (code !== status) throw new Error(`ended with ${code} instead of ${status}:\n${shown}`);
  return printed;
}

/** Starts a server, hands over what `address` finds in its output, and ends it afterwards. */
export async function during(command, args, { cwd, env, address }, use) {
  const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const closed = once(child, "close");
  try {
    return await use(await found(child, closed, address));
  } finally {
    child.kill();
    await closed;
  }
}

async function found(child, closed, address) {
  let text = "";
  const match = new Promise((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (more) => {
        text += more;
        const [place] = address.exec(text) ?? [];
        if (place !== undefined) resolve(place);
      });
    }
  });
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`the server names no address:\n${text}`)), PATIENCE);
  });
  const ended = closed.then(([code]) => Promise.reject(new Error(`the server ended with ${code}:\n${text}`)));
  ended.catch(() => undefined);
  return Promise.race([match, ended, late]).finally(() => clearTimeout(timer));
}
