// A release of the size of a large survey: a million private rows × 36 columns, 181 areas of 2 states in 7 years, which
// make 1,267 groups, up to 7 rows for each person, from a public file of the same size. All rows are generated from a seed.
//
//   node bench/contest.mjs [--rows 1000000] [--epsilon 1] [--threads 2] [--folder FOLDER] [--score] [--plan] [--save]
//
// Prints seconds of every stage and the most memory that the process held. --folder keeps the two files; --save saves the
// release and loads it again, and says how many bytes that are.

import { once } from "node:events";
import { createWriteStream, existsSync } from "node:fs";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { gzip } from "node:zlib";
import { contestScore } from "../dist/evaluate.js";
import {
  capabilities,
  category,
  close,
  init,
  load,
  memory,
  priorAware,
  pure,
  readTable,
  schema,
  seal,
} from "../dist/index.js";

const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "1000000" },
    epsilon: { type: "string", default: "1" },
    threads: { type: "string" },
    folder: { type: "string" },
    score: { type: "boolean", default: false },
    plan: { type: "boolean", default: false },
    save: { type: "boolean", default: false },
  },
});
const ROWS = Number(values.rows);
const [AREAS, YEARS, FEATURES, CLASSES] = [181, 7, 34, 12];
const SIZES = [2, 3, 5, 7, 9, 12, 20, 4, 16];

/** Numbers from 0 to 1 (Steele, Lea and Flood 2014, cut to 32 bits). */
function uniform(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}

const area = (i) => `${i < 100 ? "OH" : "IL"}${String(i).padStart(3, "0")}`;
const year = (i) => `${2012 + i}`;
const sizeOf = (feature) => SIZES[feature % SIZES.length];
const people = schema(
  {
    puma: category(Array.from({ length: AREAS }, (_, i) => area(i))),
    year: category(Array.from({ length: YEARS }, (_, i) => year(i))),
    ...Object.fromEntries(
      Array.from({ length: FEATURES }, (_, i) => [
        `f${String(i).padStart(2, "0")}`,
        category(Array.from({ length: sizeOf(i) }, (_, code) => `${code}`)),
      ]),
    ),
  },
  { derive: { state: { from: "puma", prefix: 2 } } },
);
/** The same for a private table. */
const total = schema(
  Object.fromEntries(
    Object.entries(people.attributes).map(([name, one]) => [name, { ...one, other: one.values[0] }]),
  ),
  { derive: people.derive },
);

/** Cumulative shares. */
function law(weights) {
  const all = weights.reduce((sum, one) => sum + one, 0);
  let sum = 0;
  return weights.map((one) => {
    sum += one;
    return sum / all;
  });
}

/** People are of hidden classes, whose shares differ by area and drift by year; features follow from the class. */
function laws(drift) {
  const random = uniform(11);
  const skewed = (n) => law(Array.from({ length: n }, () => -Math.log(1 - random())));
  const features = Array.from({ length: FEATURES }, (_, i) =>
    Array.from({ length: CLASSES }, () => skewed(sizeOf(i))),
  );
  const areas = Array.from({ length: AREAS }, () =>
    Array.from({ length: CLASSES }, () => 0.2 - Math.log(1 - random())),
  );
  const groups = areas.map((weights) =>
    Array.from({ length: YEARS }, (_, y) => law(weights.map((w, c) => w * (1 + drift * Math.sin(c + y))))),
  );
  return { features, groups, sizes: law(Array.from({ length: AREAS }, () => 0.5 + random())) };
}

async function generate(path, seed, drift) {
  const { features, groups, sizes } = laws(drift);
  const random = uniform(seed);
  const pick = (cumulative) => {
    const u = random();
    let at = 0;
    while (at + 1 < cumulative.length && cumulative[at] <= u) at += 1;
    return at;
  };
  const file = createWriteStream(path);
  let block = `${Object.keys(people.attributes).join()}\n`;
  for (let row = 0; row < ROWS; row++) {
    const [a, y] = [pick(sizes), Math.floor(random() * YEARS)];
    const of = pick(groups[a][y]);
    const line = [area(a), year(y)];
    for (let i = 0; i < FEATURES; i++) line.push(pick(features[i][of]));
    block += `${line.join()}\n`;
    if (block.length > 1 << 20) {
      if (!file.write(block)) await once(file, "drain");
      block = "";
    }
  }
  file.end(block);
  await once(file, "finish");
}

