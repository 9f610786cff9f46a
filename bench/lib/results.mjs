// The folder of results: of each thing that is measured it keeps the newest.

import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../results/", import.meta.url));

/** Where the result of a day is kept. */
export const placeOf = (day, name) => join(folder, `${day}-${name}.json`);

/** What a result measures: the cases of its scenarios, or what its file is named for. */
function subjects(name, { cases }) {
  return cases?.map((one) => `${one.scenario}, ${one.case}`) ?? [name.replace(/^[\d-]+|\.json$/g, "")];
}

/** Of results by their names, which begin with the day, those of which newer ones measure everything. */
export function superseded(results) {
  const newestFirst = Object.keys(results).sort().reverse();
  const seen = new Set();
  return newestFirst.filter((name) => {
    const own = subjects(name, results[name]);
    const known = own.every((subject) => seen.has(subject));
    for (const subject of own) seen.add(subject);
    return known;
  });
}

/** Writes a result. One that goes into the folder of results takes the place of those that it supersedes. */
export function save(path, text) {
  writeFileSync(path, text);
  if (`${dirname(path)}/` !== folder) return;
  const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
  const results = Object.fromEntries(
    names.map((name) => [name, JSON.parse(readFileSync(join(folder, name)))]),
  );
  for (const name of superseded(results)) if (name !== basename(path)) rmSync(join(folder, name));
}
