import { isAmount } from "./amount.js";
import { canonical, type Json, survives } from "./json.js";
import type { GrantRequest, HeaderRecord, LedgerHeader } from "./records.js";
import { invalid } from "./refusals.js";

// Base64 makes it a third longer, and V8 holds no text of 2²⁹ characters.
export const MOST_BYTES = 2 ** 28;

export function checkedHeader({ dataset, schema, unit, relation, budget, total }: LedgerHeader): void {
  if (typeof dataset !== "string" || dataset === "") throw invalid("a ledger needs the name of its dataset");
  if (typeof schema !== "string") throw invalid("a ledger needs the schema as text");
  if (![unit, relation, budget].every(survives)) {
    throw invalid("unit, relation and budget of a ledger must be plain JSON");
  }
  if (!isAmount(total?.amount) || !["epsilon", "rho"].includes(total.currency)) {
    throw invalid('the total of a ledger is like { currency: "epsilon", amount: "1/10" }');
  }
}

export function checkedGrant(request: GrantRequest): GrantRequest {
  const { key, what, mechanism, cost, details } = request;
  for (const [name, text] of Object.entries({ key, what, mechanism })) {
    if (typeof text !== "string" || text === "") throw invalid(`a charge needs a text as \`${name}\``);
  }
  if (!isAmount(cost)) throw invalid('a charge needs an exact `cost`, such as "1/10"');
  if (details !== undefined && !survives(details)) throw invalid("`details` of a charge must be plain JSON");
  // The cost comes first, to be seen first by who reads the file.
  return { cost, key, what, mechanism, ...(details === undefined ? {} : { details }) };
}

/** Values as they can be read back. What is wrong with others is said without quoting them. */
export function checkedValues(values: Uint8Array | Json): Uint8Array | Json {
  const bytes = values instanceof Uint8Array;
  if (!bytes && !survives(values)) throw invalid("values must be bytes or plain JSON with finite numbers");
  if (bytes && values.length > MOST_BYTES) {
    throw invalid(`values of one grant can have ${MOST_BYTES} bytes: divide the measurement into several`);
  }
  return values;
}

/** What two headers differ in, in words. Schemas are compared by hash, and shown by neither. */
export function differences(kept: HeaderRecord, wanted: LedgerHeader): string[] {
  const all: [string, Json, Json][] = [
    ["dataset", kept.dataset, wanted.dataset],
    ["unit", kept.unit, wanted.unit],
    ["relation", kept.relation, wanted.relation],
    ["budget", kept.budget, wanted.budget],
  ];
  const different = all
    .filter(([, a, b]) => canonical(a) !== canonical(b))
    .map(([what, a, b]) => `\`${what}\` (${canonical(a)} in the ledger, ${canonical(b)} given)`);
  return kept.schema === wanted.schema ? different : ["`schema` (their hashes differ)", ...different];
}
