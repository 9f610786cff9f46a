import { concat, fromBase64, sha256, toBase64, uniqueName, utf8 } from "../../bytes.js";
import { GENESIS, type Place, seal, unseal } from "./chain.js";
import { checkedGrant, checkedHeader, checkedValues, differences } from "./checks.js";
import type { Contents } from "./contents.js";
import type { Json } from "./json.js";
import { Log } from "./log.js";
import type { Medium, Store } from "./medium.js";
import { memoryStore } from "./memory.js";
import { mend, readAll } from "./opening.js";
import { asJson, asTable, type LedgerJson } from "./print.js";
import {
  type Entry,
  FORMAT,
  type GrantId,
  type GrantRequest,
  type HeaderRecord,
  type JournalRecord,
  type LedgerHeader,
  type LedgerRecord,
  VERSION,
} from "./records.js";
import { damaged, failed, invalid, mismatch } from "./refusals.js";

export interface LedgerOptions {
  /** Fail where there is no ledger yet, instead of beginning one. */
  existing?: boolean;
  /** The code that an earlier refusal gave for exactly this situation. */
  recover?: string | undefined;
  /** The clock, for tests. */
  now?: () => Date;
}

/** A grant whose values are journalled. */
export interface Journalled {
  entry: Entry;
  /** Reads the values: what was given to `journal`. */
  values(): Promise<Uint8Array | Json>;
}

/**
 * The account of one dataset, on a store that only ever grows. `grant` returns when the charge is on the disk,
 * so whoever draws afterwards has paid; `journal` returns when the values are, so whoever exposes them
 * afterwards can never lose them and draw again. Calls may overlap and take effect one after another. After
 * a failed write nothing more is accepted: the ledger must be closed and opened again.
 */
export class Ledger {
  readonly #store: Store;
  #medium: Medium;
  #log: Log;
  /** What the store will begin with, as long as it has nothing. */
  #draft: Uint8Array | undefined;
  readonly #contents: Contents;
  /** When this session began: the time of all that it grants. */
  readonly #when: string;
  #queue: Promise<unknown> = Promise.resolve();
  #state: "open" | "failed" | "closed" = "open";

  private constructor(parts: {
    store: Store;
    medium: Medium;
    log: Log;
    draft: Uint8Array | undefined;
    contents: Contents;
    when: string;
  }) {
    this.#store = parts.store;
    this.#medium = parts.medium;
    this.#log = parts.log;
    this.#draft = parts.draft;
    this.#contents = parts.contents;
    this.#when = parts.when;
  }

  /** Continues the ledger in the store, or begins one at the first charge. Nothing else may have it open. */
  static async open(header: LedgerHeader, store: Store, options: LedgerOptions = {}): Promise<Ledger> {
    checkedHeader(header);
    const { medium, interrupted } = await store.open(options.recover).catch((cause: unknown) => {
      throw failed(store.name, "opened", cause);
    });
    let ledger: Ledger | undefined;
    let found: Medium | undefined = medium;
    try {
      const draft = medium ? undefined : await drafted(header, store, options);
      if (draft) found = (await memoryStore(draft).open(undefined)).medium;
      ledger = await Ledger.#continue({ medium: found as Medium, draft, store, interrupted }, options);
      await ledger.#compare(header);
      return ledger;
    } catch (cause) {
      // A ledger that was read and mended is closed in order; otherwise the proof of a crash stays beside it.
      await (ledger ? ledger.close() : release(store, found, !interrupted)).catch(() => undefined);
      throw failed(store.name, "opened", cause);
    }
  }

