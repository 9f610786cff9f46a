import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { load, readTable } from "marginalia";
import { beforeAll, expect, it } from "vitest";
import { SURVEY } from "../../ts/cli/demo/survey.js";
import { EXIT } from "../../ts/cli/exit.js";
import { data, folder, type Outcome } from "./support.js";
import { marginalia } from "./within.js";

const NAMES = ["age", "sex", "tenure"];
const small = { attributes: SURVEY.attributes.filter(({ name }) => NAMES.includes(name)) };
const HOW = [
  ...["--public", data("survey-2018.csv"), "--private", data("survey-2019.csv"), "--schema=schema.json"],
  ...["--epsilon=1", "--ledger=account.json"],
];

let cwd = "";
const ask = (...args: string[]): Promise<Outcome> => marginalia(args, { cwd });
const read = async (name: string) => `${await readFile(join(cwd, name))}`;

beforeAll(async () => {
  cwd = await folder();
  await writeFile(join(cwd, "schema.json"), JSON.stringify(small));
  const made = await ask("run", ...HOW, "--seed=v1", "--out=first.csv", "--save=survey.marginalia");
  expect([made.code, made.stderr]).toEqual([0, ""]);
  expect(made.stdout).toContain("The release is kept in survey.marginalia; it may be shared.");
});

it("samples what the run wrote, copies of it, and weighted rows", async () => {
  const same = await ask("sample", "survey.marginalia", "--seed=v1");
  expect([same.code, same.stdout]).toEqual([0, await read("first.csv")]);
  expect(same.stderr).toMatch(/^\d+ synthetic records\.\n$/);
  const copies = await ask("sample", "survey.marginalia", "--copies=2", "--rows=50", "--out=s.csv", "--json");
  expect(JSON.parse(copies.stdout)).toEqual({ records: 50, files: ["s-1.csv", "s-2.csv"] });
  expect(await read("s-1.csv")).not.toBe(await read("s-2.csv"));
  const input = gzipSync(await readFile(join(cwd, "survey.marginalia")));
  const piped = await marginalia(["sample", "-", "--seed=v1", "--quiet"], { cwd, input });
  expect(piped.stdout).toBe(await read("first.csv"));
  expect(
    (await ask("sample", "survey.marginalia", "--weighted=n", "--where=sex=F", "--out=w.csv")).code,
  ).toBe(0);
  const saved = await load(join(cwd, "survey.marginalia"));
  using weighted = await readTable(join(cwd, "w.csv"), saved.schema, { weight: "n" });
  const [women = 0, ...others] = await weighted.marginal(["sex"]);
  const [all = 0] = await saved.model.marginal(["sex"]);
  saved.dispose();
  expect(women).toBeCloseTo(all, 3);
  expect(others.every((n) => n === 0)).toBe(true);
});

it("samples only records that meet a condition, as many as there are", async () => {
  const { stdout } = await ask(
    "sample",
    "survey.marginalia",
    "--where",
    "sex=F;tenure=owned|rented",
    "--quiet",
  );
  const rows = stdout.trimEnd().split("\n").slice(1);
  for (const row of rows) expect(row).toMatch(/^\d*,F,(owned|rented)$/);
  const asked = await ask(
    "query",
    "survey.marginalia",
    "--cliques=",
    "--where=sex=F;tenure=owned|rented",
    "--json",
  );
  const { total } = JSON.parse(asked.stdout) as { total: number };
  expect(rows.length).toBe(Math.round(total));
});

it("answers as the API does, measured or not, with standard errors on request", async () => {
  const args = ["query", "survey.marginalia", "--cliques=sex,tenure;age,sex,tenure;", "--json"];
  const { code, stdout } = await ask(...args, "--standard-errors=all");
  expect(code).toBe(0);
  const { total, unit, answers } = JSON.parse(stdout) as {
    total: number;
    unit: string;
    answers: {
      clique: string[];
      shape: number[];
      values: number[];
      standardErrors: number[];
      notCovered: { at: number; low: number; high: number }[];
    }[];
  };
  using saved = await load(join(cwd, "survey.marginalia"));
  expect([total, unit]).toEqual([saved.total, "records"]);
  expect(answers.map(({ clique }) => clique)).toEqual([["sex", "tenure"], ["age", "sex", "tenure"], []]);
  const { model } = saved;
  if (model.kind !== "support") throw new Error(`the model is a ${model.kind}`);
  const direct = await model.answer(
    answers.map(({ clique }) => ({ clique })),
    { standardErrors: "all" },
  );
  for (const [i, { values, standardErrors, uncovered }] of direct.entries()) {
    const { places, low, high } = uncovered;
    expect(answers[i]?.notCovered).toEqual(
      Array.from(places, (at, j) => ({ at, low: low[j], high: high[j] })),
    );
    expect(answers[i]?.values).toEqual(Array.from(values));
    expect(answers[i]?.standardErrors).toEqual(Array.from(standardErrors));
  }
  const part = await ask(...args, "--where", '{"age":{"from":65}}', "--normalize");
  using old = await saved.model.where({ age: { from: 65 } });
  const shares = await old.marginal(["sex", "tenure"], { normalize: true });
  expect(JSON.parse(part.stdout)).toMatchObject({ unit: "share", total: old.total });
  expect((JSON.parse(part.stdout) as { answers: typeof answers }).answers[0]?.values).toEqual(
    Array.from(shares),
  );
});

