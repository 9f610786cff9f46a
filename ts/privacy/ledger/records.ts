import type { Json } from "./json.js";

/** The version of the format of the file. */
export const VERSION = 1;
export const FORMAT = "marginalia-ledger";

/** What costs are added in: ε of pure differential privacy, or ρ of zero-concentrated. */
export type Currency = "epsilon" | "rho";

/** What a ledger is of: all that must be the same for it to be continued. */
export interface LedgerHeader {
  /** The name that the user gives to the private data. It is the data's identity; no hash of its content is. */
  dataset: string;
  /** The declared schema's normal JSON; the ledger keeps its hash. */
  schema: string;
  unit: Json;
  relation: Json;
  /** As declared. */
  budget: Json;
  /** What the budget comes to in the currency of the costs. Kept as it was when the ledger was begun. */
  total: { currency: Currency; amount: string };
}

/** What is asked for, before anything is drawn. Costs are exact: `"1/10"`. */
export interface GrantRequest {
  /** The same charge of a resumed run has the same key; no other has. It must not depend on private data. */
  key: string;
  /** What is asked of the data, in words: `age × sex`. */
  what: string;
  /** How it is made private, in words: `discrete Laplace, b = 10`. */
  mechanism: string;
  /** In the currency of the ledger, as a fraction `p/q` or a whole number. */
  cost: string;
  /** Whatever else an auditor may want to see: scale, sensitivity, shape. */
  details?: Json;
}

/** A grant, by the number of its record. */
export type GrantId = number;

export interface HeaderRecord extends LedgerHeader {
  kind: "header";
  format: typeof FORMAT;
  version: number;
  /** A random name, by which a counter knows its ledger. */
  account: string;
  /** Whether a counter is kept. */
  counter: boolean;
  when: string;
}

export interface GrantRecord extends GrantRequest {
  kind: "grant";
  when: string;
}

/**
 * It has no time, and neither have those that follow: how long it took to read the rows depends on them. So a grant has
 * the time at which its session opened the ledger. Ledgers that were written before have times here, which say nothing.
 */
export interface JournalRecord {
  kind: "journal";
  grant: GrantId;
  values: { base64: string } | { json: Json };
}

/** The session before ended without closing; `dropped` bytes of a record that nobody had been told of. */
export interface RecoveredRecord {
  kind: "recovered";
  dropped: number;
}

/** Everything before was written by sessions that ended in order. */
export interface ClosedRecord {
  kind: "closed";
}

export type LedgerRecord = HeaderRecord | GrantRecord | JournalRecord | RecoveredRecord | ClosedRecord;

/**
 * The state of a grant. All of them are spent.
 * - `released`: its values are journalled, and may have been seen;
 * - `under way`: of this session, and without values so far;
 * - `lost`: of a session that ended, or of a call that failed, before its values were journalled. Nobody saw them and
 *   nobody will.
 */
export type EntryState = "released" | "under way" | "lost";

/** A grant and its state. */
export interface Entry extends GrantRequest {
  id: GrantId;
  /** When the session that granted it opened the ledger, in ISO 8601. */
  when: string;
  state: EntryState;
}
