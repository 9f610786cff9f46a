// A release of this year's survey with both reports: one to share, and one for whoever holds the true table.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { priorAware, pure, readTable, seal } from "marginalia";
import { evaluate, internalParts } from "marginalia/evaluate";
import { internalReport, report, reportInput } from "marginalia/report";
import { file, people } from "./survey.mjs";

const folder = process.argv[2] ?? "report";
await mkdir(folder, { recursive: true });

const prior = await readTable(file(2018), people);
const data = await seal(file(2019), people, { dataset: "survey-2019", unit: "row", budget: pure(1) });
const provenance = { name: "survey-2018.csv", declaredPublicBy: "the statistics office" };
const mechanism = priorAware({ prior, provenance });
const release = await mechanism.run(data, { plan: await mechanism.plan(data) });

// To share: made of the release and the public table.
const title = "A synthetic survey of 2019";
const input = await reportInput(release, { prior, seed: "v1" });
await writeFile(join(folder, "report.html"), report(input, { title }));

// To keep: whoever may read the true rows compares with them.
const truth = await readTable(file(2019), people);
const synthetic = await release.table({ seed: "v1" });
const evaluation = await evaluate({ truth, synthetic, public: prior, triples: 100 });
const internal = await internalParts({ truth, evaluation });
await writeFile(join(folder, "internal.html"), internalReport(input, internal, { title }));
for (const one of [release, mechanism, prior, truth, synthetic]) one.dispose();
await data.close();
console.log(`report.html and internal.html are in ${folder}`);
