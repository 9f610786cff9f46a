import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { type LedgerJson, type MeasurementJson, measurement, measurementsFromBytes } from "marginalia";
import { beforeEach, expect, it } from "vitest";
import { EXIT } from "../../ts/cli/exit.js";
import { begin, csv, folder, outcome, schema } from "./support.js";
import { marginalia } from "./within.js";

let cwd = "";
beforeEach(async () => {
  cwd = await folder();
  await writeFile(join(cwd, "private.csv"), csv);
  await writeFile(join(cwd, "schema.json"), JSON.stringify(schema));
});

const HOW = ["--schema=schema.json", "--dataset=d", "--epsilon=1", "--ledger=account.json"];
const measure = (...more: string[]) => marginalia(["measure", "private.csv", ...HOW, ...more], { cwd });
const read = (name: string) => readFile(join(cwd, name));
const json = async (name: string) => JSON.parse(`${await read(name)}`) as MeasurementJson[];
const account = async (...more: string[]) => {
  const { code, stdout } = await marginalia(["inspect", "account.json", "--json", ...more], { cwd });
  expect(code).toBe(0);
  return JSON.parse(stdout) as LedgerJson & { closed: boolean };
};

it("measures cliques from the command line, and is charged for them", async () => {
  const { code, stdout, stderr } = await measure(
    "--cliques",
    "age, sex; sex;",
    "--spend=0.3",
    "--out=m.json",
  );
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toContain("ε 0.3 of ε 1 is spent, ε 0.7 is left.");
  const list = (await json("m.json")).map(measurement);
  expect(list.map(({ clique }) => clique)).toEqual([["age", "sex"], ["sex"], []]);
  expect(list.map(({ cost }) => cost)).toEqual(Array(3).fill({ currency: "epsilon", amount: "1/10" }));
  expect(list[0]?.shape).toEqual([11, 3]);
  // b = 10: further off than 300 once in e³⁰ times.
  expect(Math.abs((list[2]?.values[0] as number) - 1000)).toBeLessThan(300);
  expect(await account()).toMatchObject({ dataset: "d", spent: "3/10", left: "7/10", closed: true });
  expect(await readdir(cwd)).toEqual(["account.json", "m.json", "private.csv", "schema.json"]);
});

it("pays nothing for the same command again, and again for another label", async () => {
  const ask = (...more: string[]) => measure("--cliques=age", "--spend=0.25", ...more);
  await ask("--out=one.json");
  const again = await ask("--out=two.bin.gz", "--json");
  expect(JSON.parse(again.stdout)).toMatchObject({ measurements: 1, paid: false, ledger: { spent: "1/4" } });
  const kept = measurementsFromBytes(gunzipSync(await read("two.bin.gz")));
  expect(JSON.parse(JSON.stringify(kept))).toEqual(await json("one.json"));
  const other = await ask("--out=three.json", "--label=December");
  expect(other.stdout).not.toContain("nothing was paid");
  expect(await json("three.json")).not.toEqual(await json("one.json"));
  expect((await account()).spent).toBe("1/2");
});

it("plans without reading, spending or beginning an account", async () => {
  const asked = ["--cliques=age", "--plan", "--expected-rows=1000"];
  const args = ["measure", "nowhere.csv", ...HOW, ...asked];
  const { code, stdout } = await marginalia(args, { cwd });
  expect(code).toBe(0);
  expect(stdout).toContain("of 1000 rows");
  expect(existsSync(join(cwd, "account.json"))).toBe(false);
  await measure("--cliques=age", "--spend=3/4", "--out=m.json");
  const later = await marginalia(args, { cwd });
  expect(later.code).toBe(EXIT.budget);
  expect((await account()).entries.length).toBe(1);
});

