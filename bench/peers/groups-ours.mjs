// marginalia through its public API: a release of groups, in each of which some pairs are counted, measured and estimated
// from rows that all share. Reading the private file is part of it; planning is not.

import { column, columns, sizesOf } from "../lib/data.mjs";
import { Missing, serve, timed } from "../lib/serve.mjs";
import * as ours from "../ours.mjs";

const COLUMNS = 36;
const PAIRS = 50;
/** Half of what a person's seven rows in ε = 10 would leave for the pairs of a row. */
const EPSILON = 1;

/** Columns of codes as CSV. */
function csv(table) {
  const rows = table[0].length;
  const blocks = [Buffer.from(`${table.map((_, i) => `a${i}`)}\n`)];
  for (let from = 0; from < rows; from += 20_000) {
    let text = "";
    for (let row = from; row < Math.min(from + 20_000, rows); row++)
      text += `${table.map((codes) => codes[row]).join()}\n`;
    blocks.push(Buffer.from(text));
  }
  return Buffer.concat(blocks);
}

await serve(async ({ rows, support, groups, threads }) => {
  const api = await ours.load();
  if (!api) throw new Missing("the package is not built (npm run build)");
  const reason = await ours.begin(api, threads);
  if (reason) throw new Missing(reason);
  const sizes = [...sizesOf(COLUMNS), groups];
  // Groups of the same number of rows, in no order.
  const spread = Uint16Array.from(column(COLUMNS, 2, rows), (_, row) => (row * 7919) % groups);
  const all = [...columns(sizes.slice(0, COLUMNS), rows), spread];
  const schema = ours.clamped(api, sizes);
  const prior = await ours.read(
    api,
    all.map((codes) => codes.slice(0, support)),
    schema,
  );
  const pairs = api.kWay(schema, 2, schema.names.slice(0, COLUMNS)).sample(PAIRS, 1);
  const level = { by: [schema.names[COLUMNS]], workload: pairs };
  const mechanism = api.priorAware({ prior, groups: [level], local: false, expectedRows: rows });
  const file = csv(all);

  return {
    versions: { marginalia: await ours.version() },
    async run() {
      const how = { dataset: "bench", unit: "row", budget: api.pure(EPSILON) };
      const data = await api.seal(file, schema, how);
      const plan = await mechanism.plan(data);
      const { nanoseconds, result } = await timed(() => mechanism.run(data, { plan }));
      const own = result.groups.filter(({ by }) => by[level.by[0]] !== null);
      const done = own.filter(({ status }) => status === "converged").length;
      result.dispose();
      await data.close();
      return { nanoseconds, total: done };
    },
    async close() {
      mechanism.dispose();
      prior.dispose();
      await ours.end(api);
    },
  };
});
