import { category, integer, type MarginaliaError, readTable, schema } from "marginalia";
import { describe, expect, it } from "vitest";

const s = schema({ a: integer({ min: 0, max: 9 }), b: category(["x", "y"]) });
const bytes = (text: string) => new TextEncoder().encode(text);
const code = (promise: Promise<unknown>) =>
  promise.then(
    () => "none",
    (error: MarginaliaError) => error.code,
  );

/** A stream that gives some pieces and then nothing, not even its end. */
function hanging(...pieces: string[]) {
  const state = { cancelled: false };
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const piece of pieces) controller.enqueue(bytes(piece));
    },
    cancel: () => {
      state.cancelled = true;
    },
  });
  return { stream, state };
}

describe("a source that is left early", () => {
  it.each([[[]], [["a,b\n1,x\n"]], [["a,b\n", "1,x\n", "2,"]]])(
    "is cancelled when the signal fires while it hangs after %j",
    async (pieces) => {
      const { stream, state } = hanging(...pieces);
      const signal = AbortSignal.timeout(30);
      expect(await code(readTable(stream, s, { signal }))).toBe("ABORTED");
      await new Promise((done) => setTimeout(done, 10));
      expect(state.cancelled).toBe(true);
    },
  );

  it("does not keep the caller when an iterable never gives its first item", async () => {
    const never = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) };
    const signal = AbortSignal.timeout(30);
    expect(await code(readTable(never as AsyncIterable<string>, s, { signal }))).toBe("ABORTED");
  });

  it.each([{ encoding: "ebcdic" as never }, { keepRaw: ["zz" as never] }, { delimiter: "::" }])(
    "is cancelled when %j is refused",
    async (options) => {
      const { stream, state } = hanging("a,b\n1,x\n".repeat(200_000));
      expect(await code(readTable(stream, s, options))).not.toBe("none");
      await new Promise((done) => setTimeout(done, 10));
      expect(state.cancelled).toBe(true);
    },
  );

  it("is refused when a column is a DataView, whose numbers nobody knows", async () => {
    const view = new DataView(new ArrayBuffer(2)) as never;
    expect(await code(readTable({ a: view, b: view }, s))).toBe("OPTION_INVALID");
  });
});
