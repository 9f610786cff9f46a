import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Ajv } from "ajv";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Case, type Contender, load, type Work } from "./modules";

const run = promisify(execFile);
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "marginalia-bench-test-"));
});
afterAll(() => rm(folder, { recursive: true }));

const schema = async () => new Ajv().compile(JSON.parse(await readFile("bench/schema.json", "utf8")));

const fixture = (name: string, options: object = {}): Contender => ({
  name,
  threads: 1,
  command: process.execPath,
  args: [fileURLToPath(new URL("fixtures/contender.mjs", import.meta.url))],
  options: { name, answer: [1, 2], total: 3, log: join(folder, "log"), ...options },
});

const work = (contenders: Contender[]): Work => ({
  contenders,
  small: { task: {}, expected: [1, 2] },
  task: {},
  total: 3,
  rounds: 2,
  units: 1e7,
});

describe("a case", () => {
  test("runs all in turn, after a round to warm up that is not counted", async () => {
    const { runCase } = await load("lib/harness.mjs");
    const results = await runCase(work([fixture("a"), fixture("b")]));
    expect(await readFile(join(folder, "log"), "utf8")).toBe("a b a b a b ");
    expect(results.map(({ contender, repeats }) => [contender, repeats])).toEqual([
      ["a", [10, 10]],
      ["b", [10, 10]],
    ]);
    expect(results[0]?.parts).toEqual({ first: 4, second: 6 });
  });

  test("reports what is missing, and why", async () => {
    const { runCase } = await load("lib/harness.mjs");
    const nowhere = { ...fixture("nowhere"), command: "no-such-program-anywhere" };
    const results = await runCase(work([nowhere, fixture("shy", { missing: "not today" }), fixture("a")]));
    expect(results.map(({ status, reason }) => [status, reason])).toEqual([
      ["not run", "its program is not on this machine"],
      ["not run", "not today"],
      ["measured", undefined],
    ]);
  });

  test("ends with an error when a contender computes something else", async () => {
    const { runCase } = await load("lib/harness.mjs");
    await expect(runCase(work([fixture("odd", { answer: [1, 3] })]))).rejects.toThrow(/odd does not compute/);
    await expect(runCase(work([fixture("lazy", { total: 2 })]))).rejects.toThrow(/lazy lost some/);
    const broken = { ...fixture("broken"), args: ["--eval", "process.exit(3)"] };
    await expect(runCase(work([broken]))).rejects.toThrow(/exit code 3/);
  });
});

describe("the contenders that are here", () => {
  /** The first case of a scenario on its small task; what has to be compiled first is left out. */
  async function small(cases: AsyncGenerator<Case>, total: (one: Case) => number): Promise<Work> {
    const { value } = await cases.next();
    const one = value as Case;
    const contenders = one.contenders.filter(({ build }) => !build);
    return { ...one, contenders, task: one.small?.task ?? {}, total: total(one), rounds: 1 };
  }

  test("count the same", async () => {
    const [{ count }, { runCase }] = await Promise.all([
      load("scenarios/count.mjs"),
      load("lib/harness.mjs"),
    ]);
    const results = await runCase(await small(count.cases("quick", folder), () => 2000 * 190));
    const plain = results.find(({ contender }) => contender === "typed arrays in JavaScript");
    expect(plain?.status).toBe("measured");
  }, 60_000);

  test("read the same", async () => {
    const [{ read }, { runCase }] = await Promise.all([load("scenarios/read.mjs"), load("lib/harness.mjs")]);
    const { columns, sizesOf } = await load("lib/data.mjs");
    const codes = columns(sizesOf(20), 2000).flatMap((column) => [...column]);
    const sum = codes.reduce((a, b) => a + b, 0);
    const results = await runCase(await small(read.cases("quick", folder), () => sum));
    expect(results.length).toBeGreaterThanOrEqual(5);
  }, 60_000);
});

describe("the contenders of estimation", () => {
  test("sweep to the same distribution", async () => {
    const [{ step }, { runCase }] = await Promise.all([load("scenarios/step.mjs"), load("lib/harness.mjs")]);
    const { value } = await step.cases("quick", folder).next();
    const one = value as Case;
    const contenders = one.contenders.filter(({ build }) => !build);
    const task = { ...one.small?.task, sweeps: 20 };
    const results = await runCase({ ...one, contenders, task, total: 500 * 31 * 20, rounds: 1 });
    expect(results[0]?.status).toBe("measured");
  }, 60_000);

  test("have a linear program with a row for each cell that some row of the table lies in", async () => {
    const { linear, queries } = await load("lib/linear.mjs");
    const task = linear(100, 300);
    const all = queries(task);
    expect(all).toHaveLength(task.supported);
    expect(new Set(all.flatMap(({ rows }) => rows)).size).toBe(100);
    expect(task.columns.every((column) => column.length === 100)).toBe(true);
    expect(JSON.stringify(linear(100, 300))).toBe(JSON.stringify(task));
  });
});

describe("a result file", () => {
  test("fits its schema", async () => {
    const out = join(folder, "result.json");
    await run(process.execPath, ["bench/run.mjs", "startup", "--quick", "--no-install", "--out", out]);
    const result = JSON.parse(await readFile(out, "utf8"));
    const { runCase } = await load("lib/harness.mjs");
    const measured = await runCase(work([fixture("a")]));
    result.cases.push({ ...result.cases[0], results: measured });
    const fits = await schema();
    expect(fits(result), JSON.stringify(fits.errors)).toBe(true);

    const { repeats: _, ...incomplete } = { ...measured[0] };
    expect(fits({ ...result, cases: [{ ...result.cases[0], results: [incomplete] }] })).toBe(false);
    expect(fits({ ...result, format: "marginalia-bench/0" })).toBe(false);
    expect(fits({ ...result, extra: 1 })).toBe(false);
  }, 60_000);

  test("is refused for a scenario that there is not", async () => {
    await expect(run(process.execPath, ["bench/run.mjs", "nonsense"])).rejects.toThrow(
      /no scenario nonsense/,
    );
  });
});

describe("comparing", () => {
  const report = (results: object[]) => ({
    format: "marginalia-bench/1",
    cases: [{ scenario: "count", case: "10 rows", unit: "ns", results }],
  });
  const measured = (contender: string, scale: number) => ({
    contender,
    status: "measured",
    median: scale,
    repeats: [0.99, 1, 1, 1.01, 1].map((time) => time * scale),
  });

  test("gives a ratio for what both measured, and names the rest", async () => {
    const { compare, unmatched } = await load("compare.mjs");
    const before = report([measured("a", 2), measured("b", 2), measured("c", 2), measured("gone", 1)]);
    const missing = { contender: "new", status: "not run", reason: "r" };
    const after = report([measured("a", 1), measured("b", 2), measured("c", 3), missing]);
    expect(compare(before, after).map(({ key, ratio, verdict }) => [key, ratio, verdict])).toEqual([
      ["count, 10 rows: a", 0.5, "faster"],
      ["count, 10 rows: b", 1, ""],
      ["count, 10 rows: c", 1.5, "slower"],
    ]);
    expect(unmatched(before, after)).toEqual({ before: ["count, 10 rows: gone"], after: [] });
    expect(() => compare({ format: "other", cases: [] }, after)).toThrow(/marginalia-bench/);
  });
});
