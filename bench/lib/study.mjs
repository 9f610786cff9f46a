// Two studies of real tables, each with public rows and private ones, coded as integers: a survey of 2018 for that of
// 2019 (acs-ma), and a tenth of a census with too many men for the rest of it (adult).

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { random } from "./stats.mjs";

/** Columns with many values are cut at so many quantiles of the public rows. */
const BINS = 20;
const NOT_USED = new Set(["PUMA", "INDP", "PINCP", "PWGTP", "WGTP", "fnlwgt"]);
const CUT = new Set(["AGEP", "DENSITY", "POVPIP", "age", "capital-gain", "capital-loss", "hours-per-week"]);

function texts(path) {
  const text = gunzipSync(readFileSync(path))
    .toString()
    .replace(/^\ufeff/, "");
  const [header, ...lines] = text.trim().split("\n");
  const rows = lines.map((line) => line.split(","));
  return new Map(header.split(",").map((name, i) => [name, rows.map((row) => row[i])]));
}

/** How the texts of a public column become codes: bins for numbers, a code for whatever else occurs, one for the rest. */
function coder(name, column) {
  const words = [...new Set(column)].filter((text) => !CUT.has(name) || Number.isNaN(Number(text))).sort();
  const numbers = CUT.has(name)
    ? column
        .map(Number)
        .filter((x) => !Number.isNaN(x))
        .sort((a, b) => a - b)
    : [];
  const at = (i) => numbers[Math.floor((i * numbers.length) / BINS)];
  const cuts =
    numbers.length === 0 ? [] : [...new Set(Array.from({ length: BINS - 1 }, (_, i) => at(i + 1)))];
  const places = new Map(words.map((text, i) => [text, i]));
  const bins = numbers.length === 0 ? 0 : cuts.length + 1;
  const code = (text) => {
    const place = places.get(text);
    if (place !== undefined) return place;
    if (bins > 0 && !Number.isNaN(Number(text)))
      return words.length + cuts.filter((cut) => Number(text) >= cut).length;
    return words.length + bins;
  };
  return { size: words.length + bins + 1, code };
}

function acs(folder) {
  const [before, after] = [2018, 2019].map((year) => texts(join(folder, "acs-ma", `ma${year}.csv.gz`)));
  const names = [...before.keys()].filter((name) => !NOT_USED.has(name));
  const coders = names.map((name) => coder(name, before.get(name)));
  const coded = (table) => names.map((name, i) => Uint8Array.from(table.get(name), coders[i].code));
  return { names, sizes: coders.map(({ size }) => size), prior: coded(before), truth: coded(after) };
}

function adult(folder) {
  const all = texts(join(folder, "adult", "adult.csv.gz"));
  const names = [...all.keys()].filter((name) => !NOT_USED.has(name));
  const next = random(20);
  const sex = all.get("sex").map(Number);
  // A tenth of all, in which sex 1 is by .2 more frequent than among all.
  const share = sex.reduce((sum, code) => sum + code, 0) / sex.length;
  const chance = [0.1 * ((0.8 - share) / (1 - share)), 0.1 * ((share + 0.2) / share)];
  const isPublic = sex.map((code) => next() < chance[code]);
  const part = (name, wanted) => all.get(name).filter((_, row) => isPublic[row] === wanted);
  const coders = names.map((name) => coder(name, part(name, true)));
  const coded = (wanted) => names.map((name, i) => Uint8Array.from(part(name, wanted), coders[i].code));
  return { names, sizes: coders.map(({ size }) => size), prior: coded(true), truth: coded(false) };
}

const STUDIES = { "acs-ma": acs, adult };

/** The studies whose data is in a folder. */
export const studiesIn = (folder) =>
  Object.keys(STUDIES).filter((name) => folder !== undefined && existsSync(join(folder, name)));

/** A study with its tables in the engine, its workload (every attribute, and the tree of the public rows) and truth. */
export async function study(api, folder, name) {
  const { names, sizes, prior, truth } = STUDIES[name](folder);
  const fields = names.map((_, i) => [`a${i}`, api.integer({ min: 0, max: sizes[i] - 1 })]);
  const schema = api.schema(Object.fromEntries(fields));
  const read = (columns, weights) => {
    const all = Object.fromEntries(columns.map((column, i) => [`a${i}`, column]));
    return api.readTable(weights ? { ...all, w: weights } : all, schema, weights ? { weight: "w" } : {});
  };
  const before = await read(prior);
  const tree = await api.mutualInformationTree(before);
  const cliques = [...schema.names.map((one) => [one]), ...tree];
  const workload = api.workload(schema, cliques);
  const pairs = api.kWay(schema, 2);
  const after = await read(truth);
  const rows = truth[0].length;
  const [counts, ofPairs] = [await after.answer(workload), await after.answer(pairs)];
  after.dispose();
  const odd = await read(prior, distorted(prior));
  return { name, schema, workload, cliques, pairs, rows, counts, ofPairs, before, odd };
}

/** Weights that make a bad prior of good rows: the first half of each of three attributes counts a quarter. */
function distorted(columns) {
  const half = columns.slice(0, 3).map((column) => [...column].sort((a, b) => a - b)[column.length >> 1]);
  return Float64Array.from(columns[0], (_, row) =>
    half.reduce((weight, middle, i) => weight * (columns[i][row] <= middle ? 0.25 : 1), 1),
  );
}

/** Noisy answers to a workload, with equal parts of ε for each of its cliques. */
export function measured(api, { schema, cliques, counts }, epsilon, seed) {
  const next = random(seed);
  const { length } = cliques;
  const q = Math.exp(-epsilon / length);
  const geometric = () => Math.floor(Math.log1p(-next()) / Math.log(q));
  return cliques.map((clique, i) =>
    api.measurement({
      version: 1,
      clique,
      query: { type: "identity" },
      shape: clique.map((name) => schema.size(name)),
      values: Array.from(counts[i], (count) => count + geometric() - geometric()),
      noise: {
        law: "laplace",
        scale: `${Math.round((1e6 * length) / epsilon)}/1000000`,
        variance: (2 * q) / (1 - q) ** 2,
      },
      relation: "add-remove",
    }),
  );
}
