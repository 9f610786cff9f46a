import { call, open } from "../engine/index.js";
import { known } from "../options.js";
import { printed } from "../print.js";
import type { Attribute } from "../tables/attributes.js";
import { DIALECT, type Dialect, fullDialect } from "../tables/dialect.js";
import { type Attributes, made, Schema } from "../tables/schema.js";
import { find, type Source } from "../tables/source.js";
import { abortable, owned } from "../tables/stages.js";
import { hasLists, nameOf, text } from "../tables/text.js";

/** How the text is written, as for `seal`. */
export interface CheckOptions extends Dialect {
  /** Ends the call. */
  signal?: AbortSignal;
}

/** Records that do not fit, counted from one, without the header and blank lines. */
export interface Misfits {
  readonly count: number;
  /** The first hundred of them. */
  readonly first: readonly number[];
}

/** Why a record is no row. */
export type Flaw = "ragged" | "stray" | "open" | "too long" | "not text" | "not flat";

/** Records that are no rows, for one reason. */
export interface BadRecords extends Misfits {
  readonly flaw: Flaw;
}

/** What was found in the column of an attribute. */
export interface CheckedAttribute {
  readonly name: string;
  /** Values that are none of the declared ones, and what the schema makes of them. */
  readonly outside: Misfits;
  readonly becomes: string;
  /** Rows without a value, where the schema does not declare null. */
  readonly absent: Misfits;
  /** Whether the schema says what becomes of any value, as sealing needs. */
  readonly total: boolean;
}

/**
 * Where a private table does not fit its schema. This is *not private*: it counts and names rows exactly. It is for whoever
 * holds the rows, and no part of a release. It quotes no value.
 */
export class Check {
  readonly private = false;
  /** How many records there are: those that are rows, and those that are none. */
  readonly rows: number;
  /** How many rows hold a line end, within quotes. */
  readonly withLineEnds: number;
  /** Records that are no rows. */
  readonly bad: Misfits;
  /** The same by reason. */
  readonly flaws: readonly BadRecords[];
  readonly attributes: readonly CheckedAttribute[];

  /** @internal */
  constructor({
    rows,
    withLineEnds,
    flaws,
    attributes,
  }: Pick<Check, "rows" | "withLineEnds" | "flaws" | "attributes">) {
    this.rows = rows;
    this.withLineEnds = withLineEnds;
    this.flaws = Object.freeze([...flaws]);
    const first = flaws.flatMap((flaw) => flaw.first).sort((a, b) => a - b);
    const count = flaws.reduce((sum, flaw) => sum + flaw.count, 0);
    this.bad = Object.freeze({ count, first: Object.freeze(first.slice(0, NAMED)) });
    this.attributes = Object.freeze([...attributes]);
    Object.freeze(this);
  }

  /** Whether every row is one, and every value is declared. */
  get fits(): boolean {
    const clean = ({ outside, absent, total }: CheckedAttribute) =>
      outside.count + absent.count === 0 && total;
    return this.bad.count === 0 && this.attributes.every(clean);
  }

  /** The findings in words. */
  toString(): string {
    const lines = this.attributes.flatMap(({ name, outside, becomes, absent, total }) => [
      ...(total ? [] : [`${name}: the schema does not say what becomes of other values, as sealing needs`]),
      ...said(outside, (rows) => `${name}: ${rows} with a value that is not declared; it becomes ${becomes}`),
      ...said(absent, (rows) => `${name}: ${rows} without a value; it counts as not declared`),
    ]);
    const bad = this.flaws.flatMap((one) => {
      const { what, remedy } = FLAWS[one.flaw];
      return said(one, (records) => `${records}: ${what}. ${remedy}`, "record");
    });
    const found = [...bad, ...lines];
    const held = this.withLineEnds === 0 ? "no" : `${this.withLineEnds}`;
    const count = `${this.rows} records, ${held} ${this.withLineEnds === 1 ? "row" : "rows"} with line ends in quotes.`;
    return printed(
      [NOTICE, count, ...(found.length > 0 ? found : ["All of them fit the schema."])].join("\n"),
    );
  }
}

/** As many records of one kind are named. */
const NAMED = 100;

