import fc from "fast-check";
import { expect, it } from "vitest";
import { parted, woven } from "../../ts/mechanisms/saved/figures.js";
import { Incoming } from "../../ts/mechanisms/saved/incoming.js";
import {
  bitsFor,
  numbersBytes,
  pack,
  packedBytes,
  readNumbers,
  unpack,
  writeNumbers,
} from "../../ts/tables/numbers.js";

it("codes take the bits that their number needs", () => {
  expect([0, 1, 2, 3, 4, 5, 256, 257, 65_536].map(bitsFor)).toEqual([0, 0, 1, 2, 2, 3, 8, 9, 16]);
  expect([...pack([1, 0, 3, 2, 1], 2)]).toEqual([0b10_11_00_01, 0b01]);
  expect([...pack([1, 0, 5], 3)]).toEqual([0x01, 0x05]);
  // The low bytes, and then the one bit that is left of each.
  expect([...pack([0x123, 0x0ff], 9)]).toEqual([0x23, 0xff, 0b01]);
});

it("packed codes come back", () => {
  const lists = fc
    .integer({ min: 0, max: 31 })
    .chain((bits) => fc.tuple(fc.constant(bits), fc.array(fc.nat(2 ** bits - 1), { maxLength: 70 })));
  fc.assert(
    fc.property(lists, ([bits, codes]) => {
      const bytes = pack(codes, bits);
      expect(bytes.length).toBe(packedBytes(codes.length, bits));
      expect([...unpack(bytes, bits, new Uint32Array(codes.length))]).toEqual(codes);
    }),
    { numRuns: 500 },
  );
});

it("numbers come back to the bit, in as few bytes as they say", () => {
  const few = fc.constantFrom(0, -0, 1, 0.1, Number.NaN, Number.POSITIVE_INFINITY, 5e-324);
  const lists = fc.oneof(fc.array(few, { maxLength: 300 }), fc.array(fc.double(), { maxLength: 50 }));
  fc.assert(
    fc.property(lists, (list) => {
      const { head, bytes } = writeNumbers(list);
      expect(bytes.length).toBe(numbersBytes(head));
      expect(bytes.length).toBeLessThanOrEqual(8 * list.length);
      const again = readNumbers(bytes, head);
      expect(again?.length).toBe(list.length);
      list.forEach((value, i) => {
        expect(Object.is(again?.[i], value)).toBe(true);
      });
    }),
  );
  expect(writeNumbers(new Float64Array(800).fill(0.95)).bytes.length).toBe(8);
  // Two bits tell three numbers apart, and could say four.
  const { head, bytes } = writeNumbers([1, 2, 3, 1, 2, 3, 1, 2]);
  expect(head).toEqual({ count: 8, distinct: 3 });
  bytes.fill(0xff, 24);
  expect(readNumbers(bytes, head)).toBeUndefined();
});

it("bytes come in pieces of any size", async () => {
  const sizes = fc.array(fc.nat(9), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(sizes, sizes, async (pieces, takes) => {
      const bytes = Uint8Array.from({ length: pieces.reduce((a, b) => a + b, 0) }, (_, i) => i);
      async function* all() {
        let at = 0;
        for (const size of pieces) {
          yield bytes.subarray(at, at + size);
          at += size;
        }
      }
      const file = new Incoming(all(), takes.length % 2 ? bytes.length : undefined);
      let at = 0;
      for (const count of takes) {
        if (at + count > bytes.length) {
          await expect(file.take(count, "is short")).rejects.toMatchObject({ code: "RELEASE_DAMAGED" });
          return file.leave();
        }
        expect([...(await file.take(count, "is short"))]).toEqual([...bytes.subarray(at, at + count)]);
        at += count;
      }
      if (at === bytes.length) await file.end();
      else await expect(file.end()).rejects.toMatchObject({ code: "RELEASE_DAMAGED" });
    }),
  );
});

it("potentials of groups come back in their order", () => {
  const lengths = fc.record({ prior: fc.nat(5), potentials: fc.nat(5) });
  fc.assert(
    fc.property(fc.array(lengths, { maxLength: 20 }), (groups) => {
      const count = groups.reduce((sum, { prior, potentials }) => sum + prior + potentials, 0);
      const numbers = Float64Array.from({ length: count }, (_, i) => i);
      const lists = parted(numbers, groups);
      expect([...lists.priors, ...lists.own].sort((a, b) => a - b)).toEqual([...numbers]);
      expect(woven(lists, groups)).toEqual(numbers);
    }),
  );
  const { priors, own } = parted(Float64Array.of(1, 2, 3, 4, 5), [
    { prior: 1, potentials: 2 },
    { prior: 2, potentials: 0 },
  ]);
  expect([[...priors], [...own]]).toEqual([
    [1, 4, 5],
    [2, 3],
  ]);
});
