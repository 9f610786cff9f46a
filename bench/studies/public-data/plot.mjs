// A table and a plot of what run.mjs found.
//
//   node bench/studies/public-data/plot.mjs runs.json [--save]
//
// With --save the runs go to bench/results/, and the plot to docs/public-data.svg, where docs/public-files.md shows it.

import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { placeOf, save } from "../../lib/results.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { save: { type: "boolean", default: false } },
});
const { date, machine, runs } = JSON.parse(readFileSync(positionals[0], "utf8"));

const mean = (list) => list.reduce((sum, one) => sum + one, 0) / list.length;
const standardError = (list) => {
  const squares = list.reduce((sum, one) => sum + (one - mean(list)) ** 2, 0);
  return Math.sqrt(squares / Math.max(1, list.length - 1) / list.length);
};

/** Errors of the same, in the order of the runs. */
const cells = new Map();
for (const { figure, set, contender, epsilon, error } of runs) {
  const id = JSON.stringify([figure, set, contender, epsilon]);
  cells.set(id, [...(cells.get(id) ?? []), error]);
}
const all = [...cells].map(([id, errors]) => [...JSON.parse(id), errors]);

console.log("| figure | public sample | which | ε | largest error | runs |\n|---|---|---|---|---|---|");
for (const [figure, set, contender, epsilon, errors] of all) {
  const more = errors.length > 1 ? ` ± ${standardError(errors).toFixed(4)}` : "";
  const paid = epsilon === 0 ? "" : epsilon;
  console.log(
    `| ${figure} | ${set} | ${contender} | ${paid} | ${mean(errors).toFixed(4)}${more} | ${errors.length} |`,
  );
}

/** What the authors' own program has with the best number of rounds of its grid, 3 runs: the same rows and cells. */
const AUTHORS = {
  unbiased: { 0.1: 0.0134, 0.25: 0.013, 0.5: 0.0104, 1: 0.0079 },
  "sex + .2": { 0.1: 0.0195, 0.25: 0.0154, 0.5: 0.0122, 1: 0.0097 },
};
for (const [set, errors] of Object.entries(AUTHORS))
  for (const [epsilon, error] of Object.entries(errors))
    all.push(["error", set, "authors' PMW-Pub", Number(epsilon), [error]]);

// Colour-blind safe (Okabe and Ito).
const COLOURS = {
  floor: "#999999",
  public: "#000000",
  pmwPub: "#0072b2",
  "pmwPub average": "#56b4e9",
  mwem: "#e69f00",
  pepPub: "#cc79a7",
  priorAware: "#009e73",
  "authors' PMW-Pub": "#d55e00",
};
const [WIDE, HIGH, LEFT, TOP, GAP] = [250, 190, 48, 26, 62];
const TICKS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1];
const y = (error) => {
  const [low, high] = [Math.log(TICKS[0]), Math.log(TICKS.at(-1))];
  return (HIGH * (high - Math.log(error))) / (high - low);
};

/** One picture; `xs` are the places along its axis, by which `at` finds what was run there. */
function panel(place, { title, xs, at, axis }) {
  const x = (i) => (WIDE * i) / (xs.length - 1);
  const marks = TICKS.map(
    (tick) =>
      `<path class="grid" d="M0 ${y(tick)}H${WIDE}"/><text class="end" x="-6" y="${y(tick) + 4}">${tick}</text>`,
  );
  xs.forEach((label, i) => {
    marks.push(`<text class="middle" x="${x(i)}" y="${HIGH + 16}">${label}</text>`);
  });
  for (const [contender, colour] of Object.entries(COLOURS)) {
    const points = xs.flatMap((one, i) => {
      const found = all.find(([figure, set, name, epsilon]) => {
        const wanted = at(one);
        const constant = contender === "floor" || contender === "public";
        return (
          figure === wanted.figure &&
          set === wanted.set &&
          name === contender &&
          (constant || epsilon === wanted.epsilon)
        );
      });
      return found ? [`${x(i).toFixed(1)} ${y(mean(found[4])).toFixed(1)}`] : [];
    });
    if (points.length === 0) continue;
    const dash = contender === "floor" || contender === "public" ? ' stroke-dasharray="5 4"' : "";
    marks.push(`<path d="M${points.join("L")}" fill="none" stroke="${colour}" stroke-width="2"${dash}/>`);
    marks.push(...points.map((one) => `<circle cx="${one.replace(" ", '" cy="')}" r="3" fill="${colour}"/>`));
  }
  const [left, top] = [LEFT + (place % 2) * (WIDE + GAP), TOP + Math.floor(place / 2) * (HIGH + GAP)];
  return `<g transform="translate(${left} ${top})"><text class="title" x="0" y="-10">${title}</text>${marks.join("")}<text class="middle" x="${WIDE / 2}" y="${HIGH + 32}">${axis}</text></g>`;
}

const sets = (figure) => [...new Set(all.filter(([of]) => of === figure).map(([, set]) => set))];
const budgets = [0.1, 0.25, 0.5, 1];
const panels = [
  {
    ...{ title: "a fair public sample", axis: "ε", xs: budgets },
    at: (epsilon) => ({ figure: "error", set: "unbiased", epsilon }),
  },
  {
    ...{ title: "one with .2 more women", axis: "ε", xs: budgets },
    at: (epsilon) => ({ figure: "error", set: "sex + .2", epsilon }),
  },
  {
    ...{ title: "parts of the fair sample, ε = 1", axis: "part that is used", xs: sets("fraction") },
    at: (set) => ({ figure: "fraction", set, epsilon: 1 }),
  },
  {
    ...{ title: "more women, ε = 1", axis: "by how much more of the sample", xs: sets("bias") },
    at: (set) => ({ figure: "bias", set, epsilon: 1 }),
  },
].filter(({ xs }) => xs.length > 1);
const bottom = TOP + Math.ceil(panels.length / 2) * (HIGH + GAP);
const legend = Object.entries(COLOURS).map(([name, colour], i) => {
  const [left, top] = [LEFT + (i % 4) * 140, bottom + 18 * Math.floor(i / 4)];
  return `<path d="M${left} ${top}h22" stroke="${colour}" stroke-width="2"/><text x="${left + 28}" y="${top + 4}">${name}</text>`;
});
const [width, height] = [LEFT + 2 * WIDE + GAP + 14, bottom + 36];
const style =
  "text{font:12px sans-serif;fill:#333}.title{font-weight:600}.end{text-anchor:end}.middle{text-anchor:middle}.grid{stroke:#ddd}";
const words = "The largest error of Adult's cells against ε, the size of the public sample and its bias";
const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${words}"><style>${style}</style><rect width="100%" height="100%" fill="#fff"/>${panels.map((one, i) => panel(i, one)).join("")}${legend.join("")}</svg>\n`;
if (values.save) {
  const lines = runs.map((run) => JSON.stringify(run)).join(",\n");
  save(
    placeOf(date.slice(0, 10), "public-data"),
    `{"date":"${date}","machine":${JSON.stringify(machine)},"runs":[\n${lines}\n]}\n`,
  );
  writeFileSync(fileURLToPath(new URL("../../../docs/public-data.svg", import.meta.url)), drawing);
}
