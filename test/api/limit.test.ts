import {
  category,
  close,
  date,
  init,
  integer,
  kWay,
  memory,
  readTable,
  type Schema,
  schema,
  type Table,
} from "marginalia";
import { afterEach, describe, expect, it } from "vitest";

/** What grows with a table, tried with ever less memory: it ends by an error, and never ends the engine. */

afterEach(() => close());

const LIMIT = 2 ** 24;
const numbers = schema({ x: integer({ min: 0, max: 199 }) });
const filler = (bytes: number) => readTable({ x: new Uint8Array(bytes) }, numbers);

/** Leaves about so many bytes. */
async function leave(bytes: number): Promise<Table<typeof numbers>[]> {
  const held: Table<typeof numbers>[] = [];
  const { used, limit } = await memory();
  const rows = limit - used - bytes;
  if (rows > 0) held.push(await filler(rows - (rows % 65_536)));
  return held;
}

async function squeeze<S extends Schema>(
  make: () => Promise<Table<S>>,
  act: (table: Table<S>) => Promise<unknown>,
) {
  let refusals = 0;
  for (let left = 2 ** 22; left >= 2 ** 15; left = Math.floor(left / 1.6)) {
    await init({ memoryLimit: LIMIT, threads: false });
    using table = await make();
    const held = await leave(left).catch(() => []);
    const outcome = await act(table).then(
      () => "done",
      (error: { code: string }) => error.code,
    );
    expect(["done", "OUT_OF_MEMORY", "MODEL_TOO_LARGE"]).toContain(outcome);
    refusals += Number(outcome !== "done");
    for (const one of held) one.dispose();
    expect((await table.codes(table.schema.names[0] as never)).length).toBe(table.rows);
    await close();
  }
  expect(refusals).toBeGreaterThan(0);
}

describe("at the memory limit the engine refuses and goes on:", () => {
  const long = "x".repeat(500);
  const wide = schema({ a: category([long, `${long}y`]), b: category([`${long}z`, long]) });
  const many = schema({
    a: integer({ min: 0, max: 65_000 }),
    b: date({ from: "1900-01-01", to: "2050-12-31", step: "day" }),
  });
  const rows = 20_000;
  const column = Uint16Array.from({ length: rows }, (_, i) => i);

  it("writing", () =>
    squeeze(
      () => readTable({ a: Array(3000).fill(long), b: Array(3000).fill(long) }, wide),
      (table) => table.toCsv(),
    ));

  it("preparing to write attributes of many codes", () =>
    squeeze(
      () => readTable({ a: column, b: column }, many),
      (table) => table.csv().getReader().read(),
    ));

  it("distinct rows with raw numbers", () =>
    squeeze(
      () => readTable({ a: column, b: column, w: column }, many, { weight: "w", keepRaw: ["a", "b"] }),
      (table) => table.distinct().then((distinct) => distinct.dispose()),
    ));

  it("cells that are not zero", () =>
    squeeze(
      () => readTable({ a: column, b: column }, many),
      async (table) => {
        using answers = await table.count(kWay(many, 2));
        return answers.nonzero(0);
      },
    ));

  it("reading", async () => {
    let refusals = 0;
    const text = `a,b,w\n${"7,1960-01-01,1\n".repeat(60_000)}`;
    for (let left = 2 ** 22; left >= 2 ** 16; left = Math.floor(left / 1.6)) {
      await init({ memoryLimit: LIMIT, threads: false });
      await leave(left).catch(() => []);
      for (const source of [new TextEncoder().encode(text), { a: column, b: column, w: column }]) {
        const read = readTable(source, many, { weight: "w", keepRaw: ["a"] });
        const code = await read.then(
          (table) => table.dispose(),
          (error: { code: string }) => error.code,
        );
        expect([undefined, "OUT_OF_MEMORY"]).toContain(code);
        refusals += Number(code !== undefined);
      }
      await close();
    }
    expect(refusals).toBeGreaterThan(0);
  });
});
