import { createReadStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { tableFromArrays, tableToIPC } from "@uwdata/flechette";
import fc from "fast-check";
import { parquetWriteBuffer } from "hyparquet-writer";
import {
  boolean,
  category,
  date,
  integer,
  MarginaliaError,
  number,
  readTable,
  type Source,
  schema,
} from "marginalia";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const people = schema(
  {
    age: integer({ min: 0, max: 99, width: 10, other: "clamp", nullable: true }),
    sex: category(["F", "M"], { other: null }),
    income: number({ cuts: [0, 10.5, 20], decimals: 1, other: -1 }),
    owner: boolean({ texts: ["N", "Y"] }),
    since: date({ from: "2019-01-01", to: "2019-12-31", step: "quarter", nullable: true }),
  },
  { derive: { f: { from: "sex", map: { F: "yes", M: "no" } } }, nulls: ["", "NA"] },
);
const CSV = "sex,age,income,owner,since\nF,35,10.5,Y,2019-04-01\nM,120,7,N,\nX,NA,99,Y,2019-12-31\n";
const CODES = {
  age: [3, 9, 10],
  sex: [0, 1, 2],
  income: [1, 0, 2],
  owner: [1, 0, 1],
  since: [1, 4, 3],
  f: [0, 1, 2],
};

async function codesOf(source: Source, options: Parameters<typeof readTable<typeof people>>[2] = {}) {
  using table = await readTable(source, people, options);
  const names = Object.keys(CODES) as (keyof typeof CODES)[];
  const columns = await Promise.all(names.map(async (name) => [name, Array.from(await table.codes(name))]));
  return Object.fromEntries(columns) as typeof CODES;
}

async function refusal(promise: Promise<unknown>): Promise<MarginaliaError> {
  const thrown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(thrown).toBeInstanceOf(MarginaliaError);
  return thrown as MarginaliaError;
}

const bytes = (text: string) => new TextEncoder().encode(text);
const streamOf = (...pieces: Uint8Array[]) => new Blob(pieces as BlobPart[]).stream();

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "marginalia-"));
  writeFileSync(join(folder, "a.csv"), CSV);
  writeFileSync(join(folder, "a.csv.gz"), gzipSync(CSV));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("every kind of source gives the same table", () => {
  const rows = [
    { age: 35, sex: "F", income: 10.5, owner: true, since: new Date("2019-04-01T12:00:00Z") },
    { age: 120n, sex: "M", income: 7, owner: "N" },
    { age: null, sex: "X", income: 99, owner: "Y", since: "2019-12-31", extra: undefined },
  ];
  const sources: [string, () => Source, object?][] = [
    ["a path", () => join(folder, "a.csv")],
    ["a path to gzip", () => join(folder, "a.csv.gz")],
    ["a file URL", () => pathToFileURL(join(folder, "a.csv"))],
    ["a data URL", () => new URL(`data:text/csv,${encodeURIComponent(CSV)}`)],
    ["a Blob", () => new Blob([CSV])],
    ["a File", () => new File([CSV], "a.csv")],
    ["a Response", () => new Response(CSV)],
    ["a web stream", () => streamOf(bytes(CSV.slice(0, 30)), bytes(CSV.slice(30)))],
    ["a Node stream", () => createReadStream(join(folder, "a.csv"), { highWaterMark: 7 })],
    [
      "gzip from a stream, byte by byte",
      () => streamOf(...Array.from(gzipSync(CSV), (byte) => Uint8Array.of(byte))),
    ],
    ["bytes", () => bytes(CSV)],
    ["an ArrayBuffer", () => bytes(CSV).slice().buffer],
    ["lines of text", () => CSV.split(/(?<=\n)/)],
    [
      "text from an async generator",
      async function* () {
        yield* CSV;
      },
    ],
    ["rows", () => rows],
    [
      "rows from an async generator",
      async function* () {
        yield* rows;
      },
    ],
    [
      "NDJSON",
      () =>
        bytes(
          rows
            .map((row) => JSON.stringify(row, (_, v) => (typeof v === "bigint" ? Number(v) : v)))
            .join("\n"),
        ),
      { format: "ndjson" },
    ],
    [
      "columns",
      () => ({
        age: [35, 120, null],
        sex: ["F", "M", "X"],
        income: Float32Array.of(10.5, 7, 99),
        owner: ["Y", "N", "Y"],
        since: ["2019-04-01", null, "2019-12-31"],
      }),
    ],
    ["tabs", () => bytes(CSV.replaceAll(",", "\t")), { delimiter: "\t" }],
    [
      "semicolons and decimal commas",
      () => bytes(CSV.replaceAll(",", ";").replace("10.5", "10,5")),
      { delimiter: ";", decimalComma: true },
    ],
    ["CRLF with a byte order mark", () => bytes(`\ufeff${CSV.replaceAll("\n", "\r\n")}`)],
    ["UTF-16", () => new Uint8Array(Buffer.from(`\ufeff${CSV}`, "utf16le")), { encoding: "utf-16" }],
    [
      "Parquet",
      () =>
        parquetWriteBuffer({
          rowGroupSize: 2,
          columnData: [
            { name: "age", data: [35, 120, null], type: "INT32" },
            { name: "sex", data: ["F", "M", "X"], type: "STRING" },
            { name: "income", data: [10.5, 7, 99], type: "DOUBLE" },
            { name: "owner", data: [true, false, true], type: "BOOLEAN" },
            { name: "since", data: ["2019-04-01", null, "2019-12-31"], type: "STRING" },
          ],
        }),
    ],
    [
      "Arrow",
      () =>
        tableToIPC(
          tableFromArrays({
            age: [35, 120, null],
            sex: ["F", "M", "X"],
            income: [10.5, 7, 99],
            owner: [true, false, true],
            since: ["2019-04-01", null, "2019-12-31"],
          }),
          { format: "file" },
        ) as Uint8Array,
    ],
  ];
  it.each(sources)("%s", async (_, source, options) => {
    const made = source();
    const given = typeof made === "function" ? (made as () => Source)() : made;
    expect(await codesOf(given, options)).toEqual(CODES);
  });

  it("a URL that is fetched", async () => {
    const { createServer } = await import("node:http");
    const server = createServer((request, response) => {
      response.statusCode = request.url === "/a.csv" ? 200 : 404;
      response.end(CSV);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    try {
      expect(await codesOf(`http://127.0.0.1:${port}/a.csv`)).toEqual(CODES);
      const error = await refusal(codesOf(`http://127.0.0.1:${port}/b.csv`));
      expect([error.code, error.message]).toEqual(["SOURCE_FAILED", expect.stringMatching("404")]);
    } finally {
      server.close();
    }
    expect((await refusal(codesOf(`http://127.0.0.1:${port}/a.csv`))).code).toBe("SOURCE_FAILED");
  });

  it("typed arrays of every kind", async () => {
    const s = schema({ a: integer({ min: -3, max: 3, other: "clamp" }), b: category(["1", "2"]) });
    for (const Kind of [Int8Array, Int16Array, Int32Array, Float32Array, Float64Array]) {
      using table = await readTable({ a: Kind.of(-3, 0, 100), b: Kind.of(1, 2, 1) }, s);
      expect([...(await table.codes("a"))]).toEqual([0, 3, 6]);
      expect([...(await table.codes("b"))]).toEqual([0, 1, 0]);
    }
    using table = await readTable(
      { a: BigInt64Array.of(-3n, 1n), b: Uint8Array.of(1, 2), c: Uint8Array.of(7, 7) },
      s,
      { ignore: ["c"] },
    );
    expect([...(await table.codes("a"))]).toEqual([0, 4]);
  });
});

describe("what does not fit is refused, with the place and the remedy and never the cell", () => {
  const cases: [string, string, RegExp, object?][] = [
    ["COLUMN_MISSING", CSV.replace("income", "wages"), /"income"/],
    [
      "COLUMN_UNDECLARED",
      CSV.replace("since", "since,SECRET").replaceAll(/(\d|,)\n/g, "$1,SECRET\n"),
      /SECRET.*`ignore`/,
    ],
    ["COLUMN_DUPLICATE", CSV.replace("since", "since,age"), /"age"/],
    ["ROW_RAGGED", CSV.replace("M,120,", "M,SECRET,120,"), /row 2/],
    ["VALUE_OUTSIDE", CSV.replace(",Y,2019-04", ",SECRET,2019-04"), /row 1 .*"owner".*`other`/],
    ["TEXT_INVALID", `${CSV}"SECRET`, /row 4/],
    ["JSON_INVALID", '{"SECRET":[1]', /row 1/, { format: "ndjson" }],
    ["OPTION_INVALID", CSV, /delimiter/, { delimiter: "SECRET" }],
    ["OPTION_INVALID", CSV, /`delimeter`.*delimiter/, { delimeter: ";" }],
    ["OPTION_INVALID", CSV, /encoding/, { encoding: "ebcdic" }],
    ["ATTRIBUTE_UNKNOWN", CSV, /"nope"/, { keepRaw: ["nope"] }],
    ["GZIP_INVALID", "\x1f\x8bSECRET", /gzip/],
    ["SOURCE_FAILED", "PAR1SECRET", /Parquet/],
    ["SOURCE_FAILED", "ARROW1SECRET", /Arrow/],
  ];
  it.each(cases)("%s: %j", async (code, text, message, options) => {
    const error = await refusal(codesOf(Uint8Array.from(Buffer.from(text, "latin1")), options));
    expect([error.code, error.message]).toEqual([code, expect.stringMatching(message)]);
    if (code !== "COLUMN_UNDECLARED") expect(error.message).not.toMatch("SECRET");
  });

  it("a file that is not there", async () => {
    const error = await refusal(codesOf(join(folder, "none.csv")));
    expect([error.code, error.message]).toEqual(["SOURCE_FAILED", expect.stringMatching("ENOENT")]);
  });

  it("gzip that is cut short", async () => {
    const whole = gzipSync(CSV.repeat(1000));
    expect((await refusal(codesOf(whole.subarray(0, whole.length - 20)))).code).toBe("GZIP_INVALID");
  });

  it("a source that fails on the way", async () => {
    const failure = new Error("broken");
    async function* broken() {
      yield bytes(CSV);
      throw failure;
    }
    await expect(codesOf(broken())).rejects.toBe(failure);
  });

  it("no source at all", async () => {
    expect((await refusal(codesOf(7 as unknown as Source))).code).toBe("OPTION_INVALID");
    expect((await refusal(codesOf({ age: [1], sex: [1, 2] }))).code).toBe("ROW_RAGGED");
    expect((await refusal(codesOf({ age: 1 } as unknown as Source))).code).toBe("OPTION_INVALID");
    expect((await refusal(codesOf([[1]] as unknown as Source))).code).toBe("OPTION_INVALID");
  });
});

describe("aborting a read", () => {
  it("before it begins touches nothing", async () => {
    let touched = false;
    function* source() {
      touched = true;
      yield CSV;
    }
    const reason = new Error("no");
    const error = await refusal(codesOf(source(), { signal: AbortSignal.abort(reason) }));
    expect([error.code, error.cause, touched]).toEqual(["ABORTED", reason, false]);
  });

  it("ends a source that hangs within a tenth of a second, and closes it", async () => {
    let closed = false;
    async function* hanging() {
      try {
        yield bytes(CSV);
        await new Promise((resolve) => setTimeout(resolve, 300));
        yield bytes(CSV);
      } finally {
        closed = true;
      }
    }
    const controller = new AbortController();
    const read = refusal(codesOf(hanging(), { signal: controller.signal }));
    setTimeout(() => controller.abort(), 50);
    const start = performance.now();
    expect((await read).code).toBe("ABORTED");
    expect(performance.now() - start).toBeLessThan(150);
    await expect.poll(() => closed).toBe(true);
  });
});

it("progress counts the bytes of the source up to their number", async () => {
  const seen: { done: number; total?: number }[] = [];
  await codesOf(join(folder, "a.csv.gz"), { onProgress: (progress) => seen.push(progress) });
  const total = readFileSync(join(folder, "a.csv.gz")).length;
  expect(seen.at(-1)).toEqual({ done: total, total });
});

it("weights and raw numbers are kept where they are asked for", async () => {
  const text =
    "age,sex,income,owner,since,w\n35,F,10.25,Y,2019-04-02,0.5\n35,F,10.75,Y,2019-04-03,2\n35,F,10.75,Y,2019-05-03,2\n";
  using table = await readTable(bytes(text), people, { weight: "w", keepRaw: ["income", "since"] });
  expect(await table.weights()).toEqual(Float64Array.of(0.5, 2, 2));
  expect(await table.toCsv({ weight: "w" })).toBe(
    "age,sex,income,owner,since,w\n".concat(
      (await table.toCsv())
        .split("\n")
        .slice(1, 4)
        .map((line, i) => `${line},${[0.5, 2, 2][i]}\n`)
        .join(""),
    ),
  );
  expect(await table.toCsv()).toMatch(
    /F,10\.25,Y,2019-04-02\n.*F,10\.75,Y,2019-04-03\n.*F,10\.75,Y,2019-05-03\n/,
  );
});

it("property: any values survive a round trip through CSV", async () => {
  const texts = [
    "",
    "NA",
    "NaN",
    "-0",
    "ünïcödé ☃ 𝕏",
    'quo"te',
    "comma,",
    "line\nend",
    "\r",
    " space ",
    "0",
    "null",
  ];
  const s = schema(
    {
      text: category(texts, { nullable: true }),
      big: integer({ min: 2 ** 53 - 3, max: 2 ** 53 - 1 }),
      small: integer({ min: -(2 ** 53) + 1, max: -(2 ** 53) + 3, nullable: true }),
      x: number({ cuts: [-1, -0.5, 0, 0.25, 1], other: -9, nullable: true }),
      day: date({ from: "1999-12-30", to: "2000-03-02", step: "week", other: null }),
    },
    { nulls: ["\u0000null"] },
  );
  const row = fc.record({
    text: fc.constantFrom(...texts, null),
    big: fc.integer({ min: 0, max: 2 }).map((i) => 2 ** 53 - 3 + i),
    small: fc.option(fc.integer({ min: 1, max: 3 }).map((i) => -(2 ** 53) + i)),
    x: fc.option(fc.oneof(fc.double({ min: -1, max: 1 }), fc.constantFrom(-0, 5, -1, 1, 0.25, Number.NaN))),
    day: fc.option(fc.constantFrom("1999-12-30", "2000-02-29", "2000-03-02", "1970-01-01")),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 40 }), fc.string(), async (rows, seed) => {
      using table = await readTable(rows, s);
      using again = await readTable(bytes(await table.toCsv({ seed })), s);
      expect(again.rows).toBe(rows.length);
      for (const name of s.names)
        expect(await again.codes(name as "x")).toEqual(await table.codes(name as "x"));
      const expected = rows.map((r) => (r.text === null ? texts.length : texts.indexOf(r.text)));
      expect([...(await table.codes("text"))]).toEqual(expected);
    }),
    { numRuns: 50 },
  );
});
