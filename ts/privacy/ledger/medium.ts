import type { Input } from "../../tables/inputs.js";

/**
 * What the bytes of a ledger lie on. Whoever keeps ledgers elsewhere (a database, the storage of an edge
 * runtime) implements {@link Store} and this; the promises of the ledger rest on what is said here.
 */
export interface Medium {
  size(): Promise<number>;
  /** Exactly these bytes. */
  read(at: number, length: number): Promise<Uint8Array>;
  /** Writes at the end, which is `at`; fails where the end is elsewhere, because somebody else wrote. */
  write(at: number, bytes: Uint8Array): Promise<void>;
  /** Drops all bytes from `length` on. */
  truncate(length: number): Promise<void>;
  /** Returns once everything written and truncated before survives a loss of power. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** How far a ledger has come: what its counter keeps elsewhere. */
export interface Mark {
  /** Which ledger: the random name in its header. */
  account: string;
  /** How many records it has. */
  records: number;
  /** The hash of the last of them. */
  hash: string;
}

/** Keeps the newest mark apart from the ledger, so that an older copy of the ledger is recognised. */
export interface Counter {
  read(): Promise<Mark | undefined>;
  /** Returns once the mark survives a loss of power. */
  write(mark: Mark): Promise<void>;
  close(): Promise<void>;
}

/** What a store found when it was opened. */
export interface Opened {
  /** Nothing where there is no ledger yet. */
  medium: Medium | undefined;
  /** Whether there is proof that whoever had it open last ended without closing it. */
  interrupted: boolean;
}

export interface Store {
  /** What messages call the ledger, such as its path. */
  readonly name: string;
  readonly counter?: Counter | undefined;
  /** The files that it is kept in, if it is: nothing else is written over them. */
  readonly inputs?: readonly Input[];
  /** Takes exclusive hold, or fails with LEDGER_LOCKED. `recover` is a code from an earlier message. */
  open(recover: string | undefined): Promise<Opened>;
  /** Makes a ledger of these bytes: after a crash there is all of it or nothing. */
  create(bytes: Uint8Array): Promise<Medium>;
  /** Gives up the hold. `clean: false` leaves proof that the ledger was not closed. */
  close(clean: boolean): Promise<void>;
}