it("answers in words, as CSV and as JSON", async () => {
  const args = ["query", "survey.marginalia", "--cliques=tenure,sex", "--standard-errors=noise"];
  const words = await ask(...args);
  expect(words.stdout).toMatch(
    /^\d+\.\d records\n\ntenure +sex +records +standard error\nowned +F +\d+\.\d +± \d/,
  );
  expect((await ask(...args, "--out=t.csv")).code).toBe(0);
  const lines = (await read("t.csv")).trimEnd().split("\n");
  expect(lines[0]).toBe("tenure,sex,value,standard error,covered,low,high");
  expect(lines.length).toBe(1 + 5 * 3);
  expect(lines[1]).toMatch(/^owned,F,[\d.]+,[\d.]+,yes,,$/);
  // No public row lacks both, and nobody knows whether a private one does.
  expect(lines.at(-1)).toMatch(/^,,0,0,no,0,[1-9][\d.]*$/);
  expect(words.stdout).toMatch(/\n\(null\) +\(null\) +0\.0 +not covered: 0\.0 to [1-9]/);
  expect(words.stdout).toContain("Not covered: no row of the public file");
  await ask(...args, "--out=t.json");
  const { answers } = JSON.parse(await read("t.json")) as { answers: { values: number[] }[] };
  expect(answers[0]?.values[0]).toBe(Number(lines[1]?.split(",")[2]));
});

it("inspects a release", async () => {
  const words = await ask("inspect", "survey.marginalia");
  expect(words.stdout).toMatch(
    /^A release of \d+ records \(± [\d.]+, one standard error\), from \d+ measurements: estimate converged/,
  );
  expect(words.stdout).toContain("Attributes: age, sex, tenure");
  expect(words.stdout).toContain("Privacy account of survey-2019");
  expect(words.stdout).toContain("Plan for survey-2019");
  const found = JSON.parse((await ask("inspect", "survey.marginalia", "--json")).stdout) as object;
  expect(found).toMatchObject({ ledger: { spent: "1" }, report: { format: "marginalia-release-report" } });
});

it.each<[string, number, string[], string]>([
  ["no release", EXIT.usage, ["sample"], "the saved release is missing"],
  ["no question", EXIT.usage, ["query", "survey.marginalia"], "--cliques"],
  [
    "a condition that is none",
    EXIT.usage,
    ["sample", "survey.marginalia", "--where=F"],
    "`where` is a condition",
  ],
  [
    "a value that there is not",
    EXIT.input,
    ["sample", "survey.marginalia", "--where=sex=X"],
    "CONDITION_IMPOSSIBLE",
  ],
  ["an unknown attribute", EXIT.input, ["query", "survey.marginalia", "--cliques=puma"], "ATTRIBUTE_UNKNOWN"],
  [
    "several cliques as CSV",
    EXIT.usage,
    ["query", "survey.marginalia", "--cliques=age;sex", "--out=a.csv"],
    ".json",
  ],
  ["what is no release", EXIT.input, ["sample", "first.csv"], "RELEASE_DAMAGED"],
  ["a release that is not there", EXIT.io, ["sample", "nowhere.marginalia"], "ENOENT"],
  [
    "records over the release",
    EXIT.usage,
    ["sample", "survey.marginalia", "--out=survey.marginalia"],
    "overwrite",
  ],
  ["a release on standard output", EXIT.usage, ["run", ...HOW, "--save=-"], "--save needs a file"],
  [
    "a release over the records",
    EXIT.usage,
    ["run", ...HOW, "--out=a.csv", "--save=./a.csv"],
    "are one file",
  ],
])("refuses %s", async (_, exit, args, why) => {
  const { code, stdout, stderr } = await ask(...args);
  expect([code, stdout]).toEqual([exit, ""]);
  expect(stderr).toContain(why);
  expect(existsSync(join(cwd, "a.csv"))).toBe(false);
});

it("refuses a release that was cut short or changed", async () => {
  const bytes = await readFile(join(cwd, "survey.marginalia"));
  await writeFile(join(cwd, "cut.marginalia"), bytes.subarray(0, -9));
  const changed = Uint8Array.from(bytes);
  changed[bytes.length - 20] = (changed[bytes.length - 20] as number) ^ 1;
  await writeFile(join(cwd, "changed.marginalia"), changed);
  for (const name of ["cut.marginalia", "changed.marginalia"]) {
    const { code, stderr } = await ask("query", name, "--cliques=age");
    expect(code).toBe(EXIT.input);
    expect(stderr).toContain("RELEASE_DAMAGED");
  }
});
