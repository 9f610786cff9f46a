// Last year's survey is public, this year's is not: synthetic records of this year, at ε = 1.
import { priorAware, pure, readTable, seal } from "marginalia";
import { file, people } from "./survey.mjs";

const numbers = ["age", "hours", "income"]; // records get numbers that public rows have, not only bins
const before = await readTable(file(2018), people, { keepRaw: numbers });
const data = await seal(file(2019), people, { dataset: "survey-2019", unit: "row", budget: pure(1) });
const mechanism = priorAware({ prior: before, provenance: { name: "survey 2018" } });

const plan = await mechanism.plan(data); // reads nothing
console.log(`${plan}\n`);
const release = await mechanism.run(data, { plan });
await release.writeCsv(process.argv[2] ?? "synthetic-2019.csv", { seed: "v1" });
console.log(`${release.ledger}\n\n${Math.round(release.total)} synthetic records`);
release.dispose();
mechanism.dispose();
before.dispose();
await data.close();
