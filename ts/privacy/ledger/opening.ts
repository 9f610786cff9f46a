import { type Place, type Tail, tailOf, unseal } from "./chain.js";
import { Contents } from "./contents.js";
import { type Line, Log, lines } from "./log.js";
import type { Counter, Mark, Medium } from "./medium.js";
import { damaged, mismatch } from "./refusals.js";

/** A ledger as it was found. */
export interface Found {
  contents: Contents;
  log: Log;
  /** The line without a newline at the end, if there is one. */
  tail: { bytes: Uint8Array; is: Exclude<Tail, { kind: "damaged" }> } | undefined;
}

/** Reads and checks all of it. Fails with LEDGER_DAMAGED; changes nothing. */
export async function readAll(medium: Medium, name: string, counter: Counter | undefined): Promise<Found> {
  const mark = await counter?.read();
  let agreed = mark === undefined;
  const found = await readChain(medium, name, ({ seq, previous }) => {
    if (mark?.records === seq) agreed = mark.hash === previous;
  });
  checkCounter(found.contents, { counter, mark, agreed }, name);
  return found;
}

/** Reads and checks the records, without a counter that could tell an old copy. `reached` hears of each place. */
export async function readChain(
  medium: Medium,
  name: string,
  reached: (place: Place) => void = () => {},
): Promise<Found> {
  const contents = new Contents();
  let size = 0;
  let tail: Found["tail"];
  for await (const line of lines(medium)) {
    if (!line.finished) {
      tail = await readTail(line, contents, name);
      break;
    }
    await readLine(line, contents, name);
    size = line.at + line.bytes.length + 1;
    reached(contents.place);
  }
  if (contents.place.seq === 0) throw damaged(name, "is empty");
  return { contents, log: new Log(medium, size), tail };
}

interface Counted {
  counter: Counter | undefined;
  mark: Mark | undefined;
  /** Whether the ledger has the record that the mark is of. It may have more: the counter is written last. */
  agreed: boolean;
}

function checkCounter(contents: Contents, { counter, mark, agreed }: Counted, name: string): void {
  const { header, place } = contents;
  if (header.counter !== (counter !== undefined)) {
    throw mismatch(name, [
      header.counter
        ? "`counter` (it has one, none is given)"
        : "`counter` (it has none, and none can be added)",
    ]);
  }
  if (counter && !mark && place.seq > BEGUN) throw damaged(name, "has lost its counter");
  if (mark && mark.account !== header.account) throw damaged(name, "is not the one that its counter is of");
  if (!agreed) throw damaged(name, "is older than its counter says: entries are missing");
}

/** The records that a ledger is created with: the counter is written just after, and may have been lost. */
const BEGUN = 2;

async function readLine({ at, bytes }: Line, contents: Contents, name: string): Promise<void> {
  const { seq } = contents.place;
  const found = await unseal(bytes, contents.place);
  if ("wrong" in found) throw damaged(name, `is damaged at entry ${seq}: ${found.wrong}`);
  const wrong = contents.add(found.record, found.hash, at, bytes.length);
  if (wrong !== undefined) throw damaged(name, wrong);
}

async function readTail({ bytes }: Line, contents: Contents, name: string): Promise<Found["tail"]> {
  const { seq } = contents.place;
  const is = await tailOf(bytes, contents.place);
  if (seq === 0) throw damaged(name, "is cut in its first line");
  if (is.kind === "damaged") throw damaged(name, `is damaged at entry ${seq}, its last`);
  return { bytes, is };
}

/**
 * Takes a whole record that lacks its newline into the ledger, and drops a torn one; answers how many bytes
 * were dropped. Whoever wrote the tail was stopped before its newline was synced, and so before the call that
 * wrote it returned: nothing was drawn by such a grant, and no value of such a journal was seen. So dropping
 * loses nothing. A whole record is kept all the same, as spent, because this errs on the safe side.
 */
export async function mend(medium: Medium, { contents, log, tail }: Found, name: string): Promise<number> {
  if (!tail) return 0;
  const { bytes, is } = tail;
  if (is.kind === "torn") {
    await medium.truncate(log.size);
    await medium.sync();
    return bytes.length;
  }
  await medium.truncate(log.size + is.length);
  await medium.sync();
  const at = log.size;
  await log.finish(is.length);
  await readLine({ at, bytes: bytes.subarray(0, is.length), finished: true }, contents, name);
  return 0;
}
