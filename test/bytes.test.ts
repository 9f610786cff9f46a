import fc from "fast-check";
import { expect, it } from "vitest";
import { base64, fromBase64, toBase64 } from "../ts/bytes.js";

it("bytes are written in base64 alike by every way", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(7), (bytes, skipped) => {
      // Of a buffer that has more.
      const part = bytes.subarray(Math.min(skipped, bytes.length));
      const expected = btoa(String.fromCharCode(...part));
      expect(toBase64(part)).toBe(expected);
      expect(base64(part)).toBe(expected);
      expect(fromBase64(expected)).toEqual(Uint8Array.from(part));
    }),
  );
});

it("newer runtimes have a way of their own", () => {
  const { Buffer } = globalThis;
  const bytes = Object.assign(Uint8Array.of(1, 2, 3), { toBase64: () => "theirs" });
  try {
    Reflect.deleteProperty(globalThis, "Buffer");
    expect(toBase64(bytes)).toBe("theirs");
    expect(toBase64(Uint8Array.of(251, 255))).toBe("+/8=");
  } finally {
    Object.assign(globalThis, { Buffer });
  }
});
