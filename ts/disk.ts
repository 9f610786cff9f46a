import type { FileHandle } from "node:fs/promises";
import type { Fs } from "./node.js";

type Pieces = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** The error code that the platform gave. */
export const codeOf = (cause: unknown): string | undefined => (cause as NodeJS.ErrnoException)?.code;

/** The path of a file without symbolic links; of one that does not exist yet, where writing to it would make it. */
export async function realPath(fs: Fs, path: string, links = MOST_LINKS): Promise<string> {
  try {
    return await fs.promises.realpath(path);
  } catch (cause) {
    if (codeOf(cause) !== "ENOENT" || links === 0) throw cause;
  }
  const [, folder = "", file = ""] = /^(.*?)([^/\\]+)$/s.exec(path) ?? [];
  const real = (await fs.promises.realpath(folder || ".")).replace(/[/\\]$/, "");
  const target = await fs.promises.readlink(`${real}/${file}`).catch(() => undefined);
  if (target === undefined) return `${real}/${file}`;
  return realPath(fs, /^([/\\]|[a-z]:)/i.test(target) ? target : `${real}/${target}`, links - 1);
}

/** As many as Linux follows. */
const MOST_LINKS = 40;

/** Writes pieces one after another. */
export async function writeAll(file: FileHandle, pieces: Pieces): Promise<void> {
  for await (const bytes of pieces) {
    for (let done = 0; done < bytes.length; ) {
      done += (await file.write(bytes, done, bytes.length - done)).bytesWritten;
    }
  }
}

/** Writes a whole file and syncs it; it is closed when this returns, so that Windows can rename it. */
export async function writeDurably(fs: Fs, path: string, pieces: Pieces, mode: number): Promise<void> {
  const file = await fs.promises.open(path, "w", mode);
  try {
    await writeAll(file, pieces);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Syncs the names in a file's folder. Windows and some file systems cannot, and keep names without. */
export async function syncFolder(fs: Fs, path: string): Promise<void> {
  const folder = path.replace(/[^/\\]+$/, "") || ".";
  try {
    const handle = await fs.promises.open(folder, "r");
    await handle.sync().finally(() => handle.close());
  } catch (cause) {
    if (!NO_FOLDERS.has(codeOf(cause) ?? "")) throw cause;
  }
}

/** What platforms answer that cannot open or sync a folder; a disk that fails answers EIO. */
const NO_FOLDERS = new Set(["EISDIR", "EPERM", "EACCES", "EINVAL", "ENOTSUP", "ENOSYS", "EBADF"]);