const place = values.folder ?? (await mkdtemp(join(tmpdir(), "contest-")));
const paths = { public: join(place, `public-${ROWS}.csv`), private: join(place, `private-${ROWS}.csv`) };
const times = {};
async function timed(name, work) {
  const start = performance.now();
  const result = await work();
  times[name] = Math.round((performance.now() - start) / 100) / 10;
  console.error(`${name}: ${times[name]} s`);
  return result;
}
if (!existsSync(paths.public)) await timed("generate public", () => generate(paths.public, 1, 0));
if (!existsSync(paths.private)) await timed("generate private", () => generate(paths.private, 2, 0.3));
if (values.threads) await init({ threads: Number(values.threads) });
const { threads } = await capabilities();
const [from, worked] = [performance.now(), process.cpuUsage()];
const prior = await timed("read public", () => readTable(paths.public, total));
const budget = pure(values.epsilon);
const data = await seal(paths.private, total, { dataset: "contest", unit: { maxRows: 7 }, budget });
const mechanism = priorAware({ prior, groups: [["state"], ["puma", "year"]] });
const plan = await timed("plan", () => mechanism.plan(data));
if (values.plan) console.log(`${plan}`);
let groups = 0;
let first;
const release = await timed("measure and estimate", () =>
  mechanism.run(data, {
    plan,
    onGroup: () => {
      first ??= performance.now();
      groups += 1;
    },
  }),
);
times["of that, estimate"] = Math.round((performance.now() - first) / 100) / 10;
const out = join(place, "synthetic.csv");
await timed("records", () => release.writeCsv(out, { seed: "v1" }));
const seconds = Math.round((performance.now() - from) / 100) / 10;
const { user, system } = process.cpuUsage(worked);
const refused = release.groups.filter(({ status }) => status === "refused").length;
console.log(
  JSON.stringify({
    rows: ROWS,
    threads,
    groups,
    refused,
    seconds,
    // Of all threads: on a busy machine it says more.
    processorSeconds: Math.round((user + system) / 1e5) / 10,
    times,
    peakMB: Math.round(process.resourceUsage().maxRSS / 1024),
    bytes: (await stat(out)).size,
    load: (await import("node:os")).loadavg().map((one) => Math.round(one)),
  }),
);
if (values.save) {
  const saved = join(place, "release.marginalia");
  await timed("save", () => release.save(saved));
  const { used } = await memory();
  const again = await timed("load", () => load(saved, { groups: true }));
  const held = (await memory()).used - used;
  const csv = join(place, "again.csv");
  await timed("records of the loaded one", () => again.writeCsv(csv, { seed: "v1" }));
  const [live, loaded] = await Promise.all([out, csv].map((path) => readFile(path)));
  const { size } = await stat(saved);
  const zipped = (await promisify(gzip)(live)).length;
  const sizes = { saved: size, csv: live.length, zipped, engineMB: Math.round(held / 2 ** 20) };
  console.log(JSON.stringify({ ...sizes, same: live.equals(loaded) }));
  again.dispose();
}
release.dispose();
mechanism.dispose();
prior.dispose();
await data.close();
if (values.score) {
  const group = ["puma", "year"];
  const truth = await readTable(paths.private, total);
  for (const [name, path] of Object.entries({ release: out, "public file": paths.public })) {
    const synthetic = await readTable(path, total);
    console.log(`${name}: ${await contestScore({ truth, synthetic, group })}`);
    synthetic.dispose();
  }
  truth.dispose();
}
if (!values.folder) await rm(place, { recursive: true });
await close();
