import { type ChildProcess, execFileSync } from "node:child_process";
import { createWriteStream, existsSync, statSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { LedgerJson } from "marginalia";
import { beforeEach, expect, it } from "vitest";
import { SURVEY } from "../../ts/cli/demo/survey.js";
import { EXIT } from "../../ts/cli/exit.js";
import { begin, data, folder, marginalia, type Outcome, outcome } from "./support.js";

const KILLS = process.env.MARGINALIA_FULL ? 200 : 12;
const NAMES = ["age", "sex", "tenure"];
const small = { attributes: SURVEY.attributes.filter(({ name }) => NAMES.includes(name)) };
const [PUBLIC, PRIVATE] = [data("survey-2018.csv"), data("survey-2019.csv")];

let cwd = "";
beforeEach(async () => {
  cwd = await folder();
  await writeFile(join(cwd, "schema.json"), JSON.stringify(small));
});

interface Asked {
  from?: string;
  hidden?: string;
  label?: string;
  more?: readonly string[];
}

const asking = ({ from = PUBLIC, hidden = PRIVATE, label = "a", more = [] }: Asked = {}) => [
  ...["run", `--public=${from}`, `--private=${hidden}`, "--dataset=d", "--schema=schema.json"],
  ...["--epsilon=1000", "--spend=1", "--ledger=account.json", `--label=${label}`],
  ...["--out=synthetic.csv", "--report=report.html", ...more],
];
const start = (asked?: Asked) => {
  const child = begin(asking(asked), { cwd });
  child.stdin?.on("error", () => undefined);
  return { child, done: outcome(child) };
};
const again = (asked?: Asked): Promise<Outcome> => marginalia(asking(asked), { cwd });
const ledger = () => readFile(join(cwd, "account.json"), "utf8").catch(() => "");
const read = (name: string) => readFile(join(cwd, name), "utf8");

async function account(): Promise<LedgerJson & { closed: boolean }> {
  const { stdout } = await marginalia(["inspect", "account.json", "--json"], { cwd });
  return JSON.parse(stdout) as LedgerJson & { closed: boolean };
}

async function until(what: () => boolean | Promise<boolean>, child: ChildProcess): Promise<void> {
  while (!(await what())) {
    if (child.exitCode !== null) throw new Error("it ended before");
    await pause(2);
  }
}

const granted = async () => /"kind":"grant".*\n/.test(await ledger());
const journalled = async () => /"kind":"journal".*\n/.test(await ledger());
const drafting = async () => (await readdir(cwd)).some((name) => name.endsWith(".part"));

/** What a command leaves that ends in order. */
const WHOLE = ["account.json", "report.html", "schema.json", "synthetic.csv"];

it.each(["SIGINT", "SIGTERM", "SIGKILL"] as const)(
  "%s while the public file is read costs nothing",
  async (signal) => {
    const { child, done } = start({ from: "-" });
    await new Promise((taken) =>
      child.stdin?.write(`age,sex,tenure\n${"30,F,rented\n".repeat(200_000)}`, taken),
    );
    child.kill(signal);
    const { code, signal: by } = await done;
    const ends = { SIGINT: [EXIT.aborted, null], SIGTERM: [143, null], SIGKILL: [null, "SIGKILL"] };
    expect([code, by]).toEqual(ends[signal]);
    expect(await readdir(cwd)).toEqual(["schema.json"]);
  },
);

it("waits, when it is stopped, for answers that are paid for, and a rerun has them", async () => {
  execFileSync("mkfifo", [join(cwd, "pipe.csv")]);
  const { child, done } = start({ hidden: "pipe.csv" });
  const rows = createWriteStream(join(cwd, "pipe.csv"));
  rows.write(`${await readFile(PRIVATE, "utf8")}`);
  // Reading begins with the first megabyte.
  rows.write("AR101,30,F,,,,,,,1,rented,no,no\n".repeat(40_000));
  await until(granted, child);
  child.kill("SIGINT");
  const said = new Promise((heard) => child.stderr?.once("data", heard));
  expect(`${await said}`).toContain("The answers are paid for");
  rows.end();
  const { code, stderr } = await done;
  expect(code).toBe(EXIT.aborted);
  expect(stderr).toContain("ABORTED");
  expect((await account()).entries.map(({ state }) => state)).toEqual(["released"]);
  expect(existsSync(join(cwd, "synthetic.csv"))).toBe(false);
  const { code: last, stdout } = await again();
  expect(last).toBe(0);
  expect(stdout).toContain("nothing was paid again");
  expect(await account()).toMatchObject({ closed: true, spent: "1" });
});

it("does not wait for who asks twice, nor for a pipe: then the charge is lost, and said to be", async () => {
  for (const twice of [true, false]) {
    const label = `${twice}`;
    if (twice) execFileSync("mkfifo", [join(cwd, "pipe.csv")]);
    const { child, done } = start({ hidden: twice ? "pipe.csv" : "-", label });
    const rows = twice ? createWriteStream(join(cwd, "pipe.csv")) : child.stdin;
    rows?.on("error", () => undefined);
    rows?.write(`age,sex,tenure\n${"30,F,rented\n".repeat(200_000)}`);
    await until(async () => (await ledger()).split('"kind":"grant"').length === (twice ? 2 : 3), child);
    child.kill("SIGINT");
    if (twice) {
      await new Promise((heard) => child.stderr?.once("data", heard));
      child.kill("SIGINT");
    }
    const { code, stderr } = await done;
    expect(code).toBe(EXIT.aborted);
    if (!twice) expect(stderr).toContain("stays spent");
    expect(existsSync(join(cwd, "synthetic.csv"))).toBe(false);
    rows?.end();
  }
  expect((await account()).entries.map(({ state }) => state)).toEqual(["lost", "lost"]);
  expect((await again({ label: "false" })).code).toBe(0);
  expect(await account()).toMatchObject({ closed: true, spent: "3" });
});

it.each([
  ["once its charge is written", granted],
  ["once its answers are in the account", journalled],
  ["while it writes", drafting],
] as const)(
  "is killed %s: the account is true, no half of a file, and a rerun completes",
  async (_, when) => {
    // So many rows that writing them takes some time.
    const asked = when === drafting ? { more: ["--rows=400000"] } : {};
    const { child, done } = start(asked);
    await until(when, child);
    child.kill("SIGKILL");
    await done;
    const { entries } = await account();
    expect(entries.length).toBe(1);
    const lost = entries[0]?.state !== "released";
    const before = existsSync(join(cwd, "synthetic.csv")) ? await read("synthetic.csv") : undefined;
    const rerun = await again(asked);
    expect([rerun.code, rerun.stderr]).toEqual([0, ""]);
    if (when !== granted) expect(lost).toBe(false);
    expect(await account()).toMatchObject({ closed: true, spent: lost ? "2" : "1" });
    expect(rerun.stdout.includes("nothing was paid again")).toBe(!lost);
    if (before !== undefined) expect(await read("synthetic.csv")).toBe(before);
    // What a process had begun to write when it was killed says nothing of whether that process still lives.
    const begun = (name: string) =>
      name.endsWith(".part") || (name.includes(".lock~") && !statSync(join(cwd, name)).size);
    const names = (await readdir(cwd)).filter((name) => !begun(name));
    expect(names.sort()).toEqual(WHOLE);
  },
);

it("says what became of the budget where all of it went into answers that were lost", async () => {
  const all = { more: ["--epsilon=1"] };
  const args = (hidden: string) =>
    asking({ hidden })
      .filter((one) => !/epsilon|spend/.test(one))
      .concat(all.more);
  const child = begin(args("-"), { cwd });
  const done = outcome(child);
  child.stdin?.on("error", () => undefined);
  child.stdin?.write(`age,sex,tenure\n${"30,F,rented\n".repeat(200_000)}`);
  await until(granted, child);
  child.kill("SIGKILL");
  await done;
  const rerun = await marginalia(args(PRIVATE), { cwd });
  expect([rerun.code, rerun.stdout]).toEqual([EXIT.budget, ""]);
  expect(rerun.stderr).toContain("BUDGET_EXCEEDED");
  expect(rerun.stderr).toContain("was stopped between paying and keeping its answers");
});

it(`is killed ${KILLS} times at any moment, and a rerun completes and pays nothing twice`, async () => {
  let last = 0n;
  for (let kill = 0; kill < KILLS; kill++) {
    const label = `${kill}`;
    const { child, done } = start({ label });
    // The command takes about a second; a slow machine is killed earlier in its course.
    await pause((kill * 797) % 1300);
    const running = child.exitCode === null;
    child.kill(kill % 3 === 0 ? "SIGINT" : "SIGKILL");
    await done;
    const held = existsSync(join(cwd, "account.json")) ? (await account()).entries.at(-1) : undefined;
    const own = held && JSON.stringify(held).includes(`"label":"${label} `) ? held.state : undefined;
    const rerun = await again({ label });
    expect([rerun.code, rerun.stderr]).toEqual([0, ""]);
    expect(rerun.stdout.includes("nothing was paid again")).toBe(own === "released");
    if (!running) expect(own).toBe("released");
    const { closed, spent, entries } = await account();
    expect(closed).toBe(true);
    expect(`${entries.length}`).toBe(spent);
    expect(BigInt(spent) - last).toBe(own === "lost" || own === "under way" ? 2n : 1n);
    last = BigInt(spent);
    // What a process had begun to write when it was killed says nothing of whether that process still lives.
    const begun = (name: string) =>
      name.endsWith(".part") || (name.includes(".lock~") && !statSync(join(cwd, name)).size);
    const names = (await readdir(cwd)).filter((name) => !begun(name));
    expect(names.sort()).toEqual(WHOLE);
  }
}, 600_000);
