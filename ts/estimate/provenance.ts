import { hashOf } from "../tables/digest.js";
import type { Prior, Provenance } from "./origin.js";

/** Where a prior comes from. */
export async function provenanceOf(prior: Prior, parts: Provenance["parts"]): Promise<Provenance> {
  const { kind, name, declaredPublicBy, rows, strength } = prior;
  using table = await prior.table();
  const hash = await hashOf(table);
  const words = {
    ...(name !== undefined && { name }),
    ...(declaredPublicBy !== undefined && { declaredPublicBy }),
  };
  return Object.freeze({ kind, ...words, rows, strength, hash, ...(parts && { parts }) });
}
