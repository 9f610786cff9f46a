import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const run = promisify(execFile);

/** The high-water mark of the whole process, Node's own 50 MB and its threads among it; nearly three million rows may have weight. */
test("a release of 200,000 rows beside a million public ones stays within its memory", async () => {
  const { stdout } = await run(process.execPath, ["bench/shapes.mjs", "--shapes", "many", "--runs", "1"]);
  expect(Number(/, (\d+) MB$/m.exec(stdout)?.[1])).toBeLessThan(700);
}, 300_000);
