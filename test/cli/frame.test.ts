import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Ajv } from "ajv";
import { expect, it } from "vitest";
import { parseArguments } from "../../ts/cli/arguments.js";
import { classOf, EXIT } from "../../ts/cli/exit.js";
import { nearest } from "../../ts/cli/nearest.js";
import { type ErrorCode, MarginaliaError } from "../../ts/errors.js";
import { flag, text, whole } from "../../ts/option.js";
import { csv, folder, schema, marginalia as spawned } from "./support.js";
import { marginalia } from "./within.js";

const COMMANDS = [
  "schema",
  "check",
  "plan",
  "run",
  "evaluate",
  "query",
  "sample",
  "measure",
  "rank",
  "inspect",
  "demo",
];
const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };

it("says its version, its commands, and what each takes", async () => {
  expect(await marginalia(["--version"])).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: "" });
  const help = await marginalia(["--help"]);
  expect(help).toMatchObject({ code: 0, stderr: "" });
  for (const name of COMMANDS) {
    expect(help.stdout).toContain(`\n  ${name} `);
    const own = await marginalia([name, "--help"]);
    expect(own).toMatchObject({ code: 0, stderr: "" });
    expect(own.stdout).toContain(`marginalia ${name}`);
    expect(own.stdout).toContain("--config FILE");
    expect((await marginalia(["help", name])).stdout).toBe(own.stdout);
    for (const line of own.stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(125);
  }
});

it("is the same as a program and within another", async () => {
  const cwd = await folder();
  await writeFile(join(cwd, "schema.json"), JSON.stringify(schema));
  for (const args of [
    ["--version"],
    ["shema"],
    ["check", "-", "--schema=schema.json"],
    ["check", "no.csv"],
  ]) {
    expect(await marginalia(args, { cwd, input: csv })).toEqual(await spawned(args, { cwd, input: csv }));
  }
});

it("refuses what does not exist, with the nearest name", async () => {
  const said = async (...args: string[]) => {
    const { code, stderr, stdout } = await marginalia(args);
    expect([code, stdout]).toEqual([EXIT.usage, ""]);
    return stderr;
  };
  expect(await said()).toContain("which command");
  expect(await said("shema")).toContain("did you mean schema?");
  expect(await said("zzzzzz")).not.toContain("did you mean");
  expect(await said("schema", "--bin=3")).toContain("did you mean --bins?");
  expect(await said("check", "-x")).toContain("there is no option -x");
  expect(await said("check", "a.csv", "b.csv")).toContain("one argument too many");
  expect(await said("schema", "a.csv", "--bins", "some")).toContain("`bins` is a whole number from 2");
  expect(await said("check")).toContain("the private file is missing");
});

it("reads options in all their forms", () => {
  const options = { file: text("F", ""), count: whole("N", 0, ""), withDots: flag(""), last: text("L", "") };
  const parse = (...argv: string[]) => parseArguments(argv, { options, positional: ["file", "last"] });
  expect(parse("--count", "3", "--with-dots")).toEqual({ count: 3, withDots: true });
  expect(parse("--count=3", "--no-with-dots")).toEqual({ count: 3, withDots: false });
  expect(parse("--with-dots=false", "-", "z")).toEqual({ withDots: false, file: "-", last: "z" });
  expect(parse("--", "--count")).toEqual({ file: "--count" });
  expect(parse("--file=a=b", "--last", "-")).toEqual({ file: "a=b", last: "-" });
  expect(() => parse("--count")).toThrow("--count needs a value");
  expect(() => parse("--count", "--with-dots")).toThrow("--count needs a value");
  expect(() => parse("--count", "-1")).toThrow("whole number");
  expect(() => parse("--count=1", "--count=2")).toThrow("given twice");
  expect(() => parse("x", "--file", "y")).toThrow("given twice");
  expect(() => parse("--no-count")).toThrow("there is no option --no-count");
  expect(() => parse("--with-dots=maybe")).toThrow("true or false");
  expect(() => parse("--constructor", "x")).toThrow("there is no option");
});

it("finds the nearest name only where it is near", () => {
  expect(nearest("epsilom", ["epsilon", "delta"])).toBe("epsilon");
  expect(nearest("dleta", ["epsilon", "delta"])).toBeUndefined();
  expect(nearest("", ["out"])).toBeUndefined();
});

