// Last year's survey is public, this year's is not: synthetic records of this year, by area within state, at ε = 1.
import { priorAware, pure, readTable, seal } from "marginalia";
import { file, people } from "./survey.mjs";

const numbers = ["age", "hours", "income"]; // records get numbers that public rows have, not only bins
const before = await readTable(file(2018), people, { keepRaw: numbers });
const data = await seal(file(2019), people, { dataset: "survey-2019 by area", unit: "row", budget: pure(1) });
const mechanism = priorAware({ prior: before, groups: [["state"], ["area"]] });

const plan = await mechanism.plan(data); // reads nothing; every charge, level by level
console.log(`${plan}\n`);
const onGroup = ({ by, records }) => console.log(JSON.stringify(by), Math.round(records));
const release = await mechanism.run(data, { plan, onGroup });
console.log((await release.marginal(["tenure"], { group: { state: "AR" } })).map(Math.round));
await release.writeCsv(process.argv[2] ?? "synthetic-2019.csv", { seed: "v1" });
console.log(`${release.ledger}\n\n${Math.round(release.total)} synthetic records`);
release.dispose();
mechanism.dispose();
before.dispose();
await data.close();
