import { constants, deflateRawSync, gzipSync } from "node:zlib";
import { tableFromArrays, tableToIPC } from "@uwdata/flechette";
import fc from "fast-check";
import { parquetWriteBuffer } from "hyparquet-writer";
import { memoryStore, type SealedSource, type SealOptions, type Store } from "marginalia";
import { describe, expect, it } from "vitest";
import { refusal, sealing } from "./support.js";

/**
 * Before a charge is in the ledger, only what names the columns is read. Two private files that differ in all rows, and
 * in how many there are, are alike until then, however the rows look.
 */

/** What happens to a source, until the ledger is written. */
class Log {
  events: string[] = [];
  bytes = 0;
  granted = false;

  note(event: string, bytes = 0): void {
    if (this.granted) return;
    this.events.push(event);
    this.bytes += bytes;
  }

  /** A ledger that ends the log when a charge is written to it. */
  store(): Store {
    const store = memoryStore();
    return {
      ...store,
      create: async (first) => {
        const medium = await store.create(first);
        const write = medium.write.bind(medium);
        medium.write = (at, bytes) => {
          this.granted = true;
          return write(at, bytes);
        };
        return medium;
      },
    };
  }
}

type Kind = (bytes: Uint8Array, log: Log, piece: number) => SealedSource;

async function* inPieces(bytes: Uint8Array, log: Log, piece: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += piece) {
    log.note("asked", piece);
    yield bytes.slice(at, at + piece);
  }
  log.note("asked");
}

const iterable: Kind = inPieces;
const stream: Kind = (bytes, log, piece) => {
  const pieces = inPieces(bytes, log, piece);
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const next = await pieces.next();
    if (next.done) controller.close();
    else controller.enqueue(next.value);
  };
  return new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 });
};
const blob: Kind = (bytes, log) => {
  class Watched extends Blob {
    override slice(start = 0, end = this.size, type?: string): Blob {
      // Where a part begins in the footer depends on how long the file is; how often it is asked for must not.
      log.note("part", end - start);
      return super.slice(start, end, type);
    }
    override stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
      const whole = super.slice();
      const pull = async (controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>) => {
        log.note("stream");
        controller.enqueue(new Uint8Array(await whole.arrayBuffer()));
        controller.close();
      };
      return new ReadableStream({ pull }, { highWaterMark: 0 });
    }
  }
  return new Watched([bytes as BlobPart]);
};
const kinds = { iterable, stream, blob };

const utf8 = (text: string) => new TextEncoder().encode(text);
const join = (...parts: Uint8Array[]) => new Uint8Array(Buffer.concat(parts));
const HEADER = utf8("sex,age\r\n");

/** A first line in a block of its own, so that whatever follows is what rows become. */
const zippedLine = join(
  Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3),
  deflateRawSync(HEADER, { finishFlush: constants.Z_SYNC_FLUSH }),
);

const row = fc.record({
  age: fc.option(fc.integer({ min: -5, max: 2e9 })),
  sex: fc.option(fc.string({ unit: "grapheme" })),
});
const rows = fc.array(row, { maxLength: 300 });
const garbage = fc.oneof(
  fc.uint8Array({ maxLength: 5000 }),
  rows.map((list) => utf8(list.map(({ age, sex }) => `${sex},${age}\n`).join(""))),
);
const columnsOf = (list: { age: number | null; sex: string | null }[]) => ({
  age: list.map(({ age }) => age ?? 0),
  sex: list.map(({ sex }) => sex ?? ""),
});

