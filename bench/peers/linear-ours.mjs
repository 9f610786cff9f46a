// marginalia through its public API: the first stage or both, to a certified gap.

import { linear } from "../lib/linear.mjs";
import { Missing, serve, timed } from "../lib/serve.mjs";
import * as ours from "../ours.mjs";

/** What counts as the total: shares are fractions of it. */
const RECORDS = 1e6;

await serve(async ({ rows, cells, entropy, tolerance = 1e-4, threads }) => {
  const api = await ours.load();
  if (!api) throw new Missing("the package is not built (npm run build)");
  const reason = await ours.begin(api, threads);
  if (reason) throw new Missing(reason);
  const { sizes, columns, marginals } = linear(rows, cells);
  const schema = ours.codes(api, sizes);
  const table = await ours.read(
    api,
    columns.map((codes) => Uint8Array.from(codes)),
    schema,
  );
  const prior = await api.prior(table);
  const measurements = marginals.map(({ clique, shares }) =>
    ours.identity(
      api,
      schema,
      clique,
      shares.map((share) => share * RECORDS),
    ),
  );
  const options = {
    prior,
    measurements,
    total: RECORDS,
    tolerance,
    entropy,
    keepRefused: true,
  };
  const solved = () => api.estimate.twoStage(options);

  return {
    versions: { marginalia: await ours.version() },
    async answer() {
      return (await solved()).certificate.loss;
    },
    async run() {
      const { result, nanoseconds } = await timed(solved);
      const { loss, lossGap } = result.certificate;
      result.dispose();
      return { nanoseconds, total: Number(lossGap <= tolerance * loss) };
    },
    close: () => ours.end(api),
  };
});
