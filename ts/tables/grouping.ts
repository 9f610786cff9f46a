/** How a score counts, for its headline: pairs of the whole table, or within each group of some attributes. */
export const grouping = (group: readonly string[]): string =>
  group.length === 0 ? "not grouped" : `grouped by ${group.join(" × ")}`;

/** Whether two scores count within the same groups: the order in which attributes are named is none of theirs. */
export const sameGroups = (a: readonly string[], b: readonly string[]): boolean =>
  JSON.stringify([...a].sort()) === JSON.stringify([...b].sort());