it("writes measurements to standard output, and words beside them to standard error", async () => {
  const piped = await marginalia(["measure", "-", ...HOW, "--cliques=sex"], { cwd, input: csv });
  expect(piped.code).toBe(0);
  expect((JSON.parse(piped.stdout) as MeasurementJson[])[0]?.cost?.amount).toBe("1");
  expect(piped.stderr).toContain("Privacy account of d");
  const quiet = await measure("--cliques=sex", "--quiet");
  expect(quiet.stdout).toBe(piped.stdout);
  expect(quiet.stderr).toBe("");
});

it("takes units, relations, ρ, (ε, δ) and requests as the API does", async () => {
  const base = ["measure", "private.csv", "--schema=schema.json", "--dataset=d", "--plan", "--json"];
  const plan = async (...more: string[]) =>
    JSON.parse((await marginalia([...base, ...more], { cwd })).stdout) as Record<string, unknown>;
  expect(await plan("--rho=1/2", "--cliques=age", "--unit=person:3")).toMatchObject({
    ...{ budget: { type: "zcdp", rho: "1/2" }, unit: { column: "person", maxRows: 3 }, price: "1/2" },
  });
  const replaced = await plan(
    "--epsilon=1",
    "--delta=1e-6",
    "--cliques=age;sex",
    "--unit=2",
    "--relation=replace:50",
  );
  expect(replaced).toMatchObject({ unit: { maxRows: 2 }, relation: { replace: { n: 50 } }, currency: "rho" });
  expect(replaced.fits).toBe(true);
  const requests = '[{"clique":["age"],"query":{"type":"prefix"},"scale":50}]';
  expect(await plan("--epsilon=1", "--requests", requests)).toMatchObject({ price: "11/50" });
  expect(await plan('--budget={"type":"pure","epsilon":"2"}', "--cliques=age")).toMatchObject({ price: "2" });
});

it.each<[string, number, string[], string]>([
  [
    "no account",
    EXIT.usage,
    ["--schema=schema.json", "--dataset=d", "--epsilon=1", "--cliques=age"],
    "--ledger",
  ],
  ["two budgets", EXIT.usage, [...HOW, "--rho=1", "--cliques=age"], "one of --epsilon"],
  ["nothing asked", EXIT.usage, HOW, "--cliques"],
  ["a wrong unit", EXIT.usage, [...HOW, "--cliques=age", "--unit=person"], "`unit`"],
  ["no schema", EXIT.usage, [...HOW.slice(1), "--cliques=age"], "--schema"],
  ["an unknown attribute", EXIT.input, [...HOW, "--cliques=agee"], "ATTRIBUTE_UNKNOWN"],
  [
    "a budget below zero",
    EXIT.budget,
    [...HOW.slice(0, 2), HOW[3] as string, "--epsilon=-1", "--cliques=age"],
    "ε",
  ],
  ["too much", EXIT.budget, [...HOW, "--cliques=age", "--spend=2"], "BUDGET_EXCEEDED"],
  ["a folder that is not there", EXIT.io, [...HOW, "--cliques=age", "--out=no/m.json"], "ENOENT"],
  ["a file that is read", EXIT.usage, [...HOW, "--cliques=age", "--out=./private.csv"], "would overwrite"],
])("refuses %s before anything is paid", async (_, exit, args, why) => {
  const { code, stdout, stderr } = await marginalia(["measure", "private.csv", ...args], { cwd });
  expect([code, stdout]).toEqual([exit, ""]);
  expect(stderr).toContain(why);
  if (existsSync(join(cwd, "account.json"))) expect((await account()).spent).toBe("0");
  expect(`${await read("private.csv")}`).toBe(csv);
});

it("refuses a private file that is not there, and answers too large for memory", async () => {
  const absent = await marginalia(["measure", "nowhere.csv", ...HOW, "--cliques=age"], { cwd });
  expect(absent.code).toBe(EXIT.io);
  const many = Array.from({ length: 9 }, (_, i) => ({ ...schema.attributes[0], name: `a${i}` }));
  await writeFile(join(cwd, "schema.json"), JSON.stringify({ attributes: many }));
  const all = many.map(({ name }) => name).join();
  const args = HOW.map((one) => one.replace("account.json", "other.json"));
  const large = await marginalia(["measure", "private.csv", ...args, "--cliques", all], { cwd });
  expect([large.code, large.stdout]).toEqual([EXIT.resources, ""]);
});

