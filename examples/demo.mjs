// Reads the two example surveys, counts marginals, draws a few of them, and releases one year from the other.
import { capabilities, kWay, readTable } from "marginalia";
import { compare } from "./compare.mjs";
import { file, survey } from "./survey.mjs";

const BAR = 28;
const ms = (since) => `${(performance.now() - since).toFixed(1)} ms`;
const percent = (share) => `${(100 * share).toFixed(1).padStart(5)} %`;

/** A bar of a share, in eighths of a character. */
function bar(share, of) {
  const eighths = Math.round((8 * BAR * share) / of);
  return "█".repeat(eighths >> 3) + " ▏▎▍▌▋▊▉"[eighths & 7].trim();
}

/** One marginal of both years, side by side. */
async function chart(attribute, tables) {
  const shares = [];
  for (const table of tables)
    shares.push((await table.marginal([attribute])).map((count) => count / table.rows));
  const labels = survey.labels(attribute).map((label) => label ?? "(null)");
  const [width, most] = [
    Math.max(...labels.map((label) => label.length)),
    Math.max(...shares.flatMap((s) => [...s])),
  ];
  console.log(`\n${attribute}`);
  for (const [code, label] of labels.entries()) {
    const [before, after] = shares.map((share) => share[code]);
    console.log(`  ${label.padEnd(width)}  2018 ${percent(before)}  ${bar(before, most)}`);
    console.log(`  ${"".padEnd(width)}  2019 ${percent(after)}  ${bar(after, most)}`);
  }
}

/** How far two tables are apart: the total variation of their shares, for each pair of attributes. */
async function distances(workload, [a, b]) {
  const [before, after] = [await a.answer(workload), await b.answer(workload)];
  const distance = (i) =>
    before[i].reduce((sum, count, cell) => sum + Math.abs(count / a.rows - after[i][cell] / b.rows), 0) / 2;
  return before.map((_, i) => ({ pair: workload.clique(i).join(" × "), distance: distance(i) }));
}

let start = performance.now();
const { runtime, threads } = await capabilities();
console.log(`engine       ${ms(start)}, ${runtime}, ${threads} thread${threads === 1 ? "" : "s"}`);

start = performance.now();
const tables = [await readTable(file(2018), survey), await readTable(file(2019), survey)];
console.log(`read         ${ms(start)}, ${tables.map((table) => `${table.rows} rows`).join(" and ")}`);

start = performance.now();
const pairs = kWay(survey, 2);
const apart = await distances(pairs, tables);
console.log(`all pairs    ${ms(start)}, ${pairs.length} pairs, ${pairs.cells} cells, in each year`);

for (const attribute of ["state", "tenure", "employment", "income"]) await chart(attribute, tables);

apart.sort((a, b) => b.distance - a.distance);
const mean = apart.reduce((sum, { distance }) => sum + distance, 0) / apart.length;
console.log(`\nThe years differ by ${percent(mean).trim()} of the rows, the mean over all pairs; most in`);
for (const { pair, distance } of apart.slice(0, 3)) console.log(`  ${percent(distance)}  ${pair}`);
for (const table of tables) table.dispose();
await compare("synthetic-2019.csv");
