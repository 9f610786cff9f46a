/** The name that is the fewest changes away, if that is few enough for a slip of the hand. */
export function nearest(word: string, names: readonly string[]): string | undefined {
  const most = Math.max(1, Math.floor(word.length / 3));
  let best: { name: string; changes: number } | undefined;
  for (const name of names) {
    const changes = distance(word, name);
    if (changes <= most && (!best || changes < best.changes)) best = { name, changes };
  }
  return best?.name;
}

/** What to say after an unknown name. */
export function suggestion(word: string, names: readonly string[], written = (name: string) => name): string {
  const name = nearest(word, names);
  return name === undefined ? "" : `; did you mean ${written(name)}?`;
}

/** Insertions, deletions and replacements of a letter (Levenshtein). */
function distance(a: string, b: string): number {
  let before = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (before[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(replaced, (before[j] as number) + 1, (row[j - 1] as number) + 1));
    }
    before = row;
  }
  return before[b.length] as number;
}
