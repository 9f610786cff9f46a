// The committed pkg/ was built from the sources that lie beside it. Needs no compiler.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { finish } from "../lib/gate.mjs";
import { inputHashes, outputHashes, root } from "../lib/manifest.mjs";

const remedy = "run npm run build, then npm test, and commit pkg/";
const file = join(root, "pkg", "manifest.json");
if (!existsSync(file)) {
  finish(["pkg/manifest.json is missing"], remedy);
}

function differences(recorded, found, verb) {
  return [...new Set([...Object.keys(recorded), ...Object.keys(found)])]
    .filter((path) => recorded[path] !== found[path])
    .map((path) => `${path} ${verb}`);
}

const manifest = JSON.parse(readFileSync(file, "utf8"));
const problems = [
  ...differences(manifest.inputs, inputHashes(), "changed since pkg/ was built"),
  ...differences(manifest.outputs, outputHashes(join(root, "pkg")), "in pkg/ is not what was built"),
];
finish(problems, remedy, `pkg/ was built from these ${Object.keys(manifest.inputs).length} inputs`);
