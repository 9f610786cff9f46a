import type { OpenSchema, OpenSchemaJson } from "./open.js";

/** Reads a schema that is complete but for `bounds` to be found, from its JSON form, given as text or already parsed. */
export async function openSchema(json: string | OpenSchemaJson): Promise<OpenSchema> {
  return (await import("./open.js")).readOpen(json);
}
