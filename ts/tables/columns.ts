import { call, type NumberColumn, open } from "../engine/index.js";
import { invalid } from "../options.js";
import type { CallSettings } from "./read.js";
import type { Schema } from "./schema.js";
import type { Columns } from "./source.js";
import { Table } from "./table.js";

/** Rows and numbers that cross to the engine at once: some megabytes, however long the columns are. */
const ROWS = 1 << 16;
const NUMBERS = 1 << 20;

/** A table from typed arrays, block by block: two blocks are on their way at once. */
export async function readColumns<S extends Schema>(
  columns: Columns,
  schema: S,
  options: string,
  { signal, onProgress }: CallSettings,
): Promise<Table<S>> {
  const names = Object.keys(columns);
  const lists = Object.values(columns) as NumberColumn[];
  const total = lists[0]?.length ?? 0;
  const most = Math.min(ROWS, Math.ceil(NUMBERS / Math.max(lists.length, 1)));
  const settings = signal ? { signal } : {};
  const args = { schema: schema.normal(), options, names };
  const [reader] = await open("columns.open", args, settings);
  try {
    let before: Promise<unknown> = Promise.resolve();
    for (let from = 0; from < total; from += most) {
      const to = Math.min(total, from + most);
      const block = lists.map((list) => part(list, total, from, to));
      await before;
      if (from > 0) onProgress?.({ done: from, total });
      const transfer = block.map(({ buffer }) => buffer as ArrayBuffer);
      before = call("columns.push", { columns: block }, { on: reader, transfer, ...settings });
      before.catch(() => undefined);
    }
    await before;
    onProgress?.({ done: total, total });
    const [handle, shape] = await open("columns.finish", undefined, { on: reader, ...settings });
    return new Table(schema, handle, shape.rows, shape.weighted);
  } finally {
    reader.dispose();
  }
}

type Kind = new (length: number) => NumberColumn & { set(part: NumberColumn): void };

/** A copy of some rows in a buffer of its own, also of shared memory and of Node's pooled `Buffer`. */
function part(list: NumberColumn, total: number, from: number, to: number): NumberColumn {
  if (list.length !== total) throw invalid("a column was changed while it was read");
  const kind = (globalThis as unknown as Record<string, Kind>)[list[Symbol.toStringTag]] as Kind;
  const copy = new kind(to - from);
  copy.set(list.subarray(from, to));
  return copy;
}
