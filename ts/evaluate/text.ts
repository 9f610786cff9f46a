import { oneLine } from "../print.js";

/** A number with some digits after the point. */
export const fixed = (value: number, digits: number): string => value.toFixed(digits);

/** A share as a percentage, with no more digits than it needs. */
export const percent = (share: number): string => `${Number((100 * share).toFixed(2))} %`;

/** Attributes of a clique, as they are printed. */
export const listed = (names: readonly (string | null)[]): string =>
  names.map((name) => oneLine(name ?? "(null)")).join(" × ");

/** Rows of cells as lines: the first column to the left, the others to the right. */
export function grid(cells: readonly (readonly string[])[]): string {
  const rows = cells.map((row) => row.map(oneLine));
  const widths: number[] = [];
  for (const row of rows)
    for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, cell.length);
  const padded = (cell: string, i: number) =>
    i === 0 ? cell.padEnd(widths[i] as number) : cell.padStart(widths[i] as number);
  return rows.map((row) => `  ${row.map(padded).join("  ")}`.trimEnd()).join("\n");
}

/** A number with three significant digits. */
export const significant = (value: number): string => `${Number(value.toPrecision(3))}`;
