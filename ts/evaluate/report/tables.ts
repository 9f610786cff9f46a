import { bdi, type Markup, markup } from "./markup.js";
import { bytesOf, figure } from "./words.js";

/** The most rows of a table, and their bytes; a report stays small whatever the release. */
const MOST = 160;
const BYTES = 20_000;

/** A column: its head, what stands in it, and whether that is a number. */
export interface Column<Row> {
  readonly head: string;
  readonly text: (row: Row) => string;
  readonly number?: boolean;
}

/** A table of all rows, or of the first so many, which are then the most important ones. */
export function table<Row>(caption: string, columns: readonly Column<Row>[], rows: readonly Row[]): Markup {
  const lines = linesOf(columns, rows);
  const left = rows.length - lines.length;
  const head = columns.map(({ head, number }) =>
    number ? markup`<th scope="col" class="n">${head}</th>` : markup`<th scope="col">${head}</th>`,
  );
  const more =
    left > 0 ? markup`<p>${figure(left)} more rows are not shown: those at the end.</p>` : undefined;
  return markup`<div class="wide" role="region" aria-label="${caption}" tabindex="0"><table><caption>${caption}</caption>
<thead><tr>${head}</tr></thead><tbody>
${lines}</tbody></table></div>${more}`;
}

/** As many rows as there is room for, one at least. */
function linesOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): Markup[] {
  const lines: Markup[] = [];
  let size = 0;
  for (const row of rows.slice(0, MOST)) {
    const line = markup`<tr>${columns.map((column, i) => cell(column, row, i === 0))}</tr>\n`;
    size += bytesOf(`${line}`);
    if (size > BYTES && lines.length > 0) break;
    lines.push(line);
  }
  return lines;
}

function cell<Row>({ text, number }: Column<Row>, row: Row, first: boolean): Markup {
  if (first) return markup`<th scope="row">${bdi(text(row))}</th>`;
  return number ? markup`<td class="n">${text(row)}</td>` : markup`<td>${bdi(text(row))}</td>`;
}
