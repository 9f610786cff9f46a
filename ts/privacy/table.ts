import { oneLine } from "../print.js";

/** Characters, as a rough width: names of attributes are rarely in wide scripts. */
const width = (text: string): number => Array.from(text).length;

/** Rows of cells as lines whose columns stand below each other. */
export function aligned(cells: readonly (readonly string[])[]): string[] {
  const rows = cells.map((row) => row.map(oneLine));
  const columns = rows[0] ?? [];
  const widths = columns.map((_, i) => Math.max(...rows.map((row) => width(row[i] ?? ""))));
  const line = (row: readonly string[]) =>
    row
      .map((cell, i) => cell + " ".repeat((widths[i] ?? 0) - width(cell)))
      .join("  ")
      .trimEnd();
  return rows.map(line);
}
