// Where the strength that an estimate without rows chooses for itself is right, and where it loses: beside every fixed one and
// the paper's descent, on tables of 9 to 110 attributes.
//
//   MARGINALIA_DATA=folder node bench/recipe.mjs [--tables titanic,adult,acs-ma,stroke,loans] [--epsilons 0.1,1,10] [--seeds 3] [--save]
//
// Attributes are put one after another where they depend most on two that depend on each other: triples, or pairs where a triple has
// more than 20,000 cells. All share one budget of Gaussian noise, δ = 1e-9. Errors are mean total variations, of what was measured
// and of 200 other pairs. The structure is known, as a study may; the estimates see the noisy answers alone.

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
    tables: { type: "string", default: "titanic,adult,acs-ma,stroke,loans" },
    epsilons: { type: "string", default: "0.1,1,10" },
    seeds: { type: "string", default: "3" },
    save: { type: "boolean", default: false },
  },
});
const folder = process.env.MARGINALIA_DATA;
if (!folder) throw new Error("set MARGINALIA_DATA to the folder with the tables");
const api = await load();
if (!api) throw new Error("build first: npm run bundle");

const MOST = 20_000;
const OTHERS = 200;
const STRENGTHS = [1, 3, 10, 30, 100, 300, 1000, 3000, 10_000, 30_000];

/** Columns of codes from 0 on, and how many each has. */
function tableOf(name) {
  const file = { "acs-ma": "ma2019" }[name] ?? name;
  const text = gunzipSync(readFileSync(join(folder, name, `${file}.csv.gz`))).toString();
  const [header, ...lines] = text.trim().split("\n");
  const fields = lines.map((line) => line.split(","));
  const codes = header.split(",").map((_, at) => {
    const known = new Map();
    return fields.map((row) => known.get(row[at]) ?? known.set(row[at], known.size).get(row[at]));
  });
  // What every row has, or every row for itself, says nothing.
  const kept = codes.flatMap((column, at) => {
    const size = Math.max(...column) + 1;
    return size > 1 && size <= 1100 && size < lines.length / 4 ? [{ name: `${at}`, column, size }] : [];
  });
  return { rows: lines.length, attributes: kept };
}

function mutual({ column: a, size }, { column: b, size: other }) {
  const joint = new Float64Array(size * other);
  const [rows, columns] = [new Float64Array(size), new Float64Array(other)];
  for (let i = 0; i < a.length; i++) joint[a[i] * other + b[i]] += 1 / a.length;
  for (let cell = 0; cell < joint.length; cell++) {
    rows[Math.floor(cell / other)] += joint[cell];
    columns[cell % other] += joint[cell];
  }
  return joint.reduce((sum, p, cell) => {
    return p > 0 ? sum + p * Math.log(p / (rows[Math.floor(cell / other)] * columns[cell % other])) : sum;
  }, 0);
}

/** See the beginning. */
function cliquesOf(attributes) {
  const says = attributes.map((a) => attributes.map((b) => (a === b ? 0 : mutual(a, b))));
  const cells = (clique) => clique.reduce((product, at) => product * attributes[at].size, 1);
  const best = (list, worth) => list.reduce((most, one) => (worth(one) > worth(most) ? one : most));
  const places = [...attributes.keys()];
  const first = best(
    places.flatMap((a) => places.slice(a + 1).map((b) => [a, b])),
    ([a, b]) => says[a][b],
  );
  const left = new Set(places.filter((at) => !first.includes(at)));
  const [edges, cliques] = [[first], []];
  const sum = ([at, ...to]) => to.reduce((all, end) => all + says[at][end], 0);
  const within = (at, edge) =>
    cells([at, ...edge]) <= MOST ? [[at, ...edge]] : edge.map((end) => [at, end]);
  while (left.size > 0) {
    const next = best(
      [...left].flatMap((at) => edges.flatMap((edge) => within(at, edge))),
      sum,
    );
    const [at, ...to] = next;
    left.delete(at);
    cliques.push(next);
    edges.push(...to.map((end) => [at, end]));
  }
  return cliques.length > 0 ? cliques : [first];
}

/** Pairs of attributes that are within no clique. */
function othersOf(attributes, cliques) {
  const names = attributes.map(({ name }) => name);
  const known = (pair) => cliques.some((clique) => pair.every((one) => clique.includes(one)));
  const all = names.flatMap((a, i) => names.slice(i + 1).map((b) => [a, b])).filter((pair) => !known(pair));
  const next = random(1);
  while (all.length > OTHERS) all.splice(Math.floor(next() * all.length), 1);
  return all;
}

