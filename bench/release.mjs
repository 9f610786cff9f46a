// How good releases of a real survey are: the public year 2018 as the prior of 2019, ten demographic features.
//
//   MARGINALIA_DATA=folder MARGINALIA_SCORER=scorer.py node bench/release.mjs [--epsilon 1] [--runs 3] [--zcdp] [--plan]
//
// The scorer is asked as `python3 scorer.py DICTIONARY TARGET RELEASED FEATURES` and prints one number.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import {
  approximate,
  category,
  close,
  integer,
  priorAware,
  pure,
  readTable,
  schema,
  seal,
} from "../dist/index.js";

const FEATURES = "AGEP SEX MSP RAC1P HOUSING_TYPE OWN_RENT EDU PINCP_DECILE DVET DEYE".split(" ");
const { values } = parseArgs({
  options: {
    epsilon: { type: "string", default: "1" },
    runs: { type: "string", default: "3" },
    zcdp: { type: "boolean", default: false },
    plan: { type: "boolean", default: false },
    method: { type: "string", default: "controlled" },
  },
});
const { MARGINALIA_DATA: data, MARGINALIA_SCORER: scorer } = process.env;
if (!data || !scorer) {
  console.log("not run: set MARGINALIA_DATA to the folder of the data and MARGINALIA_SCORER to a scorer");
  process.exit(0);
}
const folder = join(data, "acs-ma");
const dictionary = join(folder, "data_dictionary.json");
const file = (year) => join(folder, `ma${year}.csv.gz`);

/** Twenty bins with about as many public rows each. */
function cuts(column) {
  const [header, ...lines] = gunzipSync(readFileSync(file(2018)))
    .toString()
    .trim()
    .split("\n");
  const place = header
    .replace(/^\ufeff/, "")
    .split(",")
    .indexOf(column);
  const numbers = lines.map((line) => Number(line.split(",")[place])).sort((a, b) => a - b);
  const quantiles = Array.from(
    { length: 19 },
    (_, i) => numbers[Math.floor(((i + 1) * numbers.length) / 20)],
  );
  return [...new Set(quantiles)].filter((cut) => cut > 0);
}

function attribute(name, { values: declared }) {
  if (!("min" in declared)) return category(Object.keys(declared), { other: null });
  const { min, max } = declared;
  return integer({ min, max, cuts: cuts(name), other: "clamp", nullable: true });
}

const described = JSON.parse(readFileSync(dictionary, "utf8"));
const people = schema(Object.fromEntries(FEATURES.map((name) => [name, attribute(name, described[name])])));
const score = (path) =>
  Number(execFileSync("python3", [scorer, dictionary, file(2019), path, FEATURES.join()]).toString());

const place = await mkdtemp(join(tmpdir(), "release-"));
const prior = await readTable(file(2018), people, { keepRaw: ["AGEP"], ignore: true });
const budget = values.zcdp ? approximate(values.epsilon, "1e-9") : pure(values.epsilon);
const untouched = score(file(2018));
const scores = [];
for (let run = 0; run < Number(values.runs); run++) {
  const sealed = await seal(file(2019), people, { dataset: "ma-2019", unit: "row", budget });
  const mechanism = priorAware({ prior });
  const start = performance.now();
  const plan = await mechanism.plan(sealed);
  if (values.plan && run === 0) console.log(`${plan}\n`);
  const planned = performance.now();
  const release = await mechanism.run(sealed, { plan });
  const released = performance.now();
  const path = join(place, `${run}.csv`);
  await release.writeCsv(path, { seed: run, method: values.method });
  const written = performance.now();
  scores.push(score(path));
  const times = [planned - start, released - planned, written - released].map((ms) => `${Math.round(ms)}`);
  const { status, strength, consistency } = release.report.estimate;
  const how = `${status}, strength ${Math.round(strength)}, consistency ${consistency?.toFixed(2)}`;
  console.log(
    `${scores.at(-1)}  plan, run, write ${times.join(", ")} ms; ${plan.charges.length} marginals; ${how}`,
  );
  release.dispose();
  mechanism.dispose();
  await sealed.close();
}
const mean = scores.reduce((sum, one) => sum + one, 0) / scores.length;
const deviation = Math.sqrt(
  scores.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (scores.length - 1) / scores.length,
);
console.log(
  `untouched ${untouched}; mean ${mean.toFixed(2)} ± ${deviation.toFixed(2)}, gain ${(mean - untouched).toFixed(2)}`,
);
await rm(place, { recursive: true });
await close();
