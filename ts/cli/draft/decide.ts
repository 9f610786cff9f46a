import { isPrinted } from "../../print.js";
import type { AttributeSpec } from "../../tables/attributes.js";
import { parseDay, starts } from "../../tables/dates.js";
import type { Column, Strays } from "./column.js";

/** How a draft is made. */
export interface DraftOptions {
  /** Bins of a numeric column with many values. */
  bins: number;
  /** Values of a category, at most. */
  maxValues: number;
}

/** What is proposed for a column, and why; without a declaration it is left out. */
export interface Decision {
  readonly name: string;
  readonly spec?: AttributeSpec;
  /** Where bins begin, after the first: a coarser reading of whole numbers that have a code each. */
  readonly cuts?: readonly number[];
  readonly why: string;
}

/** Numeric columns with up to so many values get a bin for each. */
const FEW = 20;
/** Whole numbers with up to so many have a code each, and a coarser reading in bins beside it. */
const MOST_EACH = 128;
/** A coarser reading has so many bins at least, and half as many as there are numbers at most. */
const LEAST_BINS = 12;
/** Different texts that a column of numbers or days may hold beside them. */
const MOST_NULLS = 3;
/** Rows from which rising or all different values look like names of rows. */
const ENOUGH = 20;
/** Mean length from which texts look like sentences. */
const LONG = 40;

/** Proposes a declaration: every one says what becomes of any other value. */
export function decide(column: Column, options: DraftOptions): Decision {
  const { name } = column;
  const decided =
    (column.filled === 0 ? leave("it is empty") : undefined) ??
    (isPrinted(name) ? undefined : leave("its name has characters that no attribute may be called by")) ??
    identifies(column) ??
    aBoolean(column) ??
    days(column) ??
    numbers(column, options) ??
    categories(column, options);
  return { name, ...decided };
}

type Proposal = Omit<Decision, "name">;

const leave = (why: string): Proposal => ({ why: `left out: ${why}` });

/** Whether values name rows: they would be counted one each. */
function identifies({ name, numbers, texts, filled, more }: Column): Proposal | undefined {
  if (filled < ENOUGH) return undefined;
  const counts = numbers.count === filled && numbers.whole && numbers.rising;
  if (counts) return leave("its numbers rise from row to row, as those that identify rows do");
  const different = !more && texts.size === filled;
  const called = /(^|[_\W])(id|key|uuid)$|[a-z](Id|ID|Key)$/i.test(name);
  if (called && (different || more)) return leave("its name and its many values say that it identifies rows");
  const words = (numbers.strays.more || numbers.count < filled / 2) && different;
  return words ? leave("its values are all different, as those that identify rows are") : undefined;
}

const PAIRS: readonly (readonly [no: string, yes: string])[] = [
  ["false", "true"],
  ["no", "yes"],
  ["f", "t"],
  ["n", "y"],
];

function aBoolean({ texts, more, empty }: Column): Proposal | undefined {
  if (more || texts.size !== 2) return undefined;
  const both = [...texts.keys()];
  const pair = PAIRS.find((words) => words.every((word) => both.some((text) => text.toLowerCase() === word)));
  if (!pair) return undefined;
  const written = pair.map((word) => both.find((text) => text.toLowerCase() === word)) as [string, string];
  return {
    spec: { type: "boolean", texts: written, ...outside(empty) },
    why: "two values that mean no and yes",
  };
}

/** What becomes of a value outside, where it becomes null: absent ones are null too. */
const outside = (empty: number): { other: null; nullable?: true } =>
  empty > 0 ? { other: null, nullable: true } : { other: null };

/**
 * Whether a column holds numbers, or days, and beside them only texts that mean that there is none: one text, however
 * often it stands there, or a few in less than half of the rows.
 */
function mostly(count: number, { filled, texts, more }: Column, strays: Strays): boolean {
  const { size } = strays.texts;
  if (strays.more || size > MOST_NULLS || count === 0) return false;
  if (size === 0) return true;
  const several = more || texts.size - size > 1;
  return several && (size === 1 || 2 * count >= filled);
}

const nullsOf = ({ texts }: Strays): { nulls?: string[] } =>
  texts.size > 0 ? { nulls: [...texts].sort() } : {};

const said = ({ texts }: Strays): string =>
  texts.size > 0
    ? `; ${[...texts]
        .sort()
        .map((text) => JSON.stringify(text))
        .join(", ")} is taken for null`
    : "";

