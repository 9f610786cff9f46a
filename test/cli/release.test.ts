import { existsSync } from "node:fs";
import { copyFile, link, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { type LedgerJson, type ReleasePlanJson, readTable, schemaFromJson } from "marginalia";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { people } from "../../examples/survey.mjs";
import { SURVEY } from "../../ts/cli/demo/survey.js";
import { EXIT } from "../../ts/cli/exit.js";
import { data, folder, type Outcome } from "./support.js";
import { marginalia } from "./within.js";

/** Three attributes of the surveys: a release of them takes half a second. */
const NAMES = ["age", "sex", "tenure"];
const small = { attributes: SURVEY.attributes.filter(({ name }) => NAMES.includes(name)) };
const FILES = ["--public", data("survey-2018.csv"), "--private", data("survey-2019.csv")];
const HOW = [...FILES, "--schema=schema.json", "--epsilon=1", "--ledger=account.json"];

let cwd = "";
beforeEach(async () => {
  cwd = await folder();
  await writeFile(join(cwd, "schema.json"), JSON.stringify(small));
});

const ask = (...args: string[]): Promise<Outcome> => marginalia(args, { cwd });
const read = async (name: string) => `${await readFile(join(cwd, name))}`;
const account = async () => JSON.parse((await ask("inspect", "account.json", "--json")).stdout) as LedgerJson;

it("declares the surveys of the demo as the examples do", () => {
  expect(schemaFromJson(SURVEY).normal()).toBe(people.normal());
});

it("plans without the private file, and without beginning an account", async () => {
  const { code, stdout, stderr } = await ask("plan", data("survey-2018.csv"), ...HOW.slice(4));
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toContain("Plan for the private table, with a budget of ε = 1");
  expect(stdout).toMatch(/Why\n- Measured: /);
  expect(stdout).toMatch(/Forecast of the k-marginal, not grouped, from public data alone/);
  expect(stdout).toMatch(/Needs about \d+ MB of memory and .* on one thread\./);
  expect(stdout).toContain("right at most 73.11 % of the time");
  expect(await readdir(cwd)).toEqual(["schema.json"]);
});

it("compares several budgets", async () => {
  const args = ["plan", data("survey-2018.csv"), "--schema=schema.json"];
  const { code, stdout } = await ask(...args, "--epsilon=0.3,1,3", "--expected-rows=4800");
  expect(code).toBe(0);
  const lines = stdout.split("\n").filter((line) => /^(none|ε)/.test(line));
  expect(lines.map((line) => line.split(/ {2,}/)[0])).toEqual([
    ...["none: the public file as it is", "ε = 0.3", "ε = 1", "ε = 3"],
  ]);
  const errors = lines.slice(1).map((line) => Number(/± ([\d.]+)$/.exec(line)?.[1]));
  expect(errors[0]).toBeGreaterThan(errors[1] as number);
  expect(errors[1]).toBeGreaterThan(errors[2] as number);
  const rho = await ask(...args, "--rho=1/8,1/2", "--json");
  const listed = JSON.parse(rho.stdout) as { advantage: number; plan: ReleasePlanJson }[];
  expect(listed.map(({ plan }) => plan.measure.price)).toEqual(["1/8", "1/2"]);
  expect(listed[0]?.advantage).toBeLessThan(listed[1]?.advantage as number);
  const delta = await ask(...args, "--epsilon=0.5,2", "--delta=1e-9");
  expect(delta.stdout).toContain("ε = 0.5, δ = 1e-9");
});

it("releases, tells what it did, and does it again for nothing", async () => {
  const first = await ask("run", ...HOW, "--seed=v1", "--out=a.csv", "--report=a.html");
  expect([first.code, first.stderr]).toEqual([0, ""]);
  expect(first.stdout).toMatch(/^\d+ synthetic records in a\.csv\.\nThe report is in a\.html/);
  expect(first.stdout).toContain("ε 1 of ε 1 is spent, ε 0 is left.");
  expect(first.stdout).toContain("Privacy account of survey-2019");
  const again = await ask("run", ...HOW, "--seed=v1", "--out=b.csv.gz", "--report=b.html", "--json");
  expect(again.code).toBe(0);
  expect(JSON.parse(again.stdout)).toMatchObject({ paid: false, files: ["b.csv.gz"], report: "b.html" });
  expect(`${gunzipSync(await readFile(join(cwd, "b.csv.gz")))}`).toBe(await read("a.csv"));
  expect(await read("b.html")).toBe(await read("a.html"));
  const other = await ask("run", ...HOW, "--seed=v2", "--quiet");
  expect([other.code, other.stderr]).toEqual([0, ""]);
  expect(other.stdout).not.toBe(await read("a.csv"));
  expect(other.stdout.split("\n").length).toBe((await read("a.csv")).split("\n").length);
  expect((await account()).entries.length).toBe(1);
  expect((await readdir(cwd)).sort()).toEqual(
    ["a.csv", "a.html", "account.json", "b.csv.gz", "b.html", "schema.json"].sort(),
  );
  // Without the account it is another draw.
  const fresh = await ask("run", ...HOW.slice(0, -1), "--ledger=fresh.json", "--seed=v1", "--quiet");
  expect(fresh.stdout).not.toBe(await read("a.csv"));
});

it("writes copies, so many records, weighted rows, and derived attributes", async () => {
  const run = (...more: string[]) => ask("run", ...HOW, ...more);
  const copies = await run("--out=records.csv", "--copies=2", "--rows=300", "--json");
  expect(JSON.parse(copies.stdout)).toMatchObject({
    records: 300,
    files: ["records-1.csv", "records-2.csv"],
  });
  const [one, two] = [await read("records-1.csv"), await read("records-2.csv")];
  expect([one, two].map((text) => text.split("\n").length)).toEqual([302, 302]);
  expect(one).not.toBe(two);
  const single = await run("--rows=300", "--seed=marginalia-2", "--quiet");
  expect(single.stdout).toBe(two);
  expect((await run("--weighted=records", "--out=w.csv")).code).toBe(0);
  const schema = schemaFromJson(small);
  using weighted = await readTable(join(cwd, "w.csv"), schema, { weight: "records" });
  const ages = await weighted.marginal(["age"]);
  expect(ages.reduce((sum, n) => sum + n, 0)).toBeCloseTo(JSON.parse(copies.stdout).total as number, 3);
  const numbered = await run("--out=-", "--copies=2");
  expect([numbered.code, numbered.stdout]).toEqual([EXIT.usage, ""]);
  expect((await run("--weighted=w", "--rows=2")).code).toBe(EXIT.usage);
  expect((await account()).entries.length).toBe(1);
});

it("runs the plan that was looked at, and no other", async () => {
  const planned = await ask("plan", ...HOW, "--out=plan.json");
  expect(planned.code).toBe(0);
  expect(existsSync(join(cwd, "account.json"))).toBe(false);
  const plan = JSON.parse(await read("plan.json")) as ReleasePlanJson;
  expect(plan).toMatchObject({ format: "marginalia-release-plan", measure: { dataset: "survey-2019" } });
  const other = await ask("run", ...HOW, "--planned=plan.json", "--expected-rows=100", "--out=a.csv");
  expect([other.code, other.stdout]).toEqual([EXIT.usage, ""]);
  expect(existsSync(join(cwd, "account.json"))).toBe(false);
  expect((await ask("run", ...HOW, "--planned=plan.json", "--out=a.csv")).code).toBe(0);
  expect((await account()).entries[0]?.what).toBe(
    plan.measure.charges.map(({ clique }) => clique.join(" × ")).join("; "),
  );
});

it("takes one configuration for all commands", async () => {
  const config = {
    public: data("survey-2018.csv"),
    private: data("survey-2019.csv"),
    schema: small,
    dataset: "configured",
    budget: { type: "zcdp", rho: "1/2" },
    ledger: "account.json",
    expectedRows: 4800,
    workload: [["age", "sex"], ["tenure"]],
    exponents: [0],
    widen: false,
    strength: "harmonic",
    deny: [{ age: "0..14", tenure: ["social", null] }],
    seed: "v1",
    out: "synthetic.csv",
    title: "A page",
  };
  await writeFile(join(cwd, "job.json"), JSON.stringify(config));
  const planned = await ask("plan", "--config=job.json", "--out=plan.json");
  expect(planned.stdout).toContain("Measured: the 2 marginals asked for, equal shares (as asked).");
  const made = await ask("run", "--config=job.json", "--planned=plan.json", "--report=report.html", "--json");
  expect(JSON.parse(made.stdout)).toMatchObject({ files: ["synthetic.csv"], ledger: { spent: "1/2" } });
  const synthetic = await readTable(join(cwd, "synthetic.csv"), schemaFromJson(small));
  const cells = await synthetic.marginal(["age", "tenure"]);
  const labels = schemaFromJson(small).labels("tenure");
  expect(cells[labels.indexOf("social")]).toBe(0);
  expect(cells[labels.indexOf(null)]).toBe(0);
  synthetic.dispose();
  expect(await read("report.html")).toContain("<h1><bdi>A page</bdi></h1>");
  const judged = await ask("evaluate", "synthetic.csv", "--config=job.json");
  expect(judged.code).toBe(0);
});

it("evaluates beside the public file and a part of the true rows, and says that this is not private", async () => {
  await ask("run", ...HOW, "--out=a.csv", "--report=a.json");
  const files = ["evaluate", "a.csv", ...FILES, "--schema=schema.json"];
  const { code, stdout, stderr } = await ask(...files, "--report=internal.html");
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/^NOT PRIVATE/);
  expect(stdout).toMatch(/synthetic +public +subsample/);
  const page = await read("internal.html");
  expect(page).toContain("internal: not differentially private");
  expect(page).toContain('<section id="attributes">');
  expect(page).not.toContain('<section id="cost">');
  const whole = await ask(...files, "--report=whole.html", "--released=a.json", "--title=Kept", "--json");
  expect(JSON.parse(whole.stdout)).toMatchObject({
    private: false,
    columns: ["synthetic", "public", "subsample"],
  });
  expect(await read("whole.html")).toContain('<section id="cost">');
  await writeFile(
    join(cwd, "dictionary.json"),
    JSON.stringify({ age: { values: { min: 0, max: 99 } }, sex: {} }),
  );
  const published = await ask(...files, "--dictionary=dictionary.json");
  expect(published.stdout).toMatch(
    /k-marginal of SDNist, by its bins, not grouped\n {2}synthetic {2}9\d\d\.\d\d/,
  );
  const input = await readFile(join(cwd, "a.csv"));
  const piped = await marginalia(["evaluate", "-", ...files.slice(2)], { cwd, input });
  expect(piped.stdout).toBe(stdout);
});

