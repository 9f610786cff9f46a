import type { Entry, Ledger } from "./ledger/index.js";

/** What can be done with an account from outside: it is read, printed and exported. */
export type LedgerView = Pick<Ledger, "header" | "entries" | "find" | "export" | "toString" | "toJSON">;

/** An account that nobody can charge, write to or close through this; with charges that will be made, where a plan needs them. */
export const viewOf = (ledger: Ledger, pending: readonly Entry[] = []): LedgerView =>
  Object.freeze({
    get header() {
      return structuredClone(ledger.header);
    },
    entries: () => [...ledger.entries(), ...pending],
    find: (key: string) => ledger.find(key),
    export: () => ledger.export(),
    toString: () => ledger.toString(),
    toJSON: () => ledger.toJSON(),
  });
