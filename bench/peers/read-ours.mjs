// marginalia reading the bytes of a CSV file into codes.

import { readFile } from "node:fs/promises";
import { pairs } from "../lib/data.mjs";
import { flat } from "../lib/plain.mjs";
import { Missing, serve, timed } from "../lib/serve.mjs";
import * as ours from "../ours.mjs";

await serve(async ({ csv, labels, sizes, threads }) => {
  const api = await ours.load();
  if (!api) throw new Missing("the package is not built (npm run build)");
  const reason = await ours.begin(api, threads);
  if (reason) throw new Missing(reason);
  const schema = ours.texts(api, labels);
  const bytes = await readFile(csv);

  async function counts(table) {
    const answers = await ours.count(table, ours.pairs(api, schema));
    const copies = [];
    for (const [index] of pairs(sizes.length).entries()) copies.push(await ours.clique(answers, index));
    answers.dispose();
    return copies;
  }

  return {
    versions: { marginalia: await ours.version() },
    async answer() {
      const table = await ours.read(api, bytes, schema);
      const copies = await counts(table);
      table.dispose();
      return flat(copies);
    },
    async run() {
      const { result: table, nanoseconds } = await timed(() => ours.read(api, bytes, schema));
      const total = sumOfCodes(await counts(table), sizes);
      table.dispose();
      return { nanoseconds, total };
    },
    close: () => ours.end(api),
  };
});

/** The sum of all codes, from the counts of all pairs: each column is in one pair with every other. */
function sumOfCodes(answers, sizes) {
  let sum = 0;
  for (const [index, [, b]] of pairs(sizes.length).entries()) {
    for (const [cell, count] of answers[index].entries()) {
      sum += count * (Math.floor(cell / sizes[b]) + (cell % sizes[b]));
    }
  }
  return sum / (sizes.length - 1);
}
