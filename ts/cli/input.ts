import { MarginaliaError } from "../errors.js";
import { fromText } from "../option.js";
import { gunzip } from "../tables/gunzip.js";
import { find, type Source } from "../tables/source.js";
import { peek } from "../tables/stages.js";

/** A path or URL as it is, and standard input for `-`. */
export const sourceOf = (place: string, stdin: AsyncIterable<Uint8Array>): Source =>
  place === "-" ? stdin : place;

/** The most that a file of JSON may hold, unpacked: a schema of all codes that there can be takes a tenth. */
const MOST_JSON = 2 ** 26;
/** The same of an account, a release or measurements, which a text in memory has to hold. */
export const MOST_KEPT = 2 ** 29;

/** What a small file of JSON holds. */
export async function readJson(
  place: string,
  stdin: AsyncIterable<Uint8Array>,
  name: string,
): Promise<unknown> {
  return fromText(new TextDecoder().decode(await readAll(place, stdin, name)), name);
}

/** All bytes of a file, decompressed; `name` is the option that it was given by. */
export async function readAll(
  place: string,
  stdin: AsyncIterable<Uint8Array>,
  name: string,
  most = MOST_JSON,
): Promise<Uint8Array> {
  const found = await find(sourceOf(place, stdin), undefined);
  if (!("bytes" in found)) throw new MarginaliaError("SOURCE_FAILED", "standard input holds no bytes");
  const [head, all] = await peek(found.bytes.pieces, 2);
  const zipped = head[0] === 0x1f && head[1] === 0x8b;
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const piece of zipped ? gunzip(all) : all) {
    length += piece.length;
    if (length > most) throw tooLong(name, most);
    parts.push(piece.slice());
  }
  return new Uint8Array(Buffer.concat(parts));
}

function tooLong(name: string, most: number): MarginaliaError {
  const message = `the file of \`${name}\` holds more than ${most / 2 ** 20} MiB, unpacked, and is not what belongs there: check the path`;
  return new MarginaliaError("SOURCE_FAILED", message);
}
