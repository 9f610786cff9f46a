// Writes the example data: two survey years, and households with their members. Run it with Node (20 or
// later); it writes the same bytes wherever it runs. See README.md for what the columns mean.

import { mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Draw } from "./draw.mjs";
import { households } from "./households.mjs";
import { csv, surveys } from "./surveys.mjs";

/** Every file by its name. */
export function files() {
  const { groups, members } = households(new Draw("marginalia: households"), 1500);
  return { ...surveys(), "households.csv": csv(groups), "persons.csv": csv(members) };
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const folder = process.argv[2] ?? fileURLToPath(new URL(".", import.meta.url));
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(files())) await writeFile(`${folder}/${name}`, text);
}
