import { grouping } from "../../../tables/grouping.js";
import { type BarRow, bars } from "../charts/bars.js";
import type { Series } from "../charts/svg.js";
import type { Beside, EvaluationPart } from "../input.js";
import { markup } from "../markup.js";
import { figures, type Section } from "../page.js";
import { correlationNote, type ScoreLine, scoreLines } from "../score-lines.js";
import { table } from "../tables.js";
import { figure, fixed } from "../words.js";

type Name = keyof Beside<unknown>;

const NAMES: Readonly<Record<Name, string>> = {
  synthetic: "the synthetic table",
  public: "the public table as it is",
  subsample: "a part of the true rows",
};
const SERIES: Readonly<Record<Name, Series>> = {
  synthetic: "synthetic",
  public: "public",
  subsample: "subsample",
};

const of = <T>(side: Beside<T>, name: Name): T => side[name] as T;

/** Every score of the synthetic table with both baselines beside it. */
export function scores(evaluation: EvaluationPart): Section {
  const { columns, rows, marginals } = evaluation;
  const lost = (name: Name): BarRow => {
    const value = 1000 - of(evaluation.scores, name);
    return { label: NAMES[name], bars: [{ series: SERIES[name], value, words: fixed(value, 1) }] };
  };
  const sizes = columns.map((name) => `${figure(rows[name] ?? 0)} (${NAMES[name]})`).join(", ");
  const chart = {
    heading: `Points lost of 1000: k-marginal, ${grouping(evaluation.kMarginal.group)}`,
    note: "The score over pairs of attributes: 1000 for equal tables, 0 for tables without a value in common. Bars show what is missing from 1000, so shorter is better. The public table costs no privacy; the part of the true rows is what chance alone gives.",
    chart: bars("Points lost of 1000 by the synthetic table and by the baselines", columns.map(lost)),
    table: table("All scores", head(columns), scoreLines(evaluation)),
    internal: true,
  };
  const note = correlationNote(evaluation.correlation);
  const text = markup`<p>Compared with ${figure(rows.truth ?? 0)} true rows. Rows: ${sizes}. ${marginals.length > 0 ? "The table below the chart has the other scores." : undefined} ${note}</p>`;
  return {
    id: "scores",
    heading: "Scores against the true table",
    body: [text, figures([chart])],
    internal: true,
  };
}

const head = (columns: readonly Name[]) => [
  { head: "score", text: ({ name }: ScoreLine) => name },
  ...columns.map((column) => ({
    head: NAMES[column],
    text: ({ text }: ScoreLine) => text(column),
    number: true,
  })),
];
