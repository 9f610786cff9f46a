import { MarginaliaError } from "../errors.js";
import { isObject, known } from "../options.js";
import { isPrinted, oneLine } from "../print.js";
import { type Attribute, type AttributeSpec, checked } from "./attributes.js";
import { areTexts, type Codes, codes, derived } from "./codes.js";
import { HOLE, holesInWords, holesOf } from "./drafts/holes.js";

/** Attributes by name, in the order of their codes in cliques and files. */
export type Attributes = Record<string, Attribute>;

/** An attribute that is a function of another: the first characters of its texts, or a map of them. */
export type Derivation =
  | { from: string; prefix: number }
  | { from: string; map: Readonly<Record<string, string>>; other?: string | null };

/** What a schema says beyond its attributes. */
export interface SchemaOptions<D extends string = string> {
  /** Attributes that follow from others. They are counted like any other, and stand in no file. */
  derive?: Readonly<Record<D, Derivation>>;
  /** Texts that mean null where an attribute does not declare them as a value; `[""]` unless given. */
  nulls?: readonly string[];
}

/** A schema as a file holds it; `schema.json` of this package describes it for editors. */
export interface SchemaJson {
  $schema?: string;
  attributes: readonly ({ name: string } & AttributeSpec)[];
  derive?: readonly ({ name: string } & Derivation)[];
  nulls?: readonly string[];
}

type ValueOf<A> = A extends Attribute<infer V> ? V : never;

/** The row type of a schema: `type Person = Row<typeof people>`. */
export type Row<S> = S extends Schema<infer A, string> ? { -readonly [K in keyof A]: ValueOf<A[K]> } : never;

/** The names that a clique over a schema can hold. */
export type NameOf<S> = S extends Schema<infer A, infer D> ? (keyof A & string) | D : never;

/** What a table's attributes are and which codes each has. Made by {@link schema}; it never changes. */
export class Schema<A extends Attributes = Attributes, D extends string = string> {
  /** The attributes that a file has a column for. */
  readonly attributes: Readonly<A>;
  /** The attributes that follow from others. */
  readonly derive: Readonly<Record<D, Derivation>>;
  /** Texts that mean null. */
  readonly nulls: readonly string[];
  /** All names: those of the file, then the derived ones. */
  readonly names: readonly string[];
  /** The number of codes of each attribute, in the order of {@link names}. */
  readonly sizes: readonly number[];
  readonly #codes: readonly Codes[];

  /** @internal */
  constructor(attributes: A, options: SchemaOptions<D> = {}) {
    known(options, ["derive", "nulls"], "the schema", "SCHEMA_INVALID");
    this.attributes = Object.freeze({ ...attributes });
    this.derive = Object.freeze({ ...(options.derive as Record<D, Derivation>) });
    const { nulls = [""] } = options;
    if (!areTexts(nulls)) throw invalid("the schema needs a list of texts as `nulls`");
    this.nulls = Object.freeze([...nulls]);
    this.names = Object.freeze([...Object.keys(this.attributes), ...Object.keys(this.derive)]);
    const strange = this.names.find((name) => !isPrinted(name));
    if (strange !== undefined) throw invalid(`${named(strange)}: call it otherwise, in the file as well`);
    if (Object.keys(this.attributes).length === 0) throw invalid("the schema declares no attribute");
    const all: Codes[] = [];
    for (const [name, attribute] of Object.entries(this.attributes))
      all.push(codes(name, checked<AttributeSpec>(attribute), nulls));
    for (const [name, rule] of Object.entries<Derivation>(this.derive)) {
      if (all.some((other) => other.name === name)) throw invalid(`${name} is declared twice`);
      all.push(derived(name, rule, all));
    }
    this.#codes = all;
    this.sizes = Object.freeze(all.map(({ labels }) => labels.length));
    Object.freeze(this);
  }

  /** The number of codes of an attribute. */
  size(name: (keyof A & string) | D): number {
    return this.labels(name).length;
  }

  /** The number of cells of a clique. */
  cells(clique: readonly string[]): number {
    return clique.reduce((cells, name) => cells * (this.sizes[this.index(name)] as number), 1);
  }

  /** What each code of an attribute stands for, in order: a text, the name of a bin, or null. */
  labels(name: (keyof A & string) | D): readonly (string | null)[] {
    return this.codesOf(name).labels;
  }

