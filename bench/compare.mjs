// node bench/compare.mjs before.json after.json: for each contender of both runs, after over before.

import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { align, figure } from "./lib/report.mjs";
import { ratioInterval } from "./lib/stats.mjs";

/** Every measured result by scenario, case and contender. */
function index({ format, cases }) {
  if (format !== "marginalia-bench/1")
    throw new Error("not a result of bench/run.mjs in the format marginalia-bench/1");
  const entries = cases.flatMap(({ scenario, case: name, unit, results }) =>
    results
      .filter(({ status }) => status === "measured")
      .map((result) => [`${scenario}, ${name}: ${result.contender}`, { unit, ...result }]),
  );
  return new Map(entries);
}

/** One line for each contender that both reports measured. */
export function compare(before, after) {
  const earlier = index(before);
  return [...index(after)]
    .filter(([key, { unit }]) => earlier.get(key)?.unit === unit)
    .map(([key, result]) => {
      const interval = ratioInterval(earlier.get(key).repeats, result.repeats);
      const verdict = interval.high < 1 ? "faster" : interval.low > 1 ? "slower" : "";
      return {
        key,
        before: earlier.get(key).median,
        after: result.median,
        unit: result.unit,
        ...interval,
        verdict,
      };
    });
}

/** What only one of the two measured. */
export function unmatched(before, after) {
  const [a, b] = [index(before), index(after)];
  const only = (one, other) => [...one.keys()].filter((key) => other.get(key)?.unit !== one.get(key).unit);
  return { before: only(a, b), after: only(b, a) };
}

async function main([beforeFile, afterFile]) {
  if (!afterFile) throw new Error("give two result files: node bench/compare.mjs before.json after.json");
  const reports = await Promise.all(
    [beforeFile, afterFile].map(async (file) => JSON.parse(await readFile(file, "utf8"))),
  );
  const [before, after] = reports;
  const machines = reports.map(({ machine }) => JSON.stringify(machine));
  if (machines[0] !== machines[1]) console.log("The two were measured on different machines.");
  const lines = compare(before, after).map(({ key, before, after, unit, ratio, low, high, verdict }) => [
    key,
    figure(before),
    figure(after),
    unit,
    `${figure(ratio)} [${figure(low)}, ${figure(high)}]`,
    verdict,
  ]);
  const head = ["", "before", "after", "", "after / before [95 %]", ""];
  console.log(align([head, ...lines]).join("\n"));
  const { before: gone, after: added } = unmatched(before, after);
  for (const key of gone) console.log(`only before: ${key}`);
  for (const key of added) console.log(`only after: ${key}`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await main(process.argv.slice(2));