it("compares what it is told to", async () => {
  const files = [
    "evaluate",
    data("survey-2018.csv"),
    "--private",
    data("survey-2019.csv"),
    "--schema=schema.json",
  ];
  const { stdout } = await ask(
    ...files,
    "--attributes=age,sex",
    "--workload=age;sex",
    "--triples=1",
    "--json",
  );
  const { columns, marginals, kMarginal } = JSON.parse(stdout) as {
    columns: string[];
    marginals: { cliques: number }[];
    kMarginal: { pairs: unknown[] };
  };
  expect(columns).toEqual(["synthetic", "subsample"]);
  expect(marginals.map(({ cliques }) => cliques)).toEqual([2, 1, 0]);
  expect(kMarginal.pairs.length).toBe(1);
  const grouped = await ask(...files, "--group=sex", "--json");
  expect(JSON.parse(grouped.stdout)).toMatchObject({ kMarginal: { group: ["sex"], groups: [{}, {}] } });
  const unknown = await ask(...files, "--group=puma");
  expect([unknown.code, unknown.stdout]).toEqual([EXIT.input, ""]);
  expect(unknown.stderr).toContain("ATTRIBUTE_UNKNOWN");
});

it("takes a public file whose rows have weights", async () => {
  const lines = (await readFile(data("survey-2018.csv"), "utf8")).trimEnd().split("\n");
  const weighted = lines.map((line, i) => `${line},${i === 0 ? "n" : 1 + (i % 3)}`).join("\n");
  const args = ["--schema=schema.json", "--epsilon=1", "--public-weight=n", "--json"];
  const { stdout, stderr } = await marginalia(["plan", "-", ...args], { cwd, input: `${weighted}\n` });
  expect(stderr).toBe("");
  const { prior } = JSON.parse(stdout) as ReleasePlanJson;
  const sizes = lines.slice(1).map((_, i) => 1 + ((i + 1) % 3));
  const [sum, squares] = [1, 2].map((k) => sizes.reduce((so, n) => so + n ** k, 0)) as [number, number];
  // Kish's effective size.
  expect(prior.strength).toBeCloseTo(sum ** 2 / squares, 6);
});

