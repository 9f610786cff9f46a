// A mechanism is a folder and a line of the registry: `template/mechanisms/oneWays` is put beside the others, as it stands, and
// everything that finds mechanisms by name finds it.

import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { build, type Plugin } from "esbuild";
import type * as api from "marginalia";
import type * as reports from "marginalia/report";
import { afterAll, beforeAll, expect, it } from "vitest";
import { besideIndex, DEFINE, plugins } from "../../bundles.config.js";
import { SURVEY } from "../../ts/cli/demo/survey.js";

const TEMPLATE = resolve("test/mechanisms/template");
const LINE = '  oneWays: () => import("./oneWays/definition.js"),\n';

/** The tree of the package with the folder of the template in it, and its line in the registry. */
const added: Plugin = {
  name: "the template among the mechanisms",
  setup(b) {
    const real = (path: string) => resolve("ts", relative(TEMPLATE, path));
    b.onResolve({ filter: /^\.\/oneWays\// }, ({ path }) => ({
      path: join(TEMPLATE, "mechanisms", path.replace(/\.js$/, ".ts")),
    }));
    b.onResolve({ filter: /^\.\.\// }, ({ path, importer, resolveDir }) =>
      importer.startsWith(TEMPLATE)
        ? { path: resolve(real(resolveDir), path.replace(/\.js$/, ".ts")) }
        : undefined,
    );
    b.onLoad({ filter: /mechanisms\/registry\.ts$/ }, async ({ path }) => {
      const contents = (await readFile(path, "utf8")).replace(/};\n$/, `${LINE}};\n`);
      return { contents, loader: "ts" };
    });
  },
};

let folder = "";
let marginalia: typeof api;
let report: typeof reports;

beforeAll(async () => {
  folder = await mkdtemp(resolve("dist", "template-"));
  const outdir = join(folder, "dist");
  const common = {
    bundle: true,
    outdir,
    target: "es2022",
    define: DEFINE,
    platform: "node",
    packages: "external",
    format: "esm",
  } as const;
  const entries = {
    index: "ts/index.ts",
    report: "ts/report.ts",
    check: "ts/check.ts",
    evaluate: "ts/evaluate.ts",
  };
  await build({
    ...common,

    entryPoints: entries,
    splitting: true,
    plugins: [added, ...plugins("node")],
  });
  await build({
    ...common,

    entryPoints: { cli: "ts/cli/main.ts" },
    plugins: [besideIndex(), ...plugins("node")],
  });
  for (const name of ["node-simd.cjs", "node-threads.cjs"]) await cp(join("dist", name), join(outdir, name));
  await symlink(resolve("pkg"), join(folder, "pkg"));
  marginalia = await import(pathToFileURL(join(outdir, "index.js")).href);
  report = await import(pathToFileURL(join(outdir, "report.js")).href);
}, 60_000);

afterAll(async () => {
  await marginalia?.close();
  await rm(folder, { recursive: true, force: true });
});

const NAMES = ["age", "sex", "tenure"];
const small = { attributes: SURVEY.attributes.filter(({ name }) => NAMES.includes(name)) };
const data = (year: number) => resolve(`examples/data/survey-${year}.csv`);

it.each([
  ["a public table", true, {}, "support"],
  ["a schema alone", false, {}, "graphical"],
  ["a schema alone, as a product", false, { estimator: "independent" }, "product"],
])(
  "plans, runs, goes on from its ledger, saves, loads and reports like any other, from %s",
  async (_, isPublic, options, kind) => {
    const { mechanisms, readTable, schemaFromJson, seal, pure, load } = marginalia;
    expect(Object.keys(mechanisms)).toContain("oneWays");
    const { make } = await (mechanisms.oneWays as NonNullable<typeof mechanisms.oneWays>)();
    const schema = schemaFromJson(small);
    const place = await mkdtemp(join(tmpdir(), "template-"));
    using prior = isPublic ? await readTable(data(2018), schema, { ignore: true }) : undefined;
    const sealing = {
      dataset: "survey",
      unit: "row",
      budget: pure(1),
      ledger: join(place, "account.json"),
      expectedRows: 7000,
    } as const;
    const released = async () => {
      const sealed = await seal(data(2019), schema, sealing);
      const mechanism = make({ ...options, ...(prior && { prior }) });
      const plan = await mechanism.plan(sealed);
      expect(`${plan}`).toContain("Measured: each attribute.");
      expect(plan.charging.kind).toBe("list");
      expect("prior" in plan.toJSON()).toBe(isPublic);
      const release = await mechanism.run(sealed, { plan: JSON.parse(JSON.stringify(plan)) });
      const spent = `${sealed.spent}`;
      await release.writeCsv(join(place, "records.csv"), { seed: "v1" });
      await sealed.close();
      return { release, spent, records: await readFile(join(place, "records.csv"), "utf8") };
    };
    const [first, again] = [await released(), await released()];
    expect([again.spent, again.records]).toEqual([first.spent, first.records]);
    const bytes = await first.release.toBytes();
    using loaded = await load(bytes);
    using records = await loaded.table({ seed: "v1" });
    await records.writeCsv(join(place, "loaded.csv"), { seed: "v1" });
    expect(await readFile(join(place, "loaded.csv"), "utf8")).toBe(first.records);
    expect(loaded.model.kind).toBe(kind);
    expect(first.release.model).toHaveProperty("kind", kind);
    using part = await loaded.model.where({ sex: "F" });
    expect(part.total).toBeCloseTo((await loaded.model.marginal(["sex"]))[0] as number, 6);
    expect(await loaded.toBytes()).toEqual(bytes);
    const input = await report.reportInput(loaded, { ...(prior && { prior }) });
    expect(report.parseReportInput(JSON.parse(JSON.stringify(input)))).toEqual(input);
    const page = report.report(input);
    for (const name of NAMES) expect(page).toContain(name);
    expect(page).toContain("Where the privacy budget of this release went");
    expect(page.includes("starts from no public table")).toBe(!isPublic);
    expect(page.includes("and public differ")).toBe(isPublic);
    for (const { release } of [first, again]) release.dispose();
  },
  60_000,
);

