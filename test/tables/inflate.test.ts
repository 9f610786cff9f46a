import { constants, gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inflate } from "../../ts/tables/inflate.js";

/** Everything that comes out of some bytes, and how it ended. */
function all(bytes: Uint8Array, most = Number.POSITIVE_INFINITY) {
  const taken: number[] = [];
  const outcome = inflate(bytes, (byte) => taken.push(byte) >= most);
  return { outcome, text: Buffer.from(taken) };
}

const data = fc.oneof(
  fc.uint8Array({ maxLength: 3000 }),
  // Words that come again, near and far, so that there are matches of all lengths.
  fc
    .array(fc.constantFrom("age,sex\n", "a", "1,F\n", "0".repeat(300), "x".repeat(600)), { maxLength: 9 })
    .map((words) => new TextEncoder().encode(words.join(""))),
);
const options = fc.record({
  level: fc.integer({ min: 0, max: 9 }),
  strategy: fc.constantFrom(
    constants.Z_DEFAULT_STRATEGY,
    constants.Z_FIXED,
    constants.Z_HUFFMAN_ONLY,
    constants.Z_RLE,
  ),
});

describe("the first bytes of a gzip file", () => {
  it("are what the platform's decompressor gives, however they were compressed", () => {
    fc.assert(
      fc.property(data, data, options, (first, second, how) => {
        const members = Buffer.concat([gzipSync(first, how), gzipSync(second, how)]);
        expect(all(gzipSync(first, how))).toEqual({ outcome: "ended", text: Buffer.from(first) });
        expect(all(members).text).toEqual(Buffer.concat([first, second]));
      }),
      { numRuns: 40 },
    );
  });

  it("are taken as far as they are asked for, and what comes after them is not looked at", () => {
    fc.assert(
      fc.property(data, options, fc.uint8Array(), (bytes, how, garbage) => {
        fc.pre(bytes.length > 0);
        const most = Math.ceil(bytes.length / 2);
        const whole = gzipSync(bytes, how);
        let cut = 0;
        while (all(whole.subarray(0, cut), most).outcome === "more") cut = cut * 2 + 1;
        const { outcome, text } = all(Buffer.concat([whole.subarray(0, cut), garbage]), most);
        expect([outcome, text]).toEqual(["enough", Buffer.from(bytes.subarray(0, most))]);
      }),
      { numRuns: 40 },
    );
  });

  it("may come again from as far back as there can be", () => {
    const far = Uint8Array.from({ length: 32_768 }, (_, i) => Math.imul(i, 0x9e3779b1) >>> 24);
    const bytes = Buffer.concat([far, far.subarray(0, 300), far.subarray(5, 200), Buffer.from("end")]);
    expect(all(gzipSync(bytes, { level: 9 })).text).toEqual(bytes);
  });

  it("may follow a name, a comment and other fields of the file", () => {
    const plain = gzipSync("a,b\n1,2\n");
    const fields = [5, 0, 1, 2, 3, 4, 5, 0x6e, 0, 0x63, 0, 7, 7];
    const named = Buffer.concat([
      plain.subarray(0, 3),
      Buffer.of(30),
      plain.subarray(4, 10),
      Buffer.from(fields),
    ]);
    expect(`${all(Buffer.concat([named, plain.subarray(10)])).text}`).toBe("a,b\n1,2\n");
  });

  it("are refused where they are damaged, whatever the damage is", () => {
    const whole = gzipSync("age,sex\n".repeat(50));
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), (place, change) => {
        const bytes = Uint8Array.from(whole);
        bytes[place] = (bytes[place] as number) ^ change;
        try {
          expect(["more", "ended"]).toContain(all(bytes).outcome);
        } catch (error) {
          expect((error as { code: string }).code).toBe("GZIP_INVALID");
        }
      }),
    );
    expect(() => all(Uint8Array.of(1, 2, 3, 4))).toThrow("first line");
  });
});
