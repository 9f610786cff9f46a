import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Bins, bin, meanPairDistance, parse, type Row } from "./drift";

const DATA = "examples/data";
const FILES = ["survey-2018.csv", "survey-2019.csv", "households.csv", "persons.csv"];
const read = async (name: string): Promise<Row[]> => parse(await readFile(join(DATA, name), "utf8"));

describe("the generator", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "marginalia-data-"));
    await promisify(execFile)(process.execPath, [join(DATA, "generate.mjs"), folder]);
  });
  afterAll(() => rm(folder, { recursive: true }));

  test.each(FILES)("writes the committed bytes of %s", async (name) => {
    const [made, committed] = await Promise.all([readFile(join(folder, name)), readFile(join(DATA, name))]);
    expect(made.equals(committed)).toBe(true);
  });
});

test("all files together stay below 700 kB", async () => {
  const sizes = await Promise.all(FILES.map(async (name) => (await stat(join(DATA, name))).size));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(700_000);
});

describe("the surveys", () => {
  const golden = async () =>
    JSON.parse(await readFile("test/golden/survey-2019-counts.json", "utf8")) as {
      rows: number;
      attributes: Record<string, Bins>;
      marginals: { attributes: string[]; cells: (string | number | null)[][] }[];
    };

  test("hold only values that the dictionary declares", async () => {
    const { attributes, rows } = await golden();
    const surveys = { "survey-2018.csv": 4600, "survey-2019.csv": rows };
    for (const [name, count] of Object.entries(surveys)) {
      const survey = await read(name);
      expect(survey).toHaveLength(count);
      for (const row of survey) {
        expect(Object.keys(row)).toEqual(Object.keys(attributes));
        for (const [column, text] of Object.entries(row)) {
          expect(bin(attributes[column] as Bins, text), `${column} in ${name}`).toBeDefined();
        }
      }
    }
  });

  test("are what the golden counts were made from", async () => {
    const { attributes, marginals } = await golden();
    const survey = await read("survey-2019.csv");
    for (const { attributes: clique, cells } of marginals) {
      const counts = new Map<string, number>();
      for (const row of survey) {
        const cell = clique.map((name) => bin(attributes[name] as Bins, row[name] ?? "")).join("|");
        counts.set(cell, (counts.get(cell) ?? 0) + 1);
      }
      const label = (value: string | number | null | undefined) => String(value).replace(/-01-01$/, "");
      const stored = cells.map((cell) => [cell.slice(0, -1).map(label).join("|"), cell.at(-1)]);
      expect(new Map(stored as [string, number][]), clique.join()).toEqual(counts);
    }
  });

  test("drift apart as two years of a real survey do", async () => {
    const { attributes } = await golden();
    const distance = meanPairDistance(
      await read("survey-2018.csv"),
      await read("survey-2019.csv"),
      attributes,
    );
    expect(distance).toBeGreaterThan(0.03);
    expect(distance).toBeLessThan(0.04);
  });
});

test("every person belongs to a household, which has as many as it says and one head", async () => {
  const [households, persons] = [await read("households.csv"), await read("persons.csv")];
  const members = new Map<string, Row[]>();
  for (const person of persons) {
    const id = person.household ?? "";
    members.set(id, [...(members.get(id) ?? []), person]);
  }
  expect(new Set(households.map(({ id }) => id)).size).toBe(households.length);
  expect(members.size).toBe(households.length);
  for (const { id, size } of households) {
    const group = members.get(id ?? "") ?? [];
    expect(group).toHaveLength(Number(size));
    expect(group.filter(({ relation }) => relation === "head")).toHaveLength(1);
  }
  const order = persons.map(({ household }) => Number(household));
  expect(order).toEqual([...order].sort((a, b) => a - b));
});
