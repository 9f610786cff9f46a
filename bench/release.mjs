// How good releases of a real survey are: the public year 2018 as the prior of 2019, by the command alone, with its defaults.
//
//   MARGINALIA_DATA=folder node bench/release.mjs [--runs 10] [--cells 10,10-zcdp,21] [--epsilon 0.1,0.3,1,3,10] [--save | --out file]
//
// `10` is ten demographic features, `21` all that the dictionary describes but weights, by area. The schema is what
// `marginalia schema` drafts from the public file; the one change by hand is that industries are codes, not quantities.
// `10-paper` and `21-paper` are Algorithm 2 as it is printed: the state and the areas in it, a quarter of the budget each for
// counts and workloads, Algorithm 1, records drawn one by one. Beside each stand the public file as it is and a second
// sample: as many rows of the private file, drawn with replacement.
// Scores are those of SDNist, by its own bins, grouped by PUMA where that is judged. With `--save` they go into results/, with `--out` into a file.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { kMarginal } from "../dist/evaluate.js";
import { placeOf, save } from "./lib/results.mjs";
import { random } from "./lib/stats.mjs";

const TEN = "AGEP SEX MSP RAC1P HOUSING_TYPE OWN_RENT EDU PINCP_DECILE DVET DEYE".split(" ");
const REST = "PUMA HISP NOC NPF INDP INDP_CAT PINCP POVPIP DREM DPHY DEAR".split(" ");
const ALL = [...TEN, ...REST];
const levels = [[], ["PUMA"]].map((by) => ({ by, count: 1, share: 1 }));
const paper = [
  ...["--groups", JSON.stringify(levels), "--estimator", "iterative", "--no-local"],
  ...["--totals", "count", "--method", "iid"],
];
const CELLS = {
  10: { judged: TEN, options: [] },
  "10-zcdp": { judged: TEN, options: ["--delta", "1e-9"] },
  "10-paper": { judged: TEN, groups: ["PUMA"], options: paper },
  21: { judged: ALL, options: ["--group", "PUMA"] },
  "21-paper": { judged: ALL, options: paper },
};

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "10" },
    cells: { type: "string", default: "10,10-zcdp,21" },
    epsilon: { type: "string", default: "0.1,0.3,1,3,10" },
    save: { type: "boolean", default: false },
    out: { type: "string" },
  },
});
const { MARGINALIA_DATA: data } = process.env;
if (!data || !existsSync(join(data, "acs-ma"))) {
  console.log("not run: set MARGINALIA_DATA to the folder of the data");
  process.exit(0);
}
const file = (year) => join(data, "acs-ma", `ma${year}.csv.gz`);
const dictionary = JSON.parse(readFileSync(join(data, "acs-ma", "data_dictionary.json"), "utf8"));
const command = new URL("../dist/cli.js", import.meta.url).pathname;
const marginalia = (...args) =>
  execFileSync(process.execPath, [command, ...args, "--quiet"], { encoding: "utf8" });
const place = await mkdtemp(join(tmpdir(), "release-"));

/** The lines of a year's file, its header first. */
const linesOf = (year) =>
  gunzipSync(readFileSync(file(year)))
    .toString()
    .trim()
    .split(/\r?\n/);

/** The values of a column of the public file. */
function codesOf(column) {
  const [header, ...lines] = linesOf(2018);
  const at = header
    .replace(/^\ufeff/, "")
    .split(",")
    .indexOf(column);
  const all = new Set(lines.map((line) => line.split(",")[at]));
  return [...all].filter((code) => code !== "N").sort((a, b) => a - b);
}

/** What a person makes of the draft: no columns that nobody needs, and codes where there are codes. */
function schemaOf(features) {
  const draft = JSON.parse(marginalia("schema", file(2018)));
  const industries = { name: "INDP", type: "category", values: codesOf("INDP"), other: null, nulls: ["N"] };
  const wanted = draft.attributes.filter(({ name }) => features.includes(name));
  const attributes = wanted.map((one) => (one.name === "INDP" ? { ...industries, nullable: true } : one));
  const path = join(place, `schema-${features.length}.json`);
  writeFileSync(path, JSON.stringify({ ...draft, attributes }));
  return path;
}

async function score(synthetic, attributes) {
  const group = attributes.includes("PUMA") ? "PUMA" : [];
  const options = { truth: file(2019), synthetic, dictionary, attributes, group, subsamples: false };
  return (await kMarginal(options)).score;
}

/** Scores of second samples: what another survey of the same people would have. */
async function secondSamples(attributes, count) {
  const [header, ...lines] = linesOf(2019);
  const out = join(place, "sample.csv");
  const next = random(2019);
  const scores = [];
  for (let i = 0; i < count; i++) {
    const drawn = lines.map(() => lines[Math.floor(next() * lines.length)]);
    writeFileSync(out, `${[header, ...drawn].join("\n")}\n`);
    scores.push(await score(out, attributes));
  }
  return scores;
}

async function released(name, schema, epsilon, run) {
  const { judged, options } = CELLS[name];
  const out = join(place, "synthetic.csv");
  const account = join(place, `account-${name}-${epsilon}-${run}.json`);
  const start = performance.now();
  marginalia(
    ...["run", "--public", file(2018), "--private", file(2019), "--schema", schema, "--epsilon", epsilon],
    ...["--unit", "row", "--ledger", account, "--seed", `${run}`, "--out", out, ...options],
  );
  const seconds = (performance.now() - start) / 1000;
  return { score: await score(out, judged), seconds };
}

const mean = (list) => list.reduce((sum, one) => sum + one, 0) / list.length;
const spread = (list) =>
  Math.sqrt(mean(list.map((one) => (one - mean(list)) ** 2)) / Math.max(1, list.length - 1));

/** The scores of the public file as it is, and of second samples on average, by what is judged. */
const known = new Map();
async function baselines(judged) {
  if (!known.has(judged))
    known.set(judged, {
      untouched: await score(file(2018), judged),
      secondSample: mean(await secondSamples(judged, 10)),
    });
  return known.get(judged);
}

const results = [];
for (const name of values.cells.split(",")) {
  const { judged, groups = [] } = CELLS[name];
  const schema = schemaOf([...judged, ...groups]);
  const { untouched, secondSample } = await baselines(judged);
  console.log(
    `${name}: the public file as it is ${untouched.toFixed(2)}, a second sample ${secondSample.toFixed(2)}`,
  );
  for (const epsilon of values.epsilon.split(",")) {
    const runs = [];
    for (let run = 0; run < Number(values.runs); run++) runs.push(await released(name, schema, epsilon, run));
    const scores = runs.map((one) => one.score);
    const row = {
      runs: scores.length,
      cell: name,
      epsilon,
      untouched,
      secondSample,
      mean: mean(scores),
      standardError: spread(scores),
      scores,
    };
    results.push({ ...row, seconds: Math.min(...runs.map((one) => one.seconds)) });
    const gain = (row.mean - untouched).toFixed(2);
    console.log(`  ε ${epsilon}: ${row.mean.toFixed(2)} ± ${row.standardError.toFixed(2)}, gain ${gain}`);
  }
}
if (values.save || values.out) {
  const day = new Date().toISOString().slice(0, 10);
  const path = values.out ?? placeOf(day, "release");
  save(path, `${JSON.stringify({ day, results }, null, 2)}\n`);
}
await rm(place, { recursive: true });
