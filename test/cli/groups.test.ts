import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type GroupedPlanJson,
  type LedgerJson,
  priorAware,
  pure,
  readTable,
  schemaFromJson,
  seal,
} from "marginalia";
import { beforeEach, expect, it } from "vitest";
import { SURVEY } from "../../ts/cli/demo/survey.js";
import { EXIT } from "../../ts/cli/exit.js";
import { data, folder, type Outcome } from "./support.js";
import { marginalia } from "./within.js";

/** Areas within states, and three attributes of people. */
const NAMES = ["area", "age", "sex", "tenure"];
const small = {
  attributes: SURVEY.attributes.filter(({ name }) => NAMES.includes(name)),
  derive: SURVEY.derive ?? [],
};
const FILES = ["--public", data("survey-2018.csv"), "--private", data("survey-2019.csv")];
const HOW = [...FILES, "--schema=schema.json", "--epsilon=1", "--ledger=account.json", "--draws=1"];
const GROUPS = ["--groups=area", "--parent=state"];

let cwd = "";
beforeEach(async () => {
  cwd = await folder();
  await writeFile(join(cwd, "schema.json"), JSON.stringify(small));
});

const ask = (...args: string[]): Promise<Outcome> => marginalia(args, { cwd });
const read = async (name: string) => `${await readFile(join(cwd, name))}`;
const account = async () => JSON.parse((await ask("inspect", "account.json", "--json")).stdout) as LedgerJson;
const plan = async (...more: string[]) => {
  const { stdout, stderr } = await ask("plan", ...HOW, "--json", ...more);
  expect(stderr).toBe("");
  return JSON.parse(stdout) as GroupedPlanJson;
};
const levels = ({ levels: all }: GroupedPlanJson) => all.map(({ by, groups }) => [by.join(), groups]);

it("plans any chain of levels, which parents begin", async () => {
  const two = [
    ["state", 4],
    ["area", 9],
  ];
  expect(levels(await plan(...GROUPS))).toEqual(two);
  expect(levels(await plan("--groups=state;area"))).toEqual(two);
  expect(levels(await plan('--groups=[{"by":["area"],"count":0.1}]', "--parent", "state"))).toEqual(two);
  expect(levels(await plan("--groups", "area,sex", "--parent", ";state;area"))).toEqual([
    ["", 1],
    ...two,
    ["area,sex", 27],
  ]);
  expect(existsSync(join(cwd, "account.json"))).toBe(false);
  const { stdout } = await ask("plan", ...HOW, ...GROUPS, "--no-local", "--totals=combined");
  expect(stdout).toContain("Level by level\nin each  groups");
  expect(stdout).toContain("Totals: what all measurements of each group say.");
  expect(stdout).toContain("right at most 73.11 % of the time");
});

it("compares several budgets, level by level", async () => {
  const args = HOW.filter((one) => !/epsilon|ledger/.test(one));
  const even = ["state", "area"].map((name) => ({ by: [name], workload: [["sex"]], count: 1, share: 1 }));
  const { code, stdout } = await ask("plan", ...args, "--epsilon=1,4", `--groups=${JSON.stringify(even)}`);
  expect(code).toBe(0);
  expect(stdout).toMatch(/budget +a bet .* records of each state +counts within +records of each area/);
  const rows = stdout.split("\n").filter((line) => line.startsWith("ε"));
  const errors = rows.map((row) => Array.from(row.matchAll(/± ([\d.]+)/g), ([, error]) => Number(error)));
  expect(errors.map(({ length }) => length)).toEqual([4, 4]);
  for (const [i, error] of (errors[0] ?? []).entries())
    expect(error / (errors[1]?.[i] as number)).toBeGreaterThan(2);
});

it("releases groups as the API does, and again for nothing", async () => {
  const first = await ask("run", ...HOW, ...GROUPS, "--seed=v1", "--out=a.csv", "--report=a.html");
  expect([first.code, first.stderr]).toEqual([0, ""]);
  expect(first.stdout).toMatch(/^\d+ synthetic records in a\.csv\.\nThe report is in a\.html/);
  expect(first.stdout).toContain("ε 1 of ε 1 is spent, ε 0 is left.");
  const paid = await account();
  const again = await ask("run", ...HOW, ...GROUPS, "--seed=v1", "--out=b.csv", "--report=b.json", "--json");
  expect(again.code).toBe(0);
  const said = JSON.parse(again.stdout) as { paid: boolean; records: number; total: number };
  expect(said).toMatchObject({
    paid: false,
    files: ["b.csv"],
    levels: [
      { by: ["state"], groups: 4, converged: 4, limit: 0, refused: 0 },
      { by: ["area"], groups: 9, converged: 9 },
    ],
  });
  expect(said.records).toBe(Math.round(said.total));
  expect(await read("b.csv")).toBe(await read("a.csv"));
  expect(await account()).toEqual(paid);
  // A program that has the same account finds the same answers in it.
  const schema = schemaFromJson(small);
  const raw = ["age"] as never[];
  using prior = await readTable(data("survey-2018.csv"), schema, { ignore: true, keepRaw: raw });
  const sealed = await seal(data("survey-2019.csv"), schema, {
    ...{ dataset: "survey-2019", unit: "row", budget: pure(1), ledger: join(cwd, "account.json") },
  });
  const provenance = { name: "survey-2018.csv" };
  using mechanism = priorAware({ prior, provenance, draws: 1, groups: [["state"], ["area"]] as never });
  using release = await mechanism.run(sealed);
  await sealed.close();
  expect(release.total).toBe(said.total);
  await release.writeCsv(join(cwd, "c.csv"), { seed: "v1" });
  expect(await read("c.csv")).toBe(await read("a.csv"));
  const kept = JSON.parse(await read("b.json")) as {
    release: { groups: { labels: string[]; records: number }[] };
  };
  for (const { by, records } of release.groups)
    expect(kept.release.groups).toContainEqual(
      expect.objectContaining({ labels: Object.values(by), records }),
    );
});

