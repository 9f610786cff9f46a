import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { priorAware, pure, readTable, seal } from "marginalia";
import { evaluate, internalParts } from "marginalia/evaluate";
import { internalReport, parseReportInput, type ReportJson, report, reportInput } from "marginalia/report";
import { expect, test } from "vitest";
import { plugins } from "../../bundles.config.js";
import { file, people } from "../../examples/survey.mjs";
import { bestOf } from "../../ts/evaluate/report/beside.js";
import { dataShare } from "../../ts/evaluate/report/gather.js";
import { compared, example, input, marksOf, section } from "./support.js";

const MARK = "internal: not differentially private";

test("by its types a shareable report takes no true data", () => {
  const json: ReportJson = example();
  const ways = [
    // @ts-expect-error plain JSON might be anything: it goes through parseReportInput
    () => report(json),
    // @ts-expect-error no literal is an input, whatever it says of itself
    () => report({ ...json, origin: "released" }),
    // @ts-expect-error comparisons are for internalReport
    () => report(compared()),
    // @ts-expect-error and cannot come along
    () => report(input(), { internal: compared() }),
    // @ts-expect-error an input is made of a release; a table is none
    (table: Awaited<ReturnType<typeof readTable>>) => reportInput(table, { prior: table }),
  ];
  expect(ways).toHaveLength(5);
});

test.each([
  ["another key", { ...example(), truth: [1] }],
  ["a mark of true data", { ...example(), origin: "internal" }],
  ["an evaluation within", { ...example(), ledger: { ...example().ledger, more: { private: false } } }],
  ["true shares beside public ones", { ...example(), oneWays: [{ ...example().oneWays[0], private: [1] }] }],
  ["another format", { ...example(), version: 2 }],
  ["a part that lacks", { ...example(), pairs: undefined }],
  ["no object", "text"],
])("what was kept of an input is refused with %s", (_, json) => {
  expect(() => parseReportInput(json)).toThrow(expect.objectContaining({ code: "OPTION_INVALID" }));
});

test("an input survives JSON, and the same input gives the same bytes", () => {
  const kept = parseReportInput(JSON.parse(JSON.stringify(input())));
  expect(report(kept)).toBe(report(input()));
  expect(report(kept)).not.toMatch(/\b20\d\d-\d\d-\d\d/);
  expect(report(kept, { date: "19 November 2019" })).toContain("19 November 2019");
});

test("only the internal form has true values, and each part that has them says so", () => {
  const [shared, internal] = [report(input()), internalReport(input(), compared())];
  expect(shared).not.toContain(MARK);
  expect(shared).not.toContain('data-series="private"');
  for (const id of ["scores", "errors", "attributes"]) expect(section(internal, id)).toContain(MARK);
  for (const figure of internal.match(/<figure.*?<\/figure>/gs) ?? [])
    if (/subsample|data-series="private"|against private/.test(figure)) expect(figure).toContain(MARK);
  for (const id of ["cost", "plan", "model", "changes"]) {
    expect(section(internal, id)).toBe(section(shared, id));
    expect(section(internal, id)).not.toContain(MARK);
  }
  expect(internal).toContain(`<title>${MARK}`);
  expect(internal).toContain(`@bottom-center{content:"${MARK}"`);
});

test("every chart has its numbers in a table", () => {
  const page = internalReport(input(), compared());
  const figures = page.match(/<figure.*?<\/figure>/gs) ?? [];
  expect(figures.length).toBeGreaterThan(7);
  for (const figure of figures) {
    expect(figure).toMatch(/<svg [^>]*role="img" aria-label="[^"]+"/);
    expect(figure).toMatch(/<table><caption>.+<\/caption>\s*<thead>.*<th scope="row">/s);
  }
});