it.each<[string, number, string[], string]>([
  [
    "no public file",
    EXIT.usage,
    [...HOW.slice(2), "--widen=false"],
    "PRIOR_MISSING: a public file is missing: --public FILE",
  ],
  [
    "no schema",
    EXIT.usage,
    HOW.filter((one) => !/schema/.test(one)),
    "marginalia schema PUBLIC > schema.json",
  ],
  ["no account", EXIT.usage, HOW.slice(0, -1), "--ledger FILE"],
  ["no private file", EXIT.usage, [...HOW.slice(0, 2), ...HOW.slice(4)], "--private FILE"],
  ["one file twice", EXIT.usage, ["--public", data("survey-2019.csv"), ...HOW.slice(2)], "are one"],
  [
    "standard input twice",
    EXIT.usage,
    ["--public=-", "--private=-", "--dataset=d", ...HOW.slice(4)],
    "only one",
  ],
  ["no name for a pipe", EXIT.usage, [...HOW.slice(0, 2), "--private=-", ...HOW.slice(4)], "--dataset NAME"],
  [
    "several budgets",
    EXIT.budget,
    [...HOW.filter((one) => !/epsilon/.test(one)), "--epsilon=1,2"],
    "an amount is",
  ],
  ["a group that is no attribute", EXIT.input, [...HOW, "--group=puma"], "ATTRIBUTE_UNKNOWN"],
  ["an option that is no JSON", EXIT.usage, [...HOW, "--widen={"], "`widen` is not JSON"],
  ["JSON of another type", EXIT.usage, [...HOW, "--deny={}"], "`deny` is JSON such as"],
  ["too much", EXIT.budget, [...HOW, "--spend=2"], "BUDGET_EXCEEDED"],
  [
    "an output over the public file",
    EXIT.usage,
    [...HOW, `--out=${data("survey-2018.csv")}`],
    "would overwrite",
  ],
  ["an output over the account", EXIT.usage, [...HOW, "--out=account.json"], "would overwrite the account"],
  ["a report over the records", EXIT.usage, [...HOW, "--out=a.csv", "--report=./a.csv"], "are one file"],
  ["a folder that is not there", EXIT.io, [...HOW, "--out=a.csv", "--report=no/a.html"], "ENOENT"],
  ["a public file that is not there", EXIT.io, ["--public=no.csv", ...HOW.slice(2)], "ENOENT"],
])("refuses %s before anything is paid", async (_, exit, args, why) => {
  const { code, stdout, stderr } = await ask("run", ...args);
  expect([code, stdout]).toEqual([exit, ""]);
  expect(stderr).toContain(why);
  if (existsSync(join(cwd, "account.json"))) expect((await account()).spent).toBe("0");
});

