// Releases without a public file, by mechanisms of this package and of others, side by side on the same codes.
//
//   MARGINALIA_DATA=folder node bench/studies/nothing-public/run.mjs --out runs.json [--runs 5] [--epsilon 0.1,0.3,1,3,10]
//     [--data survey,adult] [--contenders "marginalia aim,marginalia mst,dpmm mst"] [--delta 1e-9] [--limit 1500]
//
// A contender is a package and its mechanism. Python of a package is MARGINALIA_PYTHON_MBI, …_DPMM or …_SMARTNOISE_SYNTH, and mbi
// also needs MBI_MECHANISMS (peers.py). A run that is in the file is not made again. Of records the k-marginal of the survey's ten
// features, and the mean L1 distance of all triples of at most 200,000 cells. Seconds are of the processor, all threads together,
// of the release alone; memory is the most of the process. Whoever takes longer than the limit (seconds) is noted as that.

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { kMarginal } from "../../../dist/evaluate.js";
import { machine } from "../../lib/machine.mjs";
import { load } from "../../ours.mjs";

const TEN = "AGEP SEX MSP RAC1P HOUSING_TYPE OWN_RENT EDU PINCP_DECILE DVET DEYE".split(" ");
const MOST_CELLS = 200_000;

const { values } = parseArgs({
  options: {
    out: { type: "string" },
    runs: { type: "string", default: "5" },
    epsilon: { type: "string", default: "0.1,0.3,1,3,10" },
    delta: { type: "string", default: "1e-9" },
    data: { type: "string", default: "survey,adult" },
    contenders: { type: "string", default: "marginalia aim,marginalia mst" },
    limit: { type: "string", default: "1500" },
  },
});
const { MARGINALIA_DATA: folder } = process.env;
if (!folder || !values.out) {
  console.log("not run: set MARGINALIA_DATA to the folder of the data, and give --out");
  process.exit(0);
}
const api = await load();
if (!api) throw new Error("build first: npm run bundle");
const work = mkdtempSync(join(tmpdir(), "nothing-public-"));
process.on("exit", () => rmSync(work, { recursive: true }));
const read = (...path) => readFileSync(join(folder, ...path));

/** The survey under a schema of what its dictionary declares: ages in fives. */
function survey() {
  const dictionary = JSON.parse(read("acs-ma", "data_dictionary.json"));
  const attributes = TEN.map((name) => {
    if (name === "AGEP")
      return { name, type: "integer", min: 0, max: 99, width: 5, other: "clamp", nullable: true };
    const codes = Object.keys(dictionary[name].values ?? {});
    const known = codes.length > 0 ? codes : Array.from({ length: 10 }, (_, i) => `${i}`);
    const labels = known.filter((code) => code !== "N");
    return { name, type: "category", values: labels, other: null, nullable: true, nulls: ["N"] };
  });
  const truth = join(folder, "acs-ma", "ma2019.csv.gz");
  const score = async (records) => {
    const synthetic = join(work, "records.csv");
    await records.writeCsv(synthetic);
    const how = { truth, synthetic, dictionary, attributes: TEN, group: [], subsamples: false };
    return (await kMarginal(how)).score;
  };
  return { rows: gunzipSync(read("acs-ma", "ma2019.csv.gz")), attributes, score };
}

function adult() {
  const attributes = Object.entries(JSON.parse(read("adult", "domain.json"))).map(([name, size]) => {
    const values = Array.from({ length: size }, (_, code) => `${code}`);
    return { name, type: "category", values, other: "0" };
  });
  return { rows: gunzipSync(read("adult", "adult.csv.gz")), attributes };
}

