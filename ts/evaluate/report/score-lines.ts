import { grouping } from "../../tables/grouping.js";
import type { Beside, EvaluationPart } from "./input.js";

type Name = keyof Beside<unknown>;

/** One score of every column: the same name and the same digits wherever it stands. */
export interface ScoreLine {
  readonly name: string;
  readonly text: (column: Name) => string;
}

const of = <T>(side: Beside<T>, name: Name): T => side[name] as T;
/** Three significant digits. */
const significant = (value: number): string => `${Number(value.toPrecision(3))}`;
/** With no more digits than it needs. */
const percent = (share: number): string => `${Number((100 * share).toFixed(2))} %`;

/** All scores of an evaluation, as it is printed and as it stands in a report. */
export function scoreLines(evaluation: EvaluationPart): ScoreLine[] {
  const { rows, scores, kMarginal, marginals, workload, correlation } = evaluation;
  const ways = marginals.flatMap((one): ScoreLine[] => [
    { name: `${one.k}-way variation, mean`, text: (column) => significant(of(one, column).mean) },
    {
      name: `${one.k}-way variation, worst`,
      text: (column) => significant(of(one, column).worst?.variation ?? 0),
    },
    { name: `${one.k}-way fabricated rows`, text: (column) => percent(of(one, column).fabricated.share) },
    { name: `${one.k}-way suppressed rows`, text: (column) => percent(of(one, column).suppressed.share) },
  ]);
  const { measured, others } = correlation.synthetic;
  const part = (which: "measured" | "others", words: string, count: number): ScoreLine => ({
    name: `Cramér's V off by, ${count} ${words}${count === 1 ? "" : "s"}`,
    text: (column) => significant(of(correlation, column)[which]?.mean ?? 0),
  });
  return [
    { name: "rows", text: (column) => `${rows[column]}` },
    { name: `k-marginal, ${grouping(kMarginal.group)}`, text: (column) => of(scores, column).toFixed(2) },
    ...ways,
    { name: "workload L1", text: (column) => significant(of(workload, column).l1) },
    { name: "workload L2", text: (column) => significant(of(workload, column).l2) },
    { name: "workload max", text: (column) => significant(of(workload, column).max) },
    { name: "Cramér's V off by", text: (column) => significant(of(correlation, column).mean) },
    ...(measured ? [part("measured", "measured pair", measured.count)] : []),
    ...(others ? [part("others", "other pair", others.count)] : []),
    { name: "Cramér's V, mean difference", text: (column) => significant(of(correlation, column).shift) },
    {
      name: "Cramér's V off by, corrected",
      text: (column) => significant(of(correlation, column).corrected),
    },
  ];
}

/** What to make of correlations that are further off than those of the public table; nothing where they are not. */
export function correlationNote({
  synthetic,
  public: free,
}: EvaluationPart["correlation"]): string | undefined {
  if (!free || synthetic.mean <= free.mean) return undefined;
  return (
    "Correlations are further off than the public table's: of pairs that were not measured a release has those of its public " +
    "table, weakened by what widening drew; in wide tables rounding to whole records moves them too."
  );
}
