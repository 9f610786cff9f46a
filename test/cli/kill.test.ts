import { type ChildProcess, execFileSync } from "node:child_process";
import { createWriteStream, existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type LedgerJson, measurement } from "marginalia";
import { expect, it } from "vitest";
import { EXIT } from "../../ts/cli/exit.js";
import { begin, csv, folder, marginalia, outcome, schema } from "./support.js";

const KILLS = process.env.MARGINALIA_FULL ? 200 : 10;

async function place(): Promise<string> {
  const cwd = await folder();
  await writeFile(join(cwd, "private.csv"), csv);
  await writeFile(join(cwd, "schema.json"), JSON.stringify(schema));
  return cwd;
}

const asking = (from: string, label: string, ...more: string[]) => [
  ...["measure", from, "--schema=schema.json", "--dataset=d", "--epsilon=1000", "--ledger=account.json"],
  ...["--cliques=age,sex", "--spend=1", "--out=m.json", `--label=${label}`, ...more],
];

async function account(cwd: string): Promise<LedgerJson & { closed: boolean }> {
  const { stdout } = await marginalia(["inspect", "account.json", "--json"], { cwd });
  return JSON.parse(stdout) as LedgerJson & { closed: boolean };
}

/** Waits until the account holds a charge: then the rows are being read. */
async function charged(cwd: string): Promise<void> {
  const text = () => readFile(join(cwd, "account.json"), "utf8").catch(() => "");
  while (!/"kind":"grant".*\n/.test(await text())) await pause(20);
}

/** A measurement whose rows come from standard input, which stays open; it has been charged. */
async function waiting(cwd: string, ...more: string[]): Promise<ChildProcess> {
  const child = begin(asking("-", "a", ...more), { cwd });
  child.stdin?.on("error", () => undefined);
  // Reading begins with the first megabyte.
  child.stdin?.write(csv + "3,F\n".repeat(500_000));
  await charged(cwd);
  return child;
}

it.each(["SIGINT", "SIGTERM"] as const)(
  "%s stops cleanly: the account is true and closed",
  async (signal) => {
    const cwd = await place();
    const child = await waiting(cwd);
    const done = outcome(child);
    child.kill(signal);
    const { code, stdout, stderr } = await done;
    expect([code, stdout]).toEqual([signal === "SIGINT" ? EXIT.aborted : 143, ""]);
    expect(stderr).toContain("ABORTED");
    expect(stderr).toContain(
      "ε 1 is paid for answers that nobody saw and stays spent, in the account account.json",
    );
    expect(await readdir(cwd)).toEqual(["account.json", "private.csv", "schema.json"]);
    const { closed, spent, entries } = await account(cwd);
    expect({ closed, spent }).toEqual({ closed: true, spent: "1" });
    expect(entries.map(({ state }) => state)).toEqual(["lost"]);
    const again = await marginalia(asking("private.csv", "a"), { cwd });
    expect(again.code).toBe(0);
    expect((await account(cwd)).spent).toBe("2");
  },
);

it("stops before anything is charged where it is stopped early", async () => {
  const cwd = await place();
  const child = begin(["schema", "-", "--out=draft.json"], { cwd });
  const done = outcome(child);
  child.stdin?.on("error", () => undefined);
  // Once so much is taken out of the pipe, the command is reading.
  await new Promise((taken) => child.stdin?.write(`a,b\n${"1,2\n".repeat(500_000)}`, taken));
  child.kill("SIGINT");
  expect(await done).toMatchObject({ code: EXIT.aborted, stdout: "" });
  expect(existsSync(join(cwd, "draft.json"))).toBe(false);
});

it("stops while it waits for its rows, before anything is charged", async () => {
  const cwd = await place();
  const child = begin(asking("-", "a"), { cwd });
  const done = outcome(child);
  while (!existsSync(join(cwd, "account.json.lock"))) await pause(20);
  child.kill("SIGINT");
  expect((await done).code).toBe(EXIT.aborted);
  expect(existsSync(join(cwd, "account.json"))).toBe(false);
  expect(existsSync(join(cwd, "account.json.lock"))).toBe(false);
});