it("refuses the private file as the public one under another name of it", async () => {
  await copyFile(data("survey-2019.csv"), join(cwd, "private.csv"));
  await symlink(join(cwd, "private.csv"), join(cwd, "public.csv"));
  const args = ["--public=public.csv", "--private=private.csv", ...HOW.slice(4)];
  const refused = await ask("run", ...args);
  expect([refused.code, refused.stdout]).toEqual([EXIT.usage, ""]);
  expect(existsSync(join(cwd, "account.json"))).toBe(false);
  expect((await ask("run", ...args, "--allow-same-source", "--quiet")).code).toBe(0);
});

it("writes nothing over what a configuration names, nor over the configuration, by whatever links", async () => {
  await copyFile(data("survey-2019.csv"), join(cwd, "private.csv"));
  await writeFile(join(cwd, "counter"), "");
  const ledger = { path: "account.json", counter: "counter" };
  const config = {
    public: data("survey-2018.csv"),
    private: "private.csv",
    schema: "schema.json",
    epsilon: 1,
    ledger,
  };
  await writeFile(join(cwd, "job.json"), JSON.stringify(config));
  await symlink(join(cwd, "counter"), join(cwd, "a-link"));
  await symlink("account.json", join(cwd, "no-file-yet"));
  await link(join(cwd, "job.json"), join(cwd, "hard-link"));
  for (const [place, what] of [
    ["counter", "the counter of the account"],
    ["a-link", "the counter of the account"],
    ["job.json", "the configuration"],
    ["hard-link", "the configuration"],
    ["no-file-yet", "the account"],
    ["account.json.lock", "the lock of the account"],
    ["private.csv", "the private file"],
    ["schema.json", "the schema"],
  ])
    for (const option of ["--out", "--report", "--save"]) {
      const { code, stderr } = await ask("run", "--config=job.json", `${option}=${place}`);
      expect([code, stderr]).toEqual([EXIT.usage, expect.stringContaining(`would overwrite ${what}:`)]);
    }
  expect(existsSync(join(cwd, "account.json"))).toBe(false);
});

