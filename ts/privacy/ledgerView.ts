import type { Ledger } from "./ledger/index.js";

/** What can be done with an account from outside: it is read, printed and exported. */
export type LedgerView = Pick<Ledger, "header" | "entries" | "find" | "export" | "toString" | "toJSON">;

/** An account that nobody can charge, write to or close through this. */
export const viewOf = (ledger: Ledger): LedgerView =>
  Object.freeze({
    get header() {
      return structuredClone(ledger.header);
    },
    entries: () => ledger.entries(),
    find: (key: string) => ledger.find(key),
    export: () => ledger.export(),
    toString: () => ledger.toString(),
    toJSON: () => ledger.toJSON(),
  });
