// How near estimates without rows come to the truth on Adult, beside the answers themselves; what docs/graphical.md claims.
//
//   MARGINALIA_DATA=folder node bench/graphical.mjs [--seeds 5] [--sigmas 10,50,200] [--laws gaussian,laplace] [--save]
//
// Fifteen triples are answered with noise. Errors are mean total variations: of the triples, of the 37 pairs within them, and of
// the 54 others, which nothing measured.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { machine } from "./lib/machine.mjs";
import { placeOf, save } from "./lib/results.mjs";
import { random } from "./lib/stats.mjs";
import { load, version } from "./ours.mjs";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "5" },
    sigmas: { type: "string", default: "10,50,200" },
    laws: { type: "string", default: "gaussian,laplace" },
    save: { type: "boolean", default: false },
  },
});
const folder = process.env.MARGINALIA_DATA;
if (!folder) throw new Error("set MARGINALIA_DATA to the folder with adult/ and adult15/");
const api = await load();
if (!api) throw new Error("build first: npm run bundle");

const about = JSON.parse(readFileSync(join(folder, "adult15", "measurements.json"), "utf8"));
const names = Object.keys(about.domain);
const people = api.schema(
  Object.fromEntries(names.map((name) => [name, api.integer({ min: 0, max: about.domain[name] - 1 })])),
);
const triples = about.measurements.map(({ clique }) => clique);
const pairs = names.flatMap((a, i) => names.slice(i + 1).map((b) => [a, b]));
const measured = (pair) => triples.some((triple) => pair.every((name) => triple.includes(name)));
const sets = { triples, within: pairs.filter(measured), others: pairs.filter((pair) => !measured(pair)) };

const lines = gunzipSync(readFileSync(join(folder, "adult", "adult.csv.gz")))
  .toString()
  .trim()
  .split("\n");
const rows = lines.slice(1).map((line) => line.split(",").map(Number));
const columns = (kept) => Object.fromEntries(names.map((name, i) => [name, kept.map((row) => row[i])]));
const truth = await api.readTable(columns(rows), people);
const cellsOf = async (source, cliques, all) =>
  (await source.answer(api.workload(people, cliques))).map((cells) => Array.from(cells, (n) => n / all));
const wanted = {};
for (const [name, cliques] of Object.entries(sets)) wanted[name] = await cellsOf(truth, cliques, rows.length);

async function errors(model) {
  const found = {};
  for (const [name, cliques] of Object.entries(sets)) {
    const answers = await cellsOf(model, cliques, model.total);
    const distance = (cells, i) =>
      cells.reduce((sum, p, at) => sum + Math.abs(p - wanted[name][i][at]), 0) / 2;
    found[name] = answers.reduce((sum, cells, i) => sum + distance(cells, i), 0) / answers.length;
  }
  return found;
}

function noisy(law, sigma, seed) {
  const next = random(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  const laplace = () => {
    const u = next() - 0.5;
    return (-Math.sign(u) * Math.log(1 - 2 * Math.abs(u))) / Math.SQRT2;
  };
  const noise = law === "laplace" ? laplace : normal;
  return triples.map((clique, i) =>
    api.measurement({
      version: 1,
      clique,
      query: { type: "identity" },
      shape: clique.map((name) => about.domain[name]),
      values: [...wanted.triples[i]].map((share) => rows.length * share + sigma * noise()),
      noise: {
        law,
        scale: law === "laplace" ? `${Math.round((1000 * sigma) / Math.SQRT2)}/1000` : `${sigma ** 2}`,
        variance: sigma ** 2,
      },
      relation: "add-remove",
    }),
  );
}

async function run(of, measurements, options = {}) {
  const start = performance.now();
  const fit = await api.estimate.calibrated({ schema: people, measurements, total: rows.length, ...options });
  const seconds = (performance.now() - start) / 1000;
  const { strength, freedom, certificate } = fit;
  const one = {
    ...of,
    ...(await errors(fit.model)),
    strength,
    freedom,
    gap: certificate.relativeGap,
    seconds,
  };
  fit.dispose();
  const figures = ["triples", "within", "others"].map((name) => one[name].toFixed(4)).join(" / ");
  console.log(
    `${Object.values(of).join(" ")}: ${figures}, n₀ ${strength.toFixed(0)}, ${seconds.toFixed(2)} s`,
  );
  return one;
}

/** A twentieth of all, in which women are by .2 more frequent. */
function sample(seed, shift) {
  const next = random(seed);
  const sex = names.indexOf("sex");
  const count = (code) => rows.filter((row) => row[sex] === code).length;
  const women = count(0) < count(1) ? 0 : 1;
  const share = count(women) / rows.length;
  const chance = (row) => 0.05 * (row[sex] === women ? 1 + shift / share : 1 - shift / (1 - share));
  return rows.filter((row) => next() < chance(row));
}

const runs = [];
const seeds = Array.from({ length: Number(values.seeds) }, (_, seed) => 100 + seed);
for (const law of values.laws.split(","))
  for (const sigma of values.sigmas.split(",").map(Number))
    for (const seed of seeds) runs.push(await run({ law, sigma, seed }, noisy(law, sigma, seed)));
for (const [name, shift] of [
  ["unbiased", 0],
  ["women + 20", 0.2],
])
  for (const sigma of values.sigmas.split(",").map(Number))
    for (const seed of seeds) {
      const table = await api.readTable(columns(sample(seed, shift)), people);
      const prior = await api.prior(table);
      runs.push(await run({ prior: name, sigma, seed }, noisy("gaussian", sigma, seed), { prior }));
      prior.dispose();
      table.dispose();
    }

const mean = (list) => list.reduce((sum, one) => sum + one, 0) / list.length;
const groups = new Map();
for (const one of runs) {
  const name = `${one.prior ?? one.law}, σ ${one.sigma}`;
  groups.set(name, [...(groups.get(name) ?? []), one]);
}
for (const [name, list] of groups) {
  const of = (figure) => mean(list.map((one) => one[figure]));
  console.log(
    `| ${name} | ${["triples", "within", "others"].map((figure) => of(figure).toFixed(4)).join(" | ")} | ${of("seconds").toFixed(2)} |`,
  );
}
const result = {
  date: new Date().toISOString(),
  version: await version(),
  machine: machine(),
  bytes: process.resourceUsage().maxRSS * 1024,
  runs,
};
if (values.save) save(placeOf(result.date.slice(0, 10), "graphical"), `${JSON.stringify(result, null, 1)}\n`);
await api.close();
