#!/usr/bin/env node
import { close } from "../index.js";
import { run } from "./run.js";

/** Exit codes of a process that a signal ended, as shells give them. */
const KILLED = { SIGINT: 130, SIGTERM: 143 } as const;

const stop = new AbortController();
let by: keyof typeof KILLED | undefined;
for (const name of ["SIGINT", "SIGTERM"] as const) {
  process.on(name, () => {
    // Whoever asks twice does not want to wait.
    if (by) process.exit(KILLED[name]);
    by = name;
    stop.abort(new Error(name));
  });
}
// The reader of a pipe may leave: the write that fails says so.
process.stdout.on("error", () => undefined);
process.stderr.on("error", () => undefined);

let ended = false;
process.once("beforeExit", () => {
  if (ended || !by) return;
  // What it still waited for has gone with the source that it gave up.
  process.stderr.write("Stopped. What was charged stays spent; `marginalia inspect` shows the account.\n");
  process.exit(KILLED[by]);
});

const code = await run(process.argv.slice(2), process, stop.signal);
await close();
ended = true;
process.exitCode = code === KILLED.SIGINT && by ? KILLED[by] : code;
// Standard input that nobody reads to its end would keep the process.
process.stdin.destroy();