it("is an option of the command, has its options, and is inspected and reported", async () => {
  const cwd = await mkdtemp(join(tmpdir(), "template-"));
  const ask = (...args: string[]) =>
    promisify(execFile)(process.execPath, [join(folder, "dist/cli.js"), ...args], { cwd });
  const config = {
    ...{ public: data(2018), private: data(2019), schema: small, epsilon: 1, mechanism: "oneWays" },
    ...{ ledger: "account.json", out: "a.csv", report: "a.html", save: "a.marginalia" },
  };
  await writeFile(join(cwd, "job.json"), JSON.stringify(config));
  expect((await ask("run", "--help")).stdout).toContain("|one-ways");
  expect((await ask("--config-schema")).stdout).toContain('"oneWays"');
  const how = ["--config=job.json", "--mechanism=one-ways"];
  expect((await ask("plan", ...how)).stdout).toContain("Measured: each attribute.");
  await expect(ask("plan", ...how, "--rounds=2")).rejects.toMatchObject({
    stderr: expect.stringContaining("leave out --mechanism one-ways, or --rounds"),
  });
  const run = await ask("run", ...how, "--seed=v1");
  expect(run.stdout).toMatch(/^\d+ synthetic records in a\.csv\./);
  expect((await ask("run", ...how, "--seed=v1", "--json")).stdout).toContain('"paid":false');
  expect((await ask("inspect", "a.marginalia")).stdout).toContain("from 3 measurements");
  expect(await readFile(join(cwd, "a.html"), "utf8")).toContain("Measured: each attribute.");
  const sampled = await ask("sample", "a.marginalia", "--seed=v1", "--quiet");
  expect(sampled.stdout).toBe(await readFile(join(cwd, "a.csv"), "utf8"));
}, 120_000);

it("refuses to estimate from a schema alone what needs a prior, before anything is paid", async () => {
  const { mechanisms, readTable, schemaFromJson, seal, pure } = marginalia;
  const { make } = await (mechanisms.oneWays as NonNullable<typeof mechanisms.oneWays>)();
  const schema = schemaFromJson(small);
  const sealing = { dataset: "survey", unit: "row", budget: pure(1), expectedRows: 7000 } as const;
  await using sealed = await seal(data(2019), schema, sealing);
  await expect(make({ estimator: "calibrated" }).plan(sealed)).rejects.toMatchObject({
    code: "OPTION_INVALID",
    message: expect.stringMatching(
      /^`estimator` is one of (?!.*calibrated).*independent.*, where there is no prior$/,
    ),
  });
  using release = await make({}).run(sealed);
  using prior = await readTable(data(2018), schema, { ignore: true });
  await expect(report.reportInput(release, { prior })).rejects.toMatchObject({
    message: "this release was planned without a public table: leave out `prior`",
  });
}, 60_000);

it("goes through the command without a public file", async () => {
  const cwd = await mkdtemp(join(tmpdir(), "template-"));
  const ask = (...args: string[]) =>
    promisify(execFile)(process.execPath, [join(folder, "dist/cli.js"), ...args], { cwd });
  const config = {
    ...{ private: data(2019), schema: small, epsilon: 1, mechanism: "oneWays", expectedRows: 7000 },
    ...{ ledger: "account.json", out: "a.csv", report: "a.json", save: "a.marginalia", seed: "v1" },
  };
  await writeFile(join(cwd, "job.json"), JSON.stringify(config));
  await expect(ask("plan", "--config=job.json", "--mechanism=prior-aware")).rejects.toMatchObject({
    stderr: expect.stringContaining("a public file is missing"),
  });
  const planned = await ask("plan", "--config=job.json", "--out=plan.json");
  expect(planned.stdout).toContain("Estimate: a graphical model, from the answers alone.");
  const run = await ask("run", "--config=job.json", "--planned=plan.json");
  expect(run.stdout).toMatch(/^\d+ synthetic records in a\.csv\./);
  expect((await ask("run", "--config=job.json", "--json")).stdout).toContain('"paid":false');
  expect((await ask("inspect", "a.marginalia")).stdout).toContain("converged by graphical");
  const query = ["query", "a.marginalia", "--cliques=sex,tenure"];
  expect((await ask(...query, "--where=sex=F")).stdout).toContain("records meet the condition");
  expect((await ask(...query, "--standard-errors=all")).stdout).toContain("standard error");
  const sampled = await ask("sample", "a.marginalia", "--seed=v1", "--quiet");
  expect(sampled.stdout).toBe(await readFile(join(cwd, "a.csv"), "utf8"));
  const judged = ["evaluate", "a.csv", `--private=${data(2019)}`, "--config=job.json", "--released=a.json"];
  await ask(...judged, "--report=internal.html");
  expect(await readFile(join(cwd, "internal.html"), "utf8")).toContain(
    "Each attribute: private and synthetic",
  );
}, 120_000);
