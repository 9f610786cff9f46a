import { codeOf, realPath, syncFolder, writeAll, writeDurably } from "../disk.js";
import { MarginaliaError } from "../errors.js";
import { type Fs, fileSystem } from "../node.js";
import { invalid } from "../options.js";
import type { Bytes } from "./source.js";
import { tidied } from "./stages.js";

/** A Node stream, as far as it is used: users of other runtimes have no types of Node. */
export interface NodeWritable {
  write(bytes: Uint8Array, done?: () => void): boolean;
  end(done: () => void): unknown;
  once(event: string, listener: (...args: never[]) => void): unknown;
  destroy?(): unknown;
  readonly destroyed?: boolean;
  readonly fd?: number;
}

/**
 * A path or `file:` URL as pieces of bytes; nothing for other URLs, and where there are no files. A file is opened when
 * its first piece is asked for; what is no file, such as a pipe, can be opened only once, and is now.
 */
export async function openFile(place: string | URL): Promise<Bytes | undefined> {
  const text = String(place);
  if (/^(https?|data|blob):/i.test(text)) return undefined;
  const fs = await fileSystem();
  if (!fs) return undefined;
  const path = isFileUrl(place) ? new URL(place) : text;
  try {
    const handle = await fs.promises.open(path, "r");
    const found = await handle.stat();
    if (!found.isFile()) return { pieces: guarded(handle.createReadStream(PIECES)), total: undefined };
    await handle.close();
    const part = (from: number, to: number) => readPart(fs, path, from, to);
    return { pieces: guarded(() => fs.createReadStream(path, PIECES)), total: found.size, part };
  } catch (cause) {
    throw failed("be read", cause);
  }
}

const PIECES = { highWaterMark: 1 << 20 };

const isFileUrl = (place: string | URL) => /^file:/i.test(String(place));

async function readPart(fs: Fs, path: string | URL, from: number, to: number): Promise<ArrayBuffer> {
  const bytes = new Uint8Array(to - from);
  try {
    const handle = await fs.promises.open(path, "r");
    try {
      for (let done = 0; done < bytes.length; ) {
        const { bytesRead } = await handle.read(bytes, done, bytes.length - done, from + done);
        if (bytesRead === 0) throw new Error("the file became shorter while it was read");
        done += bytesRead;
      }
    } finally {
      await handle.close();
    }
  } catch (cause) {
    throw failed("be read", cause);
  }
  return bytes.buffer;
}

/** How many drafts this process has begun, so that two of one file do not meet. */
let drafts = 0;

/**
 * Writes a file so that under its path lies all of it, or else what lay there before: it is written under a name beside
 * it, synced, closed, because Windows renames no open file, and then renamed. What is no file, such as a terminal or a
 * pipe, is written to as it is.
 */
export async function replaceFile(place: string | URL, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  const fs = await fileSystem();
  if (!fs) throw invalid("there are no files here: give a stream to write to");
  try {
    const path = await realPlace(fs, place);
    const before = await fs.promises.stat(path).catch(() => undefined);
    if (before && !before.isFile()) return await writeThrough(fs, path, pieces);
    drafts += 1;
    const draft = `${path}.${process.pid}-${drafts}.part`;
    try {
      await writeDurably(fs, draft, pieces, before ? before.mode & 0o777 : 0o666);
      await fs.promises.rename(draft, path);
    } catch (error) {
      await fs.promises.rm(draft, { force: true }).catch(() => undefined);
      throw error;
    }
    await syncFolder(fs, path);
  } catch (cause) {
    throw cause instanceof MarginaliaError ? cause : failed("be written", cause);
  }
}

async function writeThrough(fs: Fs, path: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await fs.promises.open(path, "w");
  await writeAll(file, pieces).finally(() => file.close());
}

/** A path or `file:` URL without symbolic links, so that the file is replaced and not the link to it. */
export async function realPlace(fs: Fs, place: string | URL): Promise<string> {
  if (!isFileUrl(place)) return realPath(fs, String(place));
  const url = new URL(place);
  try {
    return await fs.promises.realpath(url);
  } catch (cause) {
    if (codeOf(cause) !== "ENOENT") throw cause;
  }
  const folder = await fs.promises.realpath(new URL(".", url));
  return `${folder}/${decodeURIComponent(url.pathname.replace(/^.*\//, ""))}`;
}

type Readable = AsyncIterable<Uint8Array> & { destroy(): unknown };

/** What a stream gives, or one that is made when the first piece is asked for; its errors as ours. */
function guarded(stream: Readable | (() => Readable)): AsyncIterableIterator<Uint8Array> {
  async function* pieces() {
    try {
      yield* typeof stream === "function" ? stream() : stream;
    } catch (cause) {
      throw failed("be read", cause);
    }
  }
  return tidied(pieces(), () => typeof stream !== "function" && stream.destroy());
}

function failed(what: string, cause: unknown): MarginaliaError {
  const code = codeOf(cause) ?? "unknown error";
  return new MarginaliaError("SOURCE_FAILED", `the file cannot ${what} (${code}): check the path`, { cause });
}
