// The largest error of 282,986 cells of Adult, and the processor time of a round: mechanisms by multiplicative weights on the split of
// the authors of PMW-Pub (adult-pmw). A line of JSON for each public table, budget and way.
//
//   MARGINALIA_DATA=… node bench/cells.mjs [--public sex20,unbiased] [--epsilon 0.1,0.25,0.5,1] [--ways paper,cells,marginals] [--rounds 10,25] [--runs 5]
//
// Without --rounds as many as the mechanism takes.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import {
  approximate,
  category,
  close,
  init,
  pmwPub,
  readTable,
  schema,
  seal,
  workload,
} from "../dist/index.js";

const WAYS = {
  paper: { unsupported: true, selection: "permute-and-flip" },
  cells: {},
  parts: { parts: true },
  marginals: { parts: true, measure: "marginals" },
};

const { values } = parseArgs({
  options: {
    public: { type: "string", default: "sex20,unbiased" },
    epsilon: { type: "string", default: "0.1,0.25,0.5,1" },
    ways: { type: "string", default: "cells,parts,marginals" },
    rounds: { type: "string", default: "" },
    runs: { type: "string", default: "5" },
  },
});
const list = (text) => text.split(",").filter((one) => one !== "");
const folder = join(process.env.MARGINALIA_DATA ?? "data", "adult-pmw");
const read = (name) =>
  gunzipSync(readFileSync(join(folder, name)))
    .toString()
    .trim()
    .split("\n");
const { domain, triples } = JSON.parse(readFileSync(join(folder, "workload.json"), "utf8"));
const names = Object.keys(domain);
const codes = (size) => Array.from({ length: size }, (_, code) => `${code}`);
const adult = schema(
  Object.fromEntries(names.map((name) => [name, category(codes(domain[name]), { other: "0" })])),
);
const cliques = workload(adult, triples);
await init();

const text = (lines) => new Blob([`${names.join(",")}\n${lines.join("\n")}\n`]);
const rows = read("priv.csv.gz").slice(1);
const n = rows.length;
const hidden = await readTable(text(rows), adult);
const truth = await hidden.answer(cliques);

/** The largest error of a cell, as a share. */
const worst = (answers, total) =>
  answers.reduce(
    (most, cells, i) =>
      cells.reduce((so, cell, at) => Math.max(so, Math.abs(cell / total - truth[i][at] / n)), most),
    0,
  );

for (const name of list(values.public)) {
  const repeated = read(`pub-${name}.csv.gz`)
    .slice(1)
    .flatMap((line) => {
      const at = line.lastIndexOf(",");
      return Array(Number(line.slice(at + 1))).fill(line.slice(0, at));
    });
  const prior = await readTable(text(repeated), adult);
  const start = worst(await prior.answer(cliques), repeated.length);
  for (const epsilon of list(values.epsilon))
    for (const way of list(values.ways))
      for (const wanted of values.rounds === "" ? [undefined] : list(values.rounds).map(Number)) {
        const errors = [];
        let [time, rounds] = [0, 0];
        for (let run = 0; run < Number(values.runs); run++) {
          const dataset = `adult ${run}`;
          const relation = { replace: { n } };
          const budget = approximate(epsilon, `1/${n * n}`);
          const data = await seal(text(rows), adult, { dataset, unit: "row", relation, budget });
          const mechanism = pmwPub({
            ...{ prior, workload: cliques, seed: run, ...WAYS[way] },
            ...(wanted && { rounds: wanted }),
          });
          const plan = await mechanism.plan(data);
          rounds = plan.rounds.length;
          const before = process.cpuUsage();
          const release = await mechanism.run(data, { plan });
          const { user, system } = process.cpuUsage(before);
          time += (user + system) / 1e3 / Number(values.runs);
          errors.push(worst(await release.model.answer(cliques), release.total));
          for (const one of [release, mechanism]) one.dispose();
          await data.close();
        }
        const mean = errors.reduce((a, b) => a + b) / errors.length;
        const spread = Math.sqrt(
          errors.reduce((sum, one) => sum + (one - mean) ** 2, 0) / Math.max(1, errors.length - 1),
        );
        const error = { mean, standardError: spread / Math.sqrt(errors.length) };
        const figures = {
          public: name,
          start,
          epsilon: Number(epsilon),
          way,
          rounds,
          runs: errors.length,
          error,
        };
        process.stdout.write(`${JSON.stringify({ ...figures, milliseconds: time })}\n`);
      }
}
await close();
