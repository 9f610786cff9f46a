import { MarginaliaError } from "./errors.js";

const encoder = /* @__PURE__ */ new TextEncoder();
const decoder = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export const utf8 = (text: string): Uint8Array => encoder.encode(text);

/** Writes a text of ASCII to the beginning of some bytes, which have room for it. */
export const putAscii = (text: string, to: Uint8Array): void => void encoder.encodeInto(text, to);

/** Throws where the bytes are no UTF-8. */
export const fromUtf8 = (bytes: Uint8Array): string => decoder.decode(bytes);

/** SHA-256 in hexadecimal, by WebCrypto, which Node, browsers and edge runtimes all have. */
export async function sha256(bytes: Uint8Array): Promise<string> {
  const subtle = globalThis.crypto?.subtle;
  if (!subtle) {
    const message = "SHA-256 needs WebCrypto (crypto.subtle): in a browser, serve the page over https";
    throw new MarginaliaError("SOURCE_FAILED", message);
  }
  // The types distinguish shared memory, which no caller has.
  return hex(new Uint8Array(await subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>)));
}

/** A name that nobody else has: 16 hexadecimal digits. */
export const uniqueName = (): string => hex(globalThis.crypto.getRandomValues(new Uint8Array(8)));

export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function concat(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts;
  if (only && parts.length === 1) return only;
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** What some runtimes have of their own. */
type Node = {
  from(buffer: ArrayBufferLike, at: number, length: number): { toString(form: "base64"): string };
};
type Newer = Uint8Array & { toBase64?: () => string };

/** Millions of values go to a ledger so: it must not take as long as to draw them. */
export function toBase64(bytes: Uint8Array): string {
  const { Buffer } = globalThis as { Buffer?: Node };
  if (Buffer) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("base64");
  return (bytes as Newer).toBase64?.() ?? base64(bytes);
}

/** The same for others: two digits at a time, from a table of all pairs. */
export function base64(bytes: Uint8Array): string {
  const pairs = new Uint16Array(4096);
  for (let i = 0; i < pairs.length; i++) pairs[i] = digit(i >> 6) | (digit(i & 63) << 8);
  const { length } = bytes;
  const words = new Uint16Array(2 * Math.ceil(length / 3));
  // Beyond the end there are zeros.
  for (let at = 0, to = 0; at < length; at += 3) {
    const three =
      ((bytes[at] as number) << 16) | ((bytes[at + 1] as number) << 8) | (bytes[at + 2] as number);
    words[to++] = pairs[three >> 12] as number;
    words[to++] = pairs[three & 4095] as number;
  }
  const text = new Uint8Array(words.buffer);
  return decoder.decode(text.fill(PADDING, text.length - ((3 - (length % 3)) % 3)));
}

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const PADDING = "=".charCodeAt(0);
const digit = (six: number) => DIGITS.charCodeAt(six);

export function fromBase64(text: string): Uint8Array {
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = characters.charCodeAt(i);
  return bytes;
}
