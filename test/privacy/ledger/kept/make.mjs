// Wrote the ledger of this folder by the package as it was on 2026-11-19, when every record had a time:
//   node make.mjs account.ledger counter
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { category, integer, kWay, pure, schema, seal } from "marginalia";

const [path, counter, dies] = process.argv.slice(2);
const people = schema({
  age: integer({ min: 0, max: 9, other: "clamp", nullable: true }),
  sex: category(["F", "M"], { other: null }),
});
const options = { dataset: "kept", unit: "row", budget: pure(1), ledger: { path, counter } };
const ask = (data, label) => data.measure([{ clique: ["age"], spend: "1/10" }], { label });

if (dies) {
  const endless = () =>
    (async function* () {
      yield new TextEncoder().encode("age,sex\n1,F\n");
      process.kill(process.pid, "SIGKILL");
    })();
  await ask(await seal(endless, people, options), "killed");
} else {
  const data = await seal(() => ["age,sex\n1,F\n2,M\n"], people, options);
  await ask(data, "first");
  await data.select({
    workload: kWay(people, 1),
    answers: new Float64Array(14),
    candidates: "cells",
    spend: "1/5",
  });
  await data.close();
  spawnSync(process.execPath, [fileURLToPath(import.meta.url), path, counter, "dies"]);
  const again = await seal(() => ["age,sex\n1,F\n2,M\n"], people, options);
  await ask(again, "last");
  await again.close();
}
