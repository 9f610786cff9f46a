import type { ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { LedgerJson } from "marginalia";
import { beforeEach, expect, it } from "vitest";
import { SURVEY } from "../../ts/cli/demo/survey.js";
import { EXIT } from "../../ts/cli/exit.js";
import { begin, data, folder, marginalia, outcome } from "./support.js";

const KILLS = process.env.MARGINALIA_FULL ? 100 : 6;
const NAMES = ["area", "age", "sex", "tenure"];
const small = {
  attributes: SURVEY.attributes.filter(({ name }) => NAMES.includes(name)),
  derive: SURVEY.derive ?? [],
};

let cwd = "";
beforeEach(async () => {
  cwd = await folder();
  await writeFile(join(cwd, "schema.json"), JSON.stringify(small));
});

/** With parts of their own, so that each level has a charge. */
const LEVELS = [["state"], ["area"], ["area", "sex"]].map((by) => ({ by, count: 1, share: 1 }));
const KINDS = {
  groups: [`--groups=${JSON.stringify(LEVELS)}`, "--draws=1"],
  rounds: ["--adaptive", "--rounds=4"],
} as const;
type Kind = keyof typeof KINDS;
/** How many charges each has. */
const CHARGES = { groups: 3, rounds: 8 } as const;

const asking = (kind: Kind, label = "a") => [
  ...["run", `--public=${data("survey-2018.csv")}`, `--private=${data("survey-2019.csv")}`, "--dataset=d"],
  ...["--schema=schema.json", "--epsilon=1000", "--spend=1", "--ledger=account.json", `--label=${label}`],
  ...["--out=synthetic.csv", "--report=report.html", ...KINDS[kind]],
];
const ledger = () => readFile(join(cwd, "account.json"), "utf8").catch(() => "");
const times = async (kind: "grant" | "journal") => (await ledger()).split(`"kind":"${kind}"`).length - 1;

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

const records = () => readFile(join(cwd, "synthetic.csv"), "utf8");
const WHOLE = ["account.json", "report.html", "schema.json", "synthetic.csv"];
const names = async () => (await readdir(cwd)).filter((name) => !name.endsWith(".part")).sort();

it.each([
  ["groups", "SIGINT"],
  ["groups", "SIGKILL"],
  ["rounds", "SIGINT"],
  ["rounds", "SIGKILL"],
] as const)(
  "%s: %s after the first answers leaves a true account, and a rerun pays the rest",
  async (kind, signal) => {
    const child = begin(asking(kind), { cwd });
    const done = outcome(child);
    await until(async () => (await times("journal")) >= 1, child);
    child.kill(signal);
    const { code, signal: by } = await done;
    expect([code, by]).toEqual(signal === "SIGINT" ? [EXIT.aborted, null] : [null, "SIGKILL"]);
    // A busy machine may be late to stop it: then what is there is whole.
    const early = existsSync(join(cwd, "synthetic.csv")) ? await records() : undefined;
    const before = await account();
    if (signal === "SIGINT") {
      expect(before.closed).toBe(true);
      // It waited for what was paid.
      expect(before.entries.every(({ state }) => state === "released")).toBe(true);
    }
    const released = before.entries.filter(({ state }) => state === "released");
    expect(released.length).toBeGreaterThanOrEqual(1);
    const rerun = await marginalia(asking(kind), { cwd });
    expect([rerun.code, rerun.stderr]).toEqual([0, ""]);
    const after = await account();
    expect(after.closed).toBe(true);
    // Nothing that was released is paid again.
    for (const [i, entry] of before.entries.entries())
      if (entry.state === "released") expect(after.entries[i]).toEqual(entry);
    const paid = after.entries.filter(({ state }) => state === "released");
    if (after.entries.every(({ state }) => state === "released")) {
      expect(paid.length).toBe(CHARGES[kind]);
      expect(after.spent).toBe("1");
    }
    expect(await names()).toEqual(WHOLE);
    if (early !== undefined) expect(await records()).toBe(early);
    const again = await marginalia(asking(kind), { cwd });
    expect(again.stdout).toContain("nothing was paid again");
  },
);

it("stopped once all levels are paid it writes nothing, and a rerun is free", async () => {
  // So many records that writing them takes some time.
  const asked = [...asking("groups"), "--rows=400000"];
  const child = begin(asked, { cwd });
  const done = outcome(child);
  await until(async () => (await times("journal")) === CHARGES.groups, child);
  child.kill("SIGINT");
  expect((await done).code).toBe(EXIT.aborted);
  expect(await names()).toEqual(["account.json", "schema.json"]);
  expect(await account()).toMatchObject({ closed: true, spent: "1" });
  const rerun = await marginalia(asked, { cwd });
  expect(rerun.stdout).toContain("nothing was paid again");
  expect(await names()).toEqual(WHOLE);
});

it(`groups are killed ${KILLS} times at any moment, and a rerun completes and pays nothing twice`, async () => {
  for (let kill = 0; kill < KILLS; kill++) {
    const label = `${kill}`;
    const child = begin(asking("groups", label), { cwd });
    const done = outcome(child);
    await pause((kill * 797) % 1700);
    child.kill(kill % 3 === 0 ? "SIGINT" : "SIGKILL");
    await done;
    const own = (entries: LedgerJson["entries"]) =>
      entries.filter((entry) => JSON.stringify(entry).includes(`"label":"${label} `));
    const held = existsSync(join(cwd, "account.json")) ? own((await account()).entries) : [];
    const rerun = await marginalia(asking("groups", label), { cwd });
    expect([rerun.code, rerun.stderr]).toEqual([0, ""]);
    const { closed, entries } = await account();
    expect(closed).toBe(true);
    const lost = held.filter(({ state }) => state !== "released").length;
    expect(own(entries).length).toBe(CHARGES.groups + lost);
    expect(own(entries).filter(({ state }) => state === "released").length).toBe(CHARGES.groups);
    expect(await names()).toEqual(WHOLE);
  }
}, 600_000);
