import { bdi, type Markup, markup } from "./markup.js";
import { figure } from "./words.js";

/** The most rows of a table; a report stays small whatever the release. */
const MOST = 160;

/** A column: its head, what stands in it, and whether that is a number. */
export interface Column<Row> {
  readonly head: string;
  readonly text: (row: Row) => string;
  readonly number?: boolean;
}

/** A table of all rows, or of the first so many, which are then the most important ones. */
export function table<Row>(caption: string, columns: readonly Column<Row>[], rows: readonly Row[]): Markup {
  const left = rows.length - MOST;
  const head = columns.map(({ head, number }) =>
    number ? markup`<th scope="col" class="n">${head}</th>` : markup`<th scope="col">${head}</th>`,
  );
  const more =
    left > 0 ? markup`<p>${figure(left)} more rows are not shown: those at the end.</p>` : undefined;
  return markup`<div class="wide" role="region" aria-label="${caption}" tabindex="0"><table><caption>${caption}</caption>
<thead><tr>${head}</tr></thead><tbody>
${rows.slice(0, MOST).map((row) => markup`<tr>${columns.map((column, i) => cell(column, row, i === 0))}</tr>\n`)}</tbody></table></div>${more}`;
}

function cell<Row>({ text, number }: Column<Row>, row: Row, first: boolean): Markup {
  if (first) return markup`<th scope="row">${bdi(text(row))}</th>`;
  return number ? markup`<td class="n">${text(row)}</td>` : markup`<td>${bdi(text(row))}</td>`;
}
