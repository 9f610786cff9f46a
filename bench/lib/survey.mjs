// A survey that is made up from a seed: areas, columns of the sizes that those of a census survey have, numbers with many
// values and absent ones among them. People are of hidden classes, which differ by area and drift from year to year.

import { writeFileSync } from "node:fs";
import { random } from "./stats.mjs";

const CLASSES = 12;
/** Categories with so many values. */
const CATEGORIES = Object.entries({
  SEX: 2,
  MSP: 7,
  HISP: 5,
  RAC1P: 8,
  NOC: 6,
  NPF: 8,
  HOUSING_TYPE: 3,
  OWN_RENT: 3,
  INDP: 228,
  INDP_CAT: 19,
  EDU: 13,
  PINCP_DECILE: 11,
  DVET: 7,
  DREM: 3,
  DPHY: 3,
  DEYE: 2,
  DEAR: 2,
});
/** Numbers up to so much; one in so many is absent. */
const NUMBERS = Object.entries({
  AGEP: [99, Infinity],
  DENSITY: [9000, Infinity],
  PINCP: [400_000, 6],
  POVPIP: [501, 20],
});

/** The columns beside the area. */
export const FEATURES = [...NUMBERS, ...CATEGORIES].map(([name]) => name);

/** Cumulative shares. */
function law(weights) {
  const all = weights.reduce((sum, one) => sum + one, 0);
  let sum = 0;
  return weights.map((one) => {
    sum += one;
    return sum / all;
  });
}

/** What is the same in both years. */
function laws(areas) {
  const next = random(7);
  const skewed = (n) => Array.from({ length: n }, () => -Math.log(1 - next()));
  return {
    categories: CATEGORIES.map(([, size]) => Array.from({ length: CLASSES }, () => law(skewed(size)))),
    means: NUMBERS.map(() => Array.from({ length: CLASSES }, () => 0.1 + 0.6 * next())),
    areas: Array.from({ length: areas }, () => skewed(CLASSES)),
  };
}

/** Writes one year: so many rows in so many areas. The shares of classes drift by so much. */
export function writeSurvey(path, { rows, areas, seed, drift }) {
  const { categories, means, areas: mixes } = laws(areas);
  const next = random(seed);
  const pick = (cumulative) => {
    const draw = next();
    const at = cumulative.findIndex((share) => draw < share);
    return at < 0 ? cumulative.length - 1 : at;
  };
  const shares = mixes.map((weights) => law(weights.map((one, i) => one * (1 + drift * Math.sin(i)))));
  const number = (i, of) => {
    const [most, absent] = NUMBERS[i][1];
    if (next() < 1 / absent) return "N";
    return Math.round(most * Math.min(1, means[i][of] * (next() + next())));
  };
  const lines = [["PUMA", ...FEATURES].join()];
  for (let row = 0; row < rows; row++) {
    const area = Math.floor(next() * areas);
    const of = pick(shares[area]);
    const numbers = NUMBERS.map((_, i) => number(i, of));
    const texts = categories.map((each, i) => `${CATEGORIES[i][0][0]}${pick(each[of])}`);
    lines.push([`MA-${String(area).padStart(2, "0")}`, ...numbers, ...texts].join());
  }
  writeFileSync(path, `${lines.join("\n")}\n`);
}
