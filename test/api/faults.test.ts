// What goes wrong while a table is read: a typed error, nothing hangs, nothing is left behind.

import { execFile } from "node:child_process";
import { createServer } from "node:http";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { tableFromArrays, tableToIPC } from "@uwdata/flechette";
import { parquetWriteBuffer } from "hyparquet-writer";
import { close, init, integer, type MarginaliaError, memory, readTable, schema } from "marginalia";
import { afterEach, describe, expect, it } from "vitest";

const s = schema({ a: integer({ min: 0, max: 9 }), b: integer({ min: 0, max: 9 }) });
const text = `a,b\n${Array.from({ length: 5000 }, (_, i) => `${i % 10},${(i * 7) % 10}\n`).join("")}`;
const utf8 = (of: string) => new TextEncoder().encode(of);

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: MarginaliaError) => error.code,
  );

afterEach(() => close());

describe("gzip", () => {
  it("that is cut short anywhere, in any pieces, is refused by its code", async () => {
    const whole = gzipSync(text, { level: 1 });
    for (let cut = 2; cut < whole.length; cut += Math.ceil(whole.length / 60)) {
      async function* pieces() {
        for (let at = 0; at < cut; at += 997) yield whole.subarray(at, Math.min(cut, at + 997));
      }
      expect(await codeOf(readTable(pieces(), s)), `cut at ${cut}`).toBe("GZIP_INVALID");
    }
    expect((await memory()).objects).toBe(0);
  });
});

describe("a read that ends early", () => {
  it("leaves nothing in the engine, whether it is aborted or refused, in 300 rounds", async () => {
    await init({ threads: false });
    async function* until(controller: AbortController, pieces: number) {
      for (let i = 0; ; i++) {
        if (i === pieces) controller.abort();
        yield i === 0 ? utf8("a,b\n") : utf8("1,2\n".repeat(1000));
      }
    }
    const round = async (i: number) => {
      const controller = new AbortController();
      const { signal } = controller;
      expect(await codeOf(readTable(until(controller, i % 7), s, { signal }))).toBe("ABORTED");
      expect(await codeOf(readTable(utf8(`${text}x,y\n`), s))).toBe("VALUE_OUTSIDE");
      expect(await codeOf(readTable(utf8("a\n1\n"), s))).toBe("COLUMN_MISSING");
    };
    for (let i = 0; i < 30; i++) await round(i);
    const before = await memory();
    for (let i = 0; i < 300; i++) await round(i);
    const after = await memory();
    expect(after.objects).toBe(0);
    expect(Math.abs(after.used - before.used)).toBeLessThanOrEqual(0.05 * before.used);
  }, 60_000);

  it("hangs up on the server", async () => {
    let closed = false;
    const controller = new AbortController();
    const server = createServer((_, response) => {
      response.on("close", () => {
        closed = true;
      });
      response.write(text);
      setTimeout(() => controller.abort(), 100);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    try {
      const { signal } = controller;
      expect(await codeOf(readTable(`http://127.0.0.1:${port}/a.csv`, s, { signal }))).toBe("ABORTED");
      await expect.poll(() => closed, { timeout: 10_000 }).toBe(true);
    } finally {
      server.close();
    }
  });

  it.each([{ threads: 2 }, { threads: false }, { worker: false }] as const)(
    "because the engine is closed is refused so, its source is left, and the next one works, with %j",
    async (options) => {
      await init(options);
      let left = false;
      async function* endless() {
        try {
          yield utf8(text);
          for (let i = 0; ; i++) {
            // The first of them that reach the engine are some three.
            if (i === 10) void close();
            await new Promise((turn) => setTimeout(turn));
            yield utf8("1,2\n".repeat(100_000));
          }
        } finally {
          left = true;
        }
      }
      expect(await codeOf(readTable(endless(), s))).toBe("ENGINE_CLOSED");
      await expect.poll(() => left, { timeout: 10_000 }).toBe(true);
      await init(options);
      using table = await readTable(utf8(text), s);
      expect(table.rows).toBe(5000);
    },
  );
});

it("a peer that is not installed is named, with the command that installs it", async () => {
  const files = {
    hyparquet: new Uint8Array(parquetWriteBuffer({ columnData: [{ name: "a", data: [1], type: "INT32" }] })),
    "@uwdata/flechette": tableToIPC(tableFromArrays({ a: [1] }), { format: "stream" }) as Uint8Array,
  };
  for (const [name, bytes] of Object.entries(files)) {
    const hook = `export const resolve = (s, c, next) => { if (s === ${JSON.stringify(name)}) throw Error("gone"); return next(s, c); }`;
    const register = `import { register } from "node:module"; register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(hook)}`)});`;
    const program = `import { integer, readTable, schema } from "marginalia";
      const bytes = Buffer.from("${Buffer.from(bytes).toString("base64")}", "base64");
      const error = await readTable(bytes, schema({ a: integer({ min: 0, max: 9 }) })).catch((error) => error);
      console.log(error.code, error.message);`;
    const hooked = `data:text/javascript,${encodeURIComponent(register)}`;
    const args = ["--no-warnings", "--import", hooked, "--input-type=module", "--eval", program];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    expect(stdout).toContain("PEER_MISSING");
    expect(stdout).toContain(`npm install ${name}`);
  }
});

describe("a file", () => {
  it("is NDJSON by its name, compressed or not", async () => {
    const lines = Array.from({ length: 100 }, (_, i) => `{"a":${i % 10},"b":1}\n`).join("");
    for (const [name, bytes] of [
      ["some.ndjson", utf8(lines)],
      ["some.JSONL", utf8(lines)],
      ["some.jsonl.gz", gzipSync(lines)],
    ] as const) {
      using table = await readTable(new File([bytes as BlobPart], name), s);
      expect(table.rows).toBe(100);
      expect((await table.marginal(["a"]))[3]).toBe(10);
    }
  });
});

it("raw numbers that are kept go through distinct rows, and are what is written", async () => {
  const wide = schema({ x: integer({ min: 0, max: 99, width: 50 }) });
  const x = Uint8Array.from({ length: 1000 }, (_, i) => (i % 2 === 0 ? 7 : 93));
  using table = await readTable({ x }, wide, { keepRaw: ["x"] });
  using distinct = await table.distinct();
  expect(distinct.rows).toBe(2);
  for (const seed of [1, 2, 3]) expect(await distinct.toCsv({ seed })).toBe("x\n7\n93\n");
  using without = await readTable({ x }, wide);
  using few = await without.distinct();
  const drawn = new Set(await Promise.all([1, 2, 3, 4].map((seed) => few.toCsv({ seed }))));
  expect(drawn.size).toBeGreaterThan(1);
});
