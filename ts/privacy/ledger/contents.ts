import { GENESIS, type Place } from "./chain.js";
import type { Mark } from "./medium.js";
import {
  type Entry,
  type EntryState,
  FORMAT,
  type GrantId,
  type GrantRecord,
  type HeaderRecord,
  type LedgerRecord,
  VERSION,
} from "./records.js";

interface Grant {
  id: GrantId;
  record: GrantRecord;
  /** Where its values lie, once they are journalled. */
  journal: { place: Place; at: number; length: number } | undefined;
}

/** What the records say, added up one by one, without the values. */
export class Contents {
  #header: HeaderRecord | undefined;
  #place = GENESIS;
  #closed = false;
  readonly #grants = new Map<GrantId, Grant>();
  readonly #journalled = new Map<string, Grant>();
  /** Grants of this session that have no values yet. */
  readonly #pending = new Set<GrantId>();

  /** Adds a record that lies at `at`; says what is wrong with it where it contradicts those before. */
  add(record: LedgerRecord, hash: string, at: number, length: number): string | undefined {
    const id = this.#place.seq;
    if ((id === 0) !== (record.kind === "header")) return "has no header, or has two";
    const wrong = this.#apply(record, { place: this.#place, at, length });
    this.#closed = record.kind === "closed";
    this.#place = { seq: id + 1, previous: hash };
    return wrong;
  }

  #apply(record: LedgerRecord, lies: NonNullable<Grant["journal"]>): string | undefined {
    switch (record.kind) {
      case "header":
        this.#header = record;
        return versionOf(record);
      case "grant":
        this.#grants.set(lies.place.seq, { id: lies.place.seq, record, journal: undefined });
        return undefined;
      case "journal":
        return this.#journal(record.grant, lies);
      case "recovered":
      case "closed":
        return undefined;
      default:
        return "has an entry of an unknown kind (a newer version wrote it: update this package)";
    }
  }

  #journal(id: GrantId, lies: NonNullable<Grant["journal"]>): string | undefined {
    const grant = this.#grants.get(id);
    if (!grant || grant.journal) return "has values that belong to no grant";
    grant.journal = lies;
    this.#pending.delete(id);
    if (!this.#journalled.has(grant.record.key)) this.#journalled.set(grant.record.key, grant);
    return undefined;
  }

  get header(): HeaderRecord {
    if (!this.#header) throw new Error("no header was read");
    return this.#header;
  }

  /** Where the next record goes. */
  get place(): Place {
    return this.#place;
  }

  /** Whether the last record says that the session ended in order. */
  get closed(): boolean {
    return this.#closed;
  }

  get mark(): Mark {
    return { account: this.header.account, records: this.#place.seq, hash: this.#place.previous };
  }

  /** Marks a grant as one of this session. */
  begin(id: GrantId): void {
    this.#pending.add(id);
  }

  /** Marks a grant of this session as one that will have no values. */
  abandon(id: GrantId): void {
    this.#pending.delete(id);
  }

  isPending(id: GrantId): boolean {
    return this.#pending.has(id);
  }

  /** The first grant with this key that has values. */
  journalled(key: string): Grant | undefined {
    return this.#journalled.get(key);
  }

  entry({ id, record: { kind: _, ...rest }, journal }: Grant): Entry {
    const state: EntryState = journal ? "released" : this.#pending.has(id) ? "under way" : "lost";
    return { id, ...rest, state };
  }

  entries(): Entry[] {
    return Array.from(this.#grants.values(), (grant) => this.entry(grant));
  }
}

function versionOf({ format, version }: HeaderRecord): string | undefined {
  if (format !== FORMAT) return "is no ledger of this package";
  if (version === VERSION) return undefined;
  return `is of version ${Number(version)} and this package knows ${VERSION}: update this package`;
}
