import { grouping } from "../../../tables/grouping.js";
import { type BarRow, bars } from "../charts/bars.js";
import type { Series } from "../charts/svg.js";
import { correlationLines, correlationNote } from "../correlations.js";
import type { Beside, EvaluationPart } from "../input.js";
import { markup } from "../markup.js";
import { figures, type Section } from "../page.js";
import { table } from "../tables.js";
import { figure, fixed, percent } from "../words.js";

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
    table: table("All scores", head(columns), lines(evaluation)),
    internal: true,
  };
  const { correlation } = evaluation;
  const note = correlationNote(correlation.synthetic, correlation.public);
  const text = markup`<p>Compared with ${figure(rows.truth ?? 0)} true rows. Rows: ${sizes}. ${marginals.length > 0 ? "The table below the chart has the other scores." : undefined} ${note}</p>`;
  return {
    id: "scores",
    heading: "Scores against the true table",
    body: [text, figures([chart])],
    internal: true,
  };
}

interface Line {
  readonly name: string;
  readonly text: (column: Name) => string;
}

const head = (columns: readonly Name[]) => [
  { head: "score", text: ({ name }: Line) => name },
  ...columns.map((column) => ({ head: NAMES[column], text: ({ text }: Line) => text(column), number: true })),
];

function lines({ scores: points, kMarginal, marginals, workload, correlation }: EvaluationPart): Line[] {
  const ways = marginals.flatMap((one): Line[] => [
    { name: `${one.k}-way variation, mean`, text: (column) => percent(of(one, column).mean) },
    { name: `${one.k}-way, fabricated rows`, text: (column) => percent(of(one, column).fabricated.share) },
    { name: `${one.k}-way, suppressed rows`, text: (column) => percent(of(one, column).suppressed.share) },
  ]);
  return [
    { name: `k-marginal, ${grouping(kMarginal.group)}`, text: (column) => fixed(of(points, column), 2) },
    ...ways,
    { name: "workload L1", text: (column) => figure(of(workload, column).l1) },
    { name: "workload L2", text: (column) => figure(of(workload, column).l2) },
    { name: "workload, largest", text: (column) => figure(of(workload, column).max) },
    ...correlationLines(correlation.synthetic).map(({ name, value }) => ({
      name: name.trim(),
      text: (column: Name) => figure(value(of(correlation, column))),
    })),
  ];
}
