import type { Medium } from "./medium.js";
import { memoryStore } from "./memory.js";
import { mend, readChain } from "./opening.js";
import { asJson, asTable, type LedgerJson } from "./print.js";

/** A ledger as its bytes tell it. It may be an old copy: only its counter, or whoever keeps it, knows. */
export interface LedgerCopy {
  /** Whether no program has it open, and none died with it open: else charges without values may be under way. */
  readonly closed: boolean;
  toString(): string;
  toJSON(): LedgerJson;
}

/** Reads a copy of a ledger without opening it: nothing is locked, mended or written. Fails with LEDGER_DAMAGED. */
export async function viewLedger(bytes: Uint8Array, name: string): Promise<LedgerCopy> {
  const { medium } = await memoryStore(bytes).open(undefined);
  const found = await readChain(medium as Medium, name);
  const { contents, tail } = found;
  const { header } = contents;
  const closed = contents.closed && tail === undefined;
  // What opening it would find after a crash: a charge that lacks nothing but its newline is spent. Only the copy changes.
  await mend(medium as Medium, found, name);
  const entries = contents.entries();
  return {
    closed,
    toString: () => asTable(header, entries),
    toJSON: () => asJson(header, entries),
  };
}
