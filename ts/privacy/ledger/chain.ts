import { fromUtf8, putAscii, sha256, utf8 } from "../../bytes.js";
import type { LedgerRecord } from "./records.js";

/**
 * A record as a line: `{"seq":4,"previous":"<hash of record 3>",…,"hash":"<hash of this one>"}`. The hash is the
 * SHA-256 of all bytes of the line before `,"hash"`, so it covers the hash of the record before, and with it
 * everything before. It finds accidents, and changes by anybody who cannot compute it anew.
 */
export interface Sealed {
  line: Uint8Array;
  hash: string;
}

/** Where the next record goes. */
export interface Place {
  seq: number;
  previous: string;
}

/** What the first record names as the hash of the one before it. */
export const GENESIS: Place = { seq: 0, previous: /* @__PURE__ */ "0".repeat(64) };

const TAIL = ',"hash":"'.length + 64 + '"}'.length;
const SUFFIX = /^,"hash":"([0-9a-f]{64})"\}$/;

const opening = ({ seq, previous }: Place) => `{"seq":${seq},"previous":"${previous}",`;

export async function seal(place: Place, record: LedgerRecord): Promise<Sealed> {
  const line = unhashed(place, record);
  const body = line.subarray(0, line.length - TAIL);
  const hash = await sha256(body);
  line.set(utf8(`,"hash":"${hash}"}`), body.length);
  return { line, hash };
}

/** A line with room for its hash. Base64 may be long, and holds nothing that JSON would escape: it is written where it stays. */
function unhashed(place: Place, record: LedgerRecord): Uint8Array {
  const long = record.kind === "journal" && "base64" in record.values ? record.values.base64 : "";
  const short = long === "" ? record : { ...record, values: { base64: "" } };
  const text = opening(place) + JSON.stringify(short).slice(1, -1);
  // Where it is short, it ends with `""}`.
  const cut = long === "" ? text.length : text.length - 2;
  const [before, after] = [utf8(text.slice(0, cut)), utf8(text.slice(cut))];
  const line = new Uint8Array(before.length + long.length + after.length + TAIL);
  line.set(before);
  putAscii(long, line.subarray(before.length));
  line.set(after, before.length + long.length);
  return line;
}

/** A line that is what it was when it was written, in its place; otherwise what is wrong with it. */
export type Unsealed = { record: LedgerRecord; hash: string } | { wrong: string };

export async function unseal(line: Uint8Array, place: Place): Promise<Unsealed> {
  const hash = await ownHash(line);
  if (hash === undefined) return { wrong: "its bytes do not fit its hash" };
  const { seq, previous, hash: _, ...record } = parsed(line);
  if (seq !== place.seq) return { wrong: "it is not the entry that belongs here" };
  if (previous !== place.previous) return { wrong: "it does not follow from the entry before it" };
  return { record: record as unknown as LedgerRecord, hash };
}

function parsed(line: Uint8Array): { [key: string]: unknown } {
  return JSON.parse(fromUtf8(line)) as { [key: string]: unknown };
}

/** The hash at the end of a line, if it is that of the bytes before it. */
async function ownHash(line: Uint8Array): Promise<string | undefined> {
  const body = line.subarray(0, Math.max(0, line.length - TAIL));
  const suffix = String.fromCharCode(...line.subarray(body.length));
  const hash = SUFFIX.exec(suffix)?.[1];
  return hash !== undefined && (await sha256(body)) === hash ? hash : undefined;
}

/**
 * What an unfinished last line is:
 * - `whole`: a record of `length` bytes that lacks nothing but its newline;
 * - `torn`: the beginning of the record that belongs here, or pages of it that were never written (zeros);
 * - `damaged`: anything else, such as a whole record whose newline became something else.
 */
export type Tail = { kind: "whole"; length: number } | { kind: "torn" } | { kind: "damaged" };

export async function tailOf(bytes: Uint8Array, place: Place): Promise<Tail> {
  let length = bytes.length;
  while (length > 0 && bytes[length - 1] === 0) length--;
  const written = bytes.subarray(0, length);
  if ("record" in (await unseal(written, place))) return { kind: "whole", length };
  if (await holdsRecord(written)) return { kind: "damaged" };
  const expected = utf8(opening(place));
  const begins = expected.every((byte, i) => i >= length || written[i] === byte || written[i] === 0);
  return { kind: begins ? "torn" : "damaged" };
}

/** Whether some beginning of the bytes is a whole record, which a write that was cut short cannot leave. */
async function holdsRecord(bytes: Uint8Array): Promise<boolean> {
  const text = String.fromCharCode;
  for (let at = bytes.indexOf(CLOSING); at >= 0; at = bytes.indexOf(CLOSING, at + 1)) {
    const from = at + 1 - TAIL;
    const likely = from >= 0 && SUFFIX.test(text(...bytes.subarray(from, at + 1)));
    if (likely && (await ownHash(bytes.subarray(0, at + 1))) !== undefined) return true;
  }
  return false;
}

/** `}` */
const CLOSING = 125;
