import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ReleasePlanJson, readTable, schemaFromJson } from "marginalia";
import { type Evaluation, kMarginal } from "marginalia/evaluate";
import type { ReportJson } from "marginalia/report";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SURVEY } from "../../ts/cli/demo/survey.js";
import type { FlatPlanPart, ModelPart } from "../../ts/evaluate/report/input.js";
import { marksOf, section } from "../report/support.js";
import { data, folder } from "./support.js";
import { marginalia } from "./within.js";

const NAMES = ["age", "sex", "tenure", "size", "area"];
const small = { attributes: SURVEY.attributes.filter(({ name }) => NAMES.includes(name)) };
const [BEFORE, AFTER] = [data("survey-2018.csv"), data("survey-2019.csv")];
const FILES = ["--public", BEFORE, "--private", AFTER, "--schema=schema.json"];

/** The rows of a table of a page whose caption begins so: names and cells. */
function cellsOf(page: string, caption: string): Map<string, string[]> {
  const at = page.indexOf(`<caption>${caption}`);
  if (at < 0) throw new Error(`the page has no table ${caption}`);
  const plain = (text: string) => text.replace(/<[^>]+>/g, "").replaceAll("&#39;", "'");
  const rows = page.slice(at, page.indexOf("</table>", at)).match(/<tr><th scope="row">.*?<\/tr>/gs) ?? [];
  return new Map(
    rows.map((row) => {
      const [name = "", ...cells] = (row.match(/<t[hd][^>]*>.*?<\/t[hd]>/gs) ?? []).map(plain);
      return [name, cells];
    }),
  );
}

/** Numbers as they stand on a page, without what sets thousands apart. */
const joined = (text: string) => text.replaceAll("\u2009", "");

/** What every command says of one release. */
interface Said {
  cwd: string;
  plan: ReleasePlanJson;
  input: ReportJson & { release: ModelPart<FlatPlanPart> };
  evaluation: Pick<Evaluation, "rows" | "scores" | "kMarginal" | "marginals" | "correlation">;
  words: Record<"plan" | "compared" | "run" | "inspect" | "evaluate", string>;
  pages: Record<"report" | "internal", string>;
}

/** A release by all commands, judged within the groups of an attribute or not. */
async function saidOf(group: string[]): Promise<Said> {
  const cwd = await folder();
  await writeFile(join(cwd, "schema.json"), JSON.stringify(small));
  const ask = async (...args: string[]) => {
    const { code, stdout, stderr } = await marginalia(args, { cwd });
    expect([code, stderr]).toEqual([0, ""]);
    return stdout;
  };
  const read = (name: string) => readFile(join(cwd, name), "utf8");
  const how = [...FILES, ...group];
  const compared = await ask("plan", "--public", BEFORE, ...how.slice(4), "--epsilon=1,2");
  const planned = await ask("plan", ...how, "--epsilon=1", "--out=plan.json");
  const release = ["run", ...how, "--epsilon=1", "--ledger=account.json", "--planned=plan.json"];
  const run = await ask(...release, "--out=a.csv", "--report=r.json", "--save=s.marginalia");
  await ask(...release, "--out=a.csv", "--report=r.html");
  const inspect = await ask("inspect", "s.marginalia");
  const judge = ["evaluate", "a.csv", ...FILES, "--released=r.json", "--triples=3"];
  const evaluate = await ask(...judge, "--report=i.html");
  const json = await ask(...judge, "--json");
  return {
    cwd,
    plan: JSON.parse(await read("plan.json")),
    input: JSON.parse(await read("r.json")),
    evaluation: JSON.parse(json),
    words: { plan: planned, compared, run, inspect, evaluate },
    pages: { report: await read("r.html"), internal: await read("i.html") },
  };
}

const open: { dispose(): void }[] = [];
afterAll(() => {
  for (const one of open) one.dispose();
});

