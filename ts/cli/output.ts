import { gzipSync } from "node:zlib";
import { MarginaliaError } from "../errors.js";
import { replaceFile } from "../tables/files.js";

/**
 * Writes bytes to a path, where then lies all of them or what lay there before; compressed where the name ends in `.gz`.
 * `-` is standard output.
 */
export async function writeOut(place: string, bytes: Uint8Array, stdout: NodeJS.WriteStream): Promise<void> {
  if (place === "-") return toStandard(bytes, stdout);
  const all = /\.gz$/i.test(place) ? gzipSync(bytes) : bytes;
  await replaceFile(place, once(all));
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Waits until it is taken: a pipe may be full, or its reader gone. */
function toStandard(bytes: Uint8Array, stdout: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve, reject) => {
    stdout.write(bytes, (cause) => {
      if (!cause) return resolve();
      reject(new MarginaliaError("SOURCE_FAILED", "standard output takes nothing any more", { cause }));
    });
  });
}
