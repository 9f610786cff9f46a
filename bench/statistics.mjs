// How near estimates come to the truth on real data, beside other ways to use a prior; what docs/estimation.md claims.
//
//   MARGINALIA_DATA=folder node bench/statistics.mjs [acs-ma adult] [--seeds 5] [--epsilons .1,.3,1,3,10]
//                          [--ways calibrated,iterative] [--out file.json | --save] [--docs]
//
// --save writes into results/, in the place of the last; --docs puts the tables into docs/estimation.md.

import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { claims, of } from "./lib/claims.mjs";
import { errors, priorsOf, tried, WAYS } from "./lib/estimates.mjs";
import { machine } from "./lib/machine.mjs";
import { placeOf, save } from "./lib/results.mjs";
import { measured, studiesIn, study } from "./lib/study.mjs";
import { load, version } from "./ours.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seeds: { type: "string", default: "5" },
    epsilons: { type: "string", default: "0.1,0.3,1,3,10" },
    ways: { type: "string", default: Object.keys(WAYS).join(";") },
    out: { type: "string" },
    save: { type: "boolean", default: false },
    docs: { type: "boolean", default: false },
  },
});

/** All runs of one study. */
async function studied(api, folder, name, epsilons, ways) {
  const one = await study(api, folder, name);
  const priors = await priorsOf(api, one);
  const [untouched, uniform] = [await errors(one, one.before), await ofPrior(one, priors.uniform)];
  const odd = await ofPrior(one, priors.odd);
  const runs = [];
  for (const epsilon of epsilons) {
    for (let seed = 0; seed < Number(values.seeds); seed++) {
      const measurements = measured(api, one, epsilon, 1000 * epsilon + seed);
      for (const way of ways) {
        const run = { way, epsilon, seed, ...(await tried(api, one, way, priors, measurements, seed)) };
        runs.push(run);
        const figures = run.pairs === undefined ? "" : `${figure(run.workload)} ${figure(run.pairs)}`;
        console.error(
          `${name} ε ${epsilon} seed ${seed}: ${way}: ${run.status} ${figures} ${run.seconds.toFixed(1)} s`,
        );
      }
    }
  }
  const { rows, before, schema, cliques } = one;
  const about = { rows, publicRows: before.rows, attributes: schema.names.length, cliques: cliques.length };
  for (const prior of Object.values(priors)) prior.dispose();
  return { study: name, ...about, supportRows: priors.before.rows, epsilons, untouched, uniform, odd, runs };
}

/** What a prior misses by itself. */
async function ofPrior(one, prior) {
  const rows = await prior.table();
  const found = await errors(one, rows);
  rows.dispose();
  return found;
}

const figure = (x) => (1e4 * x).toFixed(0);
const shown = ({ mean, error, runs }) => (runs === 0 ? "–" : `${figure(mean)} (${(1e4 * error).toFixed(0)})`);

/** The table of one study as Markdown. */
function table({ study, rows, publicRows, cliques, epsilons, untouched, uniform, odd, runs }, what) {
  const title = what === "workload" ? `the ${cliques} marginals that were measured` : "all pairs";
  const head = `| ${study}, ${publicRows} → ${rows} rows; ${title} | ${epsilons.map((e) => `ε ${e}`).join(" | ")} |`;
  const still = (name, { [what]: error }) => `| ${name} | ${epsilons.map(() => figure(error)).join(" | ")} |`;
  const ways = [...new Set(runs.map(({ way }) => way))];
  const line = (way) => `| ${way} | ${epsilons.map((e) => shown(of(runs, way, e, what))).join(" | ")} |`;
  return [
    head,
    `|---|${epsilons.map(() => "--:|").join("")}`,
    still("the prior, untouched", untouched),
    ...ways.map(line),
    still("uniform weights, untouched", uniform),
    still("distorted prior, untouched", odd),
  ].join("\n");
}

const verdict = ({ claim, epsilon, holds, figures }) => {
  const numbers = Object.entries(figures).map(([name, value]) => `${name} ${(1e4 * value).toFixed(1)}`);
  return `${holds ? "holds" : "FAILS"}: ${claim}, ε ${epsilon} (${numbers.join(", ")})`;
};

async function main() {
  const folder = process.env.MARGINALIA_DATA;
  const found = studiesIn(folder);
  const chosen = positionals.length > 0 ? positionals : found;
  if (chosen.length === 0 || chosen.some((name) => !found.includes(name))) {
    console.log("not run: set MARGINALIA_DATA to a folder with acs-ma and adult");
    return;
  }
  const api = await load();
  const started = new Date().toISOString();
  const epsilons = values.epsilons.split(",").map(Number);
  const ways = values.ways.split(";");
  const studies = [];
  for (const name of chosen) studies.push(await studied(api, folder, name, epsilons, ways));
  await api.close();
  const all = ways.length === Object.keys(WAYS).length;
  const judged = all ? studies.map((one) => ["workload", "pairs"].map((what) => claims(one, what))) : [];
  const text = studies
    .map((one) => ["pairs", "workload"].map((what) => table(one, what)).join("\n\n"))
    .join("\n\n");
  console.log(`${text}\n\n${judged.flat(2).map(verdict).join("\n")}`);
  const versions = { marginalia: await version(), node: process.version };
  const report = {
    format: "marginalia-statistics/1",
    started,
    machine: machine(),
    versions,
    studies,
    claims: judged.flat(2),
  };
  const day = started.slice(0, 10);
  const out = values.out ?? (values.save && placeOf(day, "statistics"));
  if (out) save(out, `${JSON.stringify(report, null, 1)}\n`);
  if (values.docs) await document(text, day);
}

/** Puts the tables between their marks. */
async function document(text, day) {
  const page = fileURLToPath(new URL("../docs/estimation.md", import.meta.url));
  const [start, end] = ["<!-- statistics -->", "<!-- end of statistics -->"];
  const before = await readFile(page, "utf8");
  const head = before.slice(0, before.indexOf(start) + start.length);
  await writeFile(
    page,
    `${head}\n\n${text}\n\nMeasured ${day} by \`bench/statistics.mjs\`.\n\n${before.slice(before.indexOf(end))}`,
  );
}

await main();
