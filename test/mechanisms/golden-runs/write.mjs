// Writes what golden runs are compared with, by the bundles of some version: `hashes.json`, and with `--runs` first the
// ledgers that runs are resumed from and the saved files, which have fresh noise.
//
//   node test/mechanisms/golden-runs/write.mjs [--runs | --new] [--parts FOLDER] [DIST]
//
// With `--new` only runs without a ledger are made. DIST is `dist` unless given. With `--parts` nothing is written but every hashed part, as a file of its own under FOLDER,
// to be compared with those of another version where hashes differ.

import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { ESTIMATES } from "./estimates.mjs";
import { partsOf, partsOfLoaded } from "./of-release.mjs";
import { fileName, mechanismOf, publicOf, RELEASES, sealedOf } from "./releases.mjs";
import { SAVED } from "./saved.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: "boolean" }, new: { type: "boolean" }, parts: { type: "string" } },
});
const dist = (name) => import(pathToFileURL(resolve(positionals[0] ?? "dist", name)).href);
const api = { ...(await dist("index.js")), ...(await dist("report.js")) };
const here = (name) => new URL(name, import.meta.url);

/** Runs a mechanism with fresh noise, and keeps its ledger. */
async function keepRun(run) {
  const folder = await mkdtemp(join(tmpdir(), "golden-"));
  const ledger = join(folder, "account.jsonl");
  const prior = await publicOf(api, run);
  const data = await sealedOf(api, run, ledger);
  const mechanism = mechanismOf(api, run, prior);
  const release = await mechanism.run(data);
  for (const one of [release, mechanism, prior]) one?.dispose();
  await data.close();
  await writeFile(here(`ledgers/${fileName(run.name)}.jsonl`), await readFile(ledger));
  await rm(folder, { recursive: true });
}

/** Writes every part of a run under a folder, where one is given. */
function keeper(name) {
  if (values.parts === undefined) return undefined;
  return (part, bytes) => {
    const folder = join(values.parts, fileName(name));
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, fileName(part)), bytes);
  };
}

/** One line: what was made, how many parts it has, and how long that took. */
const say = (name, made, start) =>
  process.stdout.write(
    `${name}: ${Object.keys(made).length} parts in ${Math.round(performance.now() - start)} ms\n`,
  );

await api.init({ threads: false });
const hashes = { releases: {}, saved: {}, estimates: {} };
for (const run of RELEASES) {
  const start = performance.now();
  const ledger = here(`ledgers/${fileName(run.name)}.jsonl`);
  if (values.runs || (values.new && !existsSync(ledger))) await keepRun(run);
  const bytes = await readFile(ledger);
  const { hashes: of, saved } = await partsOf(api, run, bytes, keeper(run.name));
  hashes.releases[run.name] = of;
  if (values.runs && SAVED[run.name]) await writeFile(here(`../saved-1/${SAVED[run.name]}`), saved);
  say(run.name, of, start);
}
for (const [name, file] of Object.entries(SAVED)) {
  const groups = RELEASES.find((run) => run.name === name)?.mechanism === "groups";
  const release = await api.load(await readFile(here(`../saved-1/${file}`)), { groups });
  hashes.saved[file] = await partsOfLoaded(api, release, keeper(file));
  release.dispose();
}
for (const [name, make] of Object.entries(ESTIMATES)) {
  const start = performance.now();
  hashes.estimates[name] = await make(api, keeper(name));
  say(name, hashes.estimates[name], start);
}
if (values.parts === undefined) await writeFile(here("hashes.json"), `${JSON.stringify(hashes, null, 2)}\n`);
await api.close();
