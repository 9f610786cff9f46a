// Typed arrays in plain JavaScript.

import { readColumns } from "../lib/data.mjs";
import { countPairs, flat, totalOf } from "../lib/plain.mjs";
import { serve, timed } from "../lib/serve.mjs";

await serve(async ({ columns, sizes }) => {
  const table = await readColumns(columns, sizes.length);
  return {
    versions: { [process.release.name]: process.versions.node },
    answer: () => flat(countPairs(table, sizes)),
    async run() {
      const { result, nanoseconds } = await timed(async () => countPairs(table, sizes));
      return { nanoseconds, total: totalOf(result) };
    },
  };
});
