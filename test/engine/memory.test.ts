import { capabilities, close, type InitOptions, init, integer, readTable, schema } from "marginalia";
import { afterEach, describe, expect, test } from "vitest";

/** The memory limit of the real engine, as the public API meets it. */

const numbers = schema({ x: integer({ min: 0, max: 199 }) });
/** In bytes: a column takes one a row, each thread two million. */
const LIMIT = 2 ** 23;
const column = (rows: number) => ({ x: Uint8Array.from({ length: rows }, (_, i) => i % 200) });

const MODES: { mode: string; options: InitOptions }[] = [
  { mode: "threads", options: { threads: 2 } },
  { mode: "one worker", options: { threads: false } },
  { mode: "the caller's thread", options: { worker: false } },
];

afterEach(() => close());

describe.each(MODES)("a memory limit with $mode", ({ options }) => {
  test("refuses what exceeds it by a typed error, and the engine goes on", async () => {
    await init({ ...options, memoryLimit: LIMIT });
    using small = await readTable(column(700_000), numbers);
    expect(small.rows).toBe(700_000);
    await expect(readTable(column(12_000_000), numbers)).rejects.toMatchObject({ code: "OUT_OF_MEMORY" });
    expect(Array.from((await small.codes("x")).slice(0, 3))).toEqual([0, 1, 2]);
    using again = await readTable(column(700_000), numbers);
    expect(again.rows).toBe(700_000);
    expect((await capabilities()).threads).toBe(options.threads || 1);
  });

  test("does not wear out: what is disposed of is free again", async () => {
    await init({ ...options, memoryLimit: LIMIT });
    for (let round = 0; round < 12; round++) {
      using table = await readTable(column(700_000), numbers);
      expect(table.rows).toBe(700_000);
    }
  });
});
