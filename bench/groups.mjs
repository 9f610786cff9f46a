// How good releases by groups are, on a real survey: the public year 2018 as the prior of 2019, 20 features and PUMA, of
// which each has some 1,500 records. The score is the k-marginal of (PUMA, a, b).
//
//   MARGINALIA_DATA=folder node bench/groups.mjs [--epsilon 0.3,1,3,10] [--runs 3] [--only flat,group,groups] [--plan]
//     [--options '{"local":false}'] [--levels '[[],["PUMA"]]']
//
// flat ignores groups, group pools over PUMA without levels, groups is the state and each PUMA within it.

import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { kMarginal } from "../dist/evaluate.js";
import { category, close, integer, priorAware, pure, readTable, schema, seal } from "../dist/index.js";

const FEATURES = (
  "AGEP SEX MSP RAC1P HOUSING_TYPE OWN_RENT EDU PINCP_DECILE DVET DEYE " +
  "PUMA HISP NOC NPF INDP INDP_CAT PINCP POVPIP DREM DPHY DEAR"
).split(" ");
const NUMBERS = ["AGEP", "PINCP", "POVPIP"];
const { values } = parseArgs({
  options: {
    epsilon: { type: "string", default: "0.3,1,3,10" },
    runs: { type: "string", default: "3" },
    only: { type: "string", default: "flat,group,groups" },
    options: { type: "string", default: "{}" },
    levels: { type: "string", default: '[[],["PUMA"]]' },
    plan: { type: "boolean", default: false },
  },
});
const { MARGINALIA_DATA: data } = process.env;
if (!data) {
  console.log("not run: set MARGINALIA_DATA to the folder of the data");
  process.exit(0);
}
const folder = join(data, "acs-ma");
const file = (year) => join(folder, `ma${year}.csv.gz`);
const dictionary = JSON.parse(readFileSync(join(folder, "data_dictionary.json"), "utf8"));
const [header, ...lines] = gunzipSync(readFileSync(file(2018)))
  .toString()
  .trim()
  .split("\n")
  .map((line) => line.replace(/^\ufeff/, "").split(","));
const column = (name) => lines.map((line) => line[header.indexOf(name)]);

/** Twenty bins with about as many public rows each. */
function cuts(name, low, high) {
  const numbers = column(name)
    .map(Number)
    .filter((value) => !Number.isNaN(value))
    .sort((a, b) => a - b);
  const quantiles = Array.from(
    { length: 19 },
    (_, i) => numbers[Math.floor(((i + 1) * numbers.length) / 20)],
  );
  return [...new Set(quantiles)].filter((cut) => cut > low && cut < high);
}

/** Numbers in bins of public quantiles, everything else by the values of the public file and the dictionary. */
function attribute(name) {
  const known = dictionary[name].values ?? {};
  if (NUMBERS.includes(name)) {
    // A code such as 501 for "more than 500" is a number too.
    const codes = [known.min, known.max, ...Object.keys(known).map(Number)].filter(Number.isFinite);
    const [min, max] = [Math.min(...codes), Math.max(...codes)];
    return integer({ min, max, cuts: cuts(name, min, max), other: "clamp", nullable: true, nulls: ["N"] });
  }
  const declared = name === "PUMA" ? [] : Object.keys(known).filter((key) => !/m(in|ax)/.test(key));
  return category([...new Set([...declared, ...column(name)])], { other: null });
}

const people = schema(Object.fromEntries(FEATURES.map((name) => [name, attribute(name)])));
const place = await mkdtemp(join(tmpdir(), "groups-"));
const prior = await readTable(file(2018), people, { keepRaw: NUMBERS, ignore: true });
const score = async (synthetic) => {
  const common = { truth: file(2019), synthetic, dictionary, attributes: FEATURES, group: "PUMA" };
  return (await kMarginal({ ...common, subsamples: false })).score;
};

const more = JSON.parse(values.options);
const contenders = {
  flat: () => priorAware({ prior }),
  group: () => priorAware({ prior, group: "PUMA" }),
  groups: () => priorAware({ prior, groups: JSON.parse(values.levels), ...more }),
};
console.log(`the public file as it is: ${(await score(file(2018))).toFixed(2)}`);
for (const epsilon of values.epsilon.split(",")) {
  for (const name of values.only.split(",")) {
    const scores = [];
    let times = [];
    for (let run = 0; run < Number(values.runs); run++) {
      const sealed = await seal(file(2019), people, {
        dataset: "ma-2019",
        unit: "row",
        budget: pure(epsilon),
      });
      const mechanism = contenders[name]();
      const start = performance.now();
      const plan = await mechanism.plan(sealed);
      if (values.plan && run === 0) console.log(`${plan}\n`);
      const planned = performance.now();
      const release = await mechanism.run(sealed, { plan });
      const released = performance.now();
      const path = join(place, `${name}-${run}.csv`);
      await release.writeCsv(path, { seed: run });
      times = [planned - start, released - planned, performance.now() - released].map((ms) =>
        (ms / 1e3).toFixed(1),
      );
      scores.push(await score(path));
      release.dispose();
      mechanism.dispose();
      await sealed.close();
    }
    const mean = scores.reduce((sum, one) => sum + one, 0) / scores.length;
    const squares = scores.reduce((sum, one) => sum + (one - mean) ** 2, 0);
    const error = Math.sqrt(squares / Math.max(1, scores.length - 1) / scores.length);
    const all = scores.map((one) => one.toFixed(1)).join(" ");
    console.log(
      `ε ${epsilon} ${name}: ${mean.toFixed(2)} ± ${error.toFixed(2)} (${all}); plan, run, write ${times.join(", ")} s`,
    );
  }
}
await rm(place, { recursive: true });
await close();
