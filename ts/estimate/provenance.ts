import { MarginaliaError } from "../errors.js";
import type { NameOf } from "../tables/schema.js";
import type { Prior, Provenance } from "./origin.js";

/** Where a prior comes from. */
export async function provenanceOf(prior: Prior, parts: Provenance["parts"]): Promise<Provenance> {
  const { kind, name, declaredPublicBy, rows, strength } = prior;
  const hash = await hashOf(prior);
  const words = {
    ...(name !== undefined && { name }),
    ...(declaredPublicBy !== undefined && { declaredPublicBy }),
  };
  return Object.freeze({ kind, ...words, rows, strength, hash, ...(parts && { parts }) });
}

/** SHA-256 of a prior's schema, the codes of its rows, attribute by attribute, and their shares. */
async function hashOf(prior: Prior): Promise<string> {
  const { schema } = prior;
  using table = await prior.table();
  const pieces: ArrayBufferView[] = [new TextEncoder().encode(schema.normal())];
  for (const name of Object.keys(schema.attributes))
    pieces.push(await table.codes(name as NameOf<typeof schema>));
  pieces.push((await table.weights()) as Float64Array);
  const whole = new Uint8Array(pieces.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const { buffer, byteOffset, byteLength } of pieces) {
    whole.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += byteLength;
  }
  const subtle = globalThis.crypto?.subtle;
  if (!subtle) {
    const message = "a hash needs WebCrypto (crypto.subtle): in a browser, serve the page over https";
    throw new MarginaliaError("SOURCE_FAILED", message);
  }
  const digest = new Uint8Array(await subtle.digest("SHA-256", whole));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
