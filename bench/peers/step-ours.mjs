// marginalia through its public API: so many sweeps are the difference of twice as many and of themselves, because a
// call also finds the cells of the rows, and judges.

import { readColumns } from "../lib/data.mjs";
import { Missing, serve, timed } from "../lib/serve.mjs";
import { targets, weights } from "../lib/step.mjs";
import * as ours from "../ours.mjs";

await serve(async ({ columns, sizes, cliques, sweeps, threads }) => {
  const api = await ours.load();
  if (!api) throw new Missing("the package is not built (npm run build)");
  const reason = await ours.begin(api, threads);
  if (reason) throw new Missing(reason);
  const table = await readColumns(columns, sizes.length);
  const schema = ours.codes(api, sizes);
  const rows = await ours.read(api, table, schema);
  const prior = await api.prior(rows);
  const wanted = targets(table, sizes, cliques, weights(table));
  const measurements = cliques.map((clique, i) => ours.identity(api, schema, clique, wanted[i]));
  const swept = (count) =>
    api.estimate.iterative({
      prior,
      measurements,
      damping: 1,
      tolerance: 0,
      steps: count * cliques.length,
      every: count * cliques.length,
    });

  return {
    versions: { marginalia: await ours.version() },
    async answer() {
      const found = await swept(sweeps);
      return [Number(found.trace.at(-1).relativeEntropy.toFixed(6))];
    },
    async run() {
      const once = await timed(() => swept(sweeps));
      const twice = await timed(() => swept(2 * sweeps));
      for (const { result } of [once, twice]) result.dispose();
      const nanoseconds = Math.max(1, twice.nanoseconds - once.nanoseconds);
      return { nanoseconds, total: table[0].length * cliques.length * sweeps };
    },
    async close() {
      prior.dispose();
      rows.dispose();
      await ours.end(api);
    },
  };
});
