import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Writable } from "node:stream";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import {
  category,
  integer,
  kWay,
  type MarginaliaError,
  memory,
  mutualInformationTree,
  number,
  readTable,
  schema,
  topPairs,
  workload,
} from "marginalia";
import { describe, expect, it } from "vitest";

const s = schema({
  a: integer({ min: 0, max: 3 }),
  b: integer({ min: 0, max: 2 }),
  c: integer({ min: 0, max: 299 }),
  one: category(["x"], {}),
});
type Column = { a: number[]; b: number[]; c: number[]; one: string[] };

const columns = (rows: readonly (readonly [number, number, number])[]): Column => ({
  a: rows.map((row) => row[0]),
  b: rows.map((row) => row[1]),
  c: rows.map((row) => row[2]),
  one: rows.map(() => "x"),
});

/** Counts by looking at every row. */
function brute(data: Column, clique: readonly string[], weights?: readonly number[]): Float64Array {
  const sizes = clique.map((name) => s.size(name as "a"));
  const cells = new Float64Array(sizes.reduce((product, size) => product * size, 1));
  data.a.forEach((_, row) => {
    const code = (name: string) => (name === "one" ? 0 : (data[name as "a"][row] as number));
    const cell = clique.reduce((index, name, i) => index * (sizes[i] as number) + code(name), 0);
    cells[cell] = (cells[cell] as number) + (weights?.[row] ?? 1);
  });
  return cells;
}

const rowsOf = fc.array(fc.tuple(fc.nat(3), fc.nat(2), fc.nat(299)), { maxLength: 60 });
const clique = fc.shuffledSubarray(["a", "b", "c", "one"] as const);

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => (error as MarginaliaError).code,
  );

describe("count", () => {
  it("property: agrees with a look at every row, for cliques in any order, repeated and empty", async () => {
    await fc.assert(
      fc.asyncProperty(rowsOf, fc.array(clique, { maxLength: 8 }), async (rows, cliques) => {
        const data = columns(rows);
        using table = await readTable(data, s);
        const answers = await table.answer(workload(s, cliques));
        expect(answers).toEqual(cliques.map((names) => brute(data, names)));
      }),
      { numRuns: 60 },
    );
  });

  it("adds up weights, exactly where they are whole", async () => {
    const data = columns([
      [0, 0, 7],
      [1, 2, 7],
      [0, 0, 9],
    ]);
    const weights = [2 ** 52, 3, 2 ** 52];
    using table = await readTable({ ...data, w: weights }, s, { weight: "w" });
    for (const names of [["a"], ["b", "a"], ["c", "one"], []] as const) {
      expect(await table.marginal(names)).toEqual(brute(data, names, weights));
    }
    expect(await table.marginal([])).toEqual(Float64Array.of(2 ** 53 + 3));
  });

  it("gives the same cells one by one, all at once, and without the zeros", async () => {
    const data = columns([
      [0, 0, 7],
      [1, 2, 7],
      [0, 0, 9],
    ]);
    using table = await readTable(data, s);
    const pairs = kWay(s, 2);
    using answers = await table.count(pairs);
    const all = await answers.all();
    for (let i = 0; i < pairs.length; i++) {
      expect(await answers.clique(i)).toEqual(all[i]);
      expect(await answers.clique(pairs.clique(i))).toEqual(all[i]);
      const { cells, counts } = await answers.nonzero(i);
      const dense = new Float64Array(pairs.size(i));
      cells.forEach((cell, j) => {
        dense[cell] = counts[j] as number;
      });
      expect(dense).toEqual(all[i]);
    }
    await expect(answers.clique(["b", "a"])).rejects.toMatchObject({ code: "OPTION_INVALID" });
  });

  it("holds a clique that has far more cells than rows by those that occur", async () => {
    const wide = schema(
      Object.fromEntries(Array.from({ length: 6 }, (_, i) => [`w${i}`, integer({ min: 0, max: 299 })])),
    );
    const rows = Array.from({ length: 50 }, (_, row) =>
      Object.fromEntries(wide.names.map((name, i) => [name, (row * (i + 7)) % 300])),
    );
    using table = await readTable(rows, wide);
    using answers = await table.count(kWay(wide, 6));
    const { cells, counts } = await answers.nonzero(0);
    expect(counts.reduce((a, b) => a + b)).toBe(50);
    const place = (row: Record<string, number>) =>
      wide.names.reduce((index, name) => index * 300 + (row[name] as number), 0);
    expect([...cells]).toEqual([...new Set(rows.map(place))].sort((a, b) => a - b));
    expect(await codeOf(answers.clique(0))).toBe("MODEL_TOO_LARGE");
  });

  it("refuses what would not fit the memory before it counts", async () => {
    const wide = schema({ a: integer({ min: 0, max: 65_000 }), b: integer({ min: 0, max: 65_000 }) });
    const n = 70_000;
    const column = Uint16Array.from({ length: n }, (_, i) => i % 65_001);
    using table = await readTable({ a: column, b: column }, wide);
    const many = workload(
      wide,
      Array.from({ length: 3000 }, () => ["a"] as const),
    );
    expect(await codeOf(table.count(many))).toBe("MODEL_TOO_LARGE");
  });

  it("refuses a workload over another schema and misspelt options", async () => {
    using table = await readTable(columns([]), s);
    const other = schema({ a: integer({ min: 0, max: 9 }) });
    expect(await codeOf(table.count(kWay(other, 1) as never))).toBe("OPTION_INVALID");
    expect(await codeOf(table.count(kWay(s, 1), { onprogress: 1 } as never))).toBe("OPTION_INVALID");
  });

  it("counts an empty table", async () => {
    using table = await readTable(columns([]), s);
    expect(table.rows).toBe(0);
    expect(await table.marginal(["a", "b"])).toEqual(new Float64Array(12));
  });
});