it("waits for answers that are paid for where they come from a file, and a rerun has them", async () => {
  const cwd = await place();
  execFileSync("mkfifo", [join(cwd, "pipe.csv")]);
  const child = begin(asking("pipe.csv", "a"), { cwd });
  const done = outcome(child);
  const rows = createWriteStream(join(cwd, "pipe.csv"));
  rows.write(csv + "3,F\n".repeat(500_000));
  await charged(cwd);
  child.kill("SIGINT");
  await new Promise((heard) => child.stderr?.once("data", heard));
  rows.end();
  const { code, stderr } = await done;
  expect(code).toBe(EXIT.aborted);
  expect(stderr).toContain(
    "ε 1 is paid, in the account account.json; the same command finishes it for nothing",
  );
  const again = await marginalia(asking("private.csv", "a"), { cwd });
  expect(again.stdout).toContain("nothing was paid again");
  expect(await account(cwd)).toMatchObject({ closed: true, spent: "1" });
});

it("begins no account where the rows lack a column, and names options as they are written", async () => {
  const cwd = await place();
  await writeFile(join(cwd, "other.csv"), "age,gender\n1,F\n");
  const refused = await marginalia(asking("other.csv", "a"), { cwd });
  expect(refused.stderr).toContain("COLUMN_MISSING");
  expect((await readdir(cwd)).sort()).toEqual(["other.csv", "private.csv", "schema.json"]);
  expect((await marginalia(asking("private.csv", "a"), { cwd })).code).toBe(0);
  const renamed = asking("private.csv", "a").map((one) => one.replace("--dataset=d", "--dataset=e"));
  const other = await marginalia(renamed, { cwd });
  expect(other.stderr).toContain(
    'LEDGER_MISMATCH: the ledger account.json was begun for another --dataset ("d"',
  );
  expect(other.stderr).toContain("begin another ledger for another --dataset,");
});

it("says as JSON that it was stopped", async () => {
  const cwd = await place();
  const child = await waiting(cwd, "--json");
  const done = outcome(child);
  child.kill("SIGINT");
  const { stderr } = await done;
  expect(JSON.parse(stderr)).toMatchObject({ error: { code: "ABORTED", class: "aborted", exit: 130 } });
});

it("goes on after SIGKILL in the middle of reading", async () => {
  const cwd = await place();
  const child = await waiting(cwd);
  const done = outcome(child);
  child.kill("SIGKILL");
  expect((await done).signal).toBe("SIGKILL");
  expect(existsSync(join(cwd, "m.json"))).toBe(false);
  expect(await account(cwd)).toMatchObject({ closed: false, spent: "1" });
  expect((await marginalia(asking("private.csv", "a"), { cwd })).code).toBe(0);
  expect(await account(cwd)).toMatchObject({ closed: true, spent: "2" });
});

it("counts a charge whose newline was not written yet as spent, as opening it does", async () => {
  const cwd = await place();
  const child = await waiting(cwd);
  const done = outcome(child);
  child.kill("SIGKILL");
  await done;
  const text = await readFile(join(cwd, "account.json"), "utf8");
  await writeFile(join(cwd, "account.json"), text.trimEnd());
  expect(await account(cwd)).toMatchObject({ closed: false, spent: "1" });
  // A record that was cut short allowed nothing.
  await writeFile(join(cwd, "account.json"), text.slice(0, -40));
  expect(await account(cwd)).toMatchObject({ closed: false, spent: "0" });
});

it(`is killed ${KILLS} times at any moment, and leaves a true account and no half of a file`, async () => {
  const cwd = await place();
  let last = 0n;
  for (let kill = 0; kill < KILLS; kill++) {
    const child = begin(asking("private.csv", `${kill}`), { cwd });
    const done = outcome(child);
    // The command takes about half a second; a slow machine is killed earlier in its course.
    await pause((kill * 797) % 600);
    child.kill("SIGKILL");
    await done;
    if (existsSync(join(cwd, "m.json"))) {
      const list = JSON.parse(await readFile(join(cwd, "m.json"), "utf8")) as Parameters<
        typeof measurement
      >[0][];
      for (const one of list) expect(measurement(one).values.length).toBe(33);
    }
    // Whatever became of it, the same command ends in order, and at most one charge was lost.
    const again = await marginalia(asking("private.csv", `${kill}`), { cwd });
    expect([again.code, again.stderr]).toEqual([0, ""]);
    const { closed, spent, entries } = await account(cwd);
    expect(closed).toBe(true);
    expect(`${entries.length}`).toBe(spent);
    const grown = BigInt(spent) - last;
    expect(grown === 1n || grown === 2n).toBe(true);
    last = BigInt(spent);
  }
}, 600_000);
