// marginalia through its public API, from measurements in memory to a model.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Missing, serve, timed } from "../lib/serve.mjs";
import * as ours from "../ours.mjs";

await serve(async ({ folder, until, threads, by }) => {
  const api = await ours.load();
  if (!api) throw new Missing("the package is not built (npm run build)");
  const reason = await ours.begin(api, threads);
  if (reason) throw new Missing(reason);
  const { domain, measurements: list } = JSON.parse(await readFile(join(folder, "measurements.json")));
  const bytes = await readFile(join(folder, "measurements.f32"));
  const values = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  const names = Object.keys(domain);
  const schema = ours.codes(api, Object.values(domain));
  let at = 0;
  const measurements = list.map(({ clique: named }) => {
    const clique = named.map((name) => names.indexOf(name));
    const size = named.reduce((product, name) => product * domain[name], 1);
    at += size;
    return ours.identity(api, schema, clique, Float64Array.from(values.subarray(at - size, at)), {
      variance: 2500,
    });
  });
  const run = () =>
    api.estimate[by]({ schema, measurements, total: 48_842, iterations: 5000, tolerance: 0, until });

  return {
    versions: { marginalia: await ours.version() },
    async answer() {
      return (await run()).loss;
    },
    async run() {
      const { result, nanoseconds } = await timed(run);
      const total = Number(result.loss <= until);
      result.dispose();
      return { nanoseconds, total };
    },
    close: () => ours.end(api),
  };
});
