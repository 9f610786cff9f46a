// Runs the contenders of one case: first each on a small task, to see that all compute the same; then all
// in turn, round after round, so that what disturbs the machine disturbs everybody. What takes minutes is not warmed up.

import { isDeepStrictEqual } from "node:util";
import { start } from "./child.mjs";
import { median, quantile } from "./stats.mjs";

/** Starts a contender on a task; what is missing comes back as such. */
const begin = (contender, task) =>
  start(contender.command, contender.args, { ...task, ...contender.options }, contender.env);

/** Checks a contender's answer on the small task; gives the reason when it cannot take part. */
async function check(contender, { task, expected }) {
  const process = await begin(contender, task);
  if (process.missing) return process.missing;
  const { answer } = await process.ask({ do: "answer" });
  await process.close();
  if (!isDeepStrictEqual(answer, expected)) {
    throw new Error(`${contender.name} does not compute what the others do; its times would mean nothing`);
  }
}

/** Every contender's result on one case: measured in `rounds` interleaved rounds after one to warm up. */
export async function runCase(
  { contenders, small, task, total, rounds, units, warm = true },
  note = () => {},
) {
  const results = [];
  for (const declared of contenders) {
    note(`checks ${declared.name}`);
    const contender = { ...declared, ...(await declared.build?.()) };
    const missing = contender.unavailable ?? (small && (await check(contender, small)));
    results.push({ contender, missing, runs: [] });
  }
  const live = results.filter((result) => !result.missing);
  try {
    for (const result of live) {
      note(`prepares ${result.contender.name}`);
      result.process = await begin(result.contender, task);
      result.missing = result.process.missing;
    }
    const ready = live.filter((result) => !result.missing);
    await measure(ready, { rounds, total, warm }, note);
  } finally {
    for (const { process } of live) await process?.close();
  }
  return results.map((result) => summary(result, units));
}

/** While others ran, a contender slept; a core and a second thread take some milliseconds to wake up. */
const AWAKE_NS = 100e6;

/** Single runs of less than this say little: of so many the median is taken. */
const SHORT_NS = 20e6;
const SEVERAL = 15;

async function wake({ process, typical = AWAKE_NS }) {
  const start = performance.now();
  // What a run says that it took may be less than it took.
  for (
    let awake = 0;
    awake + typical < AWAKE_NS && performance.now() - start < AWAKE_NS / 1e6;
    awake += typical
  )
    await process.ask({ do: "run" });
}

async function measure(results, { rounds, total, warm }, note) {
  if (warm) {
    note("warms up");
    for (const result of results) await measured(result, { total, warm });
  }
  for (let round = 1; round <= rounds; round++) {
    note(`round ${round} of ${rounds}`);
    for (const result of results) result.runs.push(await measured(result, { total, warm }));
  }
}

async function measured(result, { total, warm }) {
  if (warm) await wake(result);
  const runs = [];
  for (let left = warm && result.typical < SHORT_NS ? SEVERAL : 1; left > 0; left--) {
    const run = await result.process.ask({ do: "run" });
    if (total !== undefined && run.total !== total)
      throw new Error(`${result.contender.name} lost some of its work`);
    runs.push(run);
  }
  const run = runs.sort((a, b) => a.nanoseconds - b.nanoseconds)[Math.floor(runs.length / 2)];
  result.typical = run.nanoseconds;
  return run;
}

/** Median and spread in the case's unit: nanoseconds over `units` pieces of work. */
function summary({ contender, missing, process, runs }, units) {
  const { name, threads } = contender;
  if (missing) return { contender: name, threads, status: "not run", reason: missing };
  const values = runs.map(({ nanoseconds }) => nanoseconds / units);
  return {
    contender: name,
    threads,
    status: "measured",
    versions: process.ready,
    repeats: values,
    median: median(values),
    quartiles: [quantile(values, 0.25), quantile(values, 0.75)],
    min: Math.min(...values),
    ...(runs[0].parts && {
      parts: medians(
        runs.map(({ parts }) => parts),
        units,
      ),
    }),
  };
}

const medians = (parts, units) =>
  Object.fromEntries(Object.keys(parts[0]).map((key) => [key, median(parts.map((p) => p[key])) / units]));
