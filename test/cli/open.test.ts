import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { EXIT } from "../../ts/cli/exit.js";
import { folder } from "./support.js";
import { marginalia } from "./within.js";

let cwd = "";
const rows = (count: number, step: number) =>
  Array.from({ length: count }, (_, i) => `${20 + ((i * step) % 50)},${i % 3 ? "F" : "M"}\n`).join("");
const bounds = { share: "1/5", grid: { from: 0, to: 150, step: 5 } };
const schema = {
  attributes: [
    { name: "age", type: "integer", bins: 8, bounds, other: "clamp", nullable: true },
    { name: "sex", type: "category", values: ["F", "M"], other: null },
  ],
};

beforeAll(async () => {
  cwd = await folder();
  await writeFile(join(cwd, "open.json"), JSON.stringify(schema));
  await writeFile(join(cwd, "public.csv"), `age,sex\n${rows(500, 7)}`);
  await writeFile(join(cwd, "private.csv"), `age,sex\n${rows(20_000, 11)}`);
});

const OWN = ["--schema=open.json", "--epsilon=5", "--unit=row", "--ledger=account.json"];

it("reads a public file under the bounds that a release finds", async () => {
  const args = [
    "run",
    "--public=public.csv",
    "--private=private.csv",
    ...OWN,
    "--found=found.json",
    "--out=a.csv",
  ];
  const { code, stdout, stderr } = await marginalia(args, { cwd });
  expect([code, stderr]).toEqual([0, expect.stringMatching(/^Bounds found.*: age /)]);
  expect(stdout).toContain("edges of age");
  const found = JSON.parse(readFileSync(join(cwd, "found.json"), "utf8"));
  const { cuts, min = cuts?.[0], max = cuts?.at(-1) } = found.attributes[0];
  // Quantiles 1/200 and 199/200 leave 100 rows beyond them, and an edge beyond all rows has e^(−100ε/2) of the chance, ε = 1/2.
  expect([min >= 0 && min <= 25, max >= 60 && max <= 90]).toEqual([true, true]);
  const ages = readFileSync(join(cwd, "a.csv"), "utf8").trim().split("\n").slice(1);
  expect(ages.length).toBeGreaterThan(19_000);
  const check = await marginalia(["check", "private.csv", "--schema=found.json"], { cwd });
  expect(check.stderr).toBe("");
});

it.each([
  ["measure", ["private.csv", "--cliques=age", ...OWN]],
  ["check", ["private.csv", "--schema=open.json"]],
])("%s says how bounds that are open are found first", async (command, args) => {
  const { code, stdout, stderr } = await marginalia([command, ...args], { cwd });
  expect([code, stdout]).toEqual([EXIT.input, ""]);
  expect(stderr).toMatch(/the bounds of age are to be found first.*`marginalia run --found FILE`/);
});
