/** One row of a file, as texts. */
export type Row = Record<string, string>;

/** An attribute of the data dictionary, as test/golden writes it. */
export interface Bins {
  type: string;
  values?: string[];
  texts?: string[];
  lows?: number[];
  cuts?: number[];
  max?: number;
  nullable?: boolean;
}

/** Rows of comma-separated text without quotes. */
export function parse(text: string): Row[] {
  const [header = "", ...lines] = text.trimEnd().split("\n");
  const names = header.split(",");
  return lines.map((line) => {
    const fields = line.split(",");
    if (fields.length !== names.length) throw new Error("a row has more or fewer fields than the header");
    return Object.fromEntries(names.map((name, i) => [name, fields[i] ?? ""]));
  });
}

/** The bin that a text falls in, named by its value or lower end; undefined for what is not declared. */
export function bin(attribute: Bins, text: string): string | undefined {
  if (text === "") return attribute.nullable ? "null" : undefined;
  if (attribute.type === "date") return year(text);
  const values = attribute.values ?? attribute.texts;
  if (values) return values.find((value) => value === text);
  const ends = attribute.lows ?? attribute.cuts?.slice(0, -1) ?? [];
  const max = attribute.max ?? attribute.cuts?.at(-1) ?? Number.NEGATIVE_INFINITY;
  const value = Number(text);
  return value <= max ? ends.findLast((end) => end <= value)?.toString() : undefined;
}

function year(text: string): string | undefined {
  const days = /^(19[5-9]\d|20[01]\d)-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/.exec(text);
  return days ? String(Math.max(1990, Number(days[1]))) : undefined;
}

/** The mean, over all pairs of attributes, of the total variation between two tables' shares of rows. */
export function meanPairDistance(a: Row[], b: Row[], attributes: Record<string, Bins>): number {
  const names = Object.keys(attributes);
  const binned = [a, b].map((rows) =>
    rows.map((row) => names.map((n) => bin(attributes[n] as Bins, row[n] ?? ""))),
  );
  const distances = names.flatMap((_, i) =>
    names
      .slice(i + 1)
      .map((_, j) => distance(binned.map((rows) => rows.map((r) => `${r[i]}|${r[i + 1 + j]}`)))),
  );
  return distances.reduce((sum, x) => sum + x, 0) / distances.length;
}

/** Half the sum of the differences between the shares of each cell. */
function distance(tables: string[][]): number {
  const difference = new Map<string, number>();
  tables.forEach((cells, sign) => {
    for (const cell of cells)
      difference.set(cell, (difference.get(cell) ?? 0) + (1 - 2 * sign) / cells.length);
  });
  return [...difference.values()].reduce((sum, x) => sum + Math.abs(x), 0) / 2;
}