const distance = (cells, wanted) => cells.reduce((sum, p, at) => sum + Math.abs(p - wanted[at]), 0) / 2;
const mean = (list) => list.reduce((sum, one) => sum + one, 0) / list.length;

/** Counts with Gaussian noise. */
function noisy({ schema, cliques, wanted, rows }, sigma, seed) {
  const draw = random(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw());
  return cliques.map((clique, i) =>
    api.measurement({
      version: 1,
      clique,
      query: { type: "identity" },
      shape: clique.map((one) => schema.size(one)),
      values: wanted[i].map((share) => rows * share + sigma * normal()),
      noise: { law: "gaussian", scale: `${Math.round(1e6 * sigma ** 2)}/1000000`, variance: sigma ** 2 },
      relation: "add-remove",
    }),
  );
}

async function* runsOf(name) {
  const { rows, attributes } = tableOf(name);
  const schema = api.schema(
    Object.fromEntries(attributes.map((one) => [one.name, api.integer({ min: 0, max: one.size - 1 })])),
  );
  const cliques = cliquesOf(attributes).map((clique) => clique.map((at) => attributes[at].name));
  const truth = await api.readTable(
    Object.fromEntries(attributes.map(({ name, column }) => [name, column])),
    schema,
  );
  const others = api.workload(schema, othersOf(attributes, cliques));
  const of = { measured: api.workload(schema, cliques), others };
  const sharesOf = async (source, list) =>
    (await source.answer(list)).map((cells) => Array.from(cells, (count) => count / rows));
  const wanted = { measured: await sharesOf(truth, of.measured), others: await sharesOf(truth, of.others) };
  const errors = async (model) => {
    const found = {};
    for (const set of ["measured", "others"]) {
      const answers = await sharesOf(model, of[set]);
      found[set] = mean(answers.map((cells, i) => distance(cells, wanted[set][i])));
    }
    return found;
  };
  for (const epsilon of values.epsilons.split(",").map(Number)) {
    const sigma = Math.sqrt(cliques.length / (2 * rhoOf(epsilon, 1e-9)));
    for (let seed = 0; seed < Number(values.seeds); seed++) {
      const measurements = noisy({ schema, cliques, wanted: wanted.measured, rows }, sigma, 100 + seed);
      const fitted = async (how) => {
        const start = process.cpuUsage();
        const fit = await how({ schema, measurements, total: rows });
        const { user, system } = process.cpuUsage(start);
        const found = {
          ...(await errors(fit.model)),
          strength: fit.strength,
          seconds: (user + system) / 1e6,
        };
        fit.dispose();
        return found;
      };
      const own = await fitted((how) => api.estimate.calibrated(how));
      const paper = await fitted((how) => api.estimate.mirrorDescent(how));
      const fixed = [];
      for (const strength of STRENGTHS)
        fixed.push(await fitted((how) => api.estimate.calibrated({ ...how, strength, keepRefused: true })));
      const best = (set) => fixed.reduce((least, one) => (one[set] < least[set] ? one : least));
      yield {
        ...{
          table: name,
          rows,
          attributes: attributes.length,
          cliques: cliques.length,
          epsilon,
          sigma,
          seed,
        },
        ...{ own, paper, best: { measured: best("measured"), others: best("others") } },
      };
    }
  }
  truth.dispose();
}

/** ρ that is (ε, δ)-private by the common bound: ε = ρ + 2√(ρ ln 1/δ). */
function rhoOf(epsilon, delta) {
  const root = Math.sqrt(Math.log(1 / delta));
  return (Math.sqrt(root ** 2 + epsilon) - root) ** 2;
}

const runs = [];
for (const name of values.tables.split(","))
  for await (const one of runsOf(name)) {
    runs.push(one);
    const figures = ["measured", "others"].map((set) => {
      return `${set} ${one.own[set].toFixed(4)} (best fixed ${one.best[set][set].toFixed(4)} at n₀ ${one.best[set].strength}; descent ${one.paper[set].toFixed(4)})`;
    });
    console.log(
      `${name} ε ${one.epsilon} seed ${one.seed}: ${figures.join(", ")}, n₀ ${one.own.strength.toFixed(0)}, ${one.own.seconds.toFixed(1)} CPU s`,
    );
  }
const result = { date: new Date().toISOString(), version: await version(), machine: machine(), runs };
if (values.save) save(placeOf(result.date.slice(0, 10), "recipe"), `${JSON.stringify(result, null, 1)}\n`);
await api.close();