describe("the most informative pairs of a public table", () => {
  const data = columns(Array.from({ length: 600 }, (_, i) => [i % 4, (i % 4) % 3, (i % 12) % 5]));

  /** Mutual information from its definition. */
  function information(x: readonly number[], y: readonly number[]): number {
    const share = (holds: (row: number) => boolean) => x.filter((_, row) => holds(row)).length / x.length;
    let sum = 0;
    for (const a of new Set(x)) {
      for (const b of new Set(y)) {
        const both = share((row) => x[row] === a && y[row] === b);
        if (both > 0)
          sum += both * Math.log(both / (share((row) => x[row] === a) * share((row) => y[row] === b)));
      }
    }
    return sum;
  }

  it("come in the order of their mutual information", async () => {
    using table = await readTable(data, s);
    const values = { a: data.a, b: data.b, c: data.c };
    const pairs = [
      ["a", "b"],
      ["a", "c"],
      ["b", "c"],
    ] as ["a" | "b", "b" | "c"][];
    const expected = pairs.toSorted(
      ([a, b], [c, d]) => information(values[c], values[d]) - information(values[a], values[b]),
    );
    const top = await topPairs(table, 3, { attributes: ["a", "b", "c"] });
    expect([...top]).toEqual(expected);
    expect(top.clique(0)).toEqual(["a", "b"]);
    expect([...(await topPairs(table, 1, { attributes: ["c", "b"] }))]).toEqual([["b", "c"]]);
    expect(await codeOf(topPairs(table, -1))).toBe("OPTION_INVALID");
    expect(await codeOf(topPairs(table, 1, { atributes: [] } as never))).toBe("OPTION_INVALID");
  });

  it("make a tree over all attributes", async () => {
    using table = await readTable(data, s);
    const tree = [...(await mutualInformationTree(table))];
    expect(tree).toHaveLength(3);
    expect(tree[0]).toEqual(["a", "b"]);
    expect(new Set(tree.flat())).toEqual(new Set(["a", "b", "c", "one"]));
  });
});