it("has exactly so many records of each group, in copies, and no denied one", async () => {
  const deny = '--deny=[{"age":"0..14","tenure":["owned","social"]}]';
  const made = await ask("run", ...HOW, ...GROUPS, deny, "--out=r.csv", "--copies=2", "--rows=900", "--json");
  expect(JSON.parse(made.stdout)).toMatchObject({ records: 900, files: ["r-1.csv", "r-2.csv"] });
  const schema = schemaFromJson(small);
  const counts = await Promise.all(
    ["r-1.csv", "r-2.csv"].map(async (name) => {
      using table = await readTable(join(cwd, name), schema);
      const cells = await table.marginal(["age", "tenure"]);
      const code = (label: string) => schema.labels("tenure").indexOf(label);
      expect([cells[code("owned")], cells[code("social")]]).toEqual([0, 0]);
      return [...(await table.marginal(["area"]))];
    }),
  );
  expect(counts[0]).toEqual(counts[1]);
  expect(await read("r-1.csv")).not.toBe(await read("r-2.csv"));
});

it("takes groups as the API does from a configuration, and runs the plan that was looked at", async () => {
  const config = {
    public: data("survey-2018.csv"),
    private: data("survey-2019.csv"),
    schema: small,
    budget: { type: "zcdp", rho: "1/2" },
    ledger: "account.json",
    groups: [
      { by: [], count: 0, workload: [["age", "sex"]] },
      { by: ["area"], workload: [["tenure"]], count: 1, share: 3, strength: 500 },
    ],
    totals: "combined",
    estimator: "calibrated",
    local: false,
    mostRows: 1000,
    out: "a.csv",
  };
  await writeFile(join(cwd, "job.json"), JSON.stringify(config));
  expect((await ask("plan", "--config=job.json", "--out=plan.json")).code).toBe(0);
  const planned = JSON.parse(await read("plan.json")) as GroupedPlanJson;
  expect(planned.estimate).toMatchObject({ totals: "combined", local: false });
  expect(planned.measure.charges.map(({ cost }) => cost)).toEqual(["1/10", "1/10", "3/10"]);
  const other = await ask("run", "--config=job.json", "--planned=plan.json", "--expected-rows=100");
  expect([other.code, existsSync(join(cwd, "account.json"))]).toEqual([EXIT.usage, false]);
  expect((await ask("run", "--config=job.json", "--planned=plan.json")).code).toBe(0);
  expect(await account()).toMatchObject({ spent: "1/2", entries: [{ cost: "1/10" }, { cost: "2/5" }] });
});

it("evaluates beside the true numbers of records of groups", async () => {
  await ask("run", ...HOW, ...GROUPS, "--out=a.csv", "--report=a.json");
  const files = ["evaluate", "a.csv", ...FILES, "--schema=schema.json", "--released=a.json"];
  const { code, stderr } = await ask(...files, "--report=internal.html");
  expect([code, stderr]).toEqual([0, ""]);
  const page = await read("internal.html");
  for (const id of ["scores", "totals", "cost", "groups"]) expect(page).toContain(`<section id="${id}">`);
});

it.each<[string, number, string[], string]>([
  ["parents without groups", EXIT.usage, ["--parent=state"], "--parent goes with --groups"],
  ["what is of groups alone", EXIT.usage, ["--totals=count"], "--totals goes with --groups"],
  ["groups and a group", EXIT.usage, [...GROUPS, "--group=area"], "--group is not for groups"],
  ["groups and a workload", EXIT.usage, [...GROUPS, "--workload=age,sex"], "--workload is not for groups"],
  ["groups by rounds", EXIT.usage, [...GROUPS, "--adaptive"], "leave out --adaptive, or --groups"],
  [
    "weighted rows of groups",
    EXIT.usage,
    [...GROUPS, "--weighted=n"],
    "--weighted writes the rows of one model",
  ],
  ["groups that are no list", EXIT.usage, ["--groups=[1]"], "`groups` is a list of levels"],
  ["an unknown option of a level", EXIT.usage, ['--groups=[{"by":["area"],"spend":1}]'], "spend"],
  ["levels that are no chain", EXIT.usage, ["--groups=area", "--parent=sex"], "OPTION_INVALID"],
  ["an unknown attribute", EXIT.input, ["--groups=puma", "--parent=state"], "ATTRIBUTE_UNKNOWN"],
  ["more than there is", EXIT.budget, [...GROUPS, "--spend=2"], "all levels together need ε = 2"],
  [
    "a denied group",
    EXIT.usage,
    [...GROUPS, '--deny=[{"area":"AR101"}]'],
    "cannot name what tells groups apart",
  ],
])("refuses %s before anything is paid", async (_, exit, more, why) => {
  const { code, stdout, stderr } = await ask("run", ...HOW, ...more);
  expect([code, stdout]).toEqual([exit, ""]);
  expect(stderr).toContain(why);
  if (existsSync(join(cwd, "account.json"))) expect((await account()).spent).toBe("0");
  expect((await readdir(cwd)).filter((name) => !/account|schema/.test(name))).toEqual([]);
});

it("says with its exit code that what is left does not pay for all levels", async () => {
  expect((await ask("run", ...HOW, "--workload=sex", "--spend=1/2", "--quiet")).code).toBe(0);
  const planned = await ask("plan", ...HOW, ...GROUPS, "--spend=3/4");
  expect(planned.code).toBe(EXIT.budget);
  expect(planned.stdout).toContain("which is more than the ε 0.5 that is left");
});
