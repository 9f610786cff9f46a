// marginalia through its public API. The cells of rows are found anew in each run.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Missing, serve, timed } from "../lib/serve.mjs";
import * as ours from "../ours.mjs";

const floats = async (path) => {
  const bytes = await readFile(path);
  return new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
};

await serve(async ({ folder, rowsFile, priorFile, answers, sizes, cliques, threads, ...task }) => {
  const api = await ours.load();
  if (!api) throw new Missing("the package is not built (npm run build)");
  const reason = await ours.begin(api, threads);
  if (reason) throw new Missing(reason);
  const { totalRecords: total, strength, loss, weight, tolerance } = task;
  const rows = await readFile(join(folder, rowsFile));
  const column = (_, a) =>
    Uint8Array.from({ length: rows.length / sizes.length }, (_, row) => rows[row * sizes.length + a]);
  const schema = ours.codes(api, sizes);
  const columns = Object.fromEntries(sizes.map(column).map((codes, a) => [`a${a}`, codes]));
  const weights = await floats(join(folder, priorFile));
  const table = await api.readTable({ ...columns, w: weights }, schema, { weight: "w" });
  const prior = await api.prior(table, { strength });
  const values = (await floats(join(folder, answers))).map((share) => share * total);
  let at = 0;
  const b = total / (weight * strength);
  const noise =
    loss === "l1"
      ? { scale: `${Math.round(b * 1e9)}/1000000000`, variance: 2 * b * b }
      : { variance: total * b };
  const measurements = cliques.map((clique) => {
    const size = clique.reduce((product, a) => product * sizes[a], 1);
    at += size;
    return ours.identity(api, schema, clique, values.subarray(at - size, at), noise);
  });
  const solved = () => api.estimate.calibrated({ prior, measurements, total, strength, loss, tolerance });

  return {
    versions: { marginalia: await ours.version() },
    async answer() {
      return (await solved()).certificate.value;
    },
    async run() {
      const { result, nanoseconds } = await timed(solved);
      const total = Number(result.certificate.relativeGap <= tolerance);
      result.dispose();
      return { nanoseconds, total };
    },
    close: () => ours.end(api),
  };
});
