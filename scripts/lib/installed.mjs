// Ends with 0 when node_modules/ is what package-lock.json says, so that `npm ci` runs only when it must.

import { existsSync, readFileSync } from "node:fs";

const read = (path) => (existsSync(path) ? JSON.parse(readFileSync(path, "utf8")).packages : {});
const wanted = read("package-lock.json");
const present = read("node_modules/.package-lock.json");

const differs = Object.entries(wanted).some(([path, entry]) => {
  const found = present[path];
  // A package for another system is in the lock file and rightly not on the disk.
  return path !== "" && (found === undefined ? !entry.optional : found.version !== entry.version);
});
process.exit(differs ? 1 : 0);
