/** How far the correlations of some pairs are off, as an evaluation says it. */
interface ErrorPart {
  readonly count: number;
  readonly mean: number;
  readonly shift: number;
  readonly corrected: number;
}

/** The same of all pairs, and of those that a release measured, where these are known. */
export interface CorrelationPart extends ErrorPart {
  readonly measured?: ErrorPart;
  readonly others?: ErrorPart;
}

/** A line of a table of scores. */
export interface CorrelationLine {
  readonly name: string;
  readonly value: (of: CorrelationPart) => number;
}

/** The lines about correlations in every table of scores; `of` is that of any column. */
export function correlationLines({ measured, others }: CorrelationPart): CorrelationLine[] {
  return [
    { name: "Cramér's V off by", value: ({ mean }) => mean },
    { name: "  mean difference", value: ({ shift }) => shift },
    ...(measured && others
      ? [
          {
            name: `  of ${pairs(measured.count)} measured`,
            value: (of: CorrelationPart) => of.measured?.mean ?? 0,
          },
          {
            name: `  of ${pairs(others.count)} not measured`,
            value: (of: CorrelationPart) => of.others?.mean ?? 0,
          },
        ]
      : []),
    { name: "  corrected (Bergsma)", value: ({ corrected }) => corrected },
  ];
}

const pairs = (count: number): string => `${count} ${count === 1 ? "pair" : "pairs"}`;

/** What to make of correlations that are further off than those of the public table; nothing where they are not. */
export function correlationNote(
  synthetic: CorrelationPart,
  free: CorrelationPart | undefined,
): string | undefined {
  if (!free || synthetic.mean <= free.mean) return undefined;
  return (
    "Correlations are further off than the public table's: in pairs that were not measured a release has those of its " +
    "public table, weakened by what widening drew and by rounding to whole records."
  );
}
