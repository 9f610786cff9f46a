// How long releases take that have the shapes of surveys: from two CSV files to a third, by the command and with its
// defaults, what it forecasts included. Each run is a process of its own; counted are its wall time, the processor time of
// all its threads, and the most memory that it held.
//
//   MARGINALIA_DATA=folder node bench/shapes.mjs [--shapes flat,areas,many,wide,wider] [--runs 3] [--epsilon 1] [--save]
//
// `flat`: ten features of a survey (acs-ma, 7,244 public rows and 7,634 private ones), on one core where the machine has
// `taskset`. `areas`: 27,253 generated rows × 21 features in 17 areas and none, each with the rows of all, which makes 490,554 rows that
// may have weight; on all cores. `many`: 200,000 generated rows × 10 features and a million public ones, nearly three million rows that
// may have weight; for the memory, which the whole process holds at most (the high-water mark of its resident set). `wide` and `wider`:
// 50,000 generated rows × 100 and 300 attributes and 5,000 public ones, at δ = 10⁻⁹, where their answers contradict the public file; only
// where they are asked for.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { load, machine } from "./lib/machine.mjs";
import { placeOf, save } from "./lib/results.mjs";
import { median, quantile } from "./lib/stats.mjs";
import { FEATURES, writeSurvey } from "./lib/survey.mjs";
import { writeWide } from "./lib/wide.mjs";

const TEN = "AGEP SEX MSP RAC1P HOUSING_TYPE OWN_RENT EDU PINCP_DECILE DVET DEYE".split(" ");
const ROWS = 27_253;
const AREAS = 17;
const [MANY, MANY_PUBLIC] = [200_000, 1_000_000];
const [WIDE, WIDE_PUBLIC] = [50_000, 5000];

const { values } = parseArgs({
  options: {
    shapes: { type: "string", default: "flat,areas,many" },
    runs: { type: "string", default: "3" },
    epsilon: { type: "string", default: "1" },
    save: { type: "boolean", default: false },
  },
});
const { MARGINALIA_DATA: data } = process.env;
const place = await mkdtemp(join(tmpdir(), "shapes-"));
const command = fileURLToPath(new URL("../dist/cli.js", import.meta.url));
const usage = new URL("lib/usage.mjs", import.meta.url).href;
const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

/** Of very many attributes. */
function wide(attributes) {
  const [from, hidden] = ["public", "private"].map((name) => join(place, `wide-${attributes}-${name}.csv`));
  writeWide(from, { rows: WIDE_PUBLIC, attributes, seed: 1, skew: 0 });
  writeWide(hidden, { rows: WIDE, attributes, seed: 2, skew: 0.2 });
  return {
    files: [from, hidden],
    features: Array.from({ length: attributes }, (_, i) => `a${i}`),
    options: ["--delta", "1e-9"],
    rows: WIDE,
    threads: 1,
    title: `${WIDE} generated rows × ${attributes} attributes, ${WIDE_PUBLIC} public rows`,
  };
}

/** The two files of a shape, what is asked of them, and how many threads there are for it. */
const SHAPES = {
  flat() {
    const file = (year) => join(data ?? "", "acs-ma", `ma${year}.csv.gz`);
    if (!existsSync(file(2018))) return { missing: "MARGINALIA_DATA names no folder with acs-ma" };
    return {
      files: [file(2018), file(2019)],
      features: TEN,
      options: [],
      rows: 7634,
      threads: 1,
      title: "7,634 rows × 10 features of a survey",
    };
  },
  areas() {
    const files = ["public", "private"].map((name) => join(place, `${name}.csv`));
    for (const [i, path] of files.entries())
      writeSurvey(path, { rows: ROWS, areas: AREAS, seed: i + 1, drift: 0.3 * i });
    return {
      files,
      features: ["PUMA", ...FEATURES],
      options: ["--group", "PUMA"],
      rows: ROWS,
      threads: machine().cores,
      title: `${ROWS} generated rows × ${FEATURES.length} features in ${AREAS} areas`,
    };
  },
  many() {
    const [from, hidden] = ["many-public", "many-private"].map((name) => join(place, `${name}.csv`));
    writeSurvey(from, { rows: MANY_PUBLIC, areas: AREAS, seed: 1, drift: 0 });
    writeSurvey(hidden, { rows: MANY, areas: AREAS, seed: 2, drift: 0 });
    return {
      files: [from, hidden],
      features: TEN,
      options: [],
      rows: MANY,
      threads: machine().cores,
      title: `${MANY} generated rows × ${TEN.length} features, ${MANY_PUBLIC} public rows`,
    };
  },
  wide: () => wide(100),
  wider: () => wide(300),
};

