// npm run bench -- [scenario…] [--quick | --full] [--out file.json | --save] [--no-install]

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { runCase } from "./lib/harness.mjs";
import { load, machine } from "./lib/machine.mjs";
import { caseTable, scenarioTable } from "./lib/report.mjs";
import { placeOf, save } from "./lib/results.mjs";
import { count } from "./scenarios/count.mjs";
import { graph } from "./scenarios/graph.mjs";
import { groups } from "./scenarios/groups.mjs";
import { growth } from "./scenarios/growth.mjs";
import { lp } from "./scenarios/linear.mjs";
import { noise } from "./scenarios/noise.mjs";
import { read } from "./scenarios/read.mjs";
import { seal } from "./scenarios/seal.mjs";
import { select } from "./scenarios/select.mjs";
import { solve } from "./scenarios/solve.mjs";
import { startup } from "./scenarios/startup.mjs";
import { step } from "./scenarios/step.mjs";

const all = [count, read, seal, noise, select, startup, growth, step, solve, graph, lp, groups];
const scenarios = Object.fromEntries(all.map((scenario) => [scenario.name, scenario]));

function options() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      quick: { type: "boolean", default: false },
      full: { type: "boolean", default: false },
      out: { type: "string" },
      save: { type: "boolean", default: false },
      install: { type: "boolean", default: true },
    },
    allowNegative: true,
  });
  const unknown = positionals.filter((name) => !(name in scenarios));
  if (unknown.length > 0) {
    throw new Error(`no scenario ${unknown.join(", ")}; there are ${Object.keys(scenarios).join(", ")}`);
  }
  const chosen = positionals.length > 0 ? positionals : Object.keys(scenarios);
  const mode = values.quick ? "quick" : values.full ? "full" : "normal";
  return { ...values, chosen, mode, out: values.out ?? (values.save ? named(chosen, mode) : undefined) };
}

/** Where the results of this day and these scenarios are kept. */
function named(chosen, mode) {
  const name = [...chosen, ...(mode === "normal" ? [] : [mode])].join("-");
  return placeOf(new Date().toISOString().slice(0, 10), name);
}

/** Installs the peers once; without a network they are "not run". */
function install() {
  const folder = fileURLToPath(new URL(".", import.meta.url));
  if (existsSync(join(folder, "node_modules"))) return;
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  try {
    execFileSync(npm, ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], {
      cwd: folder,
      stdio: "ignore",
    });
  } catch {
    console.error("the peers could not be installed (npm ci --prefix bench): they are not run");
  }
}

/** Says on one line of the terminal what is going on. */
function note(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
}

/** All cases of a scenario, each printed as it ends, or together where there is one contender to a case. */
async function runScenario(scenario, mode, folder) {
  const done = [];
  for await (const { name, rows, attributes, cliques, ...work } of scenario.cases(mode, folder)) {
    const loadBefore = load();
    const results = await runCase(work, (text) => note(`${scenario.name}, ${name}: ${text}`));
    note("");
    const one = {
      scenario: scenario.name,
      title: scenario.title,
      case: name,
      unit: scenario.unit,
      rows,
      attributes,
      ...(cliques && { cliques }),
      load: { before: loadBefore, after: load() },
      results,
    };
    done.push(one);
    if (results.length > 1) console.log(`${caseTable(one)}\n`);
  }
  if (done.length > 0 && done.every(({ results }) => results.length === 1))
    console.log(`${scenarioTable(done)}\n`);
  return done;
}

async function main() {
  const { chosen, mode, out, install: wanted } = options();
  if (wanted) install();
  const folder = await mkdtemp(join(tmpdir(), "marginalia-bench-"));
  const started = new Date().toISOString();
  const cases = [];
  try {
    for (const name of chosen) cases.push(...(await runScenario(scenarios[name], mode, folder)));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const about = machine();
  console.log(
    `${about.cpu}, ${about.cores} cores, ${Math.round(about.memoryBytes / 2 ** 30)} GiB, ${about.os}`,
  );
  const report = { format: "marginalia-bench/1", started, mode, machine: about, cases };
  if (out) save(out, `${JSON.stringify(report, null, 2)}\n`);
}

await main();
