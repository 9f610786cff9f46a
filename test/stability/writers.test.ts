// The contract of test/privacy/stability with writers that are programs of their own, and with one, two and four threads.
// The gate `stability` installs them; `MARGINALIA_PYTHON` is a Python with pandas.

import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { close, init } from "marginalia";
import { afterAll, describe, expect, it } from "vitest";
import { COLUMNS, counts, type Form, type Row, row, rows } from "../privacy/stability/neighbours.js";

const TABLES = 80;

/** Others and one more, without halves of pairs, which these writers refuse. */
const whole = (one: Row): Row =>
  Object.fromEntries(
    COLUMNS.map((name) => [name, one[name].replace(/[\ud800-\udfff]/g, "\ufffd")]),
  ) as unknown as Row;
const neighbours = fc
  .sample(fc.tuple(rows, row, fc.nat()), { numRuns: TABLES, seed: 20 })
  .map(([others, own, place]) => ({
    others: others.map(whole),
    own: whole(own),
    place: place % (others.length + 1),
  }));
const trios = neighbours.flatMap(({ others, own, place }) => [
  others,
  [own],
  [...others.slice(0, place), own, ...others.slice(place)],
]);
const tables = trios.map((all) => all.map((one) => COLUMNS.map((name) => one[name])));

type Files = Readonly<Record<string, readonly Uint8Array[]>>;

function python(asked: unknown): unknown {
  const program = process.env.MARGINALIA_PYTHON ?? "python3";
  const script = fileURLToPath(new URL("write.py", import.meta.url));
  const options = { input: JSON.stringify(asked), encoding: "utf8", maxBuffer: 2 ** 28 } as const;
  const { status, stdout, stderr } = spawnSync(program, [script], options);
  expect(status, `${stderr}\nrun scripts/gates/stability.sh, which installs pandas`).toBe(0);
  return JSON.parse(stdout);
}

function fromPython(): Files {
  const files = python({ columns: COLUMNS, tables }) as Record<string, string[]>;
  const decoded = Object.entries(files).map(([name, all]) => [
    name,
    all.map((one) => Buffer.from(one, "base64")),
  ]);
  return Object.fromEntries(decoded) as Files;
}

/** `COPY` quotes what holds its delimiter, quotes, returns or line feeds. It has no text with a zero character. */
async function fromDuckdb(): Promise<Files> {
  const require = createRequire(new URL("../../bench/package.json", import.meta.url));
  const { DuckDBInstance } = (await import(require.resolve("@duckdb/node-api"))) as {
    DuckDBInstance: { create(): Promise<{ connect(): Promise<{ run(sql: string): Promise<unknown> }> }> };
  };
  const folder = await mkdtemp(join(tmpdir(), "duckdb-"));
  const database = await (await DuckDBInstance.create()).connect();
  const literal = (text: string) => `'${text.replaceAll("\0", "").replaceAll("'", "''")}'`;
  const files: Uint8Array[] = [];
  try {
    for (const [i, table] of tables.entries()) {
      const names = COLUMNS.map((name) => `${name} VARCHAR`).join(", ");
      const values = table.map((fields) => `(${fields.map(literal).join(", ")})`).join(", ");
      await database.run(`CREATE OR REPLACE TABLE t (${names})`);
      if (table.length > 0) await database.run(`INSERT INTO t VALUES ${values}`);
      const place = join(folder, `${i}.csv`);
      await database.run(`COPY t TO ${literal(place)} (FORMAT csv, HEADER)`);
      files.push(await readFile(place));
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return { "DuckDB COPY": files };
}

const form = (file: Uint8Array, options: Form["options"] = {}): Form => ({
  source: () => file as Uint8Array<ArrayBuffer>,
  options: { format: "csv", ...options },
});

/** Reads every file; how many pairs of neighbours break the contract. */
async function broken(files: readonly Uint8Array[], options: Form["options"]): Promise<number> {
  let count = 0;
  for (let at = 0; at < files.length; at += 3) {
    const read = (i: number) => counts([], form(files[at + i] as Uint8Array, options));
    const [others, alone, all] = [await read(0), await read(1), await read(2)];
    const own = alone.reduce((sum, one) => sum + one);
    if (own > 1 || all.some((one, i) => one !== (others[i] as number) + (alone[i] as number))) count += 1;
  }
  return count;
}

afterAll(() => close());

describe("one record more is at most one row more", async () => {
  const files = { ...fromPython(), ...(await fromDuckdb()) };

  it.each(Object.keys(files))("written by %s", async (name) => {
    for (const badRows of ["drop", "null"] as const)
      expect(await broken(files[name] as Uint8Array[], { badRows })).toBe(0);
  });

  it.each(["csv", "pandas for Windows"])(
    "written by %s, whose records end by return and line feed",
    async (name) => {
      expect(await broken(files[name] as Uint8Array[], { lineEnd: "crlf", badRows: "null" })).toBe(0);
    },
  );

  it("is found out not to be where lines are records", async () => {
    for (const all of Object.values(files))
      expect(await broken(all, { records: "lines", badRows: "null" })).toBeGreaterThan(TABLES / 20);
  });

  it("is found out not to be where returns that Python's csv leaves bare are taken for line ends", async () => {
    const bare = files["csv with line feeds"] as Uint8Array[];
    expect(await broken(bare, { lineEnd: "any", badRows: "null" })).toBeGreaterThan(0);
  });
});

describe("threads", () => {
  /** Rows as in the tables, some of which a conforming writer could not have written, in files of many stretches. */
  const text = (end: string) => {
    const field = (value: string) => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
    const records = trios.flat().map((one) => COLUMNS.map((name) => field(one[name])).join(","));
    const odd = ['x,"p1"?,1,,q', 'x,5" pipe,1,,q', "x,p1,1"];
    const block = [...records, ...odd].join(end);
    return [COLUMNS.join(","), ...Array<string>(Math.ceil(2e7 / block.length)).fill(block)].join(end);
  };

  it.each(["\n", "\r\n"])("do not change what is counted, in records that end by %j", async (end) => {
    const bytes = new TextEncoder().encode(text(end));
    const found: string[] = [];
    for (const threads of [1, 2, 4]) {
      await close();
      await init({ threads });
      for (const records of ["quoted", "lines"] as const)
        for (const badRows of ["drop", "null"] as const)
          found.push(`${records} ${badRows} ${await counts([], form(bytes.slice(), { records, badRows }))}`);
    }
    expect(new Set(found).size).toBe(4);
    for (let i = 4; i < found.length; i++) expect(found[i]).toBe(found[i % 4]);
  });
});
