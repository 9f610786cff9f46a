// Keeps `npm test` quick: a file of tests that starts more programs than this belongs to a gate (`vitest.config.ts`). Programs
// are counted and not timed, so that a busy machine changes nothing.

import programs, { type ChildProcess } from "node:child_process";
import { syncBuiltinESMExports } from "node:module";
import { afterAll, expect } from "vitest";

const MOST = 90;
let started = 0;

const WAYS = ["spawn", "spawnSync", "execFile", "execFileSync", "execSync", "fork"] as const;

for (const way of WAYS) {
  const start = programs[way] as (...given: unknown[]) => ChildProcess;
  const counted = (...given: unknown[]) => {
    started += 1;
    return start(...given);
  };
  // `promisify(execFile)` has a form of its own.
  Object.defineProperties(counted, Object.getOwnPropertyDescriptors(start));
  Object.assign(programs, { [way]: counted });
}
syncBuiltinESMExports();

afterAll(() =>
  expect(started, "programs that the tests of this file have started").toBeLessThanOrEqual(MOST),
);
