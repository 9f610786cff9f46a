import type { Store } from "./medium.js";

/** Where a ledger lies: its path, and that of its counter if it is to notice that it was rolled back. */
export type LedgerPlace = string | { path: string; counter?: string };

/** A ledger in a file, in Node, Deno and Bun. What that takes is loaded when it is needed: pages never need it. */
export async function fileStore(place: LedgerPlace): Promise<Store> {
  const { storeInFile } = await import("./filestore.js");
  return storeInFile(place);
}
