import { fileSystem } from "../node.js";
import { realPlace } from "./files.js";
import { placeIn, samePlace } from "./provenance.js";
import { find, type Part, type Source } from "./source.js";

type Place = string | URL;

/** Whether two paths or `file:` URLs are one file, by whatever links, and where it does not exist yet. */
export async function sameFile(one: Place, other: Place): Promise<boolean> {
  if (samePlace(one, other)) return true;
  const [a, b] = [await fileOf(one), await fileOf(other)];
  return a !== undefined && b !== undefined && (a.path === b.path || (a.id !== "" && a.id === b.id));
}

/** A file by its path without links, and by what the file system knows it by, if there is one. */
async function fileOf(place: Place): Promise<{ path: string; id: string; size: number } | undefined> {
  if (isRemote(place)) return undefined;
  const fs = await fileSystem();
  if (!fs) return undefined;
  try {
    const path = await realPlace(fs, place);
    const found = await fs.promises.stat(path, { bigint: true }).catch(() => undefined);
    if (!found) return { path, id: "", size: Number.NaN };
    const size = found.isFile() ? Number(found.size) : Number.NaN;
    return { path, id: `${found.dev} ${found.ino}`, size };
  } catch {
    return undefined;
  }
}

const isRemote = (place: Place): boolean =>
  /^[a-z][a-z+.-]+:/i.test(String(place)) && !/^file:/i.test(String(place));

/**
 * Whether two sources are one: the same object, place or file, or the same bytes. Bytes are compared where both lie still
 * (files, blobs, bytes) and are as many, up to the first that differs. What only streams or lies elsewhere is not asked.
 */
export async function sameSource(one: Source, other: Source): Promise<boolean> {
  if (samePlace(one, other)) return true;
  const [a, b] = [placeIn(one), placeIn(other)];
  if (a !== undefined && b !== undefined && (await sameFile(a, b))) return true;
  const [size, more] = [await sizeOf(one), await sizeOf(other)];
  if (size === undefined || size !== more) return false;
  try {
    const parts = [await partOf(one), await partOf(other)];
    return await sameBytes(parts as [Part, Part], size);
  } catch {
    // Whoever reads it will say what is wrong with it.
    return false;
  }
}

async function sizeOf(source: Source): Promise<number | undefined> {
  if (source instanceof Uint8Array || source instanceof ArrayBuffer) return source.byteLength;
  if (typeof Blob !== "undefined" && source instanceof Blob) return source.size;
  if (typeof source !== "string" && !(source instanceof URL)) return undefined;
  const size = (await fileOf(source))?.size;
  return Number.isNaN(size) ? undefined : size;
}

async function partOf(source: Source): Promise<Part | undefined> {
  const found = await find(source, undefined);
  return "bytes" in found ? found.bytes.part : undefined;
}

const PIECE = 1 << 18;

async function sameBytes([one, other]: readonly [Part, Part], size: number): Promise<boolean> {
  for (let at = 0; at < size; at += PIECE) {
    const to = Math.min(size, at + PIECE);
    const [a, b] = [new Uint8Array(await one(at, to)), new Uint8Array(await other(at, to))];
    const same = a.every((byte, i) => byte === b[i]);
    // Of both one may be private.
    for (const piece of [a, b]) piece.fill(0);
    if (!same) return false;
  }
  return true;
}
