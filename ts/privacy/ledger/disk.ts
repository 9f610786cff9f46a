import type { FileHandle } from "node:fs/promises";
import { codeOf, syncFolder, writeDurably as write } from "../../disk.js";
import type { Fs } from "../../node.js";
import type { Medium } from "./medium.js";
import { damaged, linked } from "./refusals.js";

/** Only the owner may read: the values in a ledger are paid for, but not yet published. */
const MODE = 0o600;

/** A file of a ledger or of its counter; nothing where there is none. */
export async function openMedium(fs: Fs, path: string, name: string): Promise<Medium | undefined> {
  let file: FileHandle;
  try {
    file = await fs.promises.open(path, "r+");
  } catch (cause) {
    if (codeOf(cause) === "ENOENT") return undefined;
    throw cause;
  }
  const { nlink } = await file.stat();
  if (nlink <= 1) return new FileMedium(fs, file, path, name);
  await file.close();
  throw linked(name);
}

/**
 * Makes a file of these bytes. They are written to another name, synced and then renamed, so that a crash
 * leaves all of the file or none of it. Whoever calls this holds the lock and has seen that there is no file; one that is
 * there all the same is of somebody who does not heed the lock.
 */
export async function createMedium(fs: Fs, path: string, bytes: Uint8Array, name: string): Promise<Medium> {
  const draft = `${path}.new`;
  await writeDurably(fs, draft, bytes);
  const other = await fs.promises.lstat(path).catch(() => undefined);
  if (other) throw changed(name);
  await fs.promises.rename(draft, path);
  await syncFolder(fs, path);
  return new FileMedium(fs, await fs.promises.open(path, "r+"), path, name);
}

/** Writes a whole file that only its owner may read, and syncs it. */
export const writeDurably = (fs: Fs, path: string, bytes: Uint8Array): Promise<void> =>
  write(fs, path, [bytes], MODE);

const changed = (name: string) => damaged(name, "was changed or replaced by somebody else while it was open");

class FileMedium implements Medium {
  readonly #fs: Fs;
  readonly #file: FileHandle;
  readonly #path: string;
  readonly #name: string;

  constructor(fs: Fs, file: FileHandle, path: string, name: string) {
    this.#fs = fs;
    this.#file = file;
    this.#path = path;
    this.#name = name;
  }

  async size(): Promise<number> {
    return (await this.#file.stat()).size;
  }

  async read(at: number, length: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(length);
    for (let done = 0; done < length; ) {
      const { bytesRead } = await this.#file.read(bytes, done, length - done, at + done);
      if (bytesRead === 0) throw damaged(this.#name, "became shorter while it was open");
      done += bytesRead;
    }
    return bytes;
  }

  async write(at: number, bytes: Uint8Array): Promise<void> {
    await this.#intact(at);
    for (let done = 0; done < bytes.length; ) {
      done += (await this.#file.write(bytes, done, bytes.length - done, at + done)).bytesWritten;
    }
  }

  /** Somebody may have removed the lock by hand, or put another file in the place of this one. */
  async #intact(size: number): Promise<void> {
    const named = await this.#fs.promises.stat(this.#path, { bigint: true }).catch(() => undefined);
    const own = await this.#file.stat({ bigint: true });
    const same = named?.ino === own.ino && named.dev === own.dev;
    if (!same || own.size !== BigInt(size)) throw changed(this.#name);
  }

  async truncate(length: number): Promise<void> {
    await this.#file.truncate(length);
  }

  async sync(): Promise<void> {
    await this.#file.datasync();
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}
