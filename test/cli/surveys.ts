/** Surveys of countries that do not exist, of any shape: two years each, drawn from a few kinds of people. */

/** Numbers from 0 to 1 that look random, the same from the same seed (Steele, Lea and Flood's splitmix in 32 bits). */
export function random(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}

/** What one person of a kind answers; nothing where there is no answer. */
type Draw = (kind: number, next: () => number) => string | undefined;

export interface Column {
  readonly name: string;
  readonly draw: Draw;
}

/** One of so many words; every kind of people has its own favourites, the others are rarer and rarer. */
export function words(name: string, count: number, word = (i: number) => `${name[0]}${i}`): Column {
  const draw: Draw = (kind, next) => {
    const rank = Math.floor(Math.min(count - 1, (-Math.log(1 - next()) * count) / 5));
    return word((rank + kind * Math.ceil(count / 3)) % count);
  };
  return { name, draw };
}

/** A whole number, with gaps for some. */
export function wholes(name: string, top: number, gaps: number): Column {
  const draw: Draw = (kind, next) => {
    if (next() < gaps * (1 + kind)) return undefined;
    const near = (next() + next() + next()) / 3;
    return `${Math.round(top * Math.min(1, near * (0.6 + 0.2 * kind)))}`;
  };
  return { name, draw };
}

/** An amount, of which most are small and few are very large. */
export function amounts(name: string, decimals: number): Column {
  const draw: Draw = (kind, next) => {
    const bell = next() + next() + next() + next() - 2;
    return Math.exp(3 + kind + 2 * bell).toFixed(decimals);
  };
  return { name, draw };
}

/** The same for everybody. */
export const constant = (name: string, value: string): Column => ({ name, draw: () => value });

export interface Survey {
  readonly columns: readonly Column[];
  /** Rows of the public and the private year. */
  readonly rows: readonly [number, number];
  readonly seed: number;
  /** Whether the years are of other people; they are unless it says no. */
  readonly drift?: false;
  readonly delimiter?: string;
  readonly decimalComma?: boolean;
}

/** Parts of the kinds of people, in either year. */
const KINDS = [
  [0.5, 0.3, 0.2],
  [0.35, 0.3, 0.35],
] as const;

/** A year of a survey as CSV. */
export function csv(
  { columns, rows, seed, drift, delimiter = ",", decimalComma }: Survey,
  year: 0 | 1,
): string {
  const next = random(1000 * seed + year);
  const [first, second] = KINDS[drift === false ? 0 : year];
  const written = (text = "") => {
    const own = decimalComma && /^-?\d+\.\d+$/.test(text) ? text.replace(".", ",") : text;
    return own.includes(delimiter) || own.includes('"') ? `"${own.replaceAll('"', '""')}"` : own;
  };
  const line = (fields: readonly (string | undefined)[]) => `${fields.map(written).join(delimiter)}\n`;
  let text = line(columns.map(({ name }) => name));
  for (let row = 0; row < rows[year]; row++) {
    const at = next();
    const kind = at < first ? 0 : at < first + second ? 1 : 2;
    text += line(columns.map(({ draw }) => draw(kind, next)));
  }
  return text;
}

const NAMES = [
  "Größe",
  "a b",
  "x.y",
  "Qty (kg)",
  "last, first",
  'so "called"',
  "日付",
  "_",
  "UPPER",
  "e-mail",
];

/** A survey of some columns of every kind, under names that must be written with care. */
export function anySurvey(seed: number): Survey {
  const next = random(seed);
  const upTo = (from: number, most: number) => from + Math.floor(next() * (most - from + 1));
  const names = [...NAMES].sort(() => next() - 0.5);
  const make = [
    () => words(names.pop() as string, upTo(2, 12)),
    () => words(names.pop() as string, upTo(3, 6), (i) => `${"no, yes;"}${i}`),
    () => wholes(names.pop() as string, upTo(5, 9000), next() * 0.3),
    () => amounts(names.pop() as string, upTo(0, 3)),
  ];
  const columns = [
    ...make.map((one) => one()),
    constant(names.pop() as string, ["7", "all", "0.50"][upTo(0, 2)] as string),
    ...Array.from({ length: upTo(0, 4) }, () => (make[upTo(0, 3)] as () => Column)()),
  ];
  return { columns, rows: [upTo(300, 3000), upTo(300, 3000)], seed };
}
