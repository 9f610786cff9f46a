// Calibrated estimates of problems of real size to a certified gap: those of MARGINALIA_DATA/problems.

import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { native } from "../lib/native.mjs";
import { inNode, inPython } from "./shared.mjs";

/** Gaps that are solved to, and how many rounds. */
const TOLERANCES = { quick: [1e-3], normal: [1e-3, 1e-6], full: [1e-3, 1e-6] };
const TIMES = { quick: 1, normal: 3, full: 5 };

const contenders = () => [
  inNode("marginalia, 1 thread", "solve-ours.mjs"),
  native("baseline"),
  native("avx2"),
  inPython("scipy L-BFGS-B on the same dual", "solve_scipy.py"),
];

/** The package's own. */
const seedrandom = createRequire(new URL("../../package.json", import.meta.url))("seedrandom");

/** What the package's estimators draw from where no seed is given. */
function seed() {
  const draws = seedrandom(JSON.stringify(["marginalia", "estimate"]));
  const word = () => BigInt(draws.int32() >>> 0);
  return `${(word() << 32n) | word()}`;
}

/** The easy half in quick runs: ε = 1 of the survey. */
const wanted = (mode, name, { epsilon }) => mode !== "quick" || (name === "acs-ma" && epsilon === 1);

export const solve = {
  name: "estimate",
  title: "calibrated estimates",
  unit: "ms",

  async *cases(mode) {
    const folder = join(process.env.MARGINALIA_DATA ?? "", "problems");
    if (!process.env.MARGINALIA_DATA || !existsSync(folder)) {
      console.log("estimate: not run, because MARGINALIA_DATA names no folder with problems\n");
      return;
    }
    for (const name of ["acs-ma", "adult"]) {
      const { problems, sizes, cliques, total, rows } = JSON.parse(
        readFileSync(join(folder, `${name}.json`)),
      );
      for (const problem of problems.filter((one) => wanted(mode, name, one))) {
        for (const tolerance of TOLERANCES[mode]) {
          const { loss, epsilon, rule, answers, priorStrength: strength } = problem;
          const weight = loss === "l1" ? problem.Lambda : problem.lambda;
          yield {
            name: `${name}, ${loss}, ε ${epsilon}, n₀ ${rule}, gap ${tolerance}`,
            rows,
            attributes: sizes.length,
            cliques: cliques.length,
            contenders: contenders(),
            task: {
              what: "solve",
              folder,
              rowsFile: `${name}.rows.u8`,
              priorFile: `${name}.prior.f64`,
              answers,
              sizes,
              cliques,
              totalRecords: total,
              strength,
              loss,
              weight,
              tolerance,
              seed: seed(),
            },
            // Whether the gap was reached.
            total: 1,
            rounds: TIMES[mode],
            units: 1e6,
          };
        }
      }
    }
  },
};