describe("distinct", () => {
  it("property: keeps the first of equal rows, with multiplicities that give the same counts", async () => {
    await fc.assert(
      fc.asyncProperty(rowsOf, async (rows) => {
        using table = await readTable(columns(rows), s);
        using distinct = await table.distinct();
        const firsts = rows.filter((row, i) => rows.findIndex((other) => `${other}` === `${row}`) === i);
        expect([...(await distinct.codes("c"))]).toEqual(firsts.map((row) => row[2]));
        expect(distinct.weighted).toBe(true);
        expect(await distinct.answer(kWay(s, 2))).toEqual(await table.answer(kWay(s, 2)));
      }),
      { numRuns: 40 },
    );
  });
});

it("answers are asked for by the number of a clique that there is, or by its name", async () => {
  using table = await readTable(columns([[0, 0, 0]]), s);
  using answers = await table.count(workload(s, [["a"], ["b"]]));
  for (const i of [-1, 2, 0.5, Number.NaN, 2 ** 32]) {
    expect(await codeOf(answers.clique(i))).toBe("OPTION_INVALID");
    expect(await codeOf(answers.nonzero(i))).toBe("OPTION_INVALID");
  }
  expect(await answers.clique(1)).toEqual(await answers.clique(["b"]));
  expect((await topPairs(table, 2 ** 32)).length).toBe(6);
});

