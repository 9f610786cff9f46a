// Results as a table to read.

/** A number to three digits. */
export function figure(value) {
  if (value === 0) return "0";
  const decimals = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return value.toFixed(Math.min(decimals, 6));
}

/** Lines of text with columns of even width; the first is flush left, the others right. */
export function align(rows) {
  const widths = rows[0].map((_, i) => Math.max(...rows.map((row) => row[i].length)));
  const pad = (text, i) => (i === 0 ? text.padEnd(widths[i]) : text.padStart(widths[i]));
  return rows.map((row) => row.map(pad).join("  ").trimEnd());
}

const HEAD = ["quartiles", "min", "×"];

const cells = ({ median, quartiles, min }, first) => [
  figure(median),
  quartiles.map(figure).join(" – "),
  figure(min),
  figure(median / first),
];

const isMeasured = ({ status }) => status === "measured";

/** The steps of a run, where its contenders tell them. */
function steps(results, unit) {
  const parted = results.filter(({ parts }) => parts);
  if (parted.length === 0) return [];
  const names = Object.keys(parted[0].parts);
  const rows = parted.map(({ contender, parts }) => [contender, ...names.map((name) => figure(parts[name]))]);
  return ["", ...align([[`its steps, ${unit}`, ...names], ...rows])];
}

/** The table of one case: median, spread, and each time as a multiple of the first one measured. */
export function caseTable({ scenario, title, case: name, unit, results }) {
  const measured = results.filter(isMeasured);
  const first = measured[0]?.median;
  const body = measured.map((result) => [result.contender, ...cells(result, first)]);
  const missing = results.filter((result) => !isMeasured(result));
  return [
    `${scenario}: ${title}, ${name}`,
    ...(body.length > 0 ? align([["", unit, ...HEAD], ...body]) : []),
    ...steps(measured, unit),
    ...missing.map(({ contender, reason }) => `not run: ${contender} (${reason})`),
  ].join("\n");
}

/** The table of a scenario with one contender: a line a case, each time as a multiple of the first. */
export function scenarioTable(cases) {
  const { scenario, title, unit, results } = cases[0];
  const measured = cases.filter((one) => isMeasured(one.results[0]));
  if (measured.length === 0) {
    return `${scenario}: ${title}\nnot run: ${results[0].contender} (${results[0].reason})`;
  }
  const first = measured[0].results[0].median;
  const body = measured.map((one) => [one.case, ...cells(one.results[0], first)]);
  return [`${scenario}: ${title}, ${results[0].contender}`, ...align([["", unit, ...HEAD], ...body])].join(
    "\n",
  );
}
