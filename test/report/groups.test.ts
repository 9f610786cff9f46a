import { priorAware, pure, readTable, seal } from "marginalia";
import { evaluate, internalParts } from "marginalia/evaluate";
import { internalReport, parseReportInput, type ReportInput, report, reportInput } from "marginalia/report";
import { expect, test } from "vitest";
import { file, people } from "../../examples/survey.mjs";
import { levelsOf } from "../../ts/evaluate/report/charges.js";
import { spread } from "../../ts/evaluate/report/charts/spread.js";
import { trustInWords } from "../../ts/evaluate/report/trust.js";
import { byGroups, compared, marksOf, section } from "./support.js";

const MARK = "internal: not differentially private";
const input = (areas?: number) =>
  parseReportInput(JSON.parse(JSON.stringify(byGroups(areas)))) as ReportInput & ReturnType<typeof byGroups>;
const bytes = (page: string) => new TextEncoder().encode(page).length;

test("levels have their parts of the budget, and every charge says in which groups", () => {
  const page = section(report(input()), "cost");
  const marks = marksOf(page);
  expect(marks.map((mark) => [mark["data-row"], Number(mark["data-value"])])).toEqual([
    ["number of records of each age", 0.0625],
    ["1 marginal in each age", 0.3125],
    ["number of records of each age × sex", 0.125],
    ["1 marginal in each age × sex", 0.5],
    ["home in every sex", 0.5],
    ["size × home in every age", 0.3125],
    ["number of records in every sex", 0.125],
    ["number of records in every age", 0.0625],
  ]);
});

test("charges belong to the level that they were asked in, also where one has none", () => {
  const charge = (groups: string[], clique: string[] = ["x"]) => ({
    ...{ clique, groups, answers: 1, law: "laplace", scale: "1", cost: "1", share: 0.2, variance: 1 },
  });
  const level = (...by: string[]) => ({ by, groups: 1 });
  const { clique: _, ...whole } = charge([]);
  const found = levelsOf({
    ...input().release.plan,
    format: "marginalia-grouped-plan",
    levels: [level(), level("state"), level("state", "area"), level("area", "year")],
    measure: {
      price: "1",
      charges: [
        { ...whole, clique: ["x"] },
        charge(["area"], []),
        charge(["area"]),
        charge(["area", "year"]),
      ],
    },
  });
  expect(found.map(({ counts, workload }) => [counts !== undefined, workload.length])).toEqual([
    [false, 1],
    [false, 0],
    [true, 1],
    [false, 1],
  ]);
});

test("where levels were weighed against each other, the ways are drawn as forecasts are", () => {
  const { release, ...rest } = byGroups();
  const level = (count: number, share: number) => ({ count, share });
  const split = {
    chosen: 1,
    untouched: { score: 900.5 },
    candidates: [
      { name: "even", levels: [level(0.25, 0.25), level(0.25, 0.25)], score: 910.25, standardError: 1.5 },
      { name: "few counts", levels: [level(0.05, 0.45), level(0.05, 0.45)], score: 920.75 },
    ],
  };
  const page = report(
    parseReportInput({ ...rest, release: { ...release, plan: { ...release.plan, split } } }),
  );
  const lost = marksOf(section(page, "plan")).filter((mark) => mark["data-value"]);
  expect(lost.slice(0, 3).map((mark) => Number(mark["data-value"]))).toEqual([79.25, 99.5, 89.75]);
  expect(lost[0]?.["data-row"]).toMatch(/^5\.0.% \+ 45\.0.%, 5\.0.% \+ 45\.0.%$/);
  // Without one there is the forecast of the coarsest level alone.
  expect(marksOf(section(report(input()), "plan")).filter((mark) => mark["data-value"]).length).toBe(3);
});

test("groups are drawn with 90 % intervals, by name where they are few", () => {
  const marks = marksOf(section(report(input()), "groups"));
  const named = marks.filter((mark) => mark["data-series"] === "dot");
  expect(named.map((mark) => [mark["data-row"], Number(mark["data-value"])])).toEqual([
    ["young", 2000.5],
    ["old", -3.5],
    ["old 0", 1000],
    ["young 1", 999],
    ["old 2", 998],
    ["young 3", 997],
  ]);
  expect(Number(named[1]?.["data-low"])).toBeCloseTo(-3.5 - 1.6449 * 2.25, 3);
  // Standard errors of totals beside the noise of counts alone.
  const bars = marks.filter((mark) => mark["data-series"] === "plain");
  expect(bars.map((mark) => Number(mark["data-value"]))).toEqual([(9.25 + 2.25) / 2, 4.375]);
  const ticks = marks.filter((mark) => mark["data-series"] === "tick");
  for (const tick of ticks) expect(Number(tick["data-value"])).toBeCloseTo(Math.sqrt(31.83), 12);
});

