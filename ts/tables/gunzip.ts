import { MarginaliaError } from "../errors.js";

/**
 * Decompresses gzip. A file of several members (RFC 1952, section 2.2) is read whole where the runtime does so, as Node
 * does, and refused elsewhere: browsers read the first one only.
 */
export async function* gunzip(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const stream = new DecompressionStream("gzip");
  const end = new Uint8Array(4);
  let failure: unknown;
  const feed = async () => {
    const writer = stream.writable.getWriter();
    try {
      for await (const piece of pieces) {
        keepLast(end, piece);
        await writer.write(piece as BufferSource);
      }
      await writer.close();
    } catch (error) {
      if (error instanceof MarginaliaError) failure = error;
      await writer.abort(error).catch(() => undefined);
    }
  };
  const fed = feed();
  const reader = stream.readable.getReader();
  let length = 0;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      length += next.value.length;
      yield next.value as Uint8Array;
    }
    await fed;
  } catch (cause) {
    throw failure ?? refused(await readsMembers(), cause);
  } finally {
    await reader.cancel().catch(() => undefined);
  }
  if (failure) throw failure;
  // A file ends with the length of its last member, so this finds a runtime that passes over all but the first.
  const size = new DataView(end.buffer).getUint32(0, true);
  if (size !== length % 2 ** 32 && !(await readsMembers())) throw refused(false, undefined);
}

/** Keeps the last bytes of all that came. */
function keepLast(end: Uint8Array, piece: Uint8Array): void {
  const last = piece.subarray(-end.length);
  end.copyWithin(0, last.length);
  end.set(last, end.length - last.length);
}

/** A gzip member that holds "a". */
const MEMBER = Uint8Array.of(31, 139, 8, 0, 0, 0, 0, 0, 0, 3, 75, 4, 0, 67, 190, 183, 232, 1, 0, 0, 0);

/** Whether this runtime reads one member after another. */
async function readsMembers(): Promise<boolean> {
  const both = new Blob([MEMBER, MEMBER]).stream().pipeThrough(new DecompressionStream("gzip"));
  const read = new Response(both).arrayBuffer();
  return read.then(
    ({ byteLength }) => byteLength === 2,
    () => false,
  );
}

function refused(members: boolean, cause: unknown): MarginaliaError {
  const message = members
    ? "the gzip data is damaged or cut short: fetch the file again, or decompress it first"
    : "the gzip data is damaged, cut short, or made of several members, of which this runtime reads only the first: " +
      "fetch the file again, compress it in one go, or decompress it first";
  return new MarginaliaError("GZIP_INVALID", message, { cause });
}
