// The largest error of Adult's cells by releases that start from public rows, as the figures of Liu and others (2021) have it: against ε
// (Figures 1, 2 and 5), the part of the public sample that is used (4), and how many women are in it (7).
//
//   MARGINALIA_DATA=folder node bench/studies/public-data/run.mjs --out runs.json [--runs 5] [--figures error,fraction,bias]
//     [--epsilon 0.1,0.25,0.5,1] [--contenders "public,pmwPub,pmwPub average,mwem,pepPub,priorAware"]
//
// A run that is in the file is not made again. `floor` is the best mixture error: no weights of the public rows come below it.
// δ is 1/n², the number of rows is public, all settings are the defaults. Seconds are of the processor, of the release alone.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { bestMixture } from "../../../dist/evaluate.js";
import { machine } from "../../lib/machine.mjs";
import { load, version } from "../../ours.mjs";

const { values } = parseArgs({
  options: {
    out: { type: "string" },
    runs: { type: "string", default: "5" },
    figures: { type: "string", default: "error,fraction,bias" },
    epsilon: { type: "string", default: "0.1,0.25,0.5,1" },
    contenders: { type: "string", default: "public,pmwPub,pmwPub average,mwem,pepPub,priorAware" },
  },
});
const { MARGINALIA_DATA: folder } = process.env;
if (!folder || !values.out) {
  console.log("not run: set MARGINALIA_DATA to the folder of the data, and give --out");
  process.exit(0);
}
const api = await load();
if (!api) throw new Error("build first: npm run bundle");
const list = (text) => text.split(",").map((one) => one.trim());
const read = (name) => readFileSync(join(folder, "adult-pmw", name));
const lines = (name) => `${gunzipSync(read(name))}`.trim().split("\n").slice(1);

const { domain, triples } = JSON.parse(read("workload.json"));
const names = Object.keys(domain);
const codes = (size) => Array.from({ length: size }, (_, code) => `${code}`);
const adult = api.schema(
  Object.fromEntries(names.map((name) => [name, api.category(codes(domain[name]), { other: "0" })])),
);
const workload = api.workload(adult, triples);
const text = (rows) => new Blob([`${names.join(",")}\n${rows.join("\n")}\n`]);
const hidden = lines("priv.csv.gz");
const n = hidden.length;
const truth = await api.readTable(text(hidden), adult);
const answers = await truth.answer(workload);

/** The rows of a public file of distinct ones with their counts. */
const people = (name) =>
  lines(name).flatMap((line) => {
    const at = line.lastIndexOf(",");
    return Array(Number(line.slice(at + 1))).fill(line.slice(0, at));
  });
const sample = people("pub-unbiased.csv.gz");

/** Numbers from 0 to 1 by a seed, so that public samples are the same in each run of the study. */
function uniform(seed) {
  let state = (seed * 2654435761 + 1) >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Some rows, drawn without replacement. */
function part(rows, count, seed) {
  const [left, random] = [[...rows], uniform(seed)];
  return Array.from({ length: count }, () => left.splice(Math.floor(random() * left.length), 1)[0]);
}

/** As many rows, of which so many more are women, drawn with replacement. */
function biased(rows, more, seed) {
  const random = uniform(seed);
  const women = rows.filter((row) => row.startsWith("0,"));
  const men = rows.filter((row) => !row.startsWith("0,"));
  const share = women.length / rows.length + more;
  return rows.map(() => {
    const of = random() < share ? women : men;
    return of[Math.floor(random() * of.length)];
  });
}

const FIGURES = {
  error: () => ({ unbiased: sample, "sex + .2": people("pub-sex20.csv.gz") }),
  fraction: () =>
    Object.fromEntries(
      [1, 0.1, 0.01].map((share) => [`${100 * share} %`, part(sample, Math.round(share * sample.length), 1)]),
    ),
  bias: () =>
    Object.fromEntries([0, 0.1, 0.3, 0.45, 0.65].map((more) => [`${more}`, biased(sample, more, 2)])),
};
const CONTENDERS = {
  pmwPub: (prior, seed) => api.pmwPub({ prior, workload, seed }),
  "pmwPub average": (prior, seed) => api.pmwPub({ prior, workload, seed, average: true }),
  mwem: (prior, seed) => api.mwem({ prior, workload, seed }),
  pepPub: (prior, seed) => api.pepPub({ prior, workload, seed }),
  priorAware: (prior, seed) => api.priorAware({ prior, seed }),
};

/** The largest error of a cell, as a share. */
const worst = (found, total) =>
  found.reduce(
    (most, cells, i) =>
      cells.reduce((so, cell, at) => Math.max(so, Math.abs(cell / total - answers[i][at] / n)), most),
    0,
  );

const kept = existsSync(values.out) ? JSON.parse(readFileSync(values.out, "utf8")).runs : [];
const runs = [...kept];
const known = new Set(
  runs.map(({ figure, set, contender, epsilon, run }) => `${[figure, set, contender, epsilon, run]}`),
);
async function add(one, make) {
  if (known.has(`${[one.figure, one.set, one.contender, one.epsilon, one.run]}`)) return;
  runs.push({ ...one, ...(await make()) });
  const head = { date: new Date().toISOString(), version: await version(), machine: machine() };
  writeFileSync(values.out, `${JSON.stringify({ ...head, runs }, null, 1)}\n`);
  console.log(JSON.stringify(runs.at(-1)));
}

async function released(make, prior, epsilon, run) {
  const budget = api.approximate(epsilon, `1/${n * n}`);
  const how = { dataset: `adult ${run}`, unit: "row", relation: { replace: { n } }, budget };
  const data = await api.seal(text(hidden), adult, how);
  const before = process.cpuUsage();
  const mechanism = make(prior, run);
  const release = await mechanism.run(data);
  const { user, system } = process.cpuUsage(before);
  const error = worst(await release.model.answer(workload), n);
  for (const one of [release, mechanism]) one.dispose();
  await data.close();
  return { error, seconds: (user + system) / 1e6 };
}

for (const figure of list(values.figures)) {
  for (const [set, rows] of Object.entries(FIGURES[figure]())) {
    const prior = await api.readTable(text(rows), adult);
    await add({ figure, set, contender: "floor", epsilon: 0, run: 0 }, async () => {
      const { error, bound } = await bestMixture({ truth, public: prior, workload, tolerance: 1e-4 });
      return { error, bound };
    });
    for (const contender of list(values.contenders)) {
      if (contender === "public") {
        await add({ figure, set, contender, epsilon: 0, run: 0 }, async () => {
          const found = await prior.answer(workload);
          return { error: worst(found, rows.length) };
        });
        continue;
      }
      for (const epsilon of list(values.epsilon).map(Number))
        for (let run = 0; run < Number(values.runs); run++)
          await add({ figure, set, contender, epsilon, run }, () =>
            released(CONTENDERS[contender], prior, epsilon, run),
          );
    }
    prior.dispose();
  }
}
await api.close();
