// The committed pkg/ was built from the sources that lie beside it, and cannot draw noise for tests. Needs no compiler.

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

/**
 * What is wrong with a module's noise. Every build says the first words where it refuses an entropy of zeros
 * (crates/privacy/src/random.rs), and one with the feature test-noise goes on with the second: that the first are found
 * shows that the second would be.
 */
function noise(name, bytes) {
  const text = Buffer.from(bytes).toString("latin1");
  const missing = refusal.filter((words) => !text.includes(words)).map((words) => `${name} lacks "${words}"`);
  return text.includes(mark) ? [`${name} was built with the feature test-noise`] : missing;
}

const mark = "built with test-noise";
const refusal = ["the platform's entropy is all zeros", "`crypto.getRandomValues` works"];
const marked = `${refusal[0]}: nothing was drawn; ${mark}`;
const honest = refusal.join(": nothing was drawn; run where ");
const source = readFileSync(join(root, "crates", "privacy", "src", "random.rs"), "utf8");
const unseen = [marked, honest].filter((words) => !source.includes(words));

const manifest = JSON.parse(readFileSync(file, "utf8"));
const problems = [
  ...differences(manifest.inputs, inputHashes(), "changed since pkg/ was built"),
  ...differences(manifest.outputs, outputHashes(join(root, "pkg")), "in pkg/ is not what was built"),
  ...unseen.map(
    (words) => `crates/privacy/src/random.rs no longer says "${words}", which this gate looks for`,
  ),
  ...(noise("planted", Buffer.from(marked)).length === 0
    ? ["self-test: the mark of test-noise went unnoticed"]
    : []),
  ...noise("self-test: an honest module", Buffer.from(honest)),
  ...["simd", "threads"].flatMap((module) => {
    const path = join("pkg", module, "marginalia_bg.wasm");
    return noise(path, readFileSync(join(root, path)));
  }),
];
finish(problems, remedy, `pkg/ was built from these ${Object.keys(manifest.inputs).length} inputs`);