function days(column: Column): Proposal | undefined {
  const { count, min, max, strays } = column.days;
  if (!mostly(count, column, strays)) return undefined;
  const [from, to] = [parseDay(min) as number, parseDay(max) as number];
  const steps = ["day", "week", "month", "quarter", "year"] as const;
  const step = steps.find((one) => starts(from, to, one, MOST_STEPS).length <= MOST_STEPS) ?? "year";
  const spec: AttributeSpec = {
    type: "date",
    from: min,
    to: max,
    step,
    other: "clamp",
    nullable: true,
    ...nullsOf(strays),
  };
  return { spec, why: `days, by the ${step}${said(strays)}` };
}

const MOST_STEPS = 40;

function numbers(column: Column, options: DraftOptions): Proposal | undefined {
  const { count, whole, strays } = column.numbers;
  if (!mostly(count, column, strays)) return undefined;
  const few = !column.more && column.texts.size - strays.texts.size <= FEW;
  return whole ? integers(column, few, options) : decimals(column, few, options);
}

/** Numbers outside count in the nearest bin, and what is no number is null. */
const CLAMPED = { other: "clamp", nullable: true } as const;

function integers({ numbers, texts }: Column, few: boolean, { bins }: DraftOptions): Proposal {
  const { min, max, strays, quantiles } = numbers;
  const rest = { ...CLAMPED, ...nullsOf(strays) };
  const note = said(strays);
  if (few && max - min < 2 * FEW)
    return {
      spec: { type: "integer", min, max, ...rest },
      why: `whole numbers from ${min} to ${max}${note}`,
    };
  const lows = few ? values(texts, strays) : quantiles.cuts(bins);
  const cuts = lows.filter((low) => low > min && low <= max);
  const size = max - min + 1;
  if (!few && cuts.length + 1 >= LEAST_BINS && size <= MOST_EACH && size >= 2 * bins)
    return {
      spec: { type: "integer", min, max, ...rest },
      cuts,
      why: `whole numbers from ${min} to ${max}, and for pairs ${cuts.length + 1} bins of about as many rows each${note}`,
    };
  const why = few ? "a few whole numbers, a bin from each" : `whole numbers, ${binned(cuts.length + 1)}`;
  return {
    spec: { type: "integer", min, max, ...(cuts.length > 0 ? { cuts } : {}), ...rest },
    why: `${why}${note}`,
  };
}

/** The end of a sentence about bins; numbers may be codes of something, which no bin should mix. */
const binned = (bins: number) =>
  bins === 1
    ? "in one bin"
    : `in ${bins} bins of about as many rows each; if they are codes, make it a category`;

function decimals({ numbers, texts }: Column, few: boolean, { bins }: DraftOptions): Proposal {
  const { min, max, strays, quantiles } = numbers;
  const inner = (few ? values(texts, strays) : quantiles.cuts(bins)).filter((cut) => cut > min && cut < max);
  const top = max > min ? max : min + 1;
  const cuts = [min, ...inner, top];
  const decimals = Math.min(numbers.decimals, 17);
  const spec: AttributeSpec = { type: "number", cuts, decimals, ...CLAMPED, ...nullsOf(strays) };
  return {
    spec,
    why: `numbers, ${few ? "a bin from each" : `in ${cuts.length - 1} bins of about as many rows each`}${said(strays)}`,
  };
}

/** The numbers of a column that has few. */
function values(texts: ReadonlyMap<string, number>, strays: Strays): number[] {
  const all = [...texts.keys()].filter((text) => !strays.texts.has(text));
  return [...new Set(all.map((text) => Number(text.replace(",", "."))))].sort((a, b) => a - b);
}

function categories(column: Column, { maxValues }: DraftOptions): Proposal {
  const { texts, more, filled, characters, empty } = column;
  if (characters > LONG * filled) return leave("it is free text");
  if (!more && texts.size <= maxValues) {
    const list = [...texts.keys()].sort();
    return {
      spec: { type: "category", values: list, ...outside(empty) },
      why: `a category of ${list.length}`,
    };
  }
  const common = [...texts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).slice(0, maxValues);
  const covered = common.reduce((sum, [, count]) => sum + count, 0);
  if (2 * covered < filled) return leave("too many different texts, most of them rare");
  const list = common.map(([text]) => text).sort();
  const other = freeName(texts);
  const rest = empty > 0 ? { other, nullable: true } : { other };
  const why = `the ${list.length} most common texts of many; the rest becomes ${JSON.stringify(other)}`;
  return { spec: { type: "category", values: list, ...rest }, why };
}

/** A text that stands for the rest, and is not among those that were met. */
function freeName(texts: ReadonlyMap<string, number>): string {
  let name = "other";
  while (texts.has(name)) name = `(${name})`;
  return name;
}