it("takes options from a configuration, those of the command line first", async () => {
  const cwd = await folder();
  await writeFile(join(cwd, "private.csv"), csv);
  const config = {
    private: "private.csv",
    schema,
    dataset: "d",
    epsilon: 1,
    cliques: [["age"]],
    bins: 3,
    json: true,
  };
  await writeFile(join(cwd, "job.json"), JSON.stringify(config));
  const planned = await marginalia(["measure", "--config", "job.json", "--plan", "--epsilon=2"], { cwd });
  expect(planned.code).toBe(0);
  expect(JSON.parse(planned.stdout)).toMatchObject({ dataset: "d", price: "2", budget: { epsilon: "2" } });
  const checked = await marginalia(["check", "--config=-"], {
    cwd,
    input: JSON.stringify({ ...config, json: false }),
  });
  expect(checked).toMatchObject({ code: 0, stderr: "" });
  expect(checked.stdout).toContain(
    "1000 records, no rows with line ends in quotes.\nAll of them fit the schema.",
  );
});

it.each([
  ["[1]", "an object whose keys are options"],
  ["{", "is not JSON"],
  ['{ "dataSet": "d" }', "unknown key `dataSet`; did you mean dataset?"],
  ['{ "config": "other.json" }', "unknown key `config`"],
  ['{ "bins": "20" }', "`bins` is a whole number"],
  ['{ "json": 1 }', "`json` is true or false"],
])("refuses the configuration %s", async (input, why) => {
  const { code, stderr } = await marginalia(["schema", "--config", "-"], { input });
  expect(code).toBe(EXIT.usage);
  expect(stderr).toContain(why);
});

it("publishes the schema of configurations", async () => {
  const { stdout } = await marginalia(["--config-schema"]);
  const published: object = JSON.parse(readFileSync("cli.schema.json", "utf8"));
  expect(published).toEqual(JSON.parse(stdout));
  const fits = new Ajv({ strict: false }).compile(published);
  expect(fits({ private: "a.csv", schema, epsilon: "1/3", unit: { maxRows: 2 }, cliques: [["age"]] })).toBe(
    true,
  );
  expect(
    fits({ widen: false, deny: [{ age: "0" }], exponents: [0], strength: "harmonic", where: { sex: "F" } }),
  ).toBe(true);
  const level = { by: ["area", "year"], workload: [["age", "sex"]], count: 0, share: 2.5, strength: 100 };
  for (const right of [
    { groups: [["state"], level], totals: "count", estimator: "iterative", local: false, mostRows: 1 },
    { groups: [[]], parent: [["state"]] },
    { adaptive: true, rounds: 3, selectShare: 0.2, start: "one-ways", factors: [1, 2] },
    { mechanism: "aim", rounds: 30, cells: 1000, workload: [["age", "sex"]] },
    { mechanism: "mst", attributes: ["age", "sex"] },
    { mechanism: "pmwPub", rounds: 30, ways: 2, sample: 9, selection: "exponential", average: true },
  ])
    expect(fits(right)).toBe(true);
  for (const wrong of [
    { groups: [] },
    { groups: ["area"] },
    { groups: [{ workload: [["age"]] }] },
    { groups: [{ ...level, spend: 1 }] },
    { groups: [{ ...level, strength: 0 }] },
    { groups: [{ ...level, count: -1 }] },
    { totals: "sum" },
    { mostRows: 0 },
    { adaptive: "yes" },
    { selectShare: 1 },
    { factors: [0] },
    { epsilom: 1 },
    { widen: "no" },
    { tolerance: 0 },
    { where: "sex=F" },
    { bins: 1 },
    { cliques: "age" },
    { format: "xls" },
  ])
    expect(fits(wrong)).toBe(false);
});

it("says errors as JSON on request", async () => {
  const { code, stdout, stderr } = await marginalia([
    "check",
    "nowhere.csv",
    "--schema",
    "nowhere.json",
    "--json",
  ]);
  expect([code, stdout]).toEqual([EXIT.io, ""]);
  expect(JSON.parse(stderr)).toEqual({
    error: { code: "SOURCE_FAILED", message: expect.stringContaining("ENOENT"), class: "io", exit: 6 },
  });
  const early = await marginalia(["chek", "--json"]);
  expect(JSON.parse(early.stderr)).toMatchObject({ error: { class: "usage" } });
});

it("documents the exit code of every error", () => {
  const page = readFileSync("docs/errors.md", "utf8");
  const codes = [...page.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, code]) => code as ErrorCode);
  expect(codes.length).toBeGreaterThan(20);
  const rows = [...page.matchAll(/^\| (\d+) \| (\w+) \| (.*) \|$/gm)];
  const documented = Object.fromEntries(rows.map(([, exit, kind]) => [kind, Number(exit)]));
  expect(documented).toEqual(EXIT);
  for (const [, , kind, words = ""] of rows) {
    const listed = [...words.matchAll(/`([A-Z_]+)`/g)].map(([, code]) => code);
    const own = codes.filter((code) => classOf(new MarginaliaError(code, "")) === kind);
    expect(listed.sort()).toEqual(own.sort());
  }
  expect(classOf(new Error("anything"))).toBe("internal");
});