/** Files of any rows, each with the same columns. */
const files: [string, fc.Arbitrary<Uint8Array>, Partial<SealOptions>?][] = [
  ["CSV", garbage.map((bytes) => join(HEADER, bytes))],
  ["CSV after blank lines", garbage.map((bytes) => join(utf8("\ufeff\n\r\n"), HEADER, bytes))],
  [
    "CSV in UTF-16",
    garbage.map((bytes) => join(Buffer.from("\ufeffsex,age\n", "utf16le"), bytes)),
    { encoding: "utf-16" },
  ],
  ["compressed CSV", garbage.map((bytes) => join(zippedLine, bytes))],
  ["NDJSON", garbage, { format: "ndjson" }],
  [
    "Parquet",
    fc.tuple(rows, fc.integer({ min: 1, max: 400 })).map(([list, rowGroupSize]) => {
      const { age, sex } = columnsOf(list);
      const columnData = [
        { name: "sex", data: sex, type: "STRING" as const },
        { name: "age", data: age, type: "INT32" as const },
      ];
      return new Uint8Array(parquetWriteBuffer({ rowGroupSize, columnData }));
    }),
  ],
  ...(["stream", "file"] as const).map((format): [string, fc.Arbitrary<Uint8Array>, Partial<SealOptions>] => [
    `an Arrow ${format}`,
    fc.tuple(rows, fc.integer({ min: 1, max: 400 })).map(([list, maxBatchRows]) => {
      const full = [...list, { age: 1, sex: "F" }];
      return tableToIPC(tableFromArrays(columnsOf(full), { maxBatchRows }), { format }) as Uint8Array;
    }),
    {},
  ]),
];

/** What is seen of a source until a charge is written, or the call is refused. */
async function until(source: SealedSource, log: Log, change: Partial<SealOptions> = {}): Promise<Log> {
  const sealed = await sealing(source, { ...change, ledger: log.store() });
  await sealed
    .measure([{ clique: ["age"], spend: 0.1 }])
    .catch((error: { code?: string; message?: string }) => {
      log.note(`${error.code} ${error.message}`);
    });
  await sealed.close();
  return log;
}

describe.each(Object.entries(kinds))("from a source that is %s", (kind, make) => {
  it.each(files)("%s shows nothing of its rows before they are paid for", async (name, any, change) => {
    const readable = kind === "blob" || name !== "Parquet";
    const piece = fc.integer({ min: 1, max: 700 });
    await fc.assert(
      fc.asyncProperty(any, any, piece, async (one, other, piece) => {
        const [a, b] = [new Log(), new Log()];
        await until(make(one, a, piece), a, change);
        await until(make(other, b, piece), b, change);
        expect([a.granted, b.granted]).toEqual([readable, readable]);
        expect(b.events).toEqual(a.events);
        if (kind === "blob") expect(a.events).not.toContain("stream");
      }),
      { numRuns: 15 },
    );
  });
});

describe("how much is read before a charge", () => {
  const file = utf8(`age,sex\n${"1,F\n".repeat(100_000)}`);
  const read = async (bytes: Uint8Array, make: Kind, piece: number, change?: Partial<SealOptions>) => {
    const log = new Log();
    await until(make(bytes, log, piece), log, change);
    expect(log.granted).toBe(true);
    return log.bytes;
  };

  it("is the first line of CSV, to the byte where it comes byte by byte", async () => {
    expect(await read(file, iterable, 1)).toBe("age,sex\n".length);
    expect(await read(file, stream, 5)).toBe(10);
    expect(await read(file, blob, 0)).toBe(4096);
    expect(await read(gzipSync(file), iterable, 1)).toBeLessThan(100);
  });

  it("is nothing of NDJSON, the schema of Arrow, and of Parquet the schema and where it stands", async () => {
    const lines = utf8('{"age":1,"sex":"F"}\n'.repeat(10_000));
    expect(await read(lines, blob, 0, { format: "ndjson" })).toBe(0);
    // The first piece, to tell bytes from rows.
    expect(await read(lines, iterable, 1, { format: "ndjson" })).toBe(1);
    const columns = { age: Array<number>(50_000).fill(1), sex: Array<string>(50_000).fill("F") };
    const arrow = tableToIPC(tableFromArrays(columns, { maxBatchRows: 1000 }), {
      format: "stream",
    }) as Uint8Array;
    expect(arrow.length).toBeGreaterThan(100_000);
    expect(await read(arrow, iterable, 1)).toBeLessThan(600);
    const columnData = [
      { name: "age", data: columns.age, type: "INT32" as const },
      { name: "sex", data: columns.sex, type: "STRING" as const },
    ];
    const parquet = new Uint8Array(parquetWriteBuffer({ rowGroupSize: 500, columnData }));
    // The first window, in which the magic is; the length of the metadata; and their first window.
    expect(await read(parquet, blob, 0)).toBe(4096 + 8 + 4096);
  });

  it("is one item of rows, and nothing of columns", async () => {
    const log = new Log();
    async function* one() {
      for (let i = 0; i < 10; i++) {
        log.note("row", 1);
        yield { age: i, sex: "F" };
      }
    }
    await until(one(), log);
    expect([log.granted, log.bytes]).toEqual([true, 1]);
    const alike: string[][] = [];
    for (const source of [[], [{}], [{ age: 1 }, 7], new Array(5000).fill({ age: 3, sex: "M" })]) {
      const seen = new Log();
      await until(source as object[], seen);
      expect(seen.granted).toBe(true);
      alike.push(seen.events);
    }
    async function* none() {}
    for (const source of [none(), { age: [1], sex: [] }, { age: new Uint8Array(), sex: ["F"] }]) {
      const seen = new Log();
      await until(source as never, seen);
      expect([seen.granted, seen.events]).toEqual([true, []]);
    }
    expect(new Set(alike.map(String)).size).toBe(1);
  });
});

