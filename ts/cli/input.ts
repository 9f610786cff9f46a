import { MarginaliaError } from "../errors.js";
import { gunzip } from "../tables/gunzip.js";
import { find, type Source } from "../tables/source.js";
import { peek } from "../tables/stages.js";
import { fromText } from "./options.js";

/** A path or URL as it is, and standard input for `-`. */
export const sourceOf = (place: string, stdin: AsyncIterable<Uint8Array>): Source =>
  place === "-" ? stdin : place;

/** What a small file of JSON holds. */
export async function readJson(
  place: string,
  stdin: AsyncIterable<Uint8Array>,
  name: string,
): Promise<unknown> {
  return fromText(new TextDecoder().decode(await readAll(place, stdin)), name);
}

/** All bytes of a small file, decompressed. */
export async function readAll(place: string, stdin: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const found = await find(sourceOf(place, stdin), undefined);
  if (!("bytes" in found)) throw new MarginaliaError("SOURCE_FAILED", "standard input holds no bytes");
  const [head, all] = await peek(found.bytes.pieces, 2);
  const zipped = head[0] === 0x1f && head[1] === 0x8b;
  const parts: Uint8Array[] = [];
  for await (const piece of zipped ? gunzip(all) : all) parts.push(piece.slice());
  return new Uint8Array(Buffer.concat(parts));
}
