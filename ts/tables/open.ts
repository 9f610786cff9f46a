import { MarginaliaError } from "../errors.js";
import { isObject, known } from "../options.js";
import type { AttributeSpec, IntegerSpec, NumberSpec } from "./attributes.js";
import { type Schema, type SchemaJson, schemaFromJson } from "./schema.js";

/** Where bounds may lie: a list, equal steps, or 0 and 1, 2 and 5 of each power of ten, below 0 as well where they are signed. */
export type Grid =
  | readonly number[]
  | { readonly from: number; readonly to: number; readonly step: number }
  | { readonly decades: readonly [least: number, largest: number]; readonly signed?: boolean };

/** Bounds that nobody knows before: found on a public grid, for a share of the budget. */
export interface PrivateBounds {
  readonly grid: Grid;
  /** What finding them may cost, as a part of the whole budget: `"1/20"`. */
  readonly share: number | string;
  /** The part of the values beyond each bound, which counts in the end bins or becomes `other`; `"1/200"` unless given. */
  readonly tail?: number | string;
  /** Bins of equal width, unless given; or such as hold about as many values each, where each edge is chosen. */
  readonly cuts?: "equal" | "quantiles";
}

/** Whole numbers or numbers in so many bins between bounds that are to be found. */
export interface OpenSpec extends Pick<NumberSpec, "decimals" | "other" | "nullable" | "nulls"> {
  readonly type: "integer" | "number";
  readonly bins: number;
  readonly bounds: PrivateBounds;
}

/** A schema as a file holds it, of which some bounds are to be found. */
export interface OpenSchemaJson extends Omit<SchemaJson, "attributes"> {
  readonly attributes: readonly ({ readonly name: string } & (AttributeSpec | OpenSpec))[];
}

/** An attribute whose bounds are to be found, with everything worked out. */
export interface OpenAttribute {
  readonly name: string;
  readonly spec: OpenSpec;
  /** The grid: where edges of bins may lie. */
  readonly edges: readonly number[];
  readonly tail: number | string;
  readonly cuts: "equal" | "quantiles";
}

/** A schema that is complete but for the bounds of some numbers. Made by `openSchema`; it never changes. */
export class OpenSchema {
  /** The attributes whose bounds are to be found. */
  readonly open: readonly OpenAttribute[];
  /** @internal The schema whose bins are those of the grids: by it edges are chosen. */
  readonly grid: Schema;
  readonly #json: OpenSchemaJson;

  /** @internal */
  constructor(json: OpenSchemaJson) {
    this.#json = json;
    this.open = Object.freeze(json.attributes.filter(isOpen).map(openAttribute));
    for (const { from, name } of json.derive ?? [])
      if (this.open.some((one) => one.name === from))
        throw invalid(
          `${name} is derived from ${from}, whose bins are not known before its bounds are found`,
        );
    const all = new Map(this.open.map((one) => [one.name, { of: one, edges: one.edges.map((_, i) => i) }]));
    this.grid = this.#with((name) => {
      const { of, edges } = all.get(name) as { of: OpenAttribute; edges: number[] };
      return between({ ...of, cuts: "quantiles" }, edges);
    });
    this.assumed();
    Object.freeze(this);
  }

  /** The schema with edges that were found, by their places on the grid: the lower, those between if there are any, the upper. */
  closed(found: ReadonlyMap<string, readonly number[]>): Schema {
    const by = new Map(this.open.map((one) => [one.name, one]));
    return this.#with((name) => between(by.get(name) as OpenAttribute, found.get(name) as readonly number[]));
  }

  /** A schema of as many codes, whose bounds are the ends of the grids: it stands in plans for the one that is found. */
  assumed(): Schema {
    const spread = ({ name, edges, cuts, spec: { bins } }: OpenAttribute) => {
      const last = edges.length - 1;
      const inner = Array.from({ length: bins + 1 }, (_, i) => Math.round((i * last) / bins));
      return [name, cuts === "equal" ? [0, last] : inner] as const;
    };
    return this.closed(new Map(this.open.map(spread)));
  }

  /** The schema as a file holds it. */
  toJSON(): OpenSchemaJson {
    return this.#json;
  }

  /** @internal What an account is known by. */
  normal(): string {
    const open = this.open.map(({ name, spec, tail, cuts }) => [
      name,
      spec.bins,
      `${spec.bounds.share}`,
      `${tail}`,
      cuts,
    ]);
    return `${this.grid.normal()} ${JSON.stringify(open)}`;
  }

  #with(spec: (name: string) => AttributeSpec): Schema {
    const attributes = this.#json.attributes.map((one) =>
      isOpen(one) ? { name: one.name, ...spec(one.name) } : one,
    );
    return schemaFromJson({ ...this.#json, attributes: attributes as SchemaJson["attributes"] });
  }
}

/** See `openSchema`. */
export function readOpen(json: string | OpenSchemaJson): OpenSchema {
  const parsed = typeof json === "string" ? parse(json) : json;
  if (hasOpen(parsed)) return new OpenSchema(structuredClone(parsed));
  throw invalid("no attribute of the schema has `bounds` to be found: schemaFromJson() takes it");
}

/** Whether some attribute has `bounds`. */
export function hasOpen(json: unknown): json is OpenSchemaJson {
  const { attributes } = Object(json) as { attributes?: unknown };
  return Array.isArray(attributes) && attributes.some((one) => isObject(one) && "bounds" in one);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new MarginaliaError("SCHEMA_INVALID", "the schema is not JSON", { cause });
  }
}

