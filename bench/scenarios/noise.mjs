// Exact noise: draws of each law, from noise that is mostly zero to noise that fills words.

import { native } from "../lib/native.mjs";
import { inPython, ROUNDS } from "./shared.mjs";

const DRAWS = { quick: 10_000, normal: 1_000_000, full: 1_000_000 };
/** b or σ. */
const SCALES = {
  quick: ["10"],
  normal: ["0.5", "10", "10000"],
  full: ["0.5", "10", "10000", "1099511627776"],
};

export const noise = {
  name: "noise",
  title: "draws of exact integer noise",
  unit: "ns per draw",

  async *cases(mode) {
    const draws = DRAWS[mode];
    for (const law of ["laplace", "gaussian"]) {
      for (const scale of SCALES[mode]) {
        yield {
          name: `${law}, ${law === "laplace" ? "b" : "σ"} = ${scale}`,
          rows: draws,
          attributes: 1,
          contenders: [native("baseline"), inPython("OpenDP", "noise_opendp.py")],
          task: { what: "noise", draws, law, scale },
          total: draws,
          rounds: ROUNDS[mode],
          units: draws,
        };
      }
    }
  },
};
