// marginalia through its public API: one prior, and for each group a count of its rows, noise and a calibrated estimate.

import { columns, sizesOf } from "../lib/data.mjs";
import { Missing, serve, timed } from "../lib/serve.mjs";
import { random } from "../lib/stats.mjs";
import * as ours from "../ours.mjs";

const COLUMNS = 36;
const PAIRS = 50;
/** Of Laplace noise: 50 pairs, seven rows a person, ε = 10, half of it for the groups. */
const SCALE = 70;

await serve(async ({ rows, support, groups, threads }) => {
  const api = await ours.load();
  if (!api) throw new Missing("the package is not built (npm run build)");
  const reason = await ours.begin(api, threads);
  if (reason) throw new Missing(reason);
  const sizes = sizesOf(COLUMNS);
  const all = columns(sizes, rows);
  const schema = ours.codes(api, sizes);
  const part = (from, to) =>
    ours.read(
      api,
      all.map((column) => column.slice(from, to)),
      schema,
    );
  const prior = await api.prior(await part(0, support));
  const workload = api.kWay(schema, 2).sample(PAIRS, 1);
  const cliques = [...workload].map((clique) => clique.map((name) => schema.index(name)));
  const noise = { scale: `${SCALE}`, variance: 2 * SCALE ** 2 };

  async function estimated(group, next) {
    const [from, to] = [group, group + 1].map((one) => Math.floor((one * rows) / groups));
    const table = await part(from, to);
    const counts = await table.answer(workload);
    table.dispose();
    const laplace = () => Math.round(SCALE * Math.log(next()) * (next() < 0.5 ? 1 : -1));
    const measurements = counts.map((cells, i) =>
      ours.answered(
        api,
        schema,
        cliques[i],
        cells.map((count) => count + laplace()),
        noise,
      ),
    );
    const total = to - from;
    const fit = await api.estimate.calibrated({
      prior,
      measurements,
      total,
      strength: "harmonic",
      tolerance: 1e-3,
    });
    fit.dispose();
    return fit.certificate.relativeGap <= 1e-3;
  }

  return {
    versions: { marginalia: await ours.version() },
    async run() {
      const next = random(3);
      let done = 0;
      const { nanoseconds } = await timed(async () => {
        for (let group = 0; group < groups; group++) done += Number(await estimated(group, next));
      });
      return { nanoseconds, total: done };
    },
    close: () => ours.end(api),
  };
});
