import { gzipSync } from "node:zlib";
import { category, type MarginaliaError, readTable, schema } from "marginalia";
import { afterEach, expect, it, vi } from "vitest";

const s = schema({ a: category(["x", "y"]) });
const rows = async (bytes: Uint8Array) => {
  using table = await readTable(bytes, s);
  return table.rows;
};
const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    ({ code, message }: MarginaliaError) => ({ code, message }),
  );
const members = Buffer.concat([gzipSync("a\nx\n"), gzipSync("y\ny\nx\n")]);
const original = globalThis.DecompressionStream;

afterEach(() => {
  globalThis.DecompressionStream = original;
  vi.unstubAllGlobals();
});

it("gzip of several members is read whole in Node", async () => {
  expect(await rows(members)).toBe(4);
  expect(await rows(Buffer.concat([members, gzipSync("")]))).toBe(4);
});

it("is refused by name where a runtime passes over all but the first member, and one member is not", async () => {
  /** Ends each stream at the end of its first member, as if nothing followed. */
  class First {
    readonly readable: ReadableStream<Uint8Array>;
    readonly writable: WritableStream<Uint8Array>;
    constructor() {
      const parts: Uint8Array[] = [];
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>({
        transform: (part) => void parts.push(part),
        flush: async (controller) => {
          const all = Buffer.concat(parts);
          const next = all.indexOf(Buffer.of(31, 139, 8), 1);
          const first = next < 0 ? all : all.subarray(0, next);
          const stream = new Blob([first]).stream().pipeThrough(new original("gzip"));
          controller.enqueue(new Uint8Array(await new Response(stream).arrayBuffer()));
        },
      });
      this.readable = readable;
      this.writable = writable;
    }
  }
  globalThis.DecompressionStream = First as never;
  expect(await rows(gzipSync("a\nx\n"))).toBe(1);
  expect(await refusal(rows(members))).toEqual({
    code: "GZIP_INVALID",
    message: expect.stringContaining("several members"),
  });
});
