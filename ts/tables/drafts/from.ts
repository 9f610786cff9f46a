import { MarginaliaError } from "../../errors.js";
import { isObject } from "../../options.js";
import { Front, kindOfFront } from "../front.js";
import { find } from "../source.js";
import { csvwColumns, isCsvw } from "./csvw.js";
import { dictionaryColumns } from "./dictionary.js";
import { type Decided, drafted, type Known, type SchemaDraft, unfit } from "./draft.js";
import type { SchemaFromOptions, SchemaOrigin } from "./index.js";
import { jsonSchemaColumns } from "./json-schema.js";

/** A document of all codes that there can be takes a tenth of this. */
const MOST_BYTES = 2 ** 26;

/** See `schemaFrom`. */
export async function from(origin: SchemaOrigin, options: SchemaFromOptions): Promise<SchemaDraft> {
  const { bins = 20, signal, delimiter = "," } = options;
  const isBytes = origin instanceof Uint8Array || origin instanceof ArrayBuffer || origin instanceof Blob;
  if (typeof origin !== "string" && !(origin instanceof URL) && !isBytes) return ofObject(origin, { bins });
  const found = await find(origin, signal);
  if (!("bytes" in found)) throw unfit("the schema is to be made of something that holds no bytes");
  const front = new Front(found.bytes, signal);
  try {
    const kind = await kindOfFront(front);
    if (kind === "parquet") return drafted("Parquet schema", await ofParquet(found.bytes), { bins });
    if (kind === "arrow") return drafted("Arrow schema", await ofArrow(front), { bins });
    return ofText(await textOf(front, kind === "gzip"), delimiter, { bins });
  } finally {
    front.leave();
  }
}

async function ofParquet(
  bytes: Parameters<typeof import("../parquet.js").parquetElements>[0],
): Promise<Known[]> {
  const [{ parquetElements }, { parquetColumns }] = await Promise.all([
    import("../parquet.js"),
    import("./parquet-schema.js"),
  ]);
  return parquetColumns(await parquetElements(bytes));
}

async function ofArrow(front: Front): Promise<Known[]> {
  const [{ arrowFields }, { arrowColumns }] = await Promise.all([
    import("../arrow.js"),
    import("./arrow-schema.js"),
  ]);
  return arrowFields(front, arrowColumns);
}

async function textOf(front: Front, isZipped: boolean): Promise<string> {
  const pieces = isZipped ? (await import("../gunzip.js")).gunzip(front.all()) : front.all();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let [text, bytes] = ["", 0];
  for await (const piece of pieces) {
    bytes += piece.length;
    if (bytes > MOST_BYTES) throw unfit("what the schema is to be made of holds more than 64 MiB");
    try {
      text += decoder.decode(piece, { stream: true });
    } catch (cause) {
      throw new MarginaliaError("TEXT_INVALID", "what the schema is to be made of is no text in UTF-8", {
        cause,
      });
    }
  }
  return text;
}

async function ofText(text: string, delimiter: string, decided: Decided): Promise<SchemaDraft> {
  if (!text.trimStart().startsWith("{"))
    return drafted("data dictionary", dictionaryColumns(text, delimiter), decided);
  let document: object;
  try {
    document = JSON.parse(text) as object;
  } catch (cause) {
    throw unfit("what the schema is to be made of is not JSON", cause);
  }
  return ofObject(document, decided);
}

async function ofObject(origin: unknown, decided: Decided): Promise<SchemaDraft> {
  const standard = (Object(origin) as Record<string, unknown>)["~standard"];
  if (isObject(standard))
    return drafted("Standard JSON Schema", jsonSchemaColumns(written(standard)), decided);
  if (!isObject(origin)) throw unfit("a schema is made of a path, bytes, or a schema of another kind");
  if (Array.isArray((origin as { fields?: unknown }).fields)) {
    const { arrowObjectColumns } = await import("./arrow-schema.js");
    const { fields } = origin as { fields: unknown[] };
    return drafted("Arrow schema", arrowObjectColumns(fields), decided);
  }
  if (isCsvw(origin)) return drafted("CSVW metadata", csvwColumns(origin), decided);
  if (Array.isArray((origin as { attributes?: unknown }).attributes))
    throw unfit("this is a schema of marginalia already: `schemaFromJson` and `--schema` take it");
  return drafted("JSON Schema", jsonSchemaColumns(origin), decided);
}

/** The JSON Schema of what a file has to hold before it is parsed, as a library writes it (standardschema.dev/json-schema). */
function written(standard: object): object {
  const { jsonSchema, vendor } = standard as { jsonSchema?: { input?: unknown }; vendor?: unknown };
  if (typeof jsonSchema?.input !== "function")
    throw unfit(
      `this schema of ${String(vendor)} does not write JSON Schema: take a version that has \`~standard.jsonSchema\``,
    );
  try {
    // What zod cannot write it then leaves open, and so do we.
    const options = { target: "draft-2020-12", libraryOptions: { unrepresentable: "any" } };
    return jsonSchema.input(options) as object;
  } catch (cause) {
    throw unfit(`${String(vendor)} cannot write this schema as JSON Schema: see the \`cause\``, cause);
  }
}
