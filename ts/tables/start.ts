/** How many rows a release starts from, and where they come from. */
export interface StartRows {
  /** Rows of the public table. */
  readonly rows: number;
  /** How many of them differ, without those that are denied or weigh nothing; absent in plans of earlier versions. */
  readonly distinct?: number;
  /** Rows that widening or pooling put beside them; absent where `distinct` is. */
  readonly added?: number;
  /** All that may have weight: `distinct` and `added` together. */
  readonly support: number;
  readonly pool?: object;
}

/** The three numbers in words: rows of the table, different ones, and those that were added. */
export function startInWords(
  { rows, distinct, added = 0, support, pool }: StartRows,
  shown: (value: number) => string = String,
): string {
  const counted = `${shown(rows)} ${rows === 1 ? "row" : "rows"}`;
  if (distinct === undefined)
    return `${counted}; with those that were added, ${shown(support)} different ones`;
  const more = `${shown(added)} ${added === 1 ? "row" : "rows"} added by ${pool ? "pooling" : "widening"}`;
  return `${counted}, ${shown(distinct)} of them different${added > 0 ? `, and ${more}` : ""}`;
}