  /** The place of an attribute in {@link names}. */
  index(name: string): number {
    const index = this.names.indexOf(name);
    if (index >= 0) return index;
    throw new MarginaliaError(
      "ATTRIBUTE_UNKNOWN",
      `the schema has no attribute ${JSON.stringify(name)}: it has ${this.names.join(", ")}`,
    );
  }

  /** @internal The attributes at some places of {@link names}. */
  at(places: readonly number[]): NameOf<this>[] {
    return places.map((place) => this.names[place] as NameOf<this>);
  }

  /** The schema as a file holds it. */
  toJSON(): SchemaJson {
    const derive = Object.entries<Derivation>(this.derive).map(([name, rule]) => ({ name, ...rule }));
    return {
      attributes: Object.entries(this.attributes).map(([name, attribute]) => ({ name, ...attribute })),
      ...(derive.length > 0 ? { derive } : {}),
      nulls: this.nulls,
    };
  }

  /** @internal The normal form that Rust reads: every field present. */
  normal(): string {
    return JSON.stringify({
      nulls: this.nulls,
      attributes: this.#codes.map((attribute) => attribute.normal),
    });
  }

  private codesOf(name: string): Codes {
    return this.#codes[this.index(name)] as Codes;
  }
}

const named = (name: string) =>
  `the name of the attribute ${JSON.stringify(oneLine(name))} has control characters, ends of lines or marks of direction`;

/**
 * Declares a schema: attributes by name, and what follows from them.
 *
 * ```ts
 * const people = schema({
 *   age: integer({ min: 0, max: 99, width: 5, other: "clamp" }),
 *   puma: category(["25-00503", "25-00703"], { other: null }),
 * }, { derive: { state: { from: "puma", prefix: 2 } } });
 * ```
 */
export function schema<const A extends Attributes, const D extends string = never>(
  attributes: A,
  options?: SchemaOptions<D>,
): Schema<A, D> {
  return new Schema(attributes, options);
}

/** Reads a schema from its JSON form, given as text or already parsed. */
export function schemaFromJson(json: string | SchemaJson): Schema {
  const parsed = typeof json === "string" ? parse(json) : json;
  if (!isObject(parsed)) throw invalid("the schema must be an object");
  known(parsed, ["$schema", "attributes", "derive", "nulls"], "the schema", "SCHEMA_INVALID");
  const attributes = byName(parsed.attributes, "attributes");
  const open = Object.entries(attributes).find(([, spec]) => isObject(spec) && "bounds" in spec);
  if (open)
    throw invalid(
      `the bounds of ${open[0]} are to be found first: openSchema() reads such a schema, and sealOpen() seals a table under it; \`marginalia run --found FILE\` writes the schema with what was found`,
    );
  const holes = holesOf(attributes);
  if (holes.length > 0)
    throw invalid(`the schema is a draft: fill in what is ${JSON.stringify(HOLE)}: ${holesInWords(holes)}`);
  const derive = byName(parsed.derive ?? [], "derive") as Record<string, Derivation>;
  return new Schema(attributes as Attributes, {
    derive,
    ...("nulls" in parsed ? { nulls: parsed.nulls } : {}),
  });
}

function parse(text: string): SchemaJson {
  try {
    return JSON.parse(text) as SchemaJson;
  } catch (cause) {
    throw new MarginaliaError("SCHEMA_INVALID", "the schema is not JSON", { cause });
  }
}

/** A list of named things as an object. */
function byName<T extends { name: string }>(
  list: readonly T[],
  field: string,
): Record<string, Omit<T, "name">> {
  if (!Array.isArray(list)) throw invalid(`the schema needs a list as \`${field}\``);
  const found = new Map<string, Omit<T, "name">>();
  for (const item of list as readonly T[]) {
    if (!isObject(item)) throw invalid(`something in \`${field}\` is no object`);
    const { name, ...rest } = item;
    if (typeof name !== "string") throw invalid(`something in \`${field}\` has no \`name\``);
    if (found.has(name)) throw invalid(`${name} is declared twice`);
    found.set(name, rest);
  }
  return Object.fromEntries(found);
}

/** A schema as it was made, of whichever copy of the package; anything else is refused. */
export function made<S extends Schema>(schema: S): S {
  if (typeof (schema as Partial<Schema> | undefined)?.normal === "function") return schema;
  throw invalid(
    "the schema must be made by schema() or schemaFromJson(); a plain object declares nothing yet",
  );
}

function invalid(message: string): MarginaliaError {
  return new MarginaliaError("SCHEMA_INVALID", message);
}