describe.each([
  ["not grouped", []],
  ["grouped by area", ["--group=area"]],
])("a figure is the same wherever a release that is %s is told of:", (grouping, options) => {
  let said: Said;
  const group = options.length > 0 ? ["area"] : [];
  beforeAll(async () => {
    said = await saidOf(options);
  }, 60_000);

  it("the grouping of every score", () => {
    const { plan, input, evaluation, words, pages } = said;
    const found = [plan.group, input.release.plan.group, evaluation.kMarginal.group];
    expect(found).toEqual([group, group, group]);
    const score = `k-marginal, ${grouping}`;
    for (const name of ["plan", "compared", "inspect"] as const)
      expect(words[name]).toContain(`of the ${score}`);
    expect(words.evaluate).toMatch(new RegExp(`k-marginal [\\d.]+ of 1000, ${grouping}`));
    for (const page of Object.values(pages)) {
      expect(section(page, "plan")).toContain(`Expected loss of each way to spend the budget: ${score}`);
      expect(section(page, "changes").toLowerCase()).toContain(`in a pair: what the release says`);
      expect(section(page, "changes").toLowerCase()).toContain(`. ${grouping}`);
    }
    expect(section(pages.internal, "scores")).toContain(`Points lost of 1000: ${score}`);
    expect(section(pages.internal, "errors").toLowerCase()).toContain(`. ${grouping}`);
  });

  it("rows of the public table, different ones and added ones", () => {
    const { plan, input, words, pages } = said;
    const { rows, distinct, added, support, pool } = plan.prior;
    expect([rows, distinct + added]).toEqual([4600, support]);
    expect(input.release.plan.prior).toEqual(plan.prior);
    const by = pool ? "pooling" : "widening";
    const sentence = `${rows} rows, ${distinct} of them different, and ${added} rows added by ${by}`;
    for (const name of ["plan", "inspect"] as const) expect(words[name]).toContain(sentence);
    for (const page of Object.values(pages)) expect(joined(section(page, "plan"))).toContain(sentence);
  });

  it("the forecast", () => {
    const { plan, input, words, pages } = said;
    const { candidates, chosen, untouched } = plan.forecast;
    expect(input.release.plan.forecast).toEqual(plan.forecast);
    const [best, none] = [candidates[chosen]?.score as number, untouched.score];
    for (const name of ["plan", "inspect"] as const) {
      expect(words[name]).toMatch(new RegExp(`\\n→ .* ${best.toFixed(1)}( |\\n)`));
      expect(words[name]).toMatch(new RegExp(`nothing: the prior as it is +0 +${none.toFixed(1)}( |\\n)`));
    }
    expect(words.compared).toMatch(new RegExp(`none: the public file as it is +50 % +${none.toFixed(1)} `));
    expect(words.compared).toMatch(new RegExp(`ε = 1 +[\\d.]+ % +${best.toFixed(1)} `));
    const marks = marksOf(section(pages.report, "plan")).filter((mark) => mark["data-value"]);
    const [lost, without] = marks.map((mark) => Number(mark["data-value"])) as [number, number];
    expect([lost, without]).toEqual([1000 - best, 1000 - none].map((value) => expect.closeTo(value, 3)));
  });

  it("the numbers of records, measurements and charges, and the budget", async () => {
    const { cwd, plan, input, evaluation, words, pages } = said;
    const lines = (await readFile(join(cwd, "a.csv"), "utf8")).trimEnd().split("\n").length - 1;
    expect([input.records, evaluation.rows.synthetic]).toEqual([lines, lines]);
    expect(words.run).toContain(`${lines} synthetic records`);
    const { charges } = plan.measure;
    const { measurements, total } = input.release;
    expect(measurements.map(({ clique }) => clique)).toEqual(charges.map(({ clique }) => clique));
    expect(words.inspect).toContain(`from ${charges.length} measurements`);
    for (const page of Object.values(pages).map(joined)) {
      expect(page).toContain(`<dt>marginals measured</dt><dd>${charges.length}</dd>`);
      expect(page).toContain(`<dt>synthetic records</dt><dd>${lines}</dd>`);
      expect(page).toContain("<dt>privacy spent</dt><dd>ε 1</dd>");
      const [, records, error] =
        /stands for (\d+) records \(± ([\d.]+), one standard error\)/.exec(page) ?? [];
      expect(words.inspect).toContain(`A release of ${records} records (± ${error}, one standard error)`);
      expect(Number(records)).toBe(Math.round(total.records));
    }
    for (const name of ["run", "inspect"] as const) expect(words[name]).toContain("ε 1 of ε 1 is spent");
  });

  it("every score, by its name, in the printed table and on the page", () => {
    const { words, pages } = said;
    const page = cellsOf(section(pages.internal, "scores"), "All scores");
    const printed = words.evaluate
      .split("\n")
      .filter((line) => /^ {2}\S/.test(line))
      .map((line) => line.trim().split(/ {2,}/) as [string, ...string[]]);
    expect(printed.length).toBeGreaterThan(18);
    expect([...page]).toEqual(printed.map(([name, ...cells]) => [name, cells]));
  });

  it("the k-marginal, its pairs and its baselines", () => {
    const { evaluation, words, pages } = said;
    const { scores, kMarginal: own, marginals } = evaluation;
    expect(own.score).toBe(scores.synthetic);
    expect(words.evaluate).toContain(`k-marginal ${own.score.toFixed(2)} of 1000`);
    const page = cellsOf(section(pages.internal, "scores"), "All scores");
    const columns = [scores.synthetic, scores.public, scores.subsample] as number[];
    expect(page.get(`k-marginal, ${grouping}`)).toEqual(columns.map((score) => score.toFixed(2)));
    const lost = marksOf(section(pages.internal, "scores")).map((mark) => Number(mark["data-value"]));
    expect(lost).toEqual(columns.map((score) => expect.closeTo(1000 - score, 3)));
    // Points lost are thousandths of what the heat map shows, in the mean; not grouped, of the variation of pairs too.
    const drawn = marksOf(section(pages.internal, "errors")).map((mark) => Number(mark["data-value"]));
    const mean = drawn.reduce((sum, one) => sum + one, 0) / drawn.length;
    expect([drawn.length, 1000 * mean]).toEqual([own.pairs.length, expect.closeTo(1000 - own.score, 3)]);
    expect(own.pairs.length).toBe(group.length > 0 ? 6 : 10);
    if (group.length === 0) expect(marginals[1]?.synthetic.mean).toBeCloseTo(mean, 6);
  });

  it("what the release changed in each pair, as a score of the release beside the public file has it", async () => {
    const { cwd, input, pages } = said;
    const over = schemaFromJson(small);
    const read = (place: string) => readTable(place, over, { ignore: true });
    const [truth, synthetic] = [await read(BEFORE), await read(join(cwd, "a.csv"))];
    open.push(truth, synthetic);
    const { pairs } = await kMarginal({ truth, synthetic, group, subsamples: false });
    const known = new Map(
      pairs.map(({ attributes, distance }) => [[...attributes].sort().join(), distance / 2]),
    );
    expect(input.pairs.length).toBe(known.size);
    for (const { attributes, variation } of input.pairs)
      expect(variation).toBeCloseTo(known.get([...attributes].sort().join()) as number, 12);
    const drawn = marksOf(section(pages.report, "changes")).map((mark) => Number(mark["data-value"]));
    const sorted = (list: readonly number[]) => [...list].sort((a, b) => a - b);
    const expected = sorted(input.pairs.map(({ variation }) => variation));
    expect(sorted(drawn)).toEqual(expected.map((value) => expect.closeTo(value, 6)));
  });

  it("correlations of measured pairs and of others, which together are all", () => {
    const { evaluation, input } = said;
    const { measured, others, mean, count } = evaluation.correlation.synthetic;
    const cliques = input.release.measurements.map(({ clique }) => clique);
    const within = evaluation.correlation.synthetic.pairs.filter(({ attributes }) =>
      cliques.some((clique) => attributes.every((name) => clique.includes(name))),
    );
    expect([measured?.count, others?.count]).toEqual([within.length, 10 - within.length]);
    const sum = (part: typeof measured) => (part?.count ?? 0) * (part?.mean ?? 0);
    expect((sum(measured) + sum(others)) / count).toBeCloseTo(mean, 12);
  });
});

