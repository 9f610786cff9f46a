// What every consumer must report: counted here without the package, from the same text.

import { large } from "../shared/story.mjs";

/** The pairs of `story.mjs`'s six rows, counted by hand: age × sex, age × carer, … carer × area. */
const SMALL = [
  [1, 0, 0, 2, 1, 0, 0, 1, 0, 0, 0, 1],
  [1, 0, 1, 2, 1, 0, 0, 1],
  [1, 0, 0, 0, 2, 1, 1, 0, 0, 0, 0, 1],
  [2, 1, 1, 1, 0, 1],
  [1, 1, 1, 1, 1, 0, 0, 0, 1],
  [2, 0, 1, 0, 2, 1],
];

/** The code of each column's text, and how many there are. */
const CODES = [
  [4, (age) => Math.floor(Number(age) / 25)],
  [3, (sex) => ["F", "M", ""].indexOf(sex)],
  [2, (carer) => ["no", "yes"].indexOf(carer)],
  [3, (area) => ["A1", "A2", "B1"].indexOf(area)],
  [3, (income) => [1_000.5, 25_000].filter((cut) => Number(income) >= cut).length],
];

function pairs() {
  const rows = large().trim().split("\n").slice(1);
  const coded = rows.map((row) => row.split(",").map((text, at) => CODES[at][1](text)));
  const found = [];
  for (let a = 0; a < CODES.length; a++) {
    for (let b = a + 1; b < CODES.length; b++) {
      const cells = new Array(CODES[a][0] * CODES[b][0]).fill(0);
      for (const codes of coded) cells[codes[a] * CODES[b][0] + codes[b]]++;
      found.push(cells);
    }
  }
  return found;
}

const counts = JSON.stringify({ small: SMALL, large: pairs() });
let fingerprint;

/** Throws unless a report has the exact counts, the bytes of all reports before, and these capabilities. */
export function check(text, capabilities) {
  const report = JSON.parse(text);
  if (report.error !== undefined) throw new Error(report.error);
  if (JSON.stringify(report.counts) !== counts)
    throw new Error("the counts differ from those counted by hand");
  if (!report.same) throw new Error("what was written counts otherwise when it is read again");
  if (!report.sealed) throw new Error("a sealed table is not measured as it is counted, or paid twice");
  fingerprint ??= report.fingerprint;
  if (report.fingerprint !== fingerprint)
    throw new Error(`other bytes: ${report.fingerprint}, not ${fingerprint}`);
  for (const [name, wanted] of Object.entries(capabilities)) {
    const got = report.capabilities[name];
    const right = wanted instanceof RegExp ? wanted.test(got) : got === wanted;
    if (!right) throw new Error(`capabilities().${name} is ${JSON.stringify(got)}, not ${wanted}`);
  }
}

/** The SHA-256 that all reports agree on. */
export const agreed = () => fingerprint;
