// A plot and a table of what run.mjs found, of one file or several.
//
//   node bench/studies/nothing-public/plot.mjs runs.json… [--save]
//
// With --save the runs go to bench/results/, and the plot to docs/nothing-public.svg, where docs/releasing.md shows it.

import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { placeOf, save } from "../../lib/results.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { save: { type: "boolean", default: false } },
});
const files = positionals.map((path) => JSON.parse(readFileSync(path, "utf8")));
const runs = files.flatMap((file) => file.runs);

const mean = (list) => list.reduce((sum, one) => sum + one, 0) / list.length;
const error = (list) =>
  list.length < 2
    ? undefined
    : Math.sqrt(mean(list.map((one) => (one - mean(list)) ** 2)) / (list.length - 1));
const shown = (list, digits) => {
  const more = error(list);
  return `${mean(list).toFixed(digits)}${more === undefined ? "" : ` ± ${more.toFixed(digits)}`}`;
};

/** Runs of the same, in order. */
const cells = new Map();
for (const one of runs) {
  const { data, contender, epsilon, delta } = one;
  const id = JSON.stringify([data, delta, epsilon, contender]);
  cells.set(id, [...(cells.get(id) ?? []), one]);
}
const sorted = [...cells]
  .map(([id, list]) => [...JSON.parse(id), list])
  .sort((a, b) => b[0].localeCompare(a[0]) || b[1] - a[1] || a[2] - b[2] || a[3].localeCompare(b[3], "en"));

console.log(
  "| data | budget | ε | which | runs | k-marginal | triples | CPU s | MB |\n|---|---|---|---|---|---|---|---|---|",
);
for (const [data, delta, epsilon, contender, list] of sorted) {
  const done = list.filter((one) => one.status === "done");
  const budget = delta === 0 ? "pure" : `δ = ${delta}`;
  const head = `| ${data} | ${budget} | ${epsilon} | ${contender} |`;
  if (done.length === 0) {
    console.log(`${head} 0 | | | ${list[0].status} | |`);
    continue;
  }
  const of = (name) => done.map((one) => one[name]);
  const points = data === "survey" ? shown(of("kMarginal"), 1) : "";
  const [seconds, memory] = [mean(of("seconds")).toFixed(1), Math.round(Math.max(...of("bytes")) / 1e6)];
  console.log(`${head} ${done.length} | ${points} | ${shown(of("triples"), 3)} | ${seconds} | ${memory} |`);
}

// Colour-blind safe (Okabe and Ito), with a mark of its own for each mechanism.
const COLOURS = { marginalia: "#0072b2", mbi: "#d55e00", dpmm: "#009e73", "smartnoise-synth": "#cc79a7" };
const DASHES = { aim: "", mst: "5 3" };
const [WIDE, HIGH, LEFT, TOP, GAP] = [250, 190, 48, 26, 62];

const log = (value) => Math.log10(value);
const scaleOf = (low, high, from, to) => (value) => from + ((value - low) / (high - low || 1)) * (to - from);

/** One picture: a figure against ε. */
function panel(place, { title, data, figure, logarithmic, ticks }) {
  const own = sorted.filter(
    ([of, delta, , , list]) => of === data && delta > 0 && list.some((one) => one[figure]),
  );
  const epsilons = [...new Set(own.map(([, , epsilon]) => epsilon))].sort((a, b) => a - b);
  const at = (value) => (logarithmic ? log(value) : value);
  const x = scaleOf(log(epsilons[0]), log(epsilons.at(-1)), 0, WIDE);
  const y = scaleOf(at(ticks[0]), at(ticks.at(-1)), HIGH, 0);
  const marks = [];
  for (const tick of ticks)
    marks.push(
      `<path class="grid" d="M0 ${y(at(tick))}H${WIDE}"/><text class="end" x="-6" y="${y(at(tick)) + 4}">${tick}</text>`,
    );
  for (const epsilon of epsilons)
    marks.push(`<text class="middle" x="${x(log(epsilon))}" y="${HIGH + 16}">${epsilon}</text>`);
  for (const contender of [...new Set(own.map(([, , , name]) => name))]) {
    const [name, mechanism] = contender.split(" ");
    const points = own
      .filter(([, , , of]) => of === contender)
      .map(([, , epsilon, , list]) => {
        const found = list.flatMap((one) => one[figure] ?? []);
        return [x(log(epsilon)), y(at(mean(found)))].map((one) => one.toFixed(1)).join(" ");
      });
    const colour = COLOURS[name];
    marks.push(
      `<path d="M${points.join("L")}" fill="none" stroke="${colour}" stroke-width="2" stroke-dasharray="${DASHES[mechanism]}"/>`,
      ...points.map((one) => {
        const [cx, cy] = one.split(" ");
        return `<circle cx="${cx}" cy="${cy}" r="3" fill="${mechanism === "aim" ? colour : "#fff"}" stroke="${colour}" stroke-width="1.5"/>`;
      }),
    );
  }
  const left = LEFT + (place % 2) * (WIDE + GAP);
  const top = TOP + Math.floor(place / 2) * (HIGH + GAP);
  return `<g transform="translate(${left} ${top})"><text class="title" x="0" y="-10">${title}</text>${marks.join("")}<text class="middle" x="${WIDE / 2}" y="${HIGH + 32}">ε</text></g>`;
}

const panels = [
  {
    title: "survey: k-marginal, points",
    data: "survey",
    figure: "kMarginal",
    ticks: [750, 800, 850, 900, 950, 1000],
  },
  {
    title: "survey: mean L1 error of triples",
    data: "survey",
    figure: "triples",
    ticks: [0.05, 0.1, 0.2, 0.5, 1],
    logarithmic: true,
  },
  {
    title: "adult: mean L1 error of triples",
    data: "adult",
    figure: "triples",
    ticks: [0.05, 0.1, 0.2, 0.5, 1],
    logarithmic: true,
  },
  {
    title: "survey: seconds of the processor",
    data: "survey",
    figure: "seconds",
    ticks: [0.1, 1, 10, 100, 1000],
    logarithmic: true,
  },
];
const names = [...new Set(sorted.map(([, , , contender]) => contender))].sort();
const bottom = TOP + 2 * (HIGH + GAP);
const legend = names.map((contender, i) => {
  const [name, mechanism] = contender.split(" ");
  const [x, y] = [LEFT + (i % 3) * 190, bottom + 18 * Math.floor(i / 3)];
  return `<path d="M${x} ${y}h22" stroke="${COLOURS[name]}" stroke-width="2" stroke-dasharray="${DASHES[mechanism]}"/><text x="${x + 28}" y="${y + 4}">${contender}</text>`;
});
const [width, height] = [LEFT + 2 * WIDE + GAP + 14, bottom + 54];
const style =
  "text{font:12px sans-serif;fill:#333}.title{font-weight:600}.end{text-anchor:end}.middle{text-anchor:middle}.grid{stroke:#ddd}";
const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="Releases without a public file: accuracy and time against ε, of marginalia, mbi, dpmm and smartnoise-synth"><style>${style}</style><rect width="100%" height="100%" fill="#fff"/>${panels.map((one, i) => panel(i, one)).join("")}${legend.join("")}</svg>\n`;
if (values.save) {
  const date = files
    .map((file) => file.date)
    .sort()
    .at(-1);
  const { machine } = files[0];
  save(placeOf(date.slice(0, 10), "nothing-public"), `${JSON.stringify({ date, machine, runs }, null, 1)}\n`);
  writeFileSync(fileURLToPath(new URL("../../../docs/nothing-public.svg", import.meta.url)), drawing);
}
