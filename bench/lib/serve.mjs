// The side of a contender: one process each, so that none shares a heap, an optimiser or a thread pool with
// another. A line of JSON in, a line of JSON out; peers/serve.py is the same in Python.
//
//   started with the task as its last argument → {"ready": versions} or {"missing": reason}
//   {"do": "answer"} → {"answer": …}     what it computes, to compare with the others (small tasks only)
//   {"do": "run"} → {"nanoseconds": …, "total": …, "parts"?: {…}}     one measured run
//   end of input → it ends

import { createInterface } from "node:readline";

/** A contender that cannot take part, and why. */
export class Missing extends Error {}

/** Imports a package that may not be installed. */
export async function peer(name) {
  try {
    return await import(name);
  } catch (error) {
    if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new Missing(`${name} is not installed (npm ci --prefix bench)`);
  }
}

/** Times one asynchronous function: its result and the nanoseconds it took. */
export async function timed(work) {
  const start = process.hrtime.bigint();
  const result = await work();
  return { result, nanoseconds: Number(process.hrtime.bigint() - start) };
}

const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

/**
 * Serves a contender: `prepare(task)` gives { versions, answer(), run(), close?() }. What prepare does is not
 * measured; `run` measures itself, because only it knows where its work begins.
 */
export async function serve(prepare) {
  let contender;
  try {
    contender = await prepare(JSON.parse(process.argv.at(-1)));
  } catch (error) {
    if (!(error instanceof Missing)) throw error;
    say({ missing: error.message });
    return;
  }
  say({ ready: contender.versions ?? {} });
  for await (const line of createInterface({ input: process.stdin })) {
    const { do: what } = JSON.parse(line);
    say(what === "run" ? await contender.run() : { answer: await contender.answer() });
  }
  await contender.close?.();
}
