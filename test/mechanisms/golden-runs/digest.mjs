// What a golden run is reduced to: the first 16 digits of the SHA-256 of each of its parts.

import { createHash } from "node:crypto";

const bytesOf = (part) => {
  if (typeof part === "string") return Buffer.from(part);
  if (ArrayBuffer.isView(part)) return Buffer.from(part.buffer, part.byteOffset, part.byteLength);
  return Buffer.from(JSON.stringify(part, plain, 1));
};

/** Times are not the same twice; lists of numbers are kept as lists. */
function plain(key, value) {
  if (key === "milliseconds") return undefined;
  return ArrayBuffer.isView(value) ? Array.from(value) : value;
}

const digest = (bytes) => createHash("sha256").update(bytes).digest("hex").slice(0, 16);

/** Collects parts by name: their hashes, and each as bytes for whoever wants to see how two differ. */
export class Parts {
  /** @type {Record<string, string>} */
  hashes = {};
  constructor(keep = () => undefined) {
    this.keep = keep;
  }
  add(name, part) {
    const bytes = bytesOf(part);
    this.hashes[name] = digest(bytes);
    this.keep(name, bytes);
  }
}
