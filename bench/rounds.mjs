// When rounds pay: `adaptive` beside `priorAware` on a real survey, with a good prior and with two poor ones.
//
//   MARGINALIA_DATA=folder node bench/rounds.mjs [--epsilon 1] [--runs 5] [--zcdp] [--prior year|area|filled]
//
// Points are 500·(2 − the mean L1 distance of all pairs), of records, under the schema that the command drafts, ages by its bins.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import {
  adaptive,
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
const pairs = kWay(people, 2, binned);
const counts = await truth.answer(pairs);

async function points(table) {
  const answers = await table.answer(pairs);
  const apart = (cells, i) =>
    cells.reduce((sum, n, cell) => sum + Math.abs(n / table.rows - counts[i][cell] / truth.rows), 0);
  return 500 * (2 - answers.reduce((sum, cells, i) => sum + apart(cells, i), 0) / answers.length);
}

console.log(`untouched ${(await points(prior)).toFixed(2)}`);
const budget = values.zcdp ? approximate(values.epsilon, "1e-9") : pure(values.epsilon);
const expected = values.prior === "area" ? { expectedRows: OTHERS } : {};
for (const make of [adaptive, priorAware]) {
  const scores = [];
  for (let run = 0; run < Number(values.runs); run++) {
    const sealed = await seal(new Blob([secret]), people, { dataset: "ma-2019", unit: "row", budget });
    const mechanism = make({ prior, seed: run, ...expected });
    const release = await mechanism.run(sealed);
    const records = await release.table();
    scores.push(await points(records));
    for (const one of [records, release, mechanism]) one.dispose();
    await sealed.close();
  }
  const mean = scores.reduce((sum, one) => sum + one, 0) / scores.length;
  const squares = scores.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  const error = Math.sqrt(squares / (scores.length - 1) / scores.length);
  console.log(`${make.name} ${mean.toFixed(2)} ± ${error.toFixed(2)}`);
}
await close();