test("estimates that ended early are said, and stand first in their table", () => {
  const page = section(report(input()), "groups");
  expect(page).toContain("1 estimate ended before its tolerance");
  const [states = ""] = page.match(/<table>.*?<\/table>/s) ?? [];
  expect(states.indexOf("old")).toBeLessThan(states.indexOf("young"));
  const [ended = ""] =
    page.match(/Groups of each level by the end of their estimation<\/caption>.*?<\/table>/s) ?? [];
  const cells = Array.from(ended.matchAll(/<td class="n">([^<]*)</g), ([, text]) => text);
  expect(cells.slice(0, 3)).toEqual(["1", "1", "0"]);
  expect(cells.slice(4, 7)).toEqual(["4", "0", "0"]);
  const { release } = byGroups();
  const good = { ...release, groups: release.groups.map((one) => ({ ...one, status: "converged" })) };
  const converged = report(parseReportInput({ ...byGroups(), release: good }));
  expect(section(converged, "groups")).toContain("All estimates converged.");
});

test("a report of 1,267 groups has all of them in one picture, and is small", () => {
  const page = report(input(1267));
  expect(bytes(page)).toBeLessThan(300_000);
  const [points] = marksOf(section(page, "groups")).filter((mark) => mark["data-series"] === "points");
  expect(points?.["data-value"]).toBe("1267");
  expect(points?.d?.match(/h0/g)?.length).toBe(1267);
  expect(page).toMatch(/1\u20091\d\d more rows are not shown/);
});

test("a report of many groups, of many attributes with long names, is as small, also with comparisons", () => {
  const { oneWays, ...rest } = byGroups(1267);
  const labels = Array.from({ length: 40 }, (_, i) => `value ${i} of a rather long attribute`);
  const shares = labels.map((_, i) => ((i * 7) % 11) / 197.123456789);
  const names = Array.from({ length: 40 }, (_, i) => `attribute number ${i}`);
  const wide = {
    ...rest,
    oneWays: names.map((attribute) => ({
      ...oneWays[0],
      attribute,
      labels,
      synthetic: shares,
      public: shares,
    })),
    pairs: names.flatMap((a, i) =>
      names.slice(0, i).map((b) => ({ attributes: [a, b] as [string, string], variation: i / 123.456 })),
    ),
  };
  const own = parseReportInput(JSON.parse(JSON.stringify(wide)));
  const { evaluation, ...parts } = compared();
  const truth = {
    ...parts,
    oneWays: names.map((attribute) => ({ attribute, shares })),
    evaluation: {
      ...evaluation,
      kMarginal: { group: [], pairs: wide.pairs.map(({ attributes }) => ({ attributes, distance: 0.1 })) },
    },
    groups: [
      [],
      wide.release.groups
        .filter(({ level }) => level === 1)
        .map(({ labels: of }) => ({ labels: of, records: 7 })),
    ],
  };
  for (const page of [report(own), internalReport(own, truth)]) {
    expect(bytes(page)).toBeLessThan(300_000);
    expect(page).toMatch(/more attributes differ less from the public table/);
    expect(section(page, "attributes")).toContain('data-series="synthetic"');
  }
});

test("a picture of many numbers keeps their order, and its intervals hold them", () => {
  const rows = Array.from({ length: 50 }, (_, i) => ({ value: 50 - i, low: 45 - i, high: 55 - i }));
  const drawing = `${spread("", rows)}`;
  const paths = (of: string) => {
    const [, d = ""] = new RegExp(`class="${of}"[^>]* d="([^"]*)"`).exec(drawing) ?? [];
    return Array.from(d.matchAll(/M([\d.]+) ([\d.]+)(?:V([\d.]+)|h0)/g), ([, ...found]) => found.map(Number));
  };
  const [intervals, points] = [paths("spread"), paths("points")];
  expect([intervals.length, points.length]).toEqual([50, 50]);
  for (const [i, [x, y]] of points.entries()) {
    const [at, low, high] = intervals[i] as [number, number, number];
    expect(at).toBe(x);
    expect(low).toBeGreaterThan(y as number);
    expect(high).toBeLessThan(y as number);
    // Larger is higher, and later is further to the right.
    if (i > 0) expect([y! > points[i - 1]![1]!, x! > points[i - 1]![0]!]).toEqual([true, true]);
  }
});

test("true numbers of records are internal, and marked", () => {
  const groups = [
    [{ labels: ["young"], records: 1990 }],
    Array.from({ length: 3 }, (_, i) => ({
      labels: [`${i % 2 ? "young" : "old"} ${i}`],
      records: 1000 - 10 * i,
    })),
  ];
  const [shared, internal] = [report(input()), internalReport(input(), { ...compared(), groups })];
  expect(shared).not.toContain('<section id="totals">');
  const page = section(internal, "totals");
  for (const part of [page, ...(page.match(/<figure.*?<\/figure>/gs) ?? [])]) expect(part).toContain(MARK);
  const marks = marksOf(page);
  expect(marks.map((mark) => [mark["data-row"], Number(mark["data-value"])])).toEqual([
    ["young", 10.5],
    ["old", -3.5],
    ["old 0", 0],
    ["young 1", 9],
    ["old 2", 18],
    ["young 3", 997],
  ]);
  expect(page).toContain("2 of 2 intervals hold zero");
  expect(page).toContain("1 of 4 intervals hold zero");
  for (const id of ["cost", "plan", "groups", "changes"])
    expect(section(internal, id)).toBe(section(shared, id));
});