  static async #continue(
    {
      medium,
      draft,
      store,
      interrupted,
    }: { medium: Medium; draft: Uint8Array | undefined; store: Store; interrupted: boolean },
    options: LedgerOptions,
  ): Promise<Ledger> {
    const found = await readAll(medium, store.name, store.counter);
    const { contents, log } = found;
    if (!contents.closed || found.tail) {
      const code = contents.place.previous.slice(0, 16);
      const known = interrupted || options.recover === code;
      if (!known)
        throw damaged(store.name, `${NOT_CLOSED}, open it once with \`recover: "${code}"\`; otherwise`);
    }
    const ledger = new Ledger({ store, medium, log, draft, contents, when: timeOf(options) });
    // What a killed process wrote may not be on the disk yet, and is about to be relied upon.
    await medium.sync();
    const dropped = await mend(medium, found, store.name);
    const mended = !contents.closed || dropped > 0;
    if (mended) await ledger.#append({ kind: "recovered", dropped });
    else if (!draft) await store.counter?.write(contents.mark);
    return ledger;
  }

  async #compare(header: LedgerHeader): Promise<void> {
    const other = differences(this.#contents.header, {
      ...header,
      schema: await sha256(utf8(header.schema)),
    });
    if (other.length > 0) throw mismatch(this.#store.name, other);
  }

  /** What the ledger is of, as it was begun; `schema` is the hash. */
  get header(): Readonly<HeaderRecord> {
    return this.#contents.header;
  }

  /** All grants, oldest first. */
  entries(): Entry[] {
    return this.#contents.entries();
  }

  /** The values that a charge with this key was paid for, in this session or before; they cost nothing again. */
  find(key: string): Journalled | undefined {
    const grant = this.#contents.journalled(key);
    const lies = grant?.journal;
    if (!grant || !lies) return undefined;
    return { entry: this.#contents.entry(grant), values: () => this.#serial(() => this.#values(lies)) };
  }

  /** Charges. Once it returns, and not before, the caller may draw. */
  async grant(request: GrantRequest): Promise<GrantId> {
    const checked = checkedGrant(request);
    return this.#serial(async () => {
      if (this.#contents.journalled(checked.key)) {
        throw invalid(`the charge \`${checked.key}\` has its values already: take those that \`find\` gives`);
      }
      const id = this.#contents.place.seq;
      this.#contents.begin(id);
      await this.#append({ kind: "grant", when: this.#when, ...checked });
      return id;
    });
  }

  /** Keeps what was drawn by a grant of this session. Once it returns, and not before, the values may be seen. */
  async journal(grant: GrantId, values: Uint8Array | Json): Promise<void> {
    const checked = checkedValues(values);
    // Copied at once: what the caller does to its values afterwards changes nothing.
    const kept =
      checked instanceof Uint8Array ? { base64: toBase64(checked) } : { json: structuredClone(checked) };
    return this.#serial(async () => {
      if (!this.#contents.isPending(grant)) {
        throw invalid("these values belong to no grant of this session that still lacks them");
      }
      await this.#append({ kind: "journal", grant, values: kept });
    });
  }

  /** Gives up a grant of this session that lacks its values: it is lost, and stays spent. */
  async abandon(grant: GrantId): Promise<void> {
    return this.#serial(async () => this.#contents.abandon(grant));
  }

  /** All of it, as text in UTF-8, to be kept and imported later: `memoryStore(bytes)`. */
  async export(): Promise<Uint8Array> {
    return this.#serial(async () => {
      const bytes = await this.#read(0, this.#log.size);
      if (this.#contents.closed) return bytes;
      const { line } = await seal(this.#contents.place, { kind: "closed" });
      return concat([bytes, line, utf8("\n")]);
    });
  }

  /** Gives the ledger up, so that others can open it. Grants without values are lost. */
  async close(): Promise<void> {
    const ended = this.#queue.then(() => this.#end());
    this.#queue = ended.catch(() => undefined);
    return ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** The account as a table for people. */
  toString(): string {
    return asTable(this.header, this.entries());
  }

  /** The account as data, described by `ledger.schema.json`; it holds no values. */
  toJSON(): LedgerJson {
    return asJson(this.header, this.entries());
  }

  async #end(): Promise<void> {
    if (this.#state === "closed") return;
    try {
      if (this.#state === "open" && !this.#contents.closed) {
        await this.#append({ kind: "closed" });
      }
    } finally {
      const clean = this.#state === "open";
      this.#state = "closed";
      await release(this.#store, this.#medium, clean).catch((cause: unknown) => {
        throw failed(this.#store.name, "closed", cause);
      });
    }
  }

  async #values({
    place,
    at,
    length,
  }: {
    place: Place;
    at: number;
    length: number;
  }): Promise<Uint8Array | Json> {
    const found = await unseal(await this.#read(at, length), place);
    if ("wrong" in found) throw damaged(this.#store.name, `is damaged at entry ${place.seq}: ${found.wrong}`);
    const { values } = found.record as JournalRecord;
    return "base64" in values ? fromBase64(values.base64) : values.json;
  }

  async #read(at: number, length: number): Promise<Uint8Array> {
    return this.#medium.read(at, length).catch((cause: unknown) => {
      throw failed(this.#store.name, "read", cause);
    });
  }

  /** The record is on the disk, and counted, before what it allows is done. */
  async #append(record: LedgerRecord): Promise<void> {
    try {
      if (this.#draft) await this.#begin(this.#draft);
      const { line, hash } = await seal(this.#contents.place, record);
      const at = this.#log.size;
      await this.#log.append(line);
      const wrong = this.#contents.add(record, hash, at, line.length);
      if (wrong !== undefined) throw damaged(this.#store.name, wrong);
      await this.#store.counter?.write(this.#contents.mark);
    } catch (cause) {
      this.#state = "failed";
      throw failed(this.#store.name, "written", cause);
    }
  }

  /** Puts into the store what was in memory alone. */
  async #begin(draft: Uint8Array): Promise<void> {
    this.#medium = await this.#store.create(draft);
    this.#log = new Log(this.#medium, draft.length);
    this.#draft = undefined;
    await this.#store.counter?.write(this.#contents.mark);
  }

  /** One after another, in the order of the calls; one that fails does not stop the next from being tried. */
  #serial<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(() => {
      if (this.#state === "open") return work();
      throw invalid(
        this.#state === "closed"
          ? "the ledger is closed: open it again"
          : `the ledger ${this.#store.name} could not be written before: close it and open it again`,
      );
    });
    this.#queue = done.catch(() => undefined);
    return done;
  }
}