describe("what names the columns is checked before a charge", () => {
  const columnData = [{ name: "age", data: [1], type: "INT32" as const }];
  const lacking = tableFromArrays({ age: [1, 2] });
  const double = utf8("age,sex,age\n1,F,1\n");
  const broken: [string, string, SealedSource, Partial<SealOptions>?][] = [
    ["COLUMN_MISSING", "Parquet", new Blob([parquetWriteBuffer({ columnData })])],
    ["COLUMN_MISSING", "an Arrow stream", tableToIPC(lacking, { format: "stream" }) as Uint8Array],
    ["COLUMN_MISSING", "an Arrow file", tableToIPC(lacking, { format: "file" }) as Uint8Array],
    ["COLUMN_MISSING", "columns", { age: [1, 2] }],
    ["COLUMN_MISSING", "a header without a line feed", utf8("age,six")],
    ["COLUMN_MISSING", "a header in UTF-16", Buffer.from("age,six\n", "utf16le"), { encoding: "utf-16le" }],
    ["COLUMN_MISSING", "a header that ends by a return", utf8("age,six\r1,F\r"), { lineEnd: "any" }],
    ["TEXT_INVALID", "a return that ends no record", utf8("age,sex\r1,F\r")],
    ["TEXT_INVALID", "a line feed that ends no record", utf8("age,sex\n1,F\r\n"), { lineEnd: "crlf" }],
    ["COLUMN_MISSING", "a compressed header", gzipSync(`age,six\n${"1,F\n".repeat(1000)}`)],
    ["COLUMN_MISSING", "blank lines", utf8("\n\r\n\n")],
    ["COLUMN_MISSING", "a first line without an end", new Blob([utf8("x".repeat(2 ** 21))])],
    ["COLUMN_DUPLICATE", "a header", double],
    ["COLUMN_DUPLICATE", "a compressed header", gzipSync(double)],
    ["TEXT_INVALID", "a header over two lines", utf8('age,sex,"two\nlines"\n1,F,2\n')],
    ["GZIP_INVALID", "a header that is cut short", gzipSync("age,sex\n").subarray(0, 12)],
    ["SOURCE_FAILED", "a damaged schema", utf8("ARROW1\0\0\xff\xff")],
    ["SOURCE_FAILED", "Parquet without a footer", utf8(`PAR1${"x".repeat(100)}`)],
    ["SOURCE_FAILED", "Parquet from its beginning", new Blob([parquetWriteBuffer({ columnData })]).stream()],
  ];
  it.each(broken)("%s: %s", async (code, _, source, change) => {
    const sealed = await sealing(source, change);
    await refusal(sealed.measure([{ clique: ["age"], spend: 0.1 }]), code);
    expect(sealed.ledger.entries()).toEqual([]);
  });

  it("and what is wrong with rows is found afterwards", async () => {
    const whole = gzipSync(`age,sex\n${"1,F\n".repeat(100_000)}`);
    const sealed = await sealing(whole.subarray(0, whole.length - 20));
    const { message } = await refusal(sealed.measure([{ clique: ["age"], spend: 0.1 }]), "GZIP_INVALID");
    expect(message).toContain("stays spent");
    expect(sealed.ledger.entries()).toHaveLength(1);
  });
});
