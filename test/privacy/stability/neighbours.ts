import fc from "fast-check";
import { category, integer, pure, type SealOptions, schema, seal } from "marginalia";

export const people = schema({
  a: category(["x", "y", 'say "so"', "two\nlines", "p1"], { other: null }),
  b: integer({ min: 0, max: 9, width: 5, other: "clamp", nullable: true }),
  c: category(["r\ra", "é"], { other: "else" }),
});

/** What files have beside the schema's columns: the unit, and one that is passed over. */
export const COLUMNS = ["a", "id", "b", "note", "c"] as const;
export type Row = Readonly<Record<(typeof COLUMNS)[number], string>>;

/** Text that readers stumble over: line ends, quotes, delimiters, forged rows and ids, marks, halves of pairs. */
const parts = fc.constantFrom(
  '"',
  '""',
  ",",
  ";",
  "\n",
  "\r",
  "\r\n",
  "\0",
  "\ufeff",
  "\u2028",
  "\ud800",
  "\udc00",
  "é",
  " ",
  "\\",
  "\nx,p1,1,,r\n",
  '\n"y","p2","7","","é"\n',
  '",\n"',
  "'",
  "x",
);
const hostile = fc.array(parts, { maxLength: 6 }).map((all) => all.join(""));

const field = (...usual: string[]) => fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...usual) }, hostile);

/** A record, whatever its fields hold. */
export const row: fc.Arbitrary<Row> = fc.record({
  a: field("x", "y", "p1", 'say "so"', "two\nlines", ""),
  id: field("p1", "p2", "p3", "1", ""),
  b: field("0", "7", "12", ""),
  note: field("", "n"),
  c: field("r\ra", "é", "q"),
});

export const rows = fc.array(row, { maxLength: 8 });

/** How records become a source, and how that is to be read. */
export interface Form {
  readonly source: (rows: readonly Row[]) => Parameters<typeof seal>[0];
  readonly options: Partial<SealOptions>;
}

/** The sealed counts of every combination; noise of this scale is zero but for once in e^1000 draws. */
export async function counts(all: readonly Row[], { source, options }: Form): Promise<number[]> {
  const sealing = { dataset: "d", unit: "row", budget: pure(1e6), ...options } as const;
  await using data = await seal(source(all), people, sealing);
  const [joint] = await data.measure([{ clique: ["a", "b", "c"], scale: "1/1000" }]);
  return [...(joint?.values ?? [])];
}

const sum = (values: readonly number[]) => values.reduce((all, one) => all + Math.abs(one), 0);

/**
 * The contract of every reader, shown on two neighbours: what one unit adds to the counts is what they are of it alone, and
 * no more than its rows. Nothing else changes.
 */
export async function isStable(
  others: readonly Row[],
  own: readonly Row[],
  place: number,
  form: Form,
): Promise<boolean> {
  const at = place % (others.length + 1);
  const both = [...others.slice(0, at), ...own, ...others.slice(at)];
  const [without, alone, all] = [
    await counts(others, form),
    await counts(own, form),
    await counts(both, form),
  ];
  return (
    sum(alone) <= own.length &&
    all.every((count, i) => count === (without[i] as number) + (alone[i] as number))
  );
}
