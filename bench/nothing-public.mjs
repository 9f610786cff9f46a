// Releases without a public file: `aim` on a survey and on Adult; what docs/releasing.md claims of it.
//
//   MARGINALIA_DATA=folder node bench/nothing-public.mjs [--runs 10] [--epsilon 0.1,0.3,1,3,10] [--data survey,adult] [--save]
//
// Of the survey the k-marginal of ten features, of Adult the mean L1 distance of all triples of at most 200,000 cells; of records,
// all settings their own. Seconds are of the processor, all threads together, and memory is the most of the whole process so far.

import { readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { kMarginal } from "../dist/evaluate.js";
import { machine } from "./lib/machine.mjs";
import { placeOf, save } from "./lib/results.mjs";
import { load, version } from "./ours.mjs";

const TEN = "AGEP SEX MSP RAC1P HOUSING_TYPE OWN_RENT EDU PINCP_DECILE DVET DEYE".split(" ");
const MOST_CELLS = 200_000;

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "10" },
    epsilon: { type: "string", default: "0.1,0.3,1,3,10" },
    data: { type: "string", default: "survey,adult" },
    save: { type: "boolean", default: false },
  },
});
const { MARGINALIA_DATA: folder } = process.env;
if (!folder) {
  console.log("not run: set MARGINALIA_DATA to the folder of the data");
  process.exit(0);
}
const api = await load();
if (!api) throw new Error("build first: npm run bundle");
const unpacked = (...path) => gunzipSync(readFileSync(join(folder, ...path)));

/** The survey under a schema of what its dictionary declares: ages in fives. */
function survey() {
  const path = join(folder, "acs-ma", "data_dictionary.json");
  const dictionary = JSON.parse(readFileSync(path, "utf8"));
  const attributes = TEN.map((name) => {
    if (name === "AGEP")
      return { name, type: "integer", min: 0, max: 99, width: 5, other: "clamp", nullable: true };
    const codes = Object.keys(dictionary[name].values ?? {});
    const known = codes.length > 0 ? codes : Array.from({ length: 10 }, (_, i) => `${i}`);
    const labels = known.filter((code) => code !== "N");
    return { name, type: "category", values: labels, other: null, nullable: true, nulls: ["N"] };
  });
  const synthetic = join(tmpdir(), `nothing-public-${process.pid}.csv`);
  return {
    rows: unpacked("acs-ma", "ma2019.csv.gz"),
    schema: api.schemaFromJson({ attributes }),
    async score(release) {
      await release.writeCsv(synthetic);
      const truth = join(folder, "acs-ma", "ma2019.csv.gz");
      const { score } = await kMarginal({
        truth,
        synthetic,
        dictionary,
        attributes: TEN,
        group: [],
        subsamples: false,
      });
      rmSync(synthetic);
      return score;
    },
  };
}

async function adult() {
  const domain = JSON.parse(readFileSync(join(folder, "adult", "domain.json"), "utf8"));
  const labels = (size) => Array.from({ length: size }, (_, code) => `${code}`);
  const attributes = Object.entries(domain).map(([name, size]) => {
    return { name, type: "category", values: labels(size), other: "0" };
  });
  const schema = api.schemaFromJson({ attributes });
  const rows = unpacked("adult", "adult.csv.gz");
  const truth = await api.readTable(new Blob([rows]), schema, { ignore: true });
  const triples = [...api.kWay(schema, 3)].filter((clique) => schema.cells(clique) <= MOST_CELLS);
  return {
    ...{ rows, schema },
    async score(release) {
      const records = await release.table();
      let sum = 0;
      for (const clique of triples) {
        const [ours, theirs] = [await records.marginal(clique), await truth.marginal(clique)];
        for (const [i, count] of ours.entries())
          sum += Math.abs(count / records.rows - theirs[i] / truth.rows);
      }
      records.dispose();
      return sum / triples.length;
    },
  };
}

const runs = [];
for (const name of values.data.split(",")) {
  const { rows, schema, score } = await { survey, adult }[name]();
  for (const law of ["approximate", "pure"])
    for (const epsilon of values.epsilon.split(","))
      for (let seed = 0; seed < Number(values.runs); seed++) {
        const budget = law === "pure" ? api.pure(epsilon) : api.approximate(epsilon, "1e-9");
        const data = await api.seal(new Blob([rows]), schema, { dataset: name, unit: "row", budget });
        const begun = process.cpuUsage();
        const mechanism = api.aim({ seed });
        const release = await mechanism.run(data);
        const { user, system } = process.cpuUsage(begun);
        const rounds = release.report.rounds.length;
        const found = { score: await score(release), seconds: (user + system) / 1e6, rounds };
        runs.push({ data: name, law, epsilon, seed, ...found, bytes: process.resourceUsage().maxRSS * 1024 });
        for (const one of [release, mechanism]) one.dispose();
        await data.close();
      }
}

const mean = (list) => list.reduce((sum, one) => sum + one, 0) / list.length;
const groups = new Map();
for (const one of runs) {
  const cell = `${one.data} | ${one.law === "pure" ? "pure" : "δ = 1e-9"} | ${one.epsilon}`;
  groups.set(cell, [...(groups.get(cell) ?? []), one]);
}
console.log("| data | budget | ε | score | s.e. | CPU s | rounds |\n|---|---|---|---|---|---|---|");
for (const [cell, list] of groups) {
  const scores = list.map((one) => one.score);
  const square = mean(scores.map((one) => (one - mean(scores)) ** 2)) / Math.max(1, list.length - 1);
  const of = (figure) => mean(list.map((one) => one[figure])).toFixed(1);
  const digits = mean(scores) > 2 ? 1 : 4;
  const shown = [mean(scores), Math.sqrt(square)].map((figure) => figure.toFixed(digits)).join(" | ");
  console.log(`| ${cell} | ${shown} | ${of("seconds")} | ${of("rounds")} |`);
}
const result = { date: new Date().toISOString(), version: await version(), machine: machine(), runs };
if (values.save)
  save(placeOf(result.date.slice(0, 10), "nothing-public"), `${JSON.stringify(result, null, 1)}\n`);
await api.close();