const isOpen = (one: object): one is { readonly name: string } & OpenSpec => "bounds" in one;

const KEYS = ["type", "bins", "bounds", "decimals", "other", "nullable", "nulls"];

function openAttribute({ name, ...spec }: { readonly name: string } & OpenSpec): OpenAttribute {
  if (spec.type !== "integer" && spec.type !== "number")
    throw invalid(`${name} has \`bounds\` to be found, and is neither an integer nor a number`);
  known(
    spec,
    spec.type === "number" ? KEYS : KEYS.filter((key) => key !== "decimals"),
    name,
    "SCHEMA_INVALID",
  );
  const { bins, bounds } = spec;
  if (!Number.isInteger(bins) || bins < 1 || bins > 1000)
    throw invalid(`${name} needs its number of \`bins\`: from 1 to 1000`);
  if (!isObject(bounds)) throw invalid(`${name} needs \`bounds\` such as { grid, share }`);
  known(bounds, ["grid", "share", "tail", "cuts"], `\`bounds\` of ${name}`, "SCHEMA_INVALID");
  const { tail = "1/200", cuts = "equal" } = bounds;
  if (cuts !== "equal" && cuts !== "quantiles")
    throw invalid(`${name} needs "equal" or "quantiles" as \`cuts\` of its \`bounds\``);
  const attribute = { name, spec, edges: gridOf(bounds.grid, name), tail, cuts };
  if (attribute.edges.length > 10_000 || !leavesRoom(attribute, 0, attribute.edges.length - 1))
    throw invalid(`the grid of ${name} has more than 10,000 edges, or too few for ${bins} bins`);
  const gap = Math.min(...attribute.edges.slice(1).map((edge, i) => edge - (attribute.edges[i] as number)));
  if (spec.type === "number" && gap / bins < 1e-12 * Math.max(...attribute.edges.map(Math.abs)))
    throw invalid(`the grid of ${name} is too fine to be divided into ${bins} bins`);
  if (spec.type === "integer" && !attribute.edges.every(Number.isSafeInteger))
    throw invalid(`the grid of ${name} has edges that are no whole numbers`);
  return Object.freeze(attribute);
}

function gridOf(grid: Grid, name: string): readonly number[] {
  const edges = edgesOf(grid).map((edge) => Number(edge.toPrecision(15)));
  if (
    edges.length > 1 &&
    edges.every((edge, i) => Number.isFinite(edge) && (i === 0 || edge > (edges[i - 1] as number)))
  )
    return Object.freeze(edges);
  throw invalid(
    `${name} needs a \`grid\`: increasing numbers, { from, to, step }, or { decades: [least, largest] } with powers of ten`,
  );
}

function edgesOf(grid: Grid): number[] {
  const { from, to, step, decades, signed } = Object(grid) as Record<string, unknown>;
  if (Array.isArray(grid)) return grid.every((edge) => typeof edge === "number") ? [...grid] : [];
  if (Array.isArray(decades)) {
    const [low, high] = decades.map((end) => Math.round(Math.log10(Number(end)))) as [number, number];
    if (!(high > low) || high - low > 40) return [];
    const powers = Array.from({ length: high - low }, (_, i) => low + i);
    const positive = [
      ...powers.flatMap((power) => [1, 2, 5].map((digit) => Number(`${digit}e${power}`))),
      Number(`1e${high}`),
    ];
    return [...(signed === true ? positive.map((edge) => -edge).reverse() : []), 0, ...positive];
  }
  const [low, high, width] = [Number(from), Number(to), Number(step)];
  const steps = Math.floor((high - low) / width + 1e-9);
  return steps >= 1 && steps <= 10_000 ? Array.from({ length: steps + 1 }, (_, i) => low + i * width) : [];
}

/** Whether all bins find room between two edges of the grid. */
export function leavesRoom({ edges, cuts, spec }: OpenAttribute, lower: number, upper: number): boolean {
  if (cuts === "quantiles") return upper - lower >= spec.bins;
  return (
    upper > lower &&
    (spec.type === "number" || (edges[upper] as number) - (edges[lower] as number) >= spec.bins)
  );
}

/** The declaration with these edges. */
function between({ edges, cuts, spec }: OpenAttribute, places: readonly number[]): AttributeSpec {
  const { bounds: _, bins, ...rest } = spec;
  const found = places.map((place) => edges[place] as number);
  const all = cuts === "quantiles" ? found : spaced(found as [number, number], bins, spec.type === "integer");
  if (spec.type === "number") return { ...rest, type: "number", cuts: all } as NumberSpec;
  const { decimals: _d, ...own } = rest;
  // Without cuts each whole number would be a bin.
  const inner = all.slice(1, -1);
  const ends = { min: all[0] as number, max: (all.at(-1) as number) - 1 };
  return { ...own, type: "integer", ...ends, cuts: inner } as IntegerSpec;
}

function spaced([low, high]: readonly [number, number], bins: number, isWhole: boolean): number[] {
  return Array.from({ length: bins + 1 }, (_, i) => {
    const edge = low + ((high - low) * i) / bins;
    return isWhole ? Math.round(edge) : Number(edge.toPrecision(15));
  });
}

const invalid = (message: string) => new MarginaliaError("SCHEMA_INVALID", message);
