// When rounds pay: `adaptive` and `aim` beside `priorAware` on a real survey, with a good prior and with two poor ones.
//
//   MARGINALIA_DATA=folder node bench/rounds.mjs [--epsilon 1] [--runs 5] [--zcdp] [--prior year|area|filled] [--mechanisms adaptive,priorAware,aim]
//
// Points are 500·(2 − the mean L1 distance of all pairs), of records, under the schema that the command drafts, ages by its bins;
// beside them the mean L1 distance of all triples, and seconds of the processor.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import {
  adaptive,
  aim,
  approximate,
  close,
  kWay,
  priorAware,
  pure,
  readTable,
  schemaFromJson,
  seal,
} from "../dist/index.js";

const FEATURES = "AGEP SEX MSP RAC1P HOUSING_TYPE OWN_RENT EDU PINCP_DECILE DVET DEYE".split(" ");
/** The area that a prior of one area is of, and how many rows the others are guessed to have. */
const [AREA, OTHERS] = ["25-00503", 6000];
const { values } = parseArgs({
  options: {
    epsilon: { type: "string", default: "1" },
    runs: { type: "string", default: "5" },
    zcdp: { type: "boolean", default: false },
    prior: { type: "string", default: "year" },
    mechanisms: { type: "string", default: "adaptive,priorAware,aim" },
  },
});
const { MARGINALIA_DATA: data } = process.env;
if (!data) {
  console.log("not run: set MARGINALIA_DATA to the folder of the data");
  process.exit(0);
}
const file = (year) => join(data, "acs-ma", `ma${year}.csv.gz`);
const cli = new URL("../dist/cli.js", import.meta.url).pathname;
const draft = JSON.parse(execFileSync(process.execPath, [cli, "schema", file(2018), "--quiet"]).toString());
const people = schemaFromJson({
  ...draft,
  attributes: draft.attributes.filter(({ name }) => FEATURES.includes(name)),
});

/** The lines of a year as lists, after their names. */
function read(year) {
  const text = gunzipSync(readFileSync(file(year)))
    .toString()
    .replace(/^\ufeff/, "");
  const [names, ...rows] = text
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(","));
  return { names, rows };
}

const written = (names, rows) => `${[names, ...rows].map((row) => row.join(",")).join("\n")}\n`;

/** Puts the values of a column into other rows, by a fixed shuffle. */
function fillIn({ names, rows }, name) {
  let state = 7;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const at = names.indexOf(name);
  for (let i = rows.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [rows[i][at], rows[j][at]] = [rows[j][at], rows[i][at]];
  }
}

function tables(kind) {
  const [before, now] = [read(2018), read(2019)];
  if (kind === "filled") fillIn(before, "EDU");
  const isOf = ({ names }) => {
    const at = names.indexOf("PUMA");
    return (row) => row[at] === AREA;
  };
  if (kind === "area") {
    before.rows = before.rows.filter(isOf(before));
    now.rows = now.rows.filter((row) => !isOf(now)(row));
  }
  return [written(before.names, before.rows), written(now.names, now.rows)];
}

const [open, secret] = tables(values.prior);
const prior = await readTable(new Blob([open]), people, { ignore: true });
const truth = await readTable(new Blob([secret]), people, { ignore: true });
const binned = FEATURES.map((name) => (name === "AGEP" ? "AGEP_bins" : name));

/** The mean L1 distance of a table from the truth, in all cliques of so many attributes. */
async function distance(table, size) {
  const cliques = kWay(people, size, binned);
  const [answers, counts] = await Promise.all([table.answer(cliques), truth.answer(cliques)]);
  const apart = (cells, i) =>
    cells.reduce((sum, n, cell) => sum + Math.abs(n / table.rows - counts[i][cell] / truth.rows), 0);
  return answers.reduce((sum, cells, i) => sum + apart(cells, i), 0) / answers.length;
}

const points = async (table) => 500 * (2 - (await distance(table, 2)));
/** The mean, with its standard error. */
function inWords(list, digits) {
  const mean = list.reduce((sum, one) => sum + one, 0) / list.length;
  const squares = list.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  return `${mean.toFixed(digits)} ± ${Math.sqrt(squares / (list.length - 1) / list.length).toFixed(digits)}`;
}

console.log(
  `untouched ${(await points(prior)).toFixed(2)}, triples ${(await distance(prior, 3)).toFixed(4)}`,
);
const budget = values.zcdp ? approximate(values.epsilon, "1e-9") : pure(values.epsilon);
const expected = values.prior === "area" ? { expectedRows: OTHERS } : {};
for (const make of [adaptive, priorAware, aim].filter(({ name }) =>
  values.mechanisms.split(",").includes(name),
)) {
  const [scores, triples, seconds] = [[], [], []];
  for (let run = 0; run < Number(values.runs); run++) {
    const sealed = await seal(new Blob([secret]), people, { dataset: "ma-2019", unit: "row", budget });
    const before = process.cpuUsage();
    const mechanism = make({ prior, seed: run, ...expected });
    const release = await mechanism.run(sealed);
    const records = await release.table();
    const { user, system } = process.cpuUsage(before);
    seconds.push((user + system) / 1e6);
    scores.push(await points(records));
    triples.push(await distance(records, 3));
    for (const one of [records, release, mechanism]) one.dispose();
    await sealed.close();
  }
  console.log(`${make.name} ${inWords(scores, 2)}, triples ${inWords(triples, 4)}, ${inWords(seconds, 1)} s`);
}
await close();