it("refuses a private file that is a copy of the public one, in a plan as well", async () => {
  await copyFile(data("survey-2018.csv"), join(cwd, "private.csv"));
  const args = [...HOW.slice(0, 2), "--private=private.csv", ...HOW.slice(4)];
  for (const command of ["plan", "run"]) {
    const { code, stdout, stderr } = await ask(command, ...args);
    expect([code, stdout]).toEqual([EXIT.usage, ""]);
    expect(stderr).toContain("nothing would be protected");
    expect(stderr).toContain("--allow-same-source");
  }
  expect(existsSync(join(cwd, "account.json"))).toBe(false);
});

it("fails with the class of each error", async () => {
  const absent = await ask("run", ...HOW.slice(0, 2), "--private=nowhere.csv", ...HOW.slice(4));
  expect(absent.code).toBe(EXIT.io);
  expect(existsSync(join(cwd, "account.json"))).toBe(false);
  await writeFile(join(cwd, "wrong.csv"), "age,sex\n1,F\n");
  const lacks = await ask("run", "--public=wrong.csv", ...HOW.slice(2));
  expect([lacks.code, lacks.stdout]).toEqual([EXIT.input, ""]);
  await ask("run", ...HOW, "--spend=1/2", "--quiet");
  const budget = await ask("run", ...HOW.map((one) => one.replace("=1", "=2")), "--quiet");
  expect(budget.code).toBe(EXIT.ledger);
  const spent = await ask("plan", ...HOW, "--spend=3/4");
  expect(spent.code).toBe(EXIT.budget);
  expect(spent.stdout).toContain("which is more than the ε 0.5 that is left");
  const more = await ask("run", ...HOW, "--label=more", "--quiet");
  expect(more.code).toBe(0);
  expect((await ask("run", ...HOW, "--label=again", "--quiet")).code).toBe(EXIT.budget);
});

beforeAll(() => expect(existsSync("dist/cli.js")).toBe(true));
