// Installs the packed package into empty folders and uses it there as each kind of consumer would.
//
//   node test/packaging/run.mjs [NAME…]      only consumers whose names contain one of the words
//
// Each must give the same exact counts and the same bytes. A consumer that this machine cannot run is skipped by
// name; in CI ($CI) that is a failure.

import { join } from "node:path";
import { browsers } from "./browsers.mjs";
import { edge } from "./edge.mjs";
import { agreed } from "./lib/expected.mjs";
import { consumerFolder, installPackage, installTools, Missing, workshop } from "./lib/install.mjs";
import { closeBrowser } from "./lib/pages.mjs";
import { environment } from "./lib/run.mjs";
import { runtimes } from "./runtimes.mjs";

const strict = (process.env.CI ?? "") !== "" && process.env.CI !== "false";
const seconds = (since) => `${((performance.now() - since) / 1_000).toFixed(1)} s`;

/** How a consumer fared: a line, and what is to be said below it. */
async function attempt(consumer, own) {
  try {
    await consumer.run(own());
    return { verdict: "ok" };
  } catch (error) {
    if (!(error instanceof Missing)) return { verdict: "FAILED", why: error.stack ?? String(error) };
    return { verdict: strict ? "FAILED" : "skipped", why: error.message };
  }
}

const words = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const wanted = [...runtimes, ...browsers, ...edge].filter(
  ({ name }) => words.length === 0 || words.some((word) => name.toLowerCase().includes(word.toLowerCase())),
);
if (wanted.length === 0) throw new Error("no consumer has such a name");

const began = performance.now();
installTools();
const shop = workshop();
const modules = installPackage(shop);
console.log(`${seconds(began).padStart(7)}  packed and installed`);

const env = environment(join(shop, "home"));
const tally = { ok: 0, FAILED: 0, skipped: 0 };
for (const [at, consumer] of wanted.entries()) {
  const start = performance.now();
  const name = `${at} ${consumer.folder ?? consumer.files}`.replaceAll(" ", consumer.folder ? " " : "-");
  const own = () => ({ cwd: consumerFolder(shop, name, consumer.files, modules), env });
  const { verdict, why } = await attempt(consumer, own);
  tally[verdict] += 1;
  console.log(`${seconds(start).padStart(7)}  ${verdict.padEnd(7)}  ${consumer.name}`);
  if (why !== undefined) console.log(why.replace(/^/gm, "         | "));
}
await closeBrowser();

console.log(`every one that reports has the bytes ${agreed() ?? "of none"}`);
console.log(`${tally.ok} passed, ${tally.FAILED} failed, ${tally.skipped} skipped in ${seconds(began)}`);
process.exitCode = tally.FAILED > 0 ? 1 : 0;