test.each([
  ["a group with something else", { groups: [{ ...byGroups().release.groups[0], truth: 3 }] }],
  ["no groups", { groups: undefined }],
  ["no levels", { plan: { ...byGroups().release.plan, levels: undefined } }],
  ["another kind of plan", { plan: { ...byGroups().release.plan, format: "marginalia-plan" } }],
])("what was kept of groups is refused with %s", (_, change) => {
  const json = { ...byGroups(), release: { ...byGroups().release, ...change } };
  expect(() => parseReportInput(json)).toThrow(expect.objectContaining({ code: "OPTION_INVALID" }));
});

test("the shipped survey by area: what is drawn is what was released, and the truth is counted", async () => {
  const prior = await readTable(file(2018), people);
  const truth = await readTable(file(2019), people);
  const data = await seal(file(2019), people, { dataset: "survey", unit: "row", budget: pure(1) });
  const attributes = ["age", "sex", "tenure"] as const;
  const mechanism = priorAware({ prior, attributes, draws: 1, groups: [["state"], ["area"]] });
  const release = await mechanism.run(data);
  const made = await reportInput(release, { prior, seed: 1 });
  const synthetic = await release.table({ seed: 1 });
  try {
    expect(parseReportInput(JSON.parse(JSON.stringify(made)))).toEqual(made);
    const asked = { truth, synthetic, public: prior, triples: 1, attributes };
    const other = await internalParts({ truth, evaluation: await evaluate(asked) });
    expect(() => internalReport(made, other)).toThrow(
      "of the release are grouped by area, those of the evaluation not grouped",
    );
    const evaluation = await evaluate({ ...asked, group: "area" });
    const groups = [["state"], ["area"]] as const;
    const page = internalReport(made, await internalParts({ truth, evaluation, groups }));
    expect(bytes(report(made))).toBeLessThan(300_000);
    expect(bytes(page)).toBeLessThan(300_000);
    const dots = (id: string) =>
      new Map(
        marksOf(section(page, id))
          .filter((mark) => mark["data-series"] === "dot")
          .map((mark) => [mark["data-row"], Number(mark["data-value"])]),
      );
    const areas = await truth.marginal(["area"]);
    for (const [code, label] of people.labels("area").entries()) {
      const { records } = release.group({ area: label });
      const name = label ?? "(null)";
      // The state without a name is drawn before the area without one.
      if (label === null) continue;
      expect(dots("groups").get(name)).toBe(records);
      expect(dots("totals").get(name)).toBeCloseTo(records - (areas[code] as number), 9);
    }
    // Each attribute has a noisy answer: summed over groups where it was measured in them.
    const age = made.oneWays.find(({ attribute }) => attribute === "area");
    expect(age?.measured?.shares.length).toBe(9);
  } finally {
    for (const one of [release, mechanism, prior, truth, synthetic]) one.dispose();
    await data.close();
  }
}, 60_000);

test("how far priors were trusted is said level by level, in words", () => {
  const page = section(report(input()), "groups");
  const [table = ""] =
    page.match(/Priors of each level by what its answers said of them<\/caption>.*?<\/table>/s) ?? [];
  const words = Array.from(table.matchAll(/<td><bdi>(.*?)<\/bdi>/g), ([, text]) => text);
  expect(words).toEqual([
    "Trusted for 12.5\u00a0% of what they are worth by their sources: answers are farther from them than noise explains (by 5.2 standard errors)",
    "Trusted in full: nothing was measured that could contradict them",
  ]);
  const { release, ...rest } = byGroups();
  const { trust: _, ...before } = release;
  const old = parseReportInput(JSON.parse(JSON.stringify({ ...rest, release: before })));
  expect(section(report(old), "groups")).toContain("the release was saved before that was kept");
  for (const trust of [
    [{ factor: "<b>", excess: 1 }],
    [{ factor: 1 }],
    3,
    [{ factor: 1, excess: 1, more: 1 }],
  ])
    expect(() => parseReportInput({ ...rest, release: { ...release, trust } })).toThrow(/trust of/);
});

test.each<[object | null | undefined, object, RegExp]>([
  [{ factor: 1, excess: -0.34 }, {}, /^trusted in full: answers are no farther .* \(−0\.3 standard errors;/],
  [{ factor: 1, excess: 3.5 }, {}, /^trusted in full: .*by 3\.5 .* less trust would have fitted no better$/],
  [{ factor: 0.5, excess: 3.5 }, {}, /^trusted for 50\.0.% of what/],
  [null, { level: { strength: 300 } }, /^taken as worth 300 records each, as was asked$/],
  [null, { iterative: true }, /^not weighed: Algorithm 1/],
  [undefined, {}, /^not said/],
])("words of %o", (trust, change, words) => {
  expect(trustInWords(trust as never, { level: {}, iterative: false, ...change })).toMatch(words);
});
