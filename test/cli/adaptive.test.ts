import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AdaptivePlanJson, LedgerJson } from "marginalia";
import { beforeEach, expect, it } from "vitest";
import { SURVEY } from "../../ts/cli/demo/survey.js";
import { EXIT } from "../../ts/cli/exit.js";
import { data, folder, type Outcome } from "./support.js";
import { marginalia } from "./within.js";

const NAMES = ["age", "sex", "tenure", "employment"];
const small = { attributes: SURVEY.attributes.filter(({ name }) => NAMES.includes(name)) };
const FILES = ["--public", data("survey-2018.csv"), "--private", data("survey-2019.csv")];
const HOW = [...FILES, "--schema=schema.json", "--epsilon=1", "--ledger=account.json", "--adaptive"];

let cwd = "";
beforeEach(async () => {
  cwd = await folder();
  await writeFile(join(cwd, "schema.json"), JSON.stringify(small));
});

const ask = (...args: string[]): Promise<Outcome> => marginalia(args, { cwd });
const read = async (name: string) => `${await readFile(join(cwd, name))}`;
const account = async () => JSON.parse((await ask("inspect", "account.json", "--json")).stdout) as LedgerJson;

it("plans rounds, and compares several budgets", async () => {
  const { code, stdout } = await ask("plan", ...HOW, "--rounds=3");
  expect(code).toBe(0);
  expect(stdout).toContain("rounds 1 to 3");
  expect(stdout).toContain("Rounds: 3, as asked.");
  expect(stdout).toContain("right at most 73.11 % of the time");
  expect(existsSync(join(cwd, "account.json"))).toBe(false);
  const args = HOW.filter((one) => !/epsilon|ledger/.test(one));
  const several = await ask("plan", ...args, "--epsilon=1,10");
  expect(several.stdout).toMatch(/rounds +error of each count +a choice is worse than the best by/);
  const rows = several.stdout.split("\n").filter((line) => line.startsWith("ε"));
  const numbers = rows.map((row) => row.split(/ {2,}/).slice(2, 4));
  expect(Number(numbers[0]?.[0])).toBeLessThan(Number(numbers[1]?.[0]));
});

it("releases by rounds, saves, and does it again for nothing", async () => {
  const files = ["--out=a.csv", "--report=a.html", "--save=a.marginalia"];
  const first = await ask("run", ...HOW, "--rounds=2", "--seed=v1", ...files);
  expect([first.code, first.stderr]).toEqual([0, ""]);
  expect(first.stdout).toMatch(/^\d+ synthetic records in a\.csv\./);
  const { entries, spent } = await account();
  expect([entries.length, spent]).toEqual([4, "1"]);
  const again = await ask(
    "run",
    ...HOW,
    "--rounds=2",
    "--seed=v1",
    "--out=b.csv",
    "--report=b.html",
    "--json",
  );
  expect(JSON.parse(again.stdout)).toMatchObject({ paid: false, estimate: { status: "converged" } });
  expect([await read("b.csv"), await read("b.html")]).toEqual([await read("a.csv"), await read("a.html")]);
  expect(await read("a.html")).toContain('<section id="rounds">');
  const sampled = await ask("sample", "a.marginalia", "--seed=v1", "--quiet");
  expect(sampled.stdout).toBe(await read("a.csv"));
});

it("says nothing beside what it has to say, however many charges there are", async () => {
  const { code, stderr } = await ask("run", ...HOW, "--rounds=7", "--out=a.csv");
  expect([code, stderr]).toEqual([0, ""]);
  expect((await account()).entries.length).toBe(14);
});

it("takes the options of rounds from a configuration, and runs the plan that was looked at", async () => {
  const config = {
    public: data("survey-2018.csv"),
    private: data("survey-2019.csv"),
    schema: small,
    budget: { type: "zcdp", rho: "1/2" },
    ledger: "account.json",
    adaptive: true,
    rounds: 2,
    selectShare: 0.2,
    start: "one-ways",
    workload: [
      ["age", "sex"],
      ["age", "tenure"],
      ["sex", "employment"],
    ],
    factors: [1, 2, 1],
    out: "a.csv",
  };
  await writeFile(join(cwd, "job.json"), JSON.stringify(config));
  expect((await ask("plan", "--config=job.json", "--out=plan.json")).code).toBe(0);
  const plan = JSON.parse(await read("plan.json")) as AdaptivePlanJson;
  expect(plan).toMatchObject({ selectShare: "1/5", candidates: { cliques: 3 }, fits: true });
  expect([plan.start.length, plan.rounds.length]).toEqual([4, 2]);
  const other = await ask("run", "--config=job.json", "--planned=plan.json", "--rounds=3");
  expect([other.code, existsSync(join(cwd, "account.json"))]).toEqual([EXIT.usage, false]);
  expect((await ask("run", "--config=job.json", "--planned=plan.json")).code).toBe(0);
  expect((await account()).entries.length).toBe(5);
});

it.each<[string, number, string[], string]>([
  [
    "rounds that are not asked for",
    EXIT.usage,
    ["--rounds=2", "--no-adaptive"],
    "--rounds goes with --adaptive or --mechanism aim",
  ],
  ["no round", EXIT.usage, ["--rounds=0"], "`rounds` is a whole number from 1"],
  ["too many rounds", EXIT.usage, ["--rounds=1000"], "--rounds is from 1 to 200"],
  [
    "all of it for choosing",
    EXIT.usage,
    ["--select-share=1"],
    "`selectShare` is a number above 0 and below 1",
  ],
  ["another start", EXIT.usage, ["--start=pairs"], "`start` is one of none, one-ways"],
  ["factors without a workload", EXIT.usage, ["--factors=[1]"], "--factors go with a --workload"],
  ["what rounds do not take", EXIT.usage, ["--draws=2"], "draws"],
  ["more than there is", EXIT.budget, ["--spend=2"], "the rounds ask for ε = 2"],
])("refuses %s before anything is paid", async (_, exit, more, why) => {
  const how = more.includes("--no-adaptive") ? HOW.slice(0, -1) : HOW;
  const { code, stdout, stderr } = await ask("run", ...how, ...more);
  expect([code, stdout]).toEqual([exit, ""]);
  expect(stderr).toContain(why);
  if (existsSync(join(cwd, "account.json"))) expect((await account()).spent).toBe("0");
});
