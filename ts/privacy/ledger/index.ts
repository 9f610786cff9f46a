/** The names of this folder that other folders use. */
export { fileStore, type LedgerPlace } from "./file.js";
export type { Json } from "./json.js";
export { type Journalled, Ledger, type LedgerOptions } from "./ledger.js";
export type { Counter, Mark, Medium, Opened, Store } from "./medium.js";
export { memoryStore } from "./memory.js";
export type { LedgerJson } from "./print.js";
export type { Currency, Entry, EntryState, GrantId, GrantRequest, LedgerHeader } from "./records.js";