/** Why a record is no row, and what to do. */
const FLAWS: Readonly<Record<Flaw, { what: string; remedy: string }>> = {
  ragged: {
    what: "more or fewer fields than the header",
    remedy: "Quote fields that hold the delimiter or a line end, or set `delimiter`.",
  },
  stray: {
    what: "text after a closing quote",
    remedy: "Double the quotes within quoted fields; a backslash before a quote does not.",
  },
  open: {
    what: "a quote that is never closed, and so takes all text behind it",
    remedy: "Close it, or set `records` to lines where each line is a row.",
  },
  "too long": { what: "more than 64 MiB", remedy: "Most likely a quote is never closed: close it." },
  "not text": {
    what: "bytes that are no text in the encoding",
    remedy: "Set `encoding` to what the file is written in.",
  },
  "not flat": {
    what: "not one object in JSON whose values are texts, numbers, true, false or null",
    remedy: "Write one such object a line, with each key once.",
  },
};

const NOTICE = "NOT PRIVATE: this names rows of the table. Keep it where the table is kept.";

/**
 * Looks where a table does not fit its schema. Nothing of it may be published.
 *
 * ```ts
 * const found = await check("survey-2019.csv", people);
 * console.log(`${found}`);
 * ```
 */
export async function check(source: Source, schema: Schema, options: CheckOptions = {}): Promise<Check> {
  known(options, [...DIALECT, "signal"], "check");
  const { signal } = options;
  made(schema);
  const found = await find(source, signal);
  if ("columns" in found) hasLists(found.columns);
  const wanted = (name: string) => Object.hasOwn(schema.attributes, name);
  const { pieces, format } = await text(found, nameOf(source), { ...options, ignore: true }, wanted);
  const settings = JSON.stringify({ format, ...fullDialect(options) });
  const [reader] = await open(
    "check.open",
    { schema: marked(schema).normal(), options: settings },
    { signal },
  );
  try {
    for await (const bytes of abortable(owned(pieces), signal)) {
      await call("reader.push", { bytes }, { on: reader, transfer: [bytes.buffer], signal });
    }
    return findings(await call("check.finish", undefined, { on: reader, signal }), schema);
  } finally {
    reader.dispose();
  }
}

/** The schema with codes of their own for values outside and for absent ones. */
function marked(schema: Schema): Schema {
  const attributes: Attributes = {};
  for (const [name, spec] of Object.entries<Attribute>(schema.attributes)) {
    attributes[name] = { ...spec, nullable: true, other: outsideOf(spec) } as Attribute;
  }
  return new Schema(attributes, { nulls: schema.nulls });
}

/** A value that no attribute of the kind declares. */
function outsideOf(spec: Attribute): string | number {
  if (spec.type === "integer") return spec.min > Number.MIN_SAFE_INTEGER ? spec.min - 1 : spec.max + 1;
  if (spec.type !== "number") return "\0";
  return -Number.MAX_VALUE;
}

function findings(flat: Float64Array, schema: Schema): Check {
  let at = 2;
  const next = (): Misfits => {
    const [count = 0, named = 0] = flat.subarray(at, at + 2);
    const first = Array.from(flat.subarray(at + 2, at + 2 + named));
    at += 2 + named;
    return Object.freeze({ count, first: Object.freeze(first) });
  };
  const reasons = Object.keys(FLAWS) as Flaw[];
  const flaws = reasons.map((flaw) => Object.freeze({ flaw, ...next() })).filter(({ count }) => count > 0);
  const attributes = Object.entries<Attribute>(schema.attributes).map(([name, spec]) => {
    const [outside, absent] = [next(), next()];
    return Object.freeze({
      name,
      outside,
      becomes: fateOf(spec),
      absent: spec.nullable || spec.other === null ? NONE : absent,
      total: spec.other !== undefined && (spec.other !== "clamp" || spec.nullable === true),
    });
  });
  const [rows = 0, withLineEnds = 0] = flat;
  return new Check({ rows, withLineEnds, flaws, attributes });
}

const NONE: Misfits = Object.freeze({ count: 0, first: Object.freeze([]) });

/** What the schema makes of a value outside. */
function fateOf({ type, other, nullable }: Attribute): string {
  if (other === undefined) return "an error";
  const clamps = other === "clamp" && type !== "category" && type !== "boolean";
  if (clamps) return nullable ? "the nearest bin, or null" : "the nearest bin";
  return other === null ? "null" : JSON.stringify(other);
}

function said({ count, first }: Misfits, sentence: (rows: string) => string, what = "row"): string[] {
  if (count === 0) return [];
  const shown = first.slice(0, 10);
  const more = count > shown.length ? ` and ${count - shown.length} more` : "";
  return [sentence(`${shown.length === 1 && more === "" ? what : `${what}s`} ${shown.join(", ")}${more}`)];
}