describe("writing", () => {
  const t = schema({
    age: integer({ min: 0, max: 99, width: 10 }),
    x: number({ cuts: [0, 1, 2], decimals: 2 }),
  });
  const source = {
    age: Uint8Array.from({ length: 40_000 }, (_, i) => i % 100),
    x: Float64Array.from({ length: 40_000 }, (_, i) => (i % 200) / 100),
  };

  it("draws within bins by the seed: the same seed the same bytes, another seed others", async () => {
    using table = await readTable(source, t);
    const [one, again, other, middle] = await Promise.all(
      [{ seed: "v1" }, { seed: "v1" }, { seed: "v2" }, { within: "midpoint" as const }].map((options) =>
        table.toCsv(options),
      ),
    );
    expect(one).toBe(again);
    expect(one).not.toBe(other);
    expect(middle?.split("\n").slice(0, 3)).toEqual(["age,x", "5,0.50", "5,0.50"]);
    const ages = one
      ?.split("\n")
      .slice(1, -1)
      .map((line) => Number(line.split(",")[0])) as number[];
    expect(new Set(ages).size).toBe(100);
    expect(ages.every((age, row) => Math.floor(age / 10) === Math.floor((row % 100) / 10))).toBe(true);
  });

  it("goes to paths, Node streams and web streams, compressed by name or by option", async () => {
    using table = await readTable(source, t);
    const text = await table.toCsv();
    const folder = mkdtempSync(join(tmpdir(), "marginalia-"));
    try {
      await table.writeCsv(join(folder, "a.csv"));
      expect(readFileSync(join(folder, "a.csv"), "utf8")).toBe(text);
      await table.writeCsv(join(folder, "a.csv.gz"));
      expect(gunzipSync(readFileSync(join(folder, "a.csv.gz"))).toString()).toBe(text);
      expect(await codeOf(table.writeCsv(join(folder, "none", "a.csv")))).toBe("SOURCE_FAILED");
    } finally {
      rmSync(folder, { recursive: true });
    }
    const node = new PassThrough({ highWaterMark: 100 });
    const [read] = await Promise.all([new Response(node as never).text(), table.writeCsv(node)]);
    expect(read).toBe(text);
    const web = new TransformStream<Uint8Array, Uint8Array>();
    const [zipped] = await Promise.all([
      new Response(web.readable).arrayBuffer(),
      table.writeCsv(web.writable, { gzip: true }),
    ]);
    expect(gunzipSync(zipped).toString()).toBe(text);
  });

  it("stops when nobody reads on, when it is aborted, and when the target fails", async () => {
    using table = await readTable(source, t);
    const reader = table.csv().getReader();
    await reader.read();
    await reader.cancel();
    const controller = new AbortController();
    const aborted = table.writeCsv(new WritableStream({ write: () => controller.abort() }), {
      signal: controller.signal,
    });
    expect(await codeOf(aborted)).toBe("ABORTED");
    const broken = new PassThrough();
    broken.destroy(new Error("full"));
    expect(await codeOf(table.writeCsv(broken))).toBe("SOURCE_FAILED");
    expect(await codeOf(table.writeCsv(7 as never))).toBe("OPTION_INVALID");
    expect(await codeOf(table.toCsv({ delimiter: "." }))).toBe("OPTION_INVALID");
  });

  it("tells its progress in rows", async () => {
    using table = await readTable(source, t);
    const seen: number[] = [];
    await table.toCsv({ onProgress: ({ done }) => seen.push(done) });
    expect(seen).toEqual([16_384, 32_768, 40_000]);
  });

  it("empties no file, and keeps nothing in the engine, when it cannot begin", async () => {
    using table = await readTable(source, t);
    const folder = mkdtempSync(join(tmpdir(), "marginalia-"));
    const { objects } = await memory();
    try {
      const file = join(folder, "precious.csv");
      writeFileSync(file, "precious");
      expect(await codeOf(table.writeCsv(file, { delimiter: "ab" }))).toBe("OPTION_INVALID");
      expect(await codeOf(table.writeCsv(file, { delimeter: ";" } as never))).toBe("OPTION_INVALID");
      expect(await codeOf(table.writeCsv(file, { signal: AbortSignal.abort() }))).toBe("ABORTED");
      expect(readFileSync(file, "utf8")).toBe("precious");
      expect(await codeOf(table.writeCsv(join(folder, "none", "a.csv")))).toBe("SOURCE_FAILED");
      expect(await codeOf(table.writeCsv(7 as never))).toBe("OPTION_INVALID");
      const { writable } = new TransformStream<Uint8Array, Uint8Array>();
      writable.getWriter();
      expect(await codeOf(table.writeCsv(writable))).toBe("SOURCE_FAILED");
    } finally {
      rmSync(folder, { recursive: true });
    }
    // What was on its way when it was left is freed when it arrives.
    await expect.poll(async () => (await memory()).objects).toBe(objects);
  });

  it("does not wait for a target that was closed, before or in the middle", async () => {
    using table = await readTable(source, t);
    const closed = new PassThrough();
    closed.destroy();
    expect(await codeOf(table.writeCsv(closed))).toBe("SOURCE_FAILED");
    const closing: Writable = new Writable({
      highWaterMark: 1,
      write: () => setTimeout(() => closing.destroy()),
    });
    expect(await codeOf(table.writeCsv(closing))).toBe("SOURCE_FAILED");
  });

  it("refuses by a rejected promise what makes no sense", async () => {
    using table = await readTable(source, t, { weight: "age" });
    expect(await codeOf(table.toCsv({ gzip: true } as never))).toBe("OPTION_INVALID");
    expect(await codeOf(table.toCsv({ weight: "age" }))).toBe("OPTION_INVALID");
    expect(await codeOf(table.codes("zz" as never))).toBe("ATTRIBUTE_UNKNOWN");
  });

  it("holds a megabyte or so at once, however wide a table and long its texts are", async () => {
    const names = Array.from({ length: 3000 }, (_, i) => `a${i}`);
    const wide = schema(Object.fromEntries(names.map((name) => [name, category(["0", "x".repeat(200)])])));
    const columns = Object.fromEntries(names.map((name) => [name, new Uint8Array(40)]));
    using table = await readTable(columns, wide);
    const sizes: number[] = [];
    for await (const block of table.csv()) sizes.push(block.length);
    expect(sizes.slice(1)).toEqual([12_000, ...Array(19).fill(12_000)]);
  });
});

it("a table is of no use after dispose", async () => {
  const table = await readTable(columns([[0, 0, 0]]), s);
  table.dispose();
  table.dispose();
  expect(await codeOf(table.marginal(["a"]))).toBe("HANDLE_DISPOSED");
  expect(await codeOf(table.toCsv())).toBe("HANDLE_DISPOSED");
});
