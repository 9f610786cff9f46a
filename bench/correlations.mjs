// How far correlations of releases are off, beside those of the public file, and where that comes from: of pairs that were
// measured and of others, as they are read off the tables and corrected for n, widened and not.
//
//   MARGINALIA_DATA=folder node bench/correlations.mjs [--epsilon 1] [--runs 5] [--only survey,acs-ma,adult-pub]
//
// survey is the shipped one; acs-ma ten features of two years, as the command drafts them; adult-pub a tenth of a census for
// the rest of it.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { evaluate } from "../dist/evaluate.js";
import { category, close, priorAware, pure, readTable, schema, schemaFromJson, seal } from "../dist/index.js";
import { file, people } from "../examples/survey.mjs";

const TEN = "AGEP SEX MSP RAC1P HOUSING_TYPE OWN_RENT EDU PINCP_DECILE DVET DEYE".split(" ");
const { values } = parseArgs({
  options: {
    epsilon: { type: "string", default: "1" },
    runs: { type: "string", default: "5" },
    only: { type: "string", default: "survey,acs-ma,adult-pub" },
  },
});
const { MARGINALIA_DATA: data = "" } = process.env;
const command = new URL("../dist/cli.js", import.meta.url).pathname;

function acs() {
  const at = (year) => join(data, "acs-ma", `ma${year}.csv.gz`);
  const draft = JSON.parse(execFileSync(process.execPath, [command, "schema", at(2018), "--quiet"]));
  const attributes = draft.attributes.filter(({ name }) => TEN.includes(name));
  return { over: schemaFromJson({ ...draft, attributes }), before: at(2018), after: at(2019) };
}

function adult() {
  const at = (name) => join(data, "adult-pub", name);
  const { fnlwgt: _, education: __, ...sizes } = JSON.parse(readFileSync(at("domain.json"), "utf8"));
  const codes = (size) =>
    category(
      Array.from({ length: size }, (_, code) => `${code}`),
      { other: null },
    );
  const over = schema(Object.fromEntries(Object.entries(sizes).map(([name, size]) => [name, codes(size)])));
  return { over, before: at("pub.csv.gz"), after: at("priv.csv.gz") };
}

const CASES = {
  survey: () => ({ over: people, before: file(2018), after: file(2019) }),
  "acs-ma": acs,
  "adult-pub": adult,
};
const COLUMNS = ["mean", "shift", "measured", "others", "corrected"];
const numberOf = (one, name) => (typeof one[name] === "object" ? one[name].mean : one[name]);

async function run({ over, before, after }, options, number) {
  const read = (path) => readTable(path, over, { ignore: true });
  const [prior, truth] = [await read(before), await read(after)];
  const sealed = await seal(after, over, { dataset: "d", unit: "row", budget: pure(values.epsilon) });
  const mechanism = priorAware({ prior, ...options });
  const release = await mechanism.run(sealed);
  const synthetic = await release.table({ seed: number });
  await sealed.close();
  const measured = release.measurements.map(({ clique }) => clique);
  const found = await evaluate({ truth, synthetic, public: prior, triples: 1, measured });
  for (const one of [prior, truth, mechanism, release, synthetic]) one.dispose();
  return found;
}

const mean = (list) => list.reduce((sum, one) => sum + one, 0) / list.length;
for (const name of values.only.split(",")) {
  if (name !== "survey" && !existsSync(join(data, name))) {
    console.log(`${name}: not run: set MARGINALIA_DATA to the folder of the data`);
    continue;
  }
  for (const [how, options] of [
    ["widened", {}],
    ["not widened", { widen: false }],
  ]) {
    const found = [];
    for (let i = 0; i < Number(values.runs); i++) found.push(await run(CASES[name](), options, i));
    for (const column of how === "widened" ? ["public", "synthetic"] : ["synthetic"]) {
      const cells = COLUMNS.map((of) =>
        mean(found.map(({ correlation }) => numberOf(correlation[column], of))),
      );
      const score = mean(found.map(({ scores }) => scores[column]));
      const text = COLUMNS.map((of, i) => `${of} ${cells[i].toFixed(4)}`).join("  ");
      console.log(`${name}, ${column === "public" ? column : how}: k-marginal ${score.toFixed(1)}  ${text}`);
    }
  }
}
await close();
