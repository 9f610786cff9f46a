import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type LoadedGroupedRelease, load, priorAware, pure, readTable, seal } from "marginalia";
import { afterAll, beforeAll, expect, it } from "vitest";
import { file, people } from "../../examples/survey.mjs";
import { EXIT } from "../../ts/cli/exit.js";
import { folder, type Outcome } from "./support.js";
import { marginalia } from "./within.js";

let cwd = "";
let saved: LoadedGroupedRelease<typeof people>;
const ask = (...args: string[]): Promise<Outcome> => marginalia(args, { cwd });

beforeAll(async () => {
  cwd = await folder();
  const place = join(cwd, "areas.marginalia");
  using prior = await readTable(file(2018), people);
  const data = await seal(file(2019), people, { dataset: "areas", unit: "row", budget: pure(1) });
  const groups = [
    { by: ["state"], workload: [["sex", "tenure"]] },
    { by: ["area"], workload: [["age"]] },
  ] as const;
  using mechanism = priorAware({ prior, groups });
  using release = await mechanism.run(data, { seed: "v1" });
  await release.save(place);
  await data.close();
  saved = await load(place, { groups: true, schema: people });
});

afterAll(() => saved.dispose());

it("samples what the release writes, of all groups or of some", async () => {
  const all = await ask("sample", "areas.marginalia", "--seed=v1", "--rows=500", "--out=all.csv");
  expect([all.code, all.stderr]).toEqual([0, ""]);
  await saved.writeCsv(join(cwd, "direct.csv"), { seed: "v1", rows: 500 });
  expect(await readFile(join(cwd, "all.csv"), "utf8")).toBe(await readFile(join(cwd, "direct.csv"), "utf8"));
  const some = await ask(
    "sample",
    "areas.marginalia",
    "--seed=v1",
    "--where=area=BE201|BE202",
    "--out=s.csv",
  );
  expect(some.code).toBe(0);
  using table = await readTable(join(cwd, "s.csv"), people);
  const counts = await table.marginal(["area"]);
  for (const [i, label] of people.labels("area").entries())
    if (label !== "BE201" && label !== "BE202") expect(counts[i]).toBe(0);
  const records = (area: "BE201" | "BE202") => Math.max(0, saved.group({ area }).records);
  expect(table.rows).toBe(Math.round(records("BE201") + records("BE202")));
});

it("samples those that meet a condition on records, as many as the release says there are", async () => {
  const where = { sex: "F", state: "BE" } as const;
  const some = await ask("sample", "areas.marginalia", "--where=sex=F;state=BE", "--out=women.csv");
  expect([some.code, some.stderr]).toEqual([0, ""]);
  using table = await readTable(join(cwd, "women.csv"), people);
  const [sexes, states] = [await table.marginal(["sex"]), await table.marginal(["state"])];
  expect(sexes[people.labels("sex").indexOf("F")]).toBe(table.rows);
  expect(states[people.labels("state").indexOf("BE")]).toBe(table.rows);
  const [expected = 0] = await saved.marginal([], { where });
  expect(Math.abs(table.rows - expected)).toBeLessThanOrEqual(0.5);
});

it("says standard errors as the API does", async () => {
  const args = ["query", "areas.marginalia", "--cliques=sex,tenure", "--standard-errors=all", "--json"];
  const where = { area: "BE202", sex: "F" } as const;
  const { answers } = JSON.parse((await ask(...args, "--where=area=BE202;sex=F")).stdout) as {
    answers: { values: number[]; standardErrors: number[] }[];
  };
  const found = await saved.marginal(["sex", "tenure"], { where, standardErrors: "all" });
  expect(answers[0]?.standardErrors).toEqual([...found.standardErrors]);
  expect(answers[0]?.values).toEqual([...found.values]);
  expect(Math.max(...found.standardErrors)).toBeGreaterThan(1);
  const shares = JSON.parse((await ask(...args, "--normalize")).stdout) as {
    answers: { standardErrors: number[] }[];
  };
  const all = await saved.marginal(["sex", "tenure"], { standardErrors: "all", normalize: true });
  expect(shares.answers[0]?.standardErrors).toEqual([...all.standardErrors]);
});

it("answers as the API does, with a condition or without", async () => {
  const args = ["query", "areas.marginalia", "--cliques=sex,tenure;area;", "--json"];
  const plain = JSON.parse((await ask(...args)).stdout) as {
    total: number;
    answers: { clique: string[]; values: number[] }[];
  };
  expect(plain.answers.map(({ clique }) => clique)).toEqual([["sex", "tenure"], ["area"], []]);
  for (const { clique, values } of plain.answers)
    expect(values).toEqual([...(await saved.marginal(clique as never[]))]);
  expect(plain.answers[2]?.values).toEqual([plain.total]);
  const where = { state: "BE", sex: "F" } as const;
  const part = await ask(...args, "--where=state=BE;sex=F", "--normalize");
  const { unit, total, answers } = JSON.parse(part.stdout) as typeof plain & { unit: string };
  expect(unit).toBe("share");
  expect(total).toBe((await saved.marginal([], { where }))[0]);
  const shares = await saved.marginal(["sex", "tenure"], { where, normalize: true });
  expect(answers[0]?.values).toEqual([...shares]);
  const words = await ask("query", "areas.marginalia", "--cliques=sex", "--where=area=AR101");
  expect(words.stdout).toMatch(/^\d+\.\d records meet the condition\n\nsex +records\nF +\d+\.\d/);
});

it("inspects it", async () => {
  const words = await ask("inspect", "areas.marginalia");
  expect(words.stdout).toMatch(
    /^A release of \d+ records in groups, 4 of state, 9 of area, from 4 measurements: estimates 13 converged/,
  );
  expect(words.stdout).toMatch(
    /Priors of groups, level by level:\n {2}state: trusted .*\n {2}area: trusted /,
  );
  expect(words.stdout).toContain("Privacy account of areas");
  expect(words.stdout).toContain("Level by level");
  const found = JSON.parse((await ask("inspect", "areas.marginalia", "--json")).stdout) as object;
  expect(found).toMatchObject({
    measurements: 4,
    ledger: { spent: "1" },
    report: { format: "marginalia-grouped-report", groups: { length: 13 } },
  });
});

it.each<[string, number, string[], string]>([
  ["one model's rows", EXIT.usage, ["sample", "--weighted=n"], "groups have many"],
  ["a sex that there is not", EXIT.input, ["sample", "--where=sex=X"], "CONDITION_IMPOSSIBLE"],
  ["a group that there is not", EXIT.input, ["sample", "--where=area=XX"], "CONDITION_IMPOSSIBLE"],
  [
    "groups apart",
    EXIT.input,
    ["query", "--cliques=sex", "--where=area=AR101;state=BE"],
    "no record can meet",
  ],
])("refuses %s", async (_, code, [command = "", ...args], text) => {
  const refused = await ask(command, "areas.marginalia", ...args);
  expect([refused.code, refused.stderr]).toEqual([code, expect.stringContaining(text)]);
});
