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

/** The table of one case: median, spread, and each contender's time as a multiple of the first one measured. */
export function caseTable({ scenario, title, case: name, unit, results }) {
  const measured = results.filter(({ status }) => status === "measured");
  const first = measured[0]?.median;
  const head = ["", unit, "quartiles", "min", "×"];
  const body = measured.map(({ contender, median, quartiles, min }) => [
    contender,
    figure(median),
    quartiles.map(figure).join(" – "),
    figure(min),
    figure(median / first),
  ]);
  const missing = results.filter(({ status }) => status === "not run");
  return [
    `${scenario}: ${title}, ${name}`,
    ...(body.length > 0 ? align([head, ...body]) : []),
    ...missing.map(({ contender, reason }) => `not run: ${contender} (${reason})`),
  ].join("\n");
}
