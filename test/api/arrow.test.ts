import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dictionary, int16, tableFromArrays, tableToIPC, utf8 } from "@uwdata/flechette";
import {
  category,
  integer,
  type MarginaliaError,
  readTable,
  type Source,
  schema,
  type Table,
} from "marginalia";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const s = schema({
  a: integer({ min: 0, max: 99, other: "clamp" }),
  b: category(["x", "y", "z"], { other: null }),
});
const N = 10_000;
const columns = {
  a: Array.from({ length: N }, (_, i) => (i * 7) % 120),
  b: Array.from({ length: N }, (_, i) => "xyzw"[(i * i) % 4] as string),
  more: Array.from({ length: N }, (_, i) => i / 3),
};
const made = (format: "stream" | "file", batch: number, indexed = false) =>
  tableToIPC(
    tableFromArrays(columns, {
      maxBatchRows: batch,
      types: { b: indexed ? dictionary(utf8(), int16()) : utf8() },
    }),
    { format },
  ) as Uint8Array;

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "marginalia-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const kinds: [string, (bytes: Uint8Array) => Source][] = [
  ["bytes", (bytes) => bytes],
  ["a Buffer", (bytes) => Buffer.concat([bytes])],
  ["a Blob", (bytes) => new Blob([bytes as BlobPart])],
  ["a Response", (bytes) => new Response(bytes as BodyInit)],
  ["a web stream", (bytes) => new Blob([bytes as BlobPart]).stream()],
  ["large pieces", (bytes) => inPieces(bytes, 30_000)],
  ["tiny pieces", (bytes) => inPieces(bytes, 13)],
  [
    "a path",
    (bytes) => {
      const path = join(folder, "some.arrow");
      writeFileSync(path, bytes);
      return path;
    },
  ],
];

async function codes(table: Table<typeof s>) {
  const [a, b] = [await table.codes("a"), await table.codes("b")];
  table.dispose();
  return [a, b];
}

const refused = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    ({ code, message }: MarginaliaError) => `${code} ${message}`,
  );

describe("Arrow data", () => {
  let expected: unknown;
  beforeAll(async () => {
    expected = await codes(await readTable({ a: columns.a, b: columns.b }, s));
  });

  it.each(kinds)("from %s is the same in any batches, as a stream or a file", async (_, source) => {
    for (const format of ["stream", "file"] as const) {
      for (const batch of [N, 999]) {
        const bytes = made(format, batch, batch === 999);
        expect(await codes(await readTable(source(bytes), s, { ignore: ["more"] }))).toEqual(expected);
      }
    }
  });

  it("is recognised by its first bytes, and read where a name says something else", async () => {
    const bytes = made("stream", 5000);
    using table = await readTable(new File([bytes as BlobPart], "a.csv"), s, { ignore: true });
    expect(table.rows).toBe(N);
    expect(await refused(readTable(bytes, s))).toMatch(/^COLUMN_UNDECLARED .*"more"/);
  });

  it("of no rows is an empty table, as a stream that ends without a mark is whole", async () => {
    const empty = tableToIPC(tableFromArrays({ a: [1], b: ["x"] }).select(["a", "b"]), { format: "stream" });
    const bytes = empty as Uint8Array;
    using table = await readTable(bytes.subarray(0, bytes.length - 8), s);
    expect(table.rows).toBe(1);
    using none = await readTable(bytes.subarray(0, schemaLength(bytes)), s);
    expect(none.rows).toBe(0);
  });

  it("that replaces a dictionary is read by the dictionary of then", async () => {
    const types = { b: dictionary(utf8(), int16()) };
    const one = messages(
      tableToIPC(tableFromArrays({ a: [1, 2], b: ["x", "y"] }, { types }), { format: "stream" }),
    );
    const two = messages(
      tableToIPC(tableFromArrays({ a: [3, 4], b: ["z", "x"] }, { types }), { format: "stream" }),
    );
    using table = await readTable(Buffer.concat([...one, ...two.slice(1)]), s, { format: "arrow" });
    expect([...(await table.codes("a"))]).toEqual([1, 2, 3, 4]);
    expect([...(await table.codes("b"))]).toEqual([0, 1, 2, 0]);
  });

  it("whose batch comes before its dictionary is refused from a stream with the remedy, and read from a file", async () => {
    const types = { b: dictionary(utf8(), int16()) };
    const [first, words, batch] = messages(
      tableToIPC(tableFromArrays({ a: [1], b: ["y"] }, { types }), { format: "stream" }),
    ) as [Uint8Array, Uint8Array, Uint8Array];
    const turned = Buffer.concat([first, batch, words]);
    expect(await refused(readTable(turned, s))).toMatch(/^SOURCE_FAILED .*path or as a Blob/);
  });

  it("that is cut short or damaged anywhere ends by a typed error", async () => {
    for (const format of ["stream", "file"] as const) {
      const bytes = made(format, 4000, true);
      for (let cut = 9; cut < bytes.length; cut += Math.ceil(bytes.length / 40)) {
        const outcome = await refused(
          readTable(inPieces(bytes.subarray(0, cut), 5000), s, { ignore: true, format: "arrow" }),
        );
        // A stream may end after any message.
        expect(outcome ?? "SOURCE_FAILED").toMatch(/^SOURCE_FAILED/);
        const damaged = Uint8Array.from(bytes);
        damaged[cut] = (damaged[cut] as number) ^ 0x5a;
        expect((await refused(readTable(damaged, s, { ignore: true, format: "arrow" }))) ?? "read").toMatch(
          /^(SOURCE_FAILED|COLUMN_|TEXT_|JSON_|VALUE_|read)/,
        );
      }
    }
  });

  it("tells what the source said when it fails, and leaves it", async () => {
    let left = false;
    async function* failing() {
      try {
        yield made("stream", 1000).subarray(0, 40_000);
        throw new Error("the line went dead");
      } finally {
        left = true;
      }
    }
    await expect(readTable(failing(), s, { ignore: true })).rejects.toThrow("the line went dead");
    expect(left).toBe(true);
  });

  it("with two columns of one name is refused", async () => {
    const bytes = tableToIPC(
      tableFromArrays([
        ["a", [1]],
        ["a", [2]],
        ["b", ["x"]],
      ]),
      { format: "stream" },
    );
    expect(await refused(readTable(bytes as Uint8Array, s))).toMatch(/^COLUMN_DUPLICATE .*"a"/);
  });
});

/** The messages of a stream, without the mark at its end. */
function messages(stream: Uint8Array | null): Uint8Array[] {
  const list: Uint8Array[] = [];
  for (let rest = stream as Uint8Array; rest.length > 8; ) {
    const end = schemaLength(rest) + bodyLength(rest);
    list.push(rest.subarray(0, end));
    rest = rest.subarray(end);
  }
  return list;
}

function schemaLength(bytes: Uint8Array): number {
  return 8 + new DataView(bytes.buffer, bytes.byteOffset).getInt32(4, true);
}

function bodyLength(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset + 8);
  const table = view.getInt32(0, true);
  const places = table - view.getInt32(table, true);
  const place = view.getUint16(places, true) > 10 ? view.getUint16(places + 10, true) : 0;
  return place === 0 ? 0 : Number(view.getBigInt64(table + place, true));
}
