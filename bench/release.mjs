// How good releases of a real survey are: the public year 2018 as the prior of 2019, by the command alone, with its defaults.
//
//   MARGINALIA_DATA=folder node bench/release.mjs [--runs 10] [--cells 10,10-zcdp,21] [--epsilon 0.1,0.3,1,3,10] [--save | --out file]
//
// `10` is ten demographic features, `21` all that the dictionary describes but weights, by area. The schema is what
// `marginalia schema` drafts from the public file; the one change by hand is that industries are codes, not quantities.
// Scores are those of SDNist, by its own bins. With `--save` they go into results/, with `--out` into a file.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { kMarginal } from "../dist/evaluate.js";

const TEN = "AGEP SEX MSP RAC1P HOUSING_TYPE OWN_RENT EDU PINCP_DECILE DVET DEYE".split(" ");
const REST = "PUMA HISP NOC NPF INDP INDP_CAT PINCP POVPIP DREM DPHY DEAR".split(" ");
const CELLS = {
  10: { features: TEN, options: [] },
  "10-zcdp": { features: TEN, options: ["--delta", "1e-9"] },
  21: { features: [...TEN, ...REST], options: ["--group", "PUMA"] },
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

/** The values of a column of the public file. */
function codesOf(column) {
  const [header, ...lines] = gunzipSync(readFileSync(file(2018)))
    .toString()
    .trim()
    .split(/\r?\n/);
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
  const options = { truth: file(2019), synthetic, dictionary, attributes, subsamples: false };
  return (await kMarginal(options)).score;
}

async function released({ features, options }, schema, epsilon, run) {
  const out = join(place, "synthetic.csv");
  const account = join(place, `account-${features.length}-${options[0]}-${epsilon}-${run}.json`);
  const start = performance.now();
  marginalia(
    ...["run", "--public", file(2018), "--private", file(2019), "--schema", schema, "--epsilon", epsilon],
    ...["--unit", "row", "--ledger", account, "--seed", `${run}`, "--out", out, ...options],
  );
  const seconds = (performance.now() - start) / 1000;
  return { score: await score(out, features), seconds };
}

const mean = (list) => list.reduce((sum, one) => sum + one, 0) / list.length;
const spread = (list) =>
  Math.sqrt(mean(list.map((one) => (one - mean(list)) ** 2)) / Math.max(1, list.length - 1));

const results = [];
for (const name of values.cells.split(",")) {
  const cell = CELLS[name];
  const schema = schemaOf(cell.features);
  const untouched = await score(file(2018), cell.features);
  console.log(`${name} features; the public file as it is: ${untouched.toFixed(2)}`);
  for (const epsilon of values.epsilon.split(",")) {
    const runs = [];
    for (let run = 0; run < Number(values.runs); run++) runs.push(await released(cell, schema, epsilon, run));
    const scores = runs.map((one) => one.score);
    const row = {
      runs: scores.length,
      cell: name,
      epsilon,
      untouched,
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
  const path = values.out ?? new URL(`results/${day}-release.json`, import.meta.url);
  writeFileSync(path, `${JSON.stringify({ day, results }, null, 2)}\n`);
}
await rm(place, { recursive: true });
