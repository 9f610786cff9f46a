import { concat, sha256, utf8 } from "../bytes.js";
import type { NameOf, Schema } from "./schema.js";
import type { Table } from "./table.js";

/** SHA-256 of a public table's schema, the codes of its rows, attribute by attribute, and their weights. */
export async function hashOf<S extends Schema>(table: Table<S>): Promise<string> {
  const parts = [utf8(table.schema.normal())];
  for (const name of Object.keys(table.schema.attributes))
    parts.push(bytes(await table.codes(name as NameOf<S>)));
  const weights = await table.weights();
  if (weights) parts.push(bytes(weights));
  return sha256(concat(parts));
}

const bytes = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);
