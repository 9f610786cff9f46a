import { call, open } from "../engine/index.js";
import { known } from "../options.js";
import { printed } from "../print.js";
import type { Attribute } from "../tables/attributes.js";
import { type Attributes, made, Schema } from "../tables/schema.js";
import { find, type Source } from "../tables/source.js";
import { abortable, owned } from "../tables/stages.js";
import { hasLists, nameOf, text } from "../tables/text.js";

/** How the text is written, as for `seal`. */
export interface CheckOptions {
  format?: "csv" | "ndjson" | "parquet" | "arrow";
  delimiter?: string;
  decimalComma?: boolean;
  encoding?: "utf-8" | "latin-1" | "utf-16" | "utf-16le" | "utf-16be";
  /** Ends the call. */
  signal?: AbortSignal;
}

/** Rows that do not fit, counted from one, without the header and blank lines. */
export interface Misfits {
  readonly count: number;
  /** The first hundred of them. */
  readonly first: readonly number[];
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
  readonly rows: number;
  /** Lines that are no rows: a field too many or too few, a quote that is never closed, bytes that are no text. */
  readonly bad: Misfits;
  readonly attributes: readonly CheckedAttribute[];

  /** @internal */
  constructor(rows: number, bad: Misfits, attributes: readonly CheckedAttribute[]) {
    this.rows = rows;
    this.bad = bad;
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
    const bad = said(this.bad, (rows) => `${rows} that cannot be read`);
    const found = [...bad, ...lines];
    return printed(
      [NOTICE, ...(found.length > 0 ? found : [`All ${this.rows} rows fit the schema.`])].join("\n"),
    );
  }
}

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
  known(options, ["format", "delimiter", "decimalComma", "encoding", "signal"], "check");
  const { delimiter = ",", decimalComma = false, encoding = "utf-8", signal } = options;
  made(schema);
  const found = await find(source, signal);
  if ("columns" in found) hasLists(found.columns);
  const wanted = (name: string) => Object.hasOwn(schema.attributes, name);
  const { pieces, format } = await text(found, nameOf(source), { ...options, ignore: true }, wanted);
  const settings = JSON.stringify({ format, delimiter, decimalComma, encoding });
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
  let at = 1;
  const next = (): Misfits => {
    const [count = 0, named = 0] = flat.subarray(at, at + 2);
    const first = Array.from(flat.subarray(at + 2, at + 2 + named));
    at += 2 + named;
    return Object.freeze({ count, first: Object.freeze(first) });
  };
  const bad = next();
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
  return new Check(flat[0] ?? 0, bad, attributes);
}

const NONE: Misfits = Object.freeze({ count: 0, first: Object.freeze([]) });

/** What the schema makes of a value outside. */
function fateOf({ type, other, nullable }: Attribute): string {
  if (other === undefined) return "an error";
  const clamps = other === "clamp" && type !== "category" && type !== "boolean";
  if (clamps) return nullable ? "the nearest bin, or null" : "the nearest bin";
  return other === null ? "null" : JSON.stringify(other);
}

function said({ count, first }: Misfits, sentence: (rows: string) => string): string[] {
  if (count === 0) return [];
  const shown = first.slice(0, 10);
  const more = count > shown.length ? ` and ${count - shown.length} more` : "";
  return [sentence(`${shown.length === 1 && more === "" ? "row" : "rows"} ${shown.join(", ")}${more}`)];
}
