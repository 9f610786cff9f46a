import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { load } from "./modules";

const cases = (...names: string[]) => ({ cases: names.map((name) => ({ scenario: "count", case: name })) });

test("a result gives way when newer ones measure all of its cases", async () => {
  const { superseded } = await load("lib/results.mjs");
  const older = { "2026-01-01-count.json": cases("a", "b"), "2026-01-01-release.json": {} };
  expect(superseded({ ...older, "2026-01-02-count.json": cases("a") })).toEqual([]);
  expect(superseded({ ...older, "2026-01-02-count.json": cases("a", "b", "c") })).toEqual([
    "2026-01-01-count.json",
  ]);
  expect(superseded({ ...older, "2026-01-03-release.json": {} })).toEqual(["2026-01-01-release.json"]);
});

test("bench/results keeps the newest result of each scenario and no older one", async () => {
  const { superseded } = await load("lib/results.mjs");
  const names = (await readdir("bench/results")).filter((name) => name.endsWith(".json"));
  const read = names.map(
    async (name) => [name, JSON.parse(await readFile(`bench/results/${name}`, "utf8"))] as const,
  );
  expect(superseded(Object.fromEntries(await Promise.all(read)))).toEqual([]);
});
