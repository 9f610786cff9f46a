import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { dist } from "./harness.js";

const PROGRAM = `
  import { Engine, platform } from ${JSON.stringify(`file://${dist}/index.js`)};
  const engine = new Engine(platform);
  await engine.init({ threads: false });
  const [kept] = await engine.open("open", { name: "kept" });
  for (let i = 0; i < 100; i++) await engine.open("open", { name: "forgotten" });
  let left;
  for (let turn = 0; turn < 100; turn++) {
    gc();
    await new Promise((done) => setTimeout(done, 5));
    left = (await engine.call("memory", undefined)).objects;
    if (left === 1) break;
  }
  console.log(left, (await engine.call("names", { count: 1 }, { on: kept }))[0]);
`;

test("forgotten handles are released by the garbage collector, others are not", async () => {
  const flags = ["--expose-gc", "--input-type=module", "-e", PROGRAM];
  const { stdout } = await promisify(execFile)(process.execPath, flags, { timeout: 20_000 });
  expect(stdout.trim()).toBe("1 kept");
});
