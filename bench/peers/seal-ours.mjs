// marginalia reading the bytes of a CSV file and counting one pair: as a public table, or as a sealed one.

import { readFile } from "node:fs/promises";
import { Missing, serve, timed } from "../lib/serve.mjs";
import * as ours from "../ours.mjs";

await serve(async ({ csv, labels, threads, sealed }) => {
  const api = await ours.load();
  if (!api) throw new Missing("the package is not built (npm run build)");
  const reason = await ours.begin(api, threads);
  if (reason) throw new Missing(reason);
  const schema = ours.total(api, labels);
  const bytes = await readFile(csv);
  const counts = sealed ? ours.countSealed : ours.countPublic;
  const read = () => counts(api, bytes, schema, ["a0", "a1"]);
  return {
    versions: { marginalia: await ours.version() },
    answer: async () => Array.from(await read()),
    async run() {
      const { result, nanoseconds } = await timed(read);
      return { nanoseconds, total: result.reduce((sum, count) => sum + count, 0) };
    },
    close: () => ours.end(api),
  };
});
