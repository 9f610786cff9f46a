// One release of a coded table by a mechanism of this package: a task as JSON is the argument, what it took the last line.

import { readFileSync } from "node:fs";
import { load, version } from "../../ours.mjs";

const { contender, codes, sizes, epsilon, delta, out } = JSON.parse(process.argv[2]);
const api = await load();
const attributes = Object.entries(sizes).map(([name, size]) => {
  return { name, type: "category", values: Array.from({ length: size }, (_, code) => `${code}`), other: "0" };
});
const schema = api.schemaFromJson({ attributes });
const budget = delta === 0 ? api.pure(epsilon) : api.approximate(epsilon, delta);
const data = await api.seal(new Blob([readFileSync(codes)]), schema, { dataset: codes, unit: "row", budget });
const before = process.cpuUsage();
const mechanism = api[contender.split(" ")[1]]({ seed: Math.random() });
const release = await mechanism.run(data);
await release.writeCsv(out);
const { user, system } = process.cpuUsage(before);
const bytes = process.resourceUsage().maxRSS * 1024;
console.log(JSON.stringify({ seconds: (user + system) / 1e6, bytes, version: await version() }));
for (const one of [release, mechanism]) one.dispose();
await data.close();
await api.close();
