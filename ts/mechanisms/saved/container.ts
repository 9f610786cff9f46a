import { concat, hex, sha256, utf8 } from "../../bytes.js";
import { MarginaliaError } from "../../errors.js";
import type { Incoming } from "./incoming.js";

/** `MARGRLSE`; the version, the bytes of the header in the file and those when it is inflated as u32; its SHA-256. */
const MAGIC = /* @__PURE__ */ Uint8Array.from("MARGRLSE", (letter) => letter.charCodeAt(0));
export const VERSION = 2;
/** Those that are read: of the first, every model is on rows. */
export const VERSIONS = [1, VERSION] as const;
const PRELUDE = 52;
/** A header is JSON without values, of schemas with up to some hundred thousand labels. */
const MOST_HEADER = 2 ** 24;
/** How deep its JSON may be nested: what reads or prints it may do so by calls within calls. */
const MOST_DEPTH = 64;
/** No deflated data is more than 1032 times as long when it is inflated. */
const MOST_RATIO = 1032;

/** How one section lies in a file. */
export interface SectionHead {
  readonly name: string;
  readonly encoding: "identity" | "deflate";
  /** Bytes in the file, and of these the SHA-256. */
  readonly stored: number;
  readonly sha256: string;
  /** Bytes when it is inflated. */
  readonly length: number;
}

/** The sections of a file, by name. */
export type Sections<Name extends string> = Readonly<Record<Name, Uint8Array<ArrayBuffer>>>;

/** A file: its header, which gets the list of sections, and the sections one after another. */
export async function written(header: object, sections: Sections<string>): Promise<Uint8Array<ArrayBuffer>> {
  const heads: SectionHead[] = [];
  const bodies: Uint8Array[] = [];
  for (const [name, bytes] of Object.entries(sections)) {
    const small = await deflated(bytes);
    const [encoding, body] = small ? (["deflate", small] as const) : (["identity", bytes] as const);
    const { length } = bytes;
    heads.push({ name, encoding, stored: body.length, sha256: await sha256(body), length });
    bodies.push(body);
  }
  const text = utf8(JSON.stringify({ ...header, sections: heads })) as Uint8Array<ArrayBuffer>;
  const stored = (await deflated(text)) ?? text;
  const prelude = new Uint8Array(PRELUDE);
  const view = new DataView(prelude.buffer);
  prelude.set(MAGIC);
  view.setUint32(8, VERSION, true);
  view.setUint32(12, stored.length, true);
  view.setUint32(16, text.length, true);
  prelude.set(fromHex(await sha256(stored)), 20);
  return concat([prelude, stored, ...bodies]) as Uint8Array<ArrayBuffer>;
}

/** The header of a file, not yet looked at but that it is JSON. */
export async function readHeader(file: Incoming): Promise<unknown> {
  const prelude = await file.take(PRELUDE, "is no saved release");
  if (!MAGIC.every((byte, i) => prelude[i] === byte)) {
    throw damaged("these bytes are no saved release: the text MARGRLSE does not stand at their beginning");
  }
  const view = new DataView(prelude.buffer);
  const version = view.getUint32(8, true);
  if (!VERSIONS.some((one) => one === version)) {
    const message = `this release was saved in version ${version} of the format, and this package reads up to ${VERSION}: update this package`;
    throw new MarginaliaError("RELEASE_VERSION", message);
  }
  const [stored, length] = [view.getUint32(12, true), view.getUint32(16, true)];
  const encoding = stored < length ? "deflate" : "identity";
  if (length > MOST_HEADER) throw damaged("its header is said to be longer than any");
  const head = { name: "header", encoding, stored, sha256: hex(prelude.subarray(20)), length } as const;
  const text = await readSection(file, head, length);
  if (depth(text) > MOST_DEPTH) throw damaged("its header is nested too deep");
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(text));
  } catch {
    throw damaged("its header is no JSON");
  }
}

/** The next section, which must be of so many bytes. */
export async function readSection(
  file: Incoming,
  { name, encoding, stored, sha256: hash, length }: SectionHead,
  expected: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const within = encoding === "identity" ? length === stored : length <= MOST_RATIO * stored;
  if (length !== expected || !within) throw damaged(`its ${name} cannot be as long as is said`);
  const body = await file.take(stored, `ends within its ${name}`);
  if ((await sha256(body)) !== hash) throw damaged(`its ${name} is not what was saved`);
  return encoding === "identity" ? body : inflated(body, length, name);
}

/** Smaller bytes, where the platform makes some. */
async function deflated(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array | undefined> {
  if (typeof CompressionStream === "undefined") return undefined;
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate"));
  const small = new Uint8Array(await new Response(stream).arrayBuffer());
  return small.length < bytes.length ? small : undefined;
}

/** So many bytes, and never more in memory. */
async function inflated(
  body: Uint8Array<ArrayBuffer>,
  length: number,
  name: string,
): Promise<Uint8Array<ArrayBuffer>> {
  if (typeof DecompressionStream === "undefined") {
    const message = "this platform inflates nothing: it has no DecompressionStream";
    throw new MarginaliaError("SOURCE_FAILED", message);
  }
  const bytes = new Uint8Array(length);
  const stream = new Blob([body]).stream().pipeThrough(new DecompressionStream("deflate"));
  const reader = stream.getReader();
  let at = 0;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const piece = next.value as Uint8Array;
      if (at + piece.length > length) throw new RangeError("more than was said");
      bytes.set(piece, at);
      at += piece.length;
    }
    if (at < length) throw new RangeError("less than was said");
  } catch {
    await reader.cancel().catch(() => undefined);
    throw damaged(`its ${name} inflates to something else than was said`);
  }
  return bytes;
}

/** How deep the brackets of JSON lie within each other. */
function depth(json: Uint8Array): number {
  let [now, most, text] = [0, 0, false];
  for (let i = 0; i < json.length; i++) {
    const byte = json[i];
    if (text && byte === BACKSLASH) i++;
    else if (byte === QUOTE) text = !text;
    else if (!text && (byte === 0x5b || byte === 0x7b)) most = Math.max(most, ++now);
    else if (!text && (byte === 0x5d || byte === 0x7d)) now--;
  }
  return most;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

const fromHex = (text: string): Uint8Array =>
  Uint8Array.from({ length: text.length / 2 }, (_, i) => Number.parseInt(text.slice(2 * i, 2 * i + 2), 16));

/** Something is no saved release. */
export function damaged(why: string, cause?: unknown): MarginaliaError {
  const message = `this saved release cannot be read: ${why}; take another copy, or save it again`;
  return new MarginaliaError("RELEASE_DAMAGED", message, cause === undefined ? {} : { cause });
}
