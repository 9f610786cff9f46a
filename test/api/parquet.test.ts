import { createServer } from "node:http";
import { parquetWriteBuffer } from "hyparquet-writer";
import { close, init, integer, type MarginaliaError, readTable, type Source, schema } from "marginalia";
import { afterEach, describe, expect, it } from "vitest";

const s = schema({ a: integer({ min: 0, max: 9 }) });
const N = 200_000;
const file = new Uint8Array(
  parquetWriteBuffer({
    rowGroupSize: 20_000,
    columnData: ["a", "junk"].map((name) => ({
      name,
      data: Array.from({ length: N }, (_, i) => (name === "a" ? i % 10 : (i * 2_654_435_761) | 0)),
      type: "INT32" as const,
    })),
  }),
);

async function* inPieces(size: number): AsyncGenerator<Uint8Array> {
  // A producer may use one buffer again and again.
  const buffer = new Uint8Array(size);
  for (let at = 0; at < file.length; at += size) {
    const piece = file.subarray(at, at + size);
    buffer.set(piece);
    yield buffer.subarray(0, piece.length);
  }
}

const refused = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: MarginaliaError) => error,
  );

async function count(source: Source): Promise<number | undefined> {
  using table = await readTable(source, s, { ignore: true });
  expect(table.rows).toBe(N);
  return (await table.marginal(["a"]))[3];
}

afterEach(() => close());

describe("Parquet that comes one byte after another", () => {
  it.each([
    ["an iterable", () => inPieces(777)],
    ["a web stream", () => new Blob([file]).stream()],
    ["a Response", () => new Response(file)],
    ["a Buffer", () => Buffer.concat([file])],
  ])("from %s is read", async (_, source) => {
    expect(await count(source() as Source)).toBe(N / 10);
  });

  it("is kept up to the memory limit and no further, and the source is left", async () => {
    await init({ memoryLimit: 2 ** 23 });
    let given = 0;
    let left = false;
    async function* endless() {
      try {
        yield file.subarray(0, 4);
        for (;;) {
          given += 1 << 16;
          yield new Uint8Array(1 << 16);
        }
      } finally {
        left = true;
      }
    }
    const error = await refused(readTable(endless(), s));
    expect([error?.code, error?.message]).toEqual(["OUT_OF_MEMORY", expect.stringMatching(/path, a Blob/)]);
    expect(given).toBeLessThan(2 ** 24);
    await expect.poll(() => left).toBe(true);
  });

  it("tells what the source said when it fails", async () => {
    async function* failing() {
      yield file.subarray(0, 1000);
      throw new Error("the line went dead");
    }
    await expect(readTable(failing(), s)).rejects.toThrow("the line went dead");
  });
});

describe("Parquet behind a URL", () => {
  /** A server that answers range requests, or does not, or ceases to after some. */
  async function served(most: number, act: (url: string) => Promise<void>) {
    const asked: string[] = [];
    let sent = 0;
    const server = createServer((request, response) => {
      const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "");
      if (range) asked.push(request.headers.range as string);
      const [from, to] =
        range && asked.length <= most ? [Number(range[1]), Number(range[2]) + 1] : [0, file.length];
      response.writeHead(to - from < file.length ? 206 : 200, { "content-length": to - from });
      for (let at = from; at < to; at += 1 << 14) {
        const piece = file.subarray(at, Math.min(to, at + (1 << 14)));
        response.write(piece, (error) => {
          if (!error) sent += piece.length;
        });
      }
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    try {
      await act(`http://127.0.0.1:${port}/some.parquet`);
    } finally {
      server.closeAllConnections();
      server.close();
    }
    return { asked, sent };
  }

  it("is read by ranges where the server answers them, and not as a whole", async () => {
    const { asked } = await served(Number.POSITIVE_INFINITY, async (url) => {
      expect(await count(url)).toBe(N / 10);
    });
    // The probe, the footer, and a column of each row group.
    expect(asked.length).toBe(2 + N / 20_000);
    const lengths = asked.slice(2).map((range) => {
      const [from, to] = range.slice("bytes=".length).split("-").map(Number) as [number, number];
      return to - from;
    });
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBeLessThan(file.length / 2);
  });

  it("is gathered where the server does not", async () => {
    const { asked } = await served(0, async (url) => {
      expect(await count(url)).toBe(N / 10);
    });
    expect(asked).toHaveLength(1);
  });

  it("is refused by a typed error where the server ceases to", async () => {
    await served(3, async (url) => {
      const error = await refused(count(url));
      expect([error?.code, error?.message]).toEqual(["SOURCE_FAILED", expect.stringContaining("range")]);
    });
  });
});
