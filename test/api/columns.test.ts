import { parquetWriteBuffer } from "hyparquet-writer";
import { close, init, integer, type MarginaliaError, readTable, schema } from "marginalia";
import { afterEach, describe, expect, it } from "vitest";

const s = schema({ a: integer({ min: 0, max: 9 }), b: integer({ min: -3, max: 300, other: "clamp" }) });
const N = 300_000;
const source = {
  a: Uint8Array.from({ length: N }, (_, i) => (i * 7) % 10),
  b: BigInt64Array.from({ length: N }, (_, i) => BigInt(i % 400) - 3n),
};
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: MarginaliaError) => error.code,
  );

afterEach(() => close());

describe("typed arrays", () => {
  it.each([{ threads: 2 }, { threads: false }, { worker: false }] as const)(
    "cross in blocks, with progress in rows, and stay as they are, with %j",
    async (options) => {
      await init(options);
      const seen: { done: number; total?: number }[] = [];
      using table = await readTable(source, s, { onProgress: (progress) => seen.push(progress) });
      expect(seen.map(({ done }) => done)).toEqual([65_536, 131_072, 196_608, 262_144, N]);
      expect(seen.every(({ total }) => total === N)).toBe(true);
      expect(await table.codes("a")).toEqual(source.a);
      expect((await table.codes("b")).at(-1)).toBe(Math.min(Number(source.b[N - 1]), 300) + 3);
      expect([source.a.length, source.b.length]).toEqual([N, N]);
    },
  );

  it("are left between blocks when the signal fires", async () => {
    const controller = new AbortController();
    let told = 0;
    const onProgress = () => {
      told += 1;
      controller.abort();
    };
    expect(await codeOf(readTable(source, s, { signal: controller.signal, onProgress }))).toBe("ABORTED");
    expect(told).toBe(1);
  });

  it("may lie in shared memory or in a pool of Node, and may not shrink on the way", async () => {
    const shared = new Uint8Array(new SharedArrayBuffer(100));
    shared.fill(4);
    const pooled = Buffer.from("\u0001".repeat(100));
    using table = await readTable({ a: shared, b: pooled }, s);
    expect([...(await table.codes("a"))]).toEqual(Array(100).fill(4));
    expect([...(await table.codes("b"))]).toEqual(Array(100).fill(4));
    expect(pooled.toString()).toBe("\u0001".repeat(100));
    const shrinking = { a: new Uint8Array(N), b: new Uint8Array(N) };
    const onProgress = () => structuredClone(shrinking.a, { transfer: [shrinking.a.buffer] });
    expect(await codeOf(readTable(shrinking, s, { onProgress }))).toBe("OPTION_INVALID");
  });
});

describe("Parquet", () => {
  const groups = 6;
  const file = parquetWriteBuffer({
    rowGroupSize: 50_000,
    columnData: ["a", "b", "junk"].map((name) => ({
      name,
      data: Array.from({ length: groups * 50_000 }, (_, i) =>
        name === "junk" ? (i * 2_654_435_761) | 0 : i % 10,
      ),
      type: "INT32" as const,
    })),
  });

  /** A blob that notes which parts of it are asked for. */
  function watched() {
    const parts: number[] = [];
    let streamed = 0;
    class Watched extends Blob {
      override slice(start?: number, end?: number, type?: string): Blob {
        parts.push((end as number) - (start as number));
        return super.slice(start, end, type);
      }
      override stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
        const count = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
          transform: (chunk, controller) => {
            streamed += chunk.length;
            controller.enqueue(chunk);
          },
        });
        return new Response(super.slice(0, 100)).body?.pipeThrough(count) as never;
      }
    }
    return { blob: new Watched([file]), parts, streamed: () => streamed };
  }

  it("is read where its columns stand, and columns that are passed over are not read", async () => {
    const { blob, parts, streamed } = watched();
    const seen: number[] = [];
    using table = await readTable(blob, s, { ignore: ["junk"] });
    expect(table.rows).toBe(groups * 50_000);
    expect((await table.marginal(["a"]))[3]).toBe(groups * 5000);
    const read = parts.reduce((sum, part) => sum + part, 0);
    expect(file.byteLength).toBeGreaterThan(1_000_000);
    expect(read).toBeLessThan(file.byteLength - 500_000);
    expect(streamed()).toBeLessThanOrEqual(100);
    using whole = await readTable(new Response(file), s, {
      ignore: true,
      onProgress: ({ done }) => seen.push(done),
    });
    expect(whole.rows).toBe(groups * 50_000);
    expect(seen.at(-1)).toBe(file.byteLength);
    expect(await codeOf(readTable(new Blob([file]), s))).toBe("COLUMN_UNDECLARED");
  });

  it("is left between columns when the signal fires", async () => {
    const { blob, parts } = watched();
    using whole = await readTable(blob, s, { ignore: true });
    const all = parts.length;
    const again = watched();
    const controller = new AbortController();
    const slice = again.blob.slice.bind(again.blob);
    let calls = 0;
    again.blob.slice = (start, end) => {
      calls += 1;
      if (calls === 3) controller.abort();
      return slice(start, end);
    };
    expect(await codeOf(readTable(again.blob, s, { ignore: true, signal: controller.signal }))).toBe(
      "ABORTED",
    );
    await new Promise((done) => setTimeout(done, 50));
    expect(whole.rows).toBe(groups * 50_000);
    expect(calls).toBeLessThan(all / 2);
  });
});