it("refuses an account of another budget, a damaged one, and one that is open elsewhere", async () => {
  await measure("--cliques=age", "--spend=0.1", "--out=m.json");
  const other = await measure("--cliques=age", "--dataset=e").then(({ code }) => code);
  expect(other).toBe(EXIT.usage);
  const args = [
    "measure",
    "private.csv",
    ...HOW.filter((one) => !one.startsWith("--epsilon")),
    "--cliques=age",
  ];
  expect((await marginalia([...args, "--epsilon=2"], { cwd })).code).toBe(EXIT.ledger);
  const child = begin(["measure", "-", ...HOW, "--cliques=sex", "--spend=0.1"], { cwd });
  const done = outcome(child);
  while (!existsSync(join(cwd, "account.json.lock"))) await new Promise((soon) => setTimeout(soon, 20));
  expect((await measure("--cliques=age", "--spend=0.1")).stderr).toContain("LEDGER_LOCKED");
  // Looking at it needs no lock.
  expect((await account()).spent).toBe("1/10");
  child.stdin?.end(csv);
  expect((await done).code).toBe(0);
  const bytes = await read("account.json");
  await writeFile(join(cwd, "account.json"), `${bytes}`.replace('"cost":"1/10"', '"cost":"1/90"'));
  expect((await measure("--cliques=age")).code).toBe(EXIT.ledger);
  expect((await marginalia(["inspect", "account.json"], { cwd })).code).toBe(EXIT.ledger);
});

it("inspects measurements in every form", async () => {
  await measure("--cliques=age,sex", "--spend=0.5", "--out=m.json.gz");
  await measure("--cliques=age,sex", "--spend=0.5", "--out=m.bin");
  const words = await marginalia(["inspect", "m.bin"], { cwd });
  expect(words.stdout).toContain("age × sex  each cell  33      discrete Laplace, b = 2  ± 2.8");
  expect((await marginalia(["inspect", "m.json.gz"], { cwd })).stdout).toBe(words.stdout);
  expect((await marginalia(["inspect", "-"], { cwd, input: await read("m.bin") })).stdout).toBe(words.stdout);
  const listed = JSON.parse((await marginalia(["inspect", "m.bin", "--json"], { cwd })).stdout) as object[];
  expect(listed).toEqual([expect.objectContaining({ clique: ["age", "sex"], values: 33 })]);
  expect((await marginalia(["inspect", "private.csv"], { cwd })).code).toBe(EXIT.input);
  expect((await marginalia(["inspect", "schema.json"], { cwd })).code).toBe(EXIT.input);
});

it("checks a private file against its schema, and says that this is not private", async () => {
  const fits = await marginalia(["check", "private.csv", "--schema=schema.json"], { cwd });
  expect(fits).toMatchObject({ code: EXIT.done, stderr: "" });
  const input = "age,sex\n5,F\n12,secret\n";
  const found = await marginalia(["check", "-", "--schema=schema.json"], { cwd, input });
  expect(found.code).toBe(EXIT.misfits);
  expect(found.stdout).toMatch(
    /^NOT PRIVATE[\s\S]*sex: row 2 with a value that is not declared; it becomes null/,
  );
  expect(found.stdout).not.toContain("secret");
  const data = await marginalia(["check", "-", "--schema=schema.json", "--json"], { cwd, input });
  expect(JSON.parse(data.stdout)).toMatchObject({ private: false, fits: false, rows: 2 });
  const lacks = await marginalia(["check", "-", "--schema=schema.json"], { cwd, input: "age\n1\n" });
  expect([lacks.code, lacks.stdout]).toEqual([EXIT.input, ""]);
});