const NOT_CLOSED =
  "ends without having been closed, and no lock of a process that died beside it says why. It may be an older " +
  "or a cut copy. If you know that it is the newest";

const timeOf = ({ now = () => new Date() }: LedgerOptions): string => now().toISOString();

/** What a ledger begins with, where its counter does not remember one. */
async function drafted(header: LedgerHeader, store: Store, options: LedgerOptions): Promise<Uint8Array> {
  if (options.existing) throw damaged(store.name, "is missing");
  if (await store.counter?.read()) throw damaged(store.name, "is missing, and its counter remembers it");
  const first = await headerRecord(header, store.counter !== undefined, timeOf(options));
  const one = await seal(GENESIS, first);
  const two = await seal({ seq: 1, previous: one.hash }, { kind: "closed" });
  return concat([one.line, utf8("\n"), two.line, utf8("\n")]);
}

async function headerRecord(header: LedgerHeader, counter: boolean, when: string): Promise<HeaderRecord> {
  const { dataset, unit, relation, budget, total } = header;
  const schema = await sha256(utf8(header.schema));
  const account = uniqueName();
  return {
    kind: "header",
    format: FORMAT,
    version: VERSION,
    account,
    dataset,
    schema,
    unit,
    relation,
    budget,
    total,
    counter,
    when,
  };
}

async function release(store: Store, medium: Medium | undefined, clean: boolean): Promise<void> {
  try {
    await medium?.close();
    await store.counter?.close();
  } finally {
    await store.close(clean);
  }
}