/** A table as codes in a file, and what records of such codes are scored by. */
async function problemOf(name) {
  const { rows, attributes, score } = { survey, adult }[name]();
  const schema = api.schemaFromJson({ attributes });
  const truth = await api.readTable(new Blob([rows]), schema, { ignore: true });
  const sizes = Object.fromEntries(schema.names.map((one) => [one, schema.size(one)]));
  const codes = join(work, `${name}.csv`);
  const columns = await Promise.all(schema.names.map((one) => truth.codes(one)));
  const line = (i) => columns.map((column) => column[i]).join(",");
  const lines = Array.from({ length: truth.rows }, (_, i) => line(i));
  writeFileSync(codes, [schema.names.join(","), ...lines, ""].join("\n"));
  const triples = [...api.kWay(schema, 3)].filter((clique) => schema.cells(clique) <= MOST_CELLS);
  const wanted = await truth.answer(api.workload(schema, triples));
  const scores = async (path) => {
    const records = await tableOf(schema, path);
    const found = await records.answer(api.workload(schema, triples));
    const apart = (a, b) =>
      a.reduce((sum, count, i) => sum + Math.abs(count / records.rows - b[i] / truth.rows), 0);
    const error = found.reduce((sum, cells, i) => sum + apart(cells, wanted[i]), 0) / triples.length;
    const all = { triples: error, ...(score && { kMarginal: await score(records) }) };
    records.dispose();
    return all;
  };
  return { codes, sizes, scores };
}

/** Records from a file of codes; whoever leaves the domain is refused. */
async function tableOf(schema, path) {
  const [head, ...lines] = readFileSync(path, "utf8").trim().split(/\r?\n/);
  const names = head.split(",");
  const columns = Object.fromEntries(names.map((name) => [name, []]));
  const labels = Object.fromEntries(names.map((name) => [name, schema.labels(name)]));
  for (const line of lines)
    line.split(",").forEach((code, i) => {
      const name = names[i];
      const label = labels[name][Number(code)];
      if (label === undefined) throw new Error(`${name} has no code ${code}`);
      const age = name === "AGEP" && label !== null;
      columns[name].push(age ? 5 * Number(code) + Math.floor(5 * Math.random()) : label);
    });
  return api.readTable(columns, schema);
}

const here = (name) => fileURLToPath(new URL(name, import.meta.url));

/** What a run of a contender says, in a process of its own. */
function ran(task) {
  const [name] = task.contender.split(" ");
  const python = process.env[`MARGINALIA_PYTHON_${name.toUpperCase().replaceAll("-", "_")}`];
  const [program, script] =
    name === "marginalia" ? [process.execPath, here("ours.mjs")] : [python, here("peers.py")];
  if (!program) return Promise.resolve({ status: "no Python" });
  return new Promise((done) => {
    const child = spawn(program, [script, JSON.stringify(task)], { stdio: ["ignore", "pipe", "pipe"] });
    const clock = setTimeout(() => child.kill("SIGKILL"), 1000 * Number(values.limit));
    let [output, errors] = ["", ""];
    child.stdout.on("data", (text) => {
      output += text;
    });
    child.stderr.on("data", (text) => {
      errors += text;
    });
    child.on("close", (code, signal) => {
      clearTimeout(clock);
      if (signal) return done({ status: `more than ${values.limit} s` });
      if (code !== 0) return done({ status: errors.trim().split("\n").at(-1) });
      done({ status: "done", ...JSON.parse(output.trim().split("\n").at(-1)) });
    });
  });
}

const file = values.out;
const kept = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : { machine: machine(), runs: [] };
const { runs } = kept;
const delta = Number(values.delta);
const of = (one) => [one.data, one.contender, one.epsilon, one.delta, one.run].join(" ");
const known = new Set(runs.map(of));
for (const data of values.data.split(",")) {
  const { codes, sizes, scores } = await problemOf(data);
  for (let run = 0; run < Number(values.runs); run++)
    for (const epsilon of values.epsilon.split(",").map(Number))
      for (const contender of values.contenders.split(",")) {
        const one = { data, contender, epsilon, delta, run };
        if (known.has(of(one))) continue;
        const out = join(work, "codes.csv");
        const said = await ran({ contender, codes, sizes, epsilon, delta, out });
        const found = said.status === "done" ? await scores(out) : {};
        runs.push({ ...one, ...said, ...found });
        const date = new Date().toISOString();
        writeFileSync(file, `${JSON.stringify({ ...kept, date, runs }, null, 1)}\n`);
        console.log(Object.values(runs.at(-1)).join(" "));
      }
}
await api.close();
