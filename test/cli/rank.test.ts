import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { beforeEach, expect, it } from "vitest";
import { EXIT } from "../../ts/cli/exit.js";
import { csv, folder, schema } from "./support.js";
import { marginalia } from "./within.js";

let cwd = "";
beforeEach(async () => {
  cwd = await folder();
  const put = (name: string, text: string) => writeFile(join(cwd, name), text);
  await put("private.csv", csv);
  await put("schema.json", JSON.stringify(schema));
  // As the private one but smaller, with other shares, and without half of it.
  await put("same.csv", `name,age,sex\n${"a,1,F\nb,2,M\n".repeat(20)}`);
  await put("shifted.csv", `age,sex\n${"1,F\n1,F\n1,F\n2,M\n".repeat(20)}`);
  await put("women.csv", "age,sex\n1,F\n2,F\n");
});

const HOW = [
  "--schema=schema.json",
  "--epsilon=9",
  "--spend=8",
  "--ledger=account.json",
  "--private=private.csv",
];
const rank = (...more: string[]) => marginalia(["rank", ...HOW, ...more], { cwd });

it("puts the best public file first, says why, and is paid once", async () => {
  const { code, stdout, stderr } = await rank("--public", "women.csv", "shifted.csv", "same.csv");
  expect([code, stderr]).toEqual([EXIT.done, ""]);
  expect(stdout).toMatch(/1\. +same\.csv +40 [\s\S]*2\. +shifted\.csv +80 [\s\S]*3\. +women\.csv +2 /);
  expect(stdout).toContain("no difference can be seen");
  expect(stdout).toContain("differs, but has the rows to make up for it");
  expect(stdout).toContain("What women.csv cannot give:\n");
  expect(stdout).toContain("Proposition A.9");
  expect(stdout).toContain("ε 8 of ε 9 is spent");

  const again = await rank("same.csv", "--out=ranking.json", "--json");
  const said = JSON.parse(again.stdout) as { paid: boolean; tables: { name: string; verdict: string }[] };
  expect(said).toMatchObject({ paid: false, tables: [{ name: "same.csv", verdict: "as it is" }] });
  const written = JSON.parse(`${await readFile(join(cwd, "ranking.json"))}`) as object;
  expect(said).toMatchObject(written);
});

it("plans without a public file, an account or reading, and says what would not be seen", async () => {
  const { code, stdout } = await rank("--plan", "--ways=1", "--expected-rows=1000");
  expect(code).toBe(EXIT.done);
  expect(stdout).toMatch(
    /What is less than \d+ records, [\d.]+ % of those that are expected, will not be seen/,
  );
  expect((await rank("--plan", "--spend=10".replace("10", "9.5"))).code).toBe(EXIT.usage);
  expect(existsSync(join(cwd, "account.json"))).toBe(false);
});

it.each<[string, number, string[], string]>([
  ["no public file", EXIT.usage, [], "--public"],
  ["one twice", EXIT.usage, ["same.csv", "same.csv"], "twice"],
  ["the private one", EXIT.usage, ["same.csv", "private.csv"], "are one"],
  ["one that is not there", EXIT.io, ["same.csv", "nowhere.csv"], "check the path"],
  ["two ways to judge", EXIT.usage, ["same.csv", "--ways=1", "--cliques=age"], "not both"],
])("refuses %s before anything is paid", async (_, expected, more, words) => {
  const { code, stderr } = await rank(...more);
  expect([code, existsSync(join(cwd, "account.json"))]).toEqual([expected, false]);
  expect(stderr).toContain(words);
});

it("takes its files from a configuration", async () => {
  await writeFile(join(cwd, "c.json"), JSON.stringify({ public: ["same.csv", "women.csv"], ways: 1 }));
  const { code, stdout } = await rank("--config=c.json", "--json");
  expect(code).toBe(EXIT.done);
  expect((JSON.parse(stdout) as { tables: object[] }).tables.length).toBe(2);
});

it("finds out a survey without tenants", async () => {
  const [data, into] = [process.env.MARGINALIA_DATA, (name: string) => join(cwd, name)];
  if (!data || !existsSync(join(data, "acs-ma"))) {
    process.stderr.write("MARGINALIA_DATA has no acs-ma: its years are not ranked\n");
    return;
  }
  const year = (which: number) => join(data, "acs-ma", `ma${which}.csv.gz`);
  const [head = "", ...lines] = `${gunzipSync(await readFile(year(2018)))}`.trim().split("\n");
  const at = head.split(",").indexOf("OWN_RENT");
  const owners = lines.filter((line) => line.split(",")[at] !== "2");
  await writeFile(into("owners.csv"), [head, ...owners].join("\n"));
  await marginalia(["schema", year(2018), "--out=acs.json"], { cwd });
  const how = ["--schema=acs.json", "--epsilon=1", "--delta=1e-9", "--ledger=acs-account.json", "--ways=1"];
  const args = ["rank", `--private=${year(2019)}`, ...how, "--public", "owners.csv", year(2018)];
  const { code, stdout } = await marginalia(args, { cwd });
  expect(code).toBe(EXIT.done);
  expect(stdout).toMatch(/1\. +ma2018\.csv\.gz[^\n]*within[\s\S]*2\. +owners\.csv[^\n]*lacks at least 1\d %/);
  expect(stdout).toMatch(
    /What owners\.csv cannot give:\n {2}OWN_RENT 2: about (18|19|20) % of the private records, none/,
  );
}, 60_000);