test("the best answer of an attribute's values is summed over the others", () => {
  const noise = (variance: number) => ({ law: "laplace", scale: "1", variance }) as const;
  const identity = { type: "identity" } as const;
  const pair = {
    clique: ["a", "b"],
    shape: [2, 3],
    values: new Float64Array([1, 2, 3, 4, 5, 6]),
    query: identity,
  };
  const one = { clique: ["b"], shape: [3], values: new Float64Array([5, 8, 8]), query: identity };
  const all = [
    { ...pair, noise: noise(2) },
    { ...one, noise: noise(4.5) },
  ];
  // Three cells of variance 2 make 6, two make 4; the answer of its own to b has 4.5.
  expect(bestOf("a", all, 21)).toEqual({ shares: [6 / 21, 15 / 21], standardError: Math.sqrt(6) / 21 });
  expect(bestOf("b", all, 21)).toEqual({
    shares: [5 / 21, 7 / 21, 9 / 21],
    standardError: Math.sqrt(4) / 21,
  });
  expect(bestOf("c", all, 21)).toBeUndefined();
});

test("data and prior share a marginal by the inverse of their variances", () => {
  const noise = { law: "laplace", scale: "1", variance: 50 } as const;
  // Two cells of 1000·½·½/n₀·1000 each: with n₀ = 5000 the prior knows them as well as the noise lets one see.
  expect(dataShare({ noise }, [0.5, 0.5], 1000, 5000)).toBe(0.5);
  expect(dataShare({ noise }, [0.5, 0.5], 1000, 50)).toBeCloseTo(100 / 101, 12);
  expect(dataShare({ noise: { ...noise, variance: 0 } }, [0, 1], 1000, 50)).toBe(0);
});

test("the shipped survey: both forms are small, and another table than the prior is refused", async () => {
  const prior = await readTable(file(2018), people);
  const truth = await readTable(file(2019), people);
  const data = await seal(file(2019), people, { dataset: "survey", unit: "row", budget: pure(1) });
  const mechanism = priorAware({ prior, provenance: { name: "survey 2018" } });
  const release = await mechanism.run(data, { plan: await mechanism.plan(data) });
  const made = await reportInput(release, { prior, seed: 1 });
  const synthetic = await release.table({ seed: 1 });
  try {
    await expect(reportInput(release, { prior: truth })).rejects.toMatchObject({ code: "OPTION_INVALID" });
    expect(parseReportInput(JSON.parse(JSON.stringify(made)))).toEqual(made);
    const evaluation = await evaluate({ truth, synthetic, public: prior, triples: 20 });
    const page = internalReport(made, await internalParts({ truth, evaluation }));
    for (const text of [report(made), page])
      expect(new TextEncoder().encode(text).length).toBeLessThan(300_000);
    const counts = await synthetic.marginal(["sex"]);
    const [sex] = made.oneWays.filter(({ attribute }) => attribute === "sex");
    expect(sex?.synthetic).toEqual(Array.from(counts, (cell) => cell / synthetic.rows));
    const drawn = marksOf(section(page, "errors")).map((mark) => Number(mark["data-value"]));
    expect(drawn.length).toBe(evaluation.kMarginal.pairs.length);
    expect(Math.max(...drawn)).toBe(evaluation.kMarginal.pairs[0]!.distance / 2);
  } finally {
    for (const one of [release, mechanism, prior, truth, synthetic]) one.dispose();
    await data.close();
  }
}, 60_000);

test("the example writes both forms", async () => {
  const folder = await mkdtemp(join(tmpdir(), "report-"));
  try {
    await promisify(execFile)(process.execPath, ["examples/report.mjs", folder]);
    const [shared, internal] = await Promise.all(
      ["report.html", "internal.html"].map((name) => readFile(join(folder, name), "utf8")),
    );
    expect(shared).toContain("survey-2018.csv");
    expect(shared).not.toContain(MARK);
    expect(internal).toContain(MARK);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}, 60_000);

test("who makes a report for sharing loads nothing that reads true data", async () => {
  const bundle = await build({
    stdin: { contents: 'export { report } from "./ts/report.js"', resolveDir: "." },
    bundle: true,
    write: false,
    metafile: true,
    treeShaking: true,
    splitting: true,
    outdir: "out",
    format: "esm",
    platform: "node",
    plugins: plugins("node"),
    external: ["seedrandom"],
  });
  const read = Object.keys(bundle.metafile.inputs).filter((path) => path.startsWith("ts/evaluate/"));
  expect(read.length).toBeGreaterThan(10);
  for (const path of read) expect(path).toMatch(/^ts\/evaluate\/report\//);
});
