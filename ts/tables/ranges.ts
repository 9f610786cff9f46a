import { aborted } from "../engine/failure.js";
import { MarginaliaError } from "../errors.js";

/**
 * Some bytes of what a URL names, by a range request (RFC 9110, section 14); nothing where the server answers with the
 * whole instead. A plain range is allowed across origins without asking first.
 */
export async function range(
  place: string | URL,
  from: number,
  to: number,
  signal: AbortSignal | undefined,
): Promise<ArrayBuffer | undefined> {
  try {
    const headers = { range: `bytes=${from}-${to - 1}` };
    const response = await fetch(place, { headers, ...(signal ? { signal } : {}) });
    if (response.status !== 206) {
      await response.body?.cancel();
      return undefined;
    }
    const bytes = await response.arrayBuffer();
    if (bytes.byteLength !== to - from)
      throw new Error("the server sent another range than it was asked for");
    return bytes;
  } catch (cause) {
    if (signal?.aborted) throw aborted(signal);
    throw new MarginaliaError("SOURCE_FAILED", "a part of the URL could not be fetched", { cause });
  }
}
