import { MarginaliaError } from "../errors.js";
import { fileSystem } from "../node.js";
import { invalid } from "../options.js";
import type { Bytes } from "./source.js";

/** A Node stream, as far as it is used: users of other runtimes have no types of Node. */
export interface NodeWritable {
  write(bytes: Uint8Array, done?: () => void): boolean;
  end(done: () => void): unknown;
  once(event: string, listener: (...args: never[]) => void): unknown;
  destroy?(): unknown;
  readonly destroyed?: boolean;
  readonly fd?: number;
}

/** A path or `file:` URL as pieces of bytes; nothing for other URLs, and where there are no files. */
export async function openFile(place: string | URL): Promise<Bytes | undefined> {
  const text = String(place);
  if (/^(https?|data|blob):/i.test(text)) return undefined;
  const fs = await fileSystem();
  if (!fs) return undefined;
  const path = /^file:/i.test(text) ? new URL(text) : text;
  try {
    const handle = await fs.promises.open(path, "r");
    const { size } = await handle.stat();
    return { pieces: guarded(handle.createReadStream({ highWaterMark: 1 << 20 })), total: size };
  } catch (cause) {
    throw failed("be read", cause);
  }
}

/** A writable stream to a file. */
export async function createFile(place: string | URL): Promise<NodeWritable> {
  const fs = await fileSystem();
  if (!fs) throw invalid("there are no files here: give a stream to write to");
  try {
    const path = /^file:/i.test(String(place)) ? new URL(place) : place;
    const handle = await fs.promises.open(path, "w");
    return handle.createWriteStream();
  } catch (cause) {
    throw failed("be written", cause);
  }
}

async function* guarded(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
  } catch (cause) {
    throw failed("be read", cause);
  }
}

function failed(what: string, cause: unknown): MarginaliaError {
  const code = (cause as NodeJS.ErrnoException)?.code ?? "unknown error";
  return new MarginaliaError("SOURCE_FAILED", `the file cannot ${what} (${code}): check the path`, { cause });
}