it("the demo prints the scores that its page and evaluate have", async () => {
  const cwd = await folder();
  const { stdout } = await marginalia(["demo", "--out=d", "--json"], { cwd });
  const { table, group } = JSON.parse(stdout) as { table: { points: number }[]; group: string[] };
  expect(group).toEqual([]);
  const page = await readFile(join(cwd, "d", "internal.html"), "utf8");
  const [synthetic, before] = table.map(({ points }) => points.toFixed(2));
  const scores = cellsOf(section(page, "scores"), "All scores").get("k-marginal, not grouped");
  expect(scores?.slice(0, 2)).toEqual([synthetic, before]);
  const files = ["--private=d/survey-2019.csv", "--public=d/survey-2018.csv", "--schema=d/schema.json"];
  const judged = await marginalia(["evaluate", "d/synthetic.csv", ...files, "--json"], { cwd });
  const { scores: own } = JSON.parse(judged.stdout) as Evaluation;
  expect([own.synthetic, own.public].map((score) => score?.toFixed(2))).toEqual([synthetic, before]);
  const again = await marginalia(["demo", "--out=d"], { cwd });
  expect(again.stdout).toContain("Points of 1000: k-marginal, not grouped");
  expect(again.stdout).toContain(` ${table[0]?.points.toFixed(1)}  marginalia`);
});

it("a release that is judged by groups refuses to be evaluated by others", async () => {
  const cwd = await folder();
  await writeFile(join(cwd, "schema.json"), JSON.stringify(small));
  const release = ["run", ...FILES, "--epsilon=1", "--ledger=account.json", "--groups=area"];
  expect((await marginalia([...release, "--out=a.csv", "--report=r.json"], { cwd })).code).toBe(0);
  const judge = ["evaluate", "a.csv", ...FILES, "--released=r.json", "--triples=1"];
  const other = await marginalia([...judge, "--group=sex"], { cwd });
  expect([other.code, other.stdout]).toEqual([2, ""]);
  expect(other.stderr).toContain("scores of the release are grouped by area: leave out --group");
  const same = await marginalia([...judge, "--group=area"], { cwd });
  const left = await marginalia(judge, { cwd });
  expect(same.stdout).toBe(left.stdout);
  expect(left.stdout).toMatch(/k-marginal [\d.]+ of 1000, grouped by area/);
});
