import { invalid, known } from "../../options.js";
import type { SchemaDraft } from "./draft.js";

/** What writes JSON Schema of itself, as zod, valibot, ArkType and others do: `~standard.jsonSchema` (standardschema.dev). */
export interface StandardJsonSchema {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly jsonSchema: {
      readonly input: (options: { readonly target: "draft-2020-12" }) => Record<string, unknown>;
    };
  };
}

/** A schema of Arrow, as its libraries have it. */
export interface ArrowSchema {
  readonly fields: readonly {
    readonly name: string;
    readonly nullable?: boolean;
    readonly type: { readonly typeId: number };
  }[];
}

/**
 * What a schema can be made of: the path, URL or bytes of JSON Schema, CSVW metadata, a data dictionary (CSV), or of a file of
 * Arrow or Parquet, of which its schema is read and nothing else; or one of these schemas as an object.
 */
export type SchemaOrigin =
  | string
  | URL
  | Blob
  | Uint8Array
  | ArrayBuffer
  | StandardJsonSchema
  | ArrowSchema
  | object;

export interface SchemaFromOptions {
  /** Bins of numbers whose bounds are known; 20 unless given. */
  readonly bins?: number;
  /** What stands between the fields of a data dictionary; `,` unless given. */
  readonly delimiter?: string;
  readonly signal?: AbortSignal;
}

/**
 * Drafts a schema from another kind of schema. Both have to be *public*: what other people know of the columns, and not what was
 * found out from private rows. What the other one does not say, such as the bounds of a number, is to be filled in where `"?"`
 * stands; `holes` lists it.
 */
export async function schemaFrom(
  origin: SchemaOrigin,
  options: SchemaFromOptions = {},
): Promise<SchemaDraft> {
  known(options, ["bins", "delimiter", "signal"], "schemaFrom");
  const { bins = 20, delimiter = "," } = options;
  if (!Number.isInteger(bins) || bins < 1) throw invalid("`bins` is a whole number from 1");
  if (typeof delimiter !== "string" || delimiter.length !== 1) throw invalid("`delimiter` is one character");
  return (await import("./from.js")).from(origin, options);
}
