// npm highs: HiGHS in WebAssembly, given the linear program as text, which is made before the clock starts.

import { readFile } from "node:fs/promises";
import { linear, queries } from "../lib/linear.mjs";
import { Missing, peer, serve, timed } from "../lib/serve.mjs";

/** min Σ e⁺ + e⁻ with Mq + e⁺ − e⁻ = y, Σ q = 1, q ≥ 0, in the format of LP files. */
function program(task) {
  const all = queries(task);
  const sum = (rows) => {
    const lines = [];
    for (let at = 0; at < rows.length; at += 20)
      lines.push(
        rows
          .slice(at, at + 20)
          .map((row) => `q${row}`)
          .join(" + "),
      );
    return lines.join("\n + ");
  };
  const errors = all.map((_, i) => `e${i} + f${i}`).join("\n + ");
  const rows = all.map(({ rows, answer }, i) => `c${i}: ${sum(rows)} + e${i} - f${i} = ${answer}`);
  const every = Array.from(task.columns[0], (_, row) => row);
  return `Minimize\n obj: ${errors}\nSubject To\n ${rows.join("\n ")}\n t: ${sum(every)} = 1\nEnd\n`;
}

/** Of more it aborts after some minutes: its memory ends at 4 GB. */
const MOST_CELLS = 50_000;

await serve(async ({ rows, cells }) => {
  if (cells > MOST_CELLS) throw new Missing("its memory does not suffice");
  const { default: load } = await peer("highs");
  const highs = await load();
  const text = program(linear(rows, cells));
  const solve = () =>
    highs.solve(text, {
      solver: "ipm",
      run_crossover: "off",
      ipm_optimality_tolerance: 1e-5,
      time_limit: 600,
    });
  const about = JSON.parse(
    await readFile(new URL("../node_modules/highs/package.json", import.meta.url), "utf8"),
  );

  return {
    versions: { highs: about.version },
    answer: () => solve().ObjectiveValue,
    async run() {
      const { result, nanoseconds } = await timed(async () => solve());
      return { nanoseconds, total: Number(result.Status === "Optimal" || result.Status === "Unknown") };
    },
  };
});
