import { category, integer, kWay, type MarginaliaError, readTable, schema, workload } from "marginalia";
import { describe, expect, it } from "vitest";

const s = schema({ a: integer({ min: 0, max: 9 }), b: category(["x", "y"]) });

async function refusal(promise: Promise<unknown>) {
  const thrown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  const { code, message } = thrown as MarginaliaError;
  return { code, message };
}

describe("rows and columns", () => {
  it("tell their progress in rows", async () => {
    const rows = Array.from({ length: 30_000 }, (_, i) => ({ a: i % 10, b: "x" }));
    const columns = { a: rows.map(({ a }) => a), b: rows.map(({ b }) => b) };
    async function* stream() {
      yield* rows;
    }
    for (const [source, total] of [
      [rows, 30_000],
      [columns, 30_000],
      [stream(), undefined],
    ] as const) {
      const seen: { done: number; total?: number }[] = [];
      using table = await readTable(source, s, { onProgress: (progress) => seen.push(progress) });
      expect(table.rows).toBe(30_000);
      expect(seen.length).toBeGreaterThan(1);
      expect(seen.at(-1)).toEqual(total === undefined ? { done: 30_000 } : { done: 30_000, total });
      expect(seen.map(({ done }) => done)).toEqual(seen.map(({ done }) => done).toSorted((x, y) => x - y));
    }
  });

  it("are told by their rows, and not by those of a spreadsheet", async () => {
    const places = [[{ a: 1, b: "z" }], { a: [1], b: ["z"] }, { a: Uint8Array.of(10), b: Uint8Array.of(1) }];
    for (const source of places) {
      const { code, message } = await refusal(readTable(source, s));
      expect([code, message]).toEqual(["VALUE_OUTSIDE", expect.stringMatching(/^row 1, column/)]);
    }
    const nested = await refusal(
      readTable(
        [
          { a: 1, b: "x" },
          { a: 1, b: ["x"] },
        ],
        s,
      ),
    );
    expect(nested).toEqual({
      code: "JSON_INVALID",
      message: expect.stringMatching(/^row 2 holds an object/),
    });
    const lacking = await refusal(readTable({ a: Uint8Array.of(1) }, s));
    expect(lacking).toEqual({ code: "COLUMN_MISSING", message: expect.stringMatching(/^the source lacks/) });
  });

  it("that JSON cannot hold are refused by a typed error", async () => {
    const circular: Record<string, unknown> = { a: 1, b: "x" };
    circular.self = circular;
    const odd = {
      a: 1,
      get b(): string {
        throw new Error("SECRET");
      },
    };
    for (const row of [circular, odd]) {
      const { code, message } = await refusal(readTable([{ a: 1, b: "y" }, row], s));
      expect([code, message]).toEqual(["JSON_INVALID", expect.stringMatching(/^row 2 cannot be written/)]);
    }
    using big = await readTable([{ a: 3n, b: "x" }], s);
    expect([...(await big.codes("a"))]).toEqual([3]);
  });
});

describe("a plain object in the place of a schema", () => {
  const plain = { a: { type: "integer", min: 0, max: 9 } } as never;
  const typed = { code: "SCHEMA_INVALID", message: expect.stringContaining("schema()") };
  it("is refused by a typed error", async () => {
    expect(await refusal(readTable("a\n1\n", plain))).toEqual(typed);
    expect(await refusal(readTable([{ a: 1 }], undefined as never))).toEqual(typed);
    expect(() => kWay(plain, 1)).toThrow(expect.objectContaining(typed));
    expect(() => workload(plain, [["a" as never]])).toThrow(expect.objectContaining(typed));
  });
});

it("options that make no sense are refused before the source is waited for", async () => {
  let cancelled = false;
  const hanging = () =>
    new ReadableStream<Uint8Array>({
      cancel: () => {
        cancelled = true;
      },
    });
  for (const options of [
    { delimiter: "::" },
    { encoding: "ebcdic" },
    { format: "xml" },
    { keepRaw: ["b"] },
  ]) {
    cancelled = false;
    const { code } = await refusal(readTable(hanging(), s, options as never));
    expect([code, cancelled]).toEqual(["OPTION_INVALID", true]);
  }
});

it("copies out of the engine take a signal, and no other option", async () => {
  using table = await readTable([{ a: 1, b: "x", w: 2 }], s, { weight: "w" });
  using answers = await table.count(kWay(s, 1));
  const gone = { signal: AbortSignal.abort() };
  const typo = { sinal: gone.signal } as never;
  for (const copy of [
    (options?: object) => answers.clique(0, options),
    (options?: object) => answers.all(options),
    (options?: object) => answers.nonzero(0, options),
    (options?: object) => table.codes("a", options),
    (options?: object) => table.weights(options),
  ]) {
    expect((await refusal(copy(gone))).code).toBe("ABORTED");
    expect((await refusal(copy(typo))).code).toBe("OPTION_INVALID");
    expect(await copy({ signal: new AbortController().signal })).toEqual(await copy());
  }
});

it("weights that add up to no number are refused", async () => {
  const huge = { a: Uint8Array.of(1, 1), b: ["x", "x"], w: [1e308, 1e308] };
  const error = { code: "VALUE_OUTSIDE", message: expect.stringContaining("weights add up") };
  expect(await refusal(readTable(huge, s, { weight: "w" }))).toEqual(error);
  const only = schema({ a: integer({ min: 0, max: 9 }) });
  const columns = { a: Uint8Array.of(1, 1), w: Float64Array.of(1e308, 1e308) };
  expect(await refusal(readTable(columns, only, { weight: "w" }))).toEqual(error);
});
