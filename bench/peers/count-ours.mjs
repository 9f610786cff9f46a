// marginalia through its public API: the table is in the engine, one answer comes out; with `copy`, all do.

import { pairs, readColumns } from "../lib/data.mjs";
import { flat, totalOf } from "../lib/plain.mjs";
import { Missing, serve, timed } from "../lib/serve.mjs";
import * as ours from "../ours.mjs";

await serve(async ({ columns, sizes, threads, copy }) => {
  const api = await ours.load();
  if (!api) throw new Missing("the package is not built (npm run build)");
  const reason = await ours.begin(api, threads);
  if (reason) throw new Missing(reason);
  const schema = ours.codes(api, sizes);
  const table = await ours.read(api, await readColumns(columns, sizes.length), schema);
  const workload = ours.pairs(api, schema);
  const every = pairs(sizes.length).map((_, index) => index);

  async function answers(indices) {
    const handle = await ours.count(table, workload);
    const copies = [];
    for (const index of indices) copies.push(await ours.clique(handle, index));
    return { handle, copies };
  }

  return {
    versions: { marginalia: await ours.version() },
    async answer() {
      const { handle, copies } = await answers(every);
      handle.dispose();
      return flat(copies);
    },
    async run() {
      const { result, nanoseconds } = await timed(() => answers(copy ? every : [0]));
      result.handle.dispose();
      return { nanoseconds, total: (totalOf(result.copies) * every.length) / result.copies.length };
    },
    async close() {
      table.dispose();
      await ours.end(api);
    },
  };
});