/** What is drafted from the public file, without the columns that nobody asked for. */
function schemaOf([from], features, name) {
  const args = [command, "schema", from, "--bins", "40", "--quiet"];
  const draft = JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" }));
  const attributes = draft.attributes.filter((one) => features.includes(one.name));
  const path = join(place, `${name}.json`);
  writeFileSync(path, JSON.stringify({ ...draft, attributes }));
  return path;
}

const TASKSET = "/usr/bin/taskset";

/** One release: seconds on the wall and of processors, bytes at most. */
async function run({ files: [from, hidden], options, threads, rows }, schema, at) {
  const out = join(place, "synthetic.csv");
  const used = join(place, "usage.json");
  const args = [
    ...["--import", usage, command, "run", "--public", from, "--private", hidden, "--schema", schema],
    ...["--epsilon", values.epsilon, "--unit", "row", "--ledger", join(place, `${at}.json`)],
    ...["--seed", `${at}`, "--out", out, "--quiet", ...options],
  ];
  const [program, ...rest] = threads === 1 ? [TASKSET, "-c", "0", process.execPath] : [process.execPath];
  const start = performance.now();
  execFileSync(program, [...rest, ...args], { env: { ...process.env, MARGINALIA_BENCH_USAGE: used } });
  const wall = (performance.now() - start) / 1000;
  if ((await stat(out)).size < 10 * rows) throw new Error("a release lost some of its records");
  return { wall, ...JSON.parse(readFileSync(used, "utf8")) };
}

/** One shape, as a case of a result file. */
async function caseOf(name) {
  const shape = SHAPES[name]();
  const contender = { contender: "marginalia run", threads: shape.threads ?? 1 };
  const { title = name, rows = 0, features = TEN } = shape;
  const about = { scenario: "release", title, case: name, unit: "s", rows, attributes: features.length };
  const missing = shape.missing ?? (shape.threads === 1 && !existsSync(TASKSET) && "there is no taskset");
  if (missing) {
    const result = { ...contender, status: "not run", reason: missing };
    return { ...about, load: { before: load(), after: load() }, results: [result] };
  }
  const schema = schemaOf(shape.files, features, name);
  const before = load();
  const runs = [];
  for (let i = 0; i < Number(values.runs); i++) runs.push(await run(shape, schema, `${name}-${i}`));
  const walls = runs.map(({ wall }) => wall);
  const result = {
    ...contender,
    status: "measured",
    versions: { marginalia: version, node: process.versions.node },
    repeats: walls,
    median: median(walls),
    quartiles: [quantile(walls, 0.25), quantile(walls, 0.75)],
    min: Math.min(...walls),
    processor: runs.map(({ seconds }) => seconds),
    peakBytes: Math.max(...runs.map(({ peakBytes }) => peakBytes)),
  };
  return { ...about, load: { before, after: load() }, results: [result] };
}

function inWords({ title, results: [result] }) {
  if (result.status === "not run") return `${title}: not run (${result.reason})`;
  const { threads, repeats, processor, peakBytes } = result;
  const seconds = (list) => list.map((one) => one.toFixed(2)).join(", ");
  const memory = Math.round(peakBytes / 2 ** 20);
  return `${title}, ${threads === 1 ? "one core" : `${threads} cores`}: ${seconds(repeats)} s (processors: ${seconds(processor)} s), ${memory} MB`;
}

const started = new Date().toISOString();
const cases = [];
for (const name of values.shapes.split(",")) {
  cases.push(await caseOf(name));
  console.log(inWords(cases.at(-1)));
}
if (values.save) {
  const path = placeOf(started.slice(0, 10), "shapes");
  const result = { format: "marginalia-bench/1", started, mode: "normal", machine: machine(), cases };
  save(path, `${JSON.stringify(result, null, 2)}\n`);
}
await rm(place, { recursive: true });
